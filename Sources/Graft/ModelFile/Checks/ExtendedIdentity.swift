extension ModelChecker {
  /// M8: a sub-entity that extends its parent's identity is not found through the parent (a warning), and does so behind
  /// the parent's attributes.
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
    // Either what is new, or all of it: identifiers of several values are told apart by their order (M3, I4).
    guard inherited.isDisjoint(with: own) || own.starts(with: whole) else {
      whole += own.filter { !inherited.contains($0) }
      findings.report(
        .identityOrder(entity.name, of: ancestor.name, whole), at: entity.source.place(of: .identityAttributes),
        notes: [.init("the identity of \(ancestor.name.quoted)", at: ancestor.source.place(of: .identityAttributes))])
      return
    }
    // Repeating the parent's attributes extends nothing.
    guard !inherited.isSuperset(of: own) else { return }
    findings.report(
      .extendedIdentity(entity.name, of: ancestor.name), at: entity.source.place(of: .identityAttributes),
      notes: [.init("the identity of \(ancestor.name.quoted)", at: ancestor.source.place(of: .identityAttributes))])
  }
}
