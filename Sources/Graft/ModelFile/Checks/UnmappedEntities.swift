extension ModelChecker {
  /// Checks that the model maps some property of each entity (M9). A property with `"JSONKeyPath": null` shows that an
  /// entity without key paths is excluded from JSON on purpose.
  func checkUnmappedEntities(_ uses: ModelUses) {
    for (number, entity) in index.entities.enumerated() {
      guard uses.isUnmapped(number), uses.hasProperties(number) else { continue }
      // Report only the topmost entity, not its sub-entities.
      guard !index.lineage(number).dropFirst().contains(where: uses.hasProperties) else { continue }
      findings.report(.unmappedEntity(entity.name), at: entity.source.place())
    }
  }
}
