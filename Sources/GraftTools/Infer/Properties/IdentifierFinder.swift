import Graft

/// Finds attributes whose values identify objects of an entity, and turns them into relationships.
///
///     {"id": 7, "publisherId": 3}, and a Publisher with the id 3
struct IdentifierFinder {
  let table: ShapeTable
  let drafts: [EntityDraft]
  private let refutations: Refutations
  private var identities: [ObjectIdentifier: Set<ValueHash>] = [:]
  private var byName: [String: [EntityDraft]] = [:]

  private static let endings: Set<String> = ["id", "ids", "key", "keys", "code", "codes", "identifier", "uuid", "ref"]

  init(_ table: ShapeTable, _ drafts: [EntityDraft], _ refutations: Refutations) {
    self.table = table
    self.refutations = refutations
    self.drafts = drafts
    let test = IdentityTest(table: table)
    for draft in drafts where draft.parent == nil {
      guard let identity = draft.identity, case .attribute(let choice, _) = identity.kind, choice.type != .json else {
        continue
      }
      identities[ObjectIdentifier(draft)] =
        identity.path == ["@key"]
        ? Set(identity.shape.items.hashes) : test.values(of: identity.path[0], in: [draft.shape])
      var names = Set([KeyNames.lowercaseWords(draft.name).joined(separator: " ")])
      names.formUnion(draft.group?.names ?? [])
      for name in names { byName[name, default: []].append(draft) }
    }
  }

  func find() {
    for draft in drafts {
      for index in draft.properties.indices {
        guard let found = relationship(draft.properties[index], of: draft) else { continue }
        draft.properties[index] = found
      }
    }
  }

  private func relationship(_ property: EntityDraft.Property, of draft: EntityDraft) -> EntityDraft.Property? {
    guard case .attribute = property.kind, !property.isIdentity, property.path != ["@key"] else { return nil }
    let shape = property.shape
    guard [.refinement, .type].allSatisfy({ refutations.reason($0, property, table) == nil }) else { return nil }
    let element = shape.element.map { table[$0] }
    let isList = shape.arrays > 0
    guard isList ? shape.scalars == 0 && shape.objects == 0 && element.map(isIdentifier) == true : isIdentifier(shape)
    else { return nil }
    if isList, element?.nulls != 0 || element?.items.hasRepeats != false { return nil }
    let isValue = property.path == ["@value"]
    let key = isValue ? shape.key : property.path.last ?? ""
    let words = KeyNames.idLast(KeyNames.lowercaseWords(key))
    let hasEnding = words.last.map(Self.endings.contains) ?? false
    var rest = hasEnding ? Array(words.dropLast()) : words
    guard let last = rest.popLast() else {
      return described(property, of: draft)
        ?? (words == ["ref"] && !isList ? unnamed(property, shape, isList: false, words, of: draft) : nil)
    }
    rest.append(isList ? KeyNames.singular(last) : last)
    guard let destination = destination(rest, isValue ? draft : nil) else {
      return isValue ? nil : unnamed(property, isList ? element ?? shape : shape, isList: isList, words, of: draft)
    }
    let known = identities[ObjectIdentifier(destination)] ?? []
    let values = isList ? Set(element?.items.hashes ?? []) : self.values(of: shape, in: draft)
    let hits = values.count { known.contains($0) }
    guard let identity = destination.identity, isSameKind(isList ? element ?? shape : shape, identity) else {
      return nil
    }
    if hits == 0 || 2 * hits < values.count {
      // The key names the entity, as in "in_reply_to_status_id": samples often lack objects that are not in the document.
      guard !isList, !isValue, words.last == "id", isAlike(shape, identity), values.count > 0 else { return nil }
    } else if hits < values.count, !hasEnding, !isList {
      return nil
    }

    if destination === draft, !isList, repeatsIdentity(property, of: draft) { return nil }
    var result = property
    let labels = KeyNames.idLast(KeyNames.words(key))
    let named = isValue ? KeyNames.words(destination.name) : Array(labels.dropLast(hasEnding ? 1 : 0))
    let name = KeyNames.propertyName(
      isList ? named.dropLast() + [KeyNames.plural(KeyNames.singular(named.last ?? ""))] : named)
    // With "publisher" next to "publisherId", the identifier stays an attribute.
    if name != property.name {
      guard !draft.isUsed(name) else { return nil }
      result.name = draft.take([name])
    }
    result.kind = .identifiers(destination, isToMany: isList)
    result.note =
      hits == values.count
      ? nil
      : hits == 0
        ? "Guess: none of the identifiers is in the samples."
        : "Guess: \(values.count - hits) of \(values.count) identifiers are not in the samples."
    return result
  }

  /// Words of keys that refer to another object of the same entity.
  private static let relatives: Set<String> = [
    "parent", "manager", "supervisor", "boss", "previous", "prev", "next", "original", "duplicate", "predecessor",
    "successor", "root", "ancestor", "spouse", "mentor", "leader", "replaces",
  ]

  /// A key that names no entity, but whose values identify objects of its own entity, as in "parent_id", or of the only entity with such
  /// values.
  private func unnamed(
    _ property: EntityDraft.Property, _ shape: SampleShape, isList: Bool, _ words: [String], of draft: EntityDraft
  ) -> EntityDraft.Property? {
    let hasEnding = words.last.map(Self.endings.contains) ?? false
    // Without an ending such as "id", only text is likely to refer to an object.
    guard hasEnding || shape.texts.count > 0 else { return nil }
    let values = isList ? Set(shape.items.hashes) : values(of: shape, in: draft)
    guard !values.isEmpty, draft.identity == nil || draft.identity?.shape.number != property.shape.number else {
      return nil
    }
    let fitting = drafts.filter { candidate in
      guard let identity = candidate.identity, isSameKind(shape, identity),
        hasEnding || candidate.group?.identity?.strength == .strong,
        let known = identities[ObjectIdentifier(candidate)]
      else { return false }
      return values.isSubset(of: known)
    }
    let own = draft.parent ?? draft
    let namesRelative = words.dropLast().last.map(Self.relatives.contains) == true || words.contains("reply")
    let isRelative = namesRelative && fitting.contains { $0 === own }
    guard let destination = isRelative ? own : fitting.first, isRelative || fitting.count == 1 else { return nil }
    // Small numbers are identities of many entities.
    guard isRelative || values.count > 1 && isLong(shape) else { return nil }
    if destination === own, !isList, repeatsIdentity(property, of: draft) { return nil }
    var labels = Array(KeyNames.idLast(KeyNames.words(property.path.last ?? "")).dropLast(hasEnding ? 1 : 0))
    if labels.isEmpty { labels = KeyNames.words(destination.name) }
    let name = KeyNames.propertyName(
      isList ? labels.dropLast() + [KeyNames.plural(KeyNames.singular(labels.last ?? ""))] : labels)
    var result = property
    if name != property.name {
      guard !draft.isUsed(name) else { return nil }
      result.name = draft.take([name])
    }
    result.kind = .identifiers(destination, isToMany: isList)
    result.note = "Guess: the values identify objects of '\(destination.name)'."
    return result
  }

  /// Whether the value equals the object's own identity in all objects, such as a link that is also the ID.
  private func repeatsIdentity(_ property: EntityDraft.Property, of draft: EntityDraft) -> Bool {
    guard property.path.count == 1, let identity = draft.identity else { return false }
    let rows = draft.shape.rows
    return (0..<rows.count).allSatisfy { row in
      let cells = rows[row]
      func hash(_ shape: SampleShape) -> ValueHash? {
        cells.first { table.find(Int($0.member)) == shape.number }?.hash
      }
      guard let value = hash(property.shape) else { return true }
      return value == hash(identity.shape)
    }
  }

  /// Whether values are too long to match identities of another entity by accident.
  private func isLong(_ shape: SampleShape) -> Bool {
    shape.numbers.count > 0 ? shape.numbers.least >= 100_000 : shape.texts.distinct.allSatisfy { $0.utf8.count >= 8 }
  }

  /// A mention of an object: an object without identity whose "id" identifies an object of the entity that its name contains.
  ///
  ///     "user_mentions": [{"id": 7, "indices": [0, 3]}], and a User with the id 7
  private func described(_ property: EntityDraft.Property, of draft: EntityDraft) -> EntityDraft.Property? {
    guard draft.parent == nil, !draft.isIdentified, property.path.count == 1,
      draft.group?.refuted?.key == property.path[0]
    else { return nil }
    let words = KeyNames.lowercaseWords(draft.name)
    for start in words.indices {
      for end in start + 1...words.count where end - start < words.count {
        guard let found = byName[words[start..<end].joined(separator: " ")], found.count == 1, found[0] !== draft,
          let identity = found[0].identity, isSameKind(property.shape, identity)
        else { continue }
        let name = KeyNames.propertyName(KeyNames.words(found[0].name))
        let values = values(of: property.shape, in: draft)
        let known = identities[ObjectIdentifier(found[0])] ?? []
        let hits = values.count { known.contains($0) }
        guard hits > 0, 2 * hits >= values.count, !draft.isUsed(name) else { continue }
        var result = property
        result.name = draft.take([name])
        result.kind = .identifiers(found[0], isToMany: false)
        let missing = values.count - hits
        result.note =
          "Guess: \"\(property.path[0])\" identifies a '\(found[0].name)'"
          + (missing == 0 ? "." : ", although \(missing) of \(values.count) are not in the samples.")
        return result
      }
    }
    return nil
  }

  /// The entity that the given words name, from the longest ending to the shortest.
  ///
  /// - Parameter table: a table, whose values are not its own entries.
  private func destination(_ words: [String], _ table: EntityDraft?) -> EntityDraft? {
    for start in words.indices {
      let name = words[start...].joined(separator: " ")
      if let found = byName[name], found.count == 1, found[0] !== table { return found[0] }
    }
    return nil
  }

  private func isIdentifier(_ shape: SampleShape) -> Bool { IdentityKeys.isUsable(shape) }

  /// Whether a value has the JSON form of an identity.
  private func isSameKind(_ shape: SampleShape, _ identity: EntityDraft.Property) -> Bool {
    guard identity.path != ["@key"] else {
      guard case .attribute(let choice, _) = identity.kind else { return false }
      return (choice.type == .integer64) == (shape.numbers.count > 0)
    }
    return (identity.shape.numbers.count > 0) == (shape.numbers.count > 0)
  }

  /// Whether integers are as long as the values of an identity, to the extent that the samples show this.
  private func isAlike(_ shape: SampleShape, _ identity: EntityDraft.Property) -> Bool {
    let (mine, known) = (shape.numbers, identity.shape.numbers)
    guard identity.path != ["@key"], shape.texts.count == 0, mine.count > 0, known.count > 0, mine.areIntegers,
      known.areIntegers, mine.least >= 0
    else { return false }
    func digits(_ value: Int64) -> Int { String(value).count }
    return digits(mine.least) >= digits(known.least) - 1 && digits(mine.most) <= digits(known.most) + 1
  }

  private func values(of shape: SampleShape, in draft: EntityDraft) -> Set<ValueHash> {
    // The cells of a member of a part are stored with that part.
    var owner = table[shape.parent ?? shape.number]
    if owner.isElement, owner.rows.count == 0, let parent = owner.parent { owner = table[parent] }
    if owner.isLenient, let element = owner.element { owner = table[element] }
    var values: Set<ValueHash> = []
    for row in 0..<owner.rows.count {
      for cell in owner.rows[row] where table.find(Int(cell.member)) == shape.number { values.insert(cell.hash) }
    }
    return values
  }
}
