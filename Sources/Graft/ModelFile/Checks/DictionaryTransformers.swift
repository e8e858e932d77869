extension ModelChecker {
  /// Checks that a dictionary transformer is registered (M9).
  func checkDictionaryTransformer(_ entity: EntityDescription) {
    guard let name = entity.dictionaryTransformerName else { return }
    guard !isKnown(name, { transformers.dictionaryTransformer(named: $0) != nil }) else { return }
    findings.report(
      .unknownDictionaryTransformer(name, of: entity.name, unregisteredNames),
      at: entity.source.place(of: .JSONDictionaryTransformerName), near: transformers.dictionaryTransformerNames)
  }
}
