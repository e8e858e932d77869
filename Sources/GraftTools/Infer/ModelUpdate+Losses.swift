package import Graft

// Parts of the samples that are lost when they are imported with the changed model, even though the import succeeds.
extension ModelUpdate {
  /// A line for each key that the model does not read, for each property whose value an export does not write back, and for exports that
  /// fail.
  ///
  /// - Parameter report: the report of importing the samples with the changed model.
  package func losses(_ report: ImportReport, _ samples: [ModelInference.Sample]) -> [String] {
    let unread = report.unknownKeys.filter { !isKeptOut($0.key, of: $0.entityName) }.map { key in
      let times = key.count == 1 ? "" : ", \(key.count) times"
      return
        "warning: '\(key.entityName)' does not read \"\(key.key.escapedForDisplay())\" (at \(key.path)\(times)): add a property for "
        + "it, or an attribute of type 'json' for the object that contains it"
    }
    let source = SourceText(name: "<model>", bytes: Array(text.utf8))
    guard let changed = ModelFile.read(source, transformers: .standard).model else { return unread }
    // The import's warnings have the same cause.
    let warned = Set(report.warnings.compactMap(\.subject?.entityName))
    let (differences, failures) = inferred.differences(text, changed, samples) { _, _ in false }
    return unread + failures.map { "warning: an export fails: \($0.message)" }
      + differences.filter { !warned.contains($0.entityName) }
      .map { "warning: '\($0.entityName).\($0.propertyName)' loses values: \($0.reason)" }
  }

  /// Whether the model excludes a key.
  private func isKeptOut(_ key: String, of entityName: String) -> Bool {
    guard let entity = facts.entity(entityName) else { return false }
    let path = JSONKeyPath(keys: [key])
    return facts.family(entity).contains { one in
      one.attributes.contains { $0.keyPath == nil && keysKeptOut($0.name, $0.source).contains(path) }
        || one.relationships.contains { relationship in
          // An inverse that is not in JSON may have the name of the key by coincidence.
          relationship.keyPath == nil && relationship.inverseName == nil
            && keysKeptOut(relationship.name, relationship.source).contains(path)
        }
    }
  }
}
