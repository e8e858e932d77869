extension ModelChecker {
  /// M8: a sub-entity that extends its parent's identity is not found through the parent (a warning).
  func checkExtendedIdentity(_ entity: EntityDescription, _ number: Int) {
    guard !entity.identityAttributes.isEmpty, let parent = index.parents[number] else { return }
    guard let owner = index.lineage(parent).first(where: { !index.entities[$0].identityAttributes.isEmpty }) else {
      return
    }
    let inherited = Set(index.lineage(parent).flatMap { index.entities[$0].identityAttributes })
    // Repeating the parent's attributes extends nothing.
    guard !inherited.isSuperset(of: entity.identityAttributes) else { return }
    let ancestor = index.entities[owner]
    findings.report(
      .extendedIdentity(entity.name, of: ancestor.name), at: entity.source.place(of: .identityAttributes),
      notes: [.init("the identity of \(ancestor.name.quoted)", at: ancestor.source.place(of: .identityAttributes))])
  }
}
