/// Reads and checks model files (M9).
///
///     let (model, diagnostics) = ModelFile.read(text, transformers: .standard)
///
/// All findings are reported together, each with its location.
package enum ModelFile {
  /// Reads and checks a model file.
  ///
  /// All syntax errors are reported. If they leave no doubt about the meaning, such as a missing comma, the model is also checked.
  /// Otherwise, as after an unterminated string, only the syntax errors are reported.
  ///
  /// - Parameters:
  ///   - transformers: the value transformers, dictionary transformers and mappers that the model can use.
  ///   - unregisteredNames: the severity of unregistered names: an error for a program, a warning for the linter, which does not
  ///     know the program.
  ///   - most: the maximum number of findings. Further findings are only counted.
  /// - Returns: the model, or nil if there are errors, and the findings in file order.
  package static func read(
    _ source: SourceText, transformers: TransformerRegistry, unregisteredNames: Diagnostic.Severity = .error,
    most: Int? = nil
  ) -> (model: ModelDescription?, diagnostics: [Diagnostic]) {
    let most = most ?? ModelFindings.most
    let syntax = ModelFileParser.parse(source)
    let findings = ModelFindings()
    findings.report(syntax.errors, in: source)
    guard let tree = syntax.tree, syntax.isCertain else { return (nil, findings.diagnostics(most: most)) }
    var reader = ModelFileReader(source, findings)
    let model = reader.model(tree.root)
    ModelChecker(model, transformers, unregisteredNames, findings).run()
    return (findings.hasErrors ? nil : model, findings.diagnostics(most: most))
  }

  /// Reads a model file as a tree without checking its contents. Throws the syntax errors.
  static func tree(of source: SourceText) throws(ModelError) -> ModelFileTree {
    let syntax = ModelFileParser.parse(source)
    if let tree = syntax.tree, syntax.errors.isEmpty { return tree }
    let findings = ModelFindings()
    findings.report(syntax.errors, in: source)
    throw ModelError(findings.diagnostics())
  }

  /// Checks a model that was built in Swift, or changed after it was loaded (M10). The checks are the same, but without a
  /// file the findings have no locations.
  package static func check(
    _ description: ModelDescription, transformers: TransformerRegistry, unregisteredNames: Diagnostic.Severity = .error
  ) -> [Diagnostic] {
    let findings = ModelFindings()
    ModelChecker(description.numberedInOrder, transformers, unregisteredNames, findings).run()
    return findings.diagnostics()
  }
}

extension ModelDescription {
  /// The model, with locations in an imaginary text for declarations without a location, so that findings are in the model's order.
  fileprivate var numberedInOrder: ModelDescription {
    var copy = self
    var next = 0
    func number(_ source: inout DescriptionSource) {
      next += 1
      if source.text == nil { source.name = SourceRange(offset: next, length: 0) }
    }
    for entity in copy.entities.indices {
      number(&copy.entities[entity].source)
      for attribute in copy.entities[entity].attributes.indices {
        number(&copy.entities[entity].attributes[attribute].source)
      }
      for relationship in copy.entities[entity].relationships.indices {
        number(&copy.entities[entity].relationships[relationship].source)
      }
    }
    return copy
  }
}
