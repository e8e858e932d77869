extension ModelChecker {
  /// Checks the alternate identities of an entity (M27).
  func checkAlternateIdentities(_ entity: EntityDescription, _ number: Int) {
    guard let first = entity.alternateIdentities.first else { return }
    let lineage = index.lineage(number)
    let identity = lineage.reversed().flatMap { index.entities[$0].identityAttributes }
    if identity.isEmpty, index.knowsAllProperties(of: number) {
      findings.report(.alternateWithoutIdentity(first.properties, of: entity.name), at: first.source.place())
    }
    var known: [Set<UTF8Key>: SourcePlace] = [:]
    for ancestor in lineage.dropFirst() {
      for alternate in index.entities[ancestor].alternateIdentities {
        known[Set(alternate.key)] = alternate.source.place()
      }
    }
    let check = ListedPropertiesCheck(
      key: .alternateIdentities, entity: entity, number: number, index: index, findings: findings)
    for alternate in entity.alternateIdentities where check.check(alternate) {
      if let first = known.updateValue(alternate.source.place(), forKey: Set(alternate.key)) {
        findings.report(
          .repeatedAlternateIdentity(alternate.properties, of: entity.name), at: alternate.source.place(),
          notes: [.init("it is given here first", at: first)])
      } else if !identity.isEmpty, Set(identity.map(UTF8Key.init)).isSubset(of: Set(alternate.key)) {
        // Objects with different identities also differ in the alternate identity.
        findings.report(
          .alternateContainsIdentity(alternate.properties, of: entity.name), at: alternate.source.place())
      }
    }
  }
}
