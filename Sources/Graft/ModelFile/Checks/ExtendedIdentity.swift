extension ModelChecker {
  /// Checks that the attributes that a sub-entity adds to its parent's identity follow the parent's attributes. Warns that imports as the
  /// parent then do not find the sub-entity's objects (M8).
  func checkExtendedIdentity(_ entity: EntityDescription, _ number: Int) {
    guard !entity.identityAttributes.isEmpty, let parent = index.parents[number] else { return }
    guard let owner = index.lineage(parent).first(where: { !index.entities[$0].identityAttributes.isEmpty }) else {
      return
    }
    var whole: [String] = []
    for name in index.lineage(parent).reversed().flatMap({ index.entities[$0].identityAttributes })
    where !whole.contains(name) {
      whole.append(name)
    }
    let inherited = Set(whole)
    let ancestor = index.entities[owner]
    let own = entity.identityAttributes
    // List either only the new attributes or all of them. The order matters for identifiers with several values (M3, I4).
    guard inherited.isDisjoint(with: own) || own.starts(with: whole) else {
      whole += own.filter { !inherited.contains($0) }
      let edit = entity.source[.identityAttributes].map {
        SourceEdit(replacing: $0, with: "[\(whole.map(NameFix.literal).joined(separator: ", "))]")
      }
      findings.report(
        ModelFinding.identityOrder(entity.name, of: ancestor.name, whole).fixed(by: edit),
        at: entity.source.place(of: .identityAttributes),
        notes: [.init("the identity of \(ancestor.name.quoted)", at: ancestor.source.place(of: .identityAttributes))])
      return
    }
    // Repeating the parent's attributes does not extend the identity.
    guard !inherited.isSuperset(of: own) else { return }
    findings.report(
      .extendedIdentity(entity.name, of: ancestor.name), at: entity.source.place(of: .identityAttributes),
      notes: [.init("the identity of \(ancestor.name.quoted)", at: ancestor.source.place(of: .identityAttributes))])
  }
}
