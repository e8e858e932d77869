/// From a model file to a checked model (M9).
///
///     let (model, diagnostics) = ModelFile.read(text, transformers: .standard)
///
/// Everything that is wrong is found at once, each with its place.
package enum ModelFile {
  /// Reads and checks a model file.
  ///
  /// Faults of syntax are all reported. What the file means is judged as well where they leave no doubt about it, as a
  /// missing comma; where they do, as a string without its end, only the syntax is reported: nothing else is certain.
  ///
  /// - Parameters:
  ///   - transformers: the value transformers, dictionary transformers and mappers that the model may name.
  ///   - unregisteredNames: how bad it is when it names another one: an error for a program, a warning for the linter,
  ///     which cannot see the program.
  /// - Returns: the model, nil if there are errors; and what was found, in file order.
  package static func read(
    _ source: SourceText, transformers: TransformerRegistry, unregisteredNames: Diagnostic.Severity = .error
  ) -> (model: ModelDescription?, diagnostics: [Diagnostic]) {
    let syntax = ModelFileParser.parse(source)
    let findings = ModelFindings()
    findings.report(syntax.errors, in: source)
    guard let tree = syntax.tree, syntax.isCertain else { return (nil, findings.diagnostics()) }
    var reader = ModelFileReader(source, findings)
    let model = reader.model(tree.root)
    ModelChecker(model, transformers, unregisteredNames, findings).run()
    return (findings.hasErrors ? nil : model, findings.diagnostics())
  }

  /// Reads a model file as a tree, whatever it says. Throws what is wrong with its syntax.
  static func tree(of source: SourceText) throws(ModelError) -> ModelFileTree {
    let syntax = ModelFileParser.parse(source)
    if let tree = syntax.tree, syntax.errors.isEmpty { return tree }
    let findings = ModelFindings()
    findings.report(syntax.errors, in: source)
    throw ModelError(findings.diagnostics())
  }

  /// Checks a model that was built in Swift, or was changed after it was loaded (M10): the same checks, without places
  /// where there is no file.
  package static func check(
    _ description: ModelDescription, transformers: TransformerRegistry, unregisteredNames: Diagnostic.Severity = .error
  ) -> [Diagnostic] {
    let findings = ModelFindings()
    ModelChecker(description.numberedInOrder, transformers, unregisteredNames, findings).run()
    return findings.diagnostics()
  }
}

extension ModelDescription {
  /// The model with a place in an imaginary text for what has none, so that findings come out in the model's order.
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
