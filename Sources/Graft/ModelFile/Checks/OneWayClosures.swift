extension ModelChecker {
  /// Checks that an export can be imported again. An export cannot write back values that a closure reads (M9).
  func checkOneWayClosures(_ entity: EntityDescription, _ number: Int, _ uses: ModelUses) {
    guard uses.isMapped(number) else { return }
    if let name = entity.entityMapperName {
      findings.report(.oneWayMapper(name, of: entity.name), at: entity.source.place(of: .entityMapperName))
    }
    if let name = entity.dictionaryTransformerName {
      findings.report(
        .oneWayDictionaryTransformer(name, of: entity.name),
        at: entity.source.place(of: .JSONDictionaryTransformerName))
    }
  }
}
