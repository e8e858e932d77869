extension ModelChecker {
  /// M9: JSON gives something to each entity. A property with `"JSONKeyPath": null` shows that an entity without key paths
  /// is meant to be kept out of JSON.
  func checkUnmappedEntities(_ uses: ModelUses) {
    for (number, entity) in index.entities.enumerated() {
      guard uses.isUnmapped(number), uses.hasProperties(number) else { continue }
      // The topmost one stands for its sub-entities.
      guard !index.lineage(number).dropFirst().contains(where: uses.hasProperties) else { continue }
      findings.report(.unmappedEntity(entity.name), at: entity.source.place())
    }
  }
}
