import Graft

/// What is wrong with a model file, in which markers name the places: a line for each finding and each note.
///
///     findings(#"{"entities": 1️⃣5}"#)
///     // ["1️⃣ error: expected an object of entities by their names for 'entities' of the model, found the number 5"]
///
/// Notes are indented. Places without a marker stay `line:column:`. Advice is left out.
package func findings(
  _ marked: String, transformers: TransformerRegistry = .standard, unregisteredNames: Diagnostic.Severity = .error
) -> [String] {
  let marked = MarkedText(marked)
  let source = SourceText(name: "m.json", bytes: Array(marked.text.utf8))
  let result = ModelFile.read(source, transformers: transformers, unregisteredNames: unregisteredNames)
  return result.diagnostics.withoutAdvice.flatMap { diagnostic in
    [marked.naming(diagnostic.description, file: "m.json")]
      + diagnostic.notes.map { "  " + marked.naming($0.description, file: "m.json") }
  }
}

/// The same for the entities of a model.
package func findings(
  entities: String, transformers: TransformerRegistry = .standard, unregisteredNames: Diagnostic.Severity = .error
) -> [String] {
  findings("{\"entities\": {\n\(entities)\n}}", transformers: transformers, unregisteredNames: unregisteredNames)
}

extension [Diagnostic] {
  /// The findings without advice about what a model probably does not mean (M9). Tests of other things load fragments, which
  /// have no key paths and lead nowhere; advice has a folder of its own in Tests/Fixtures/bad-models.
  package var withoutAdvice: [Diagnostic] {
    let advice: Set<DiagnosticCode> = [
      .unmappedEntity, .unfilledAttribute, .ignoredMinCount, .missingInverse, .unreachedEntity,
      .oneWayClosure, .unexportedRelationship,
    ]
    return filter { !advice.contains($0.code) }
  }
}
