extension ModelChecker {
  /// Checks that the model maps at least one property of each entity (M9). A property with `"JSONKeyPath": null` shows that an
  /// entity without key paths is excluded from JSON on purpose.
  func checkUnmappedEntities(_ uses: ModelUses) {
    for (number, entity) in index.entities.enumerated() {
      checkMappingByInverse(number, uses)
      guard uses.isUnmapped(number), uses.hasProperties(number) else { continue }
      // Report only the topmost entity, not its sub-entities.
      guard !index.lineage(number).dropFirst().contains(where: uses.hasProperties) else { continue }
      findings.report(.unmappedEntity(entity.name), at: entity.source.place())
    }
  }

  /// Checks that an entity with attributes has key paths other than the key path of a single relationship with an inverse.
  /// Otherwise, its objects could not be distinguished, and would have only a link.
  private func checkMappingByInverse(_ number: Int, _ uses: ModelUses) {
    let entity = index.entities[number]
    let lineage = index.lineage(number).map { index.entities[$0] }
    let mapped = lineage.flatMap(\.relationships).filter { $0.keyPath != nil }
    guard uses.isMappedByInverses(number), !entity.attributes.isEmpty, mapped.count == 1,
      !lineage.dropFirst().contains(where: { !$0.attributes.isEmpty })
    else { return }
    findings.report(.mappedOnlyByInverse(entity.name, mapped[0].name), at: entity.source.place())
  }
}
