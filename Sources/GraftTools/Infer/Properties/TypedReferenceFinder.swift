import Graft

/// Finds text that names the type and the ID of an object, if IDs are unique only within a type.
///
///     {"resourceType": "Observation", "id": "o7", "subject": {"reference": "Patient/p3"}}
struct TypedReferenceFinder {
  let table: ShapeTable
  let drafts: [EntityDraft]

  /// The words at the end of a key that show only that its value is a reference.
  private static let endings: Set<String> = ["reference", "ref", "id"]

  func find() {
    for target in drafts where target.parent == nil && target.identityKeys.count == 2 && !target.kinds.isEmpty {
      let known = identifiers(of: target)
      for draft in drafts {
        for index in draft.properties.indices {
          if let found = relationship(draft.properties[index], of: draft, to: target, known) {
            draft.properties[index] = found
          }
        }
      }
    }
  }

  /// The hashes of the types and IDs of an entity's objects.
  private func identifiers(of draft: EntityDraft) -> Set<ValueHash> {
    let numbers = draft.identities.map { $0.shape.number }
    let rows = draft.shape.rows
    return Set(
      (0..<rows.count).compactMap { row in
        let parts = numbers.compactMap { number in rows[row].first { table.find(Int($0.member)) == number }?.hash }
        return parts.count == 2 ? parts[0].adding(element: parts[1]) : nil
      })
  }

  private func relationship(
    _ property: EntityDraft.Property, of draft: EntityDraft, to target: EntityDraft, _ known: Set<ValueHash>
  ) -> EntityDraft.Property? {
    guard case .attribute(let choice, _) = property.kind, !property.isIdentity, choice.type == .string else {
      return nil
    }
    let shape = property.element ?? property.shape
    guard !property.path[0].hasPrefix("@"), shape.texts.count == shape.present, shape.texts.count > 0,
      !choice.isList || shape.nulls == 0 && !shape.items.hasRepeats
    else { return nil }
    var types: Set<String> = []
    var hits = 0
    for text in shape.texts.distinct {
      let parts = text.parts(between: "/")
      guard parts.count == 2, !parts[1].isEmpty, target.kinds.contains(where: { $0.value == parts[0] }) else {
        return nil
      }
      types.insert(parts[0])
      if known.contains(ValueHash.string(parts[0]).adding(element: .string(parts[1]))) { hits += 1 }
    }
    guard hits > 0 else { return nil }
    var result = property
    var words = property.path.flatMap(KeyNames.words)
    if words.count > 1, let last = words.last, Self.endings.contains(last.lowercased()) { words.removeLast() }
    let name = KeyNames.propertyName(words)
    if name != property.name {
      guard !draft.isUsed(name) else { return nil }
      result.name = draft.take([name])
    }
    let only = types.count == 1 ? target.kinds.first { $0.value == types.first }?.draft : nil
    result.kind = .identifiers(only ?? target, isToMany: choice.isList)
    result.transformers = ["Split(/)"]
    result.note = "Guess: the text names the type and the ID of an object."
    return result
  }
}
