extension ModelChecker {
  /// Checks that an entity's name can be displayed, dumped and distinguished from other names.
  func checkEntityName(_ entity: EntityDescription, _ number: Int) {
    if let reason = NameRules.fault(inEntityName: entity.name) {
      findings.report(.badName(entity.name, of: "an entity", reason), at: entity.source.place())
    } else if let first = index.entity(named: entity.name), first != number {
      // In a file, two equal names are a duplicate key, which is reported elsewhere, unless the names only look the same.
      findings.report(
        .duplicateEntity(entity.name), at: entity.source.place(),
        notes: [.init("it is declared here first", at: index.entities[first].source.place())])
    }
  }
}
