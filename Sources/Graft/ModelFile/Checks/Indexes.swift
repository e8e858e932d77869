extension ModelChecker {
  /// Checks the indexes of an entity (M28).
  func checkIndexes(_ entity: EntityDescription, _ number: Int) {
    guard !entity.indexes.isEmpty else { return }
    // An ancestor's index is in the same table.
    var known: [[UTF8Key]: SourcePlace] = [:]
    for ancestor in index.lineage(number).dropFirst() {
      for index in index.entities[ancestor].indexes { known[index.key] = index.source.place() }
    }
    let check = ListedPropertiesCheck(key: .indexes, entity: entity, number: number, index: index, findings: findings)
    for index in entity.indexes where check.check(index) {
      if let first = known.updateValue(index.source.place(), forKey: index.key) {
        findings.report(
          .repeatedIndex(index.properties, of: entity.name), at: index.source.place(),
          notes: [.init("it is given here first", at: first)])
      } else {
        checkNeed(for: index, entity, number)
      }
    }
  }

  /// Checks that the store does not already have the index.
  private func checkNeed(for declared: EntityDescription.PropertyNames, _ entity: EntityDescription, _ number: Int) {
    let lineage = index.lineage(number)
    let identity = lineage.reversed().flatMap { index.entities[$0].identityAttributes }
    let alternates = lineage.flatMap { index.entities[$0].alternateIdentities }
    if identity.prefix(declared.properties.count).elementsEqual(declared.properties) {
      findings.report(
        .redundantIndex(declared.properties, of: entity.name, "the identity of its objects is always indexed"),
        at: declared.source.place())
    } else if alternates.contains(where: { $0.properties.starts(with: declared.properties) }) {
      findings.report(
        .redundantIndex(declared.properties, of: entity.name, "an alternate identity is always indexed"),
        at: declared.source.place())
    } else if declared.properties.count == 1,
      case .relationship? = index.property(named: declared.properties[0], of: number)?.property
    {
      findings.report(
        .redundantIndex(declared.properties, of: entity.name, "a to-one relationship is always indexed"),
        at: declared.source.place())
    }
  }
}
