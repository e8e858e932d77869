package import Graft

/// Returns the findings of a model file, with its markers as locations: a line for each finding and each note.
///
///     findings(#"{"entities": 1️⃣5}"#)
///     // ["1️⃣ error: expected an object that maps names to entities for 'entities' of the model, found the number 5"]
///
/// Notes are indented. Locations without a marker remain `line:column:`. Advice is omitted.
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

/// Returns the findings of a model with the given entities.
package func findings(
  entities: String, transformers: TransformerRegistry = .standard, unregisteredNames: Diagnostic.Severity = .error
) -> [String] {
  findings("{\"entities\": {\n\(entities)\n}}", transformers: transformers, unregisteredNames: unregisteredNames)
}

extension [Diagnostic] {
  /// Returns the findings without advice about implausible models (M9). Many tests load fragments without key paths or links. The advice is
  /// tested in Tests/Fixtures/bad-models.
  package var withoutAdvice: [Diagnostic] {
    let advice: Set<DiagnosticCode> = [
      .unmappedEntity, .unfilledAttribute, .ignoredMinCount, .missingInverse, .unreachedEntity,
      .oneWayClosure, .unexportedRelationship,
    ]
    return filter { !advice.contains($0.code) }
  }
}
