import Graft

/// Adds the other side of each relationship, and decides whether it is a to-one or a to-many.
struct InverseFinder {
  let table: ShapeTable
  let drafts: [EntityDraft]
  private let refutations: Refutations
  /// For each object of the samples: its owner, and the hash of its identity, or a unique hash.
  private var owners: [UInt32] = []
  private var identities: [ValueHash?] = []
  private var isObject: [Bool] = []

  init(_ table: ShapeTable, _ drafts: [EntityDraft], _ refutations: Refutations) {
    self.table = table
    self.refutations = refutations
    self.drafts = drafts
    owners = Array(repeating: 0, count: table.objectCount + 1)
    identities = Array(repeating: nil, count: table.objectCount + 1)
    isObject = Array(repeating: false, count: table.objectCount + 1)
    for shape in table.shapes {
      for row in 0..<shape.rows.count { owners[Int(shape.rows.ids[row])] = shape.rows.owners[row] }
    }
    for draft in drafts where draft.parent == nil {
      let keys = draft.identities.map { $0.shape.number }
      for row in 0..<draft.shape.rows.count {
        let id = Int(draft.shape.rows.ids[row])
        isObject[id] = true
        let cells = draft.shape.rows[row]
        let parts = keys.compactMap { key in cells.first { table.find(Int($0.member)) == key }?.hash }
        guard let first = parts.first, parts.count == keys.count else { continue }
        identities[id] = parts.dropFirst().reduce(first) { $0.adding(element: $1) }
      }
    }
  }

  func addInverses() {
    pairSides()
    for draft in drafts {
      let relationships = draft.properties.filter { $0.destination != nil && $0.inverse == nil }
      // Relationships that are certain, or named after their destination, have the shorter name on the other side.
      let certain = relationships.filter { $0.note == nil }
      let (namesakes, others) = (certain.filter(isNamesake), certain.filter { !isNamesake($0) })
      for property in namesakes + others + relationships.filter({ $0.note != nil }) {
        guard let destination = property.destination else { continue }
        add(property, of: draft, to: destination)
      }
    }
  }

  // MARK: Both sides in JSON

  /// Makes each list whose objects name their owner the other side of the relationship to it.
  ///
  ///     {"id": 1, "items": [{"id": 7, "user": {"id": 1}}, {"id": 8, "user": 1}]}       User.items and Item.user
  private func pairSides() {
    for draft in drafts where draft.isIdentified && draft.parent == nil && draft.kinds.isEmpty {
      for index in draft.properties.indices {
        let list = draft.properties[index]
        guard case .toMany(let destination, isKeyed: false) = list.kind, destination !== draft,
          destination.parent == nil, destination.kinds.isEmpty, list.inverse == nil, isPlain(list),
          refutations.reason(.owner, list, table) == nil
        else { continue }
        let sides = destination.properties.indices.filter { number in
          let side = destination.properties[number]
          return !side.isToMany && side.destination === draft && side.inverse == nil && isOwner(side)
            && name(side, of: destination, theOwnersOf: list)
        }
        guard sides.count == 1, let side = sides.first else { continue }
        draft.properties[index].inverse = destination.properties[side].name
        destination.properties[side].inverse = list.name
      }
    }
  }

  /// Whether the name of a list is a single word, the name of its objects: "pinnedItems" may be some of an owner's items.
  private func isPlain(_ list: EntityDraft.Property) -> Bool {
    isNamesake(list) && KeyNames.lowercaseWords(list.name).count == 1
  }

  /// Whether a to-one has the name of its destination, or is called owner or parent.
  private func isOwner(_ property: EntityDraft.Property) -> Bool {
    ["owner", "parent"].contains(property.name) || isNamesake(property)
  }

  /// Whether all objects of a list that name an owner name the object that has the list. There must be several such objects, or one with a
  /// key such as `post_id`.
  private func name(
    _ side: EntityDraft.Property, of draft: EntityDraft, theOwnersOf list: EntityDraft.Property
  ) -> Bool {
    let nested = nestedIdentities(side)
    let rows = draft.shape.rows
    var count = 0
    for row in 0..<rows.count where table.find(Int(rows.vias[row])) == list.shape.number {
      let id = Int(rows.ids[row])
      guard let owner = identities[owner(of: id)] else { return false }
      guard let value = nested[id] ?? value(of: side.shape.number, in: draft.shape, row) else { continue }
      if value != owner { return false }
      count += 1
    }
    if case .identifiers = side.kind, side.path.last.flatMap(IdentityKeys.prefix) != nil { return count > 0 }
    return count > 1
  }

  /// The identities of the objects under a to-one, by the objects that contain them.
  private func nestedIdentities(_ side: EntityDraft.Property) -> [Int: ValueHash] {
    guard case .toOne(let destination) = side.kind else { return [:] }
    let rows = destination.shape.rows
    var found: [Int: ValueHash] = [:]
    for row in 0..<rows.count where table.find(Int(rows.vias[row])) == side.shape.number {
      let id = Int(rows.ids[row])
      if let identity = identities[id] { found[owner(of: id)] = identity }
    }
    return found
  }

  private func isNamesake(_ property: EntityDraft.Property) -> Bool {
    let words = KeyNames.lowercaseWords(property.name)
    let last = words.last.map { [KeyNames.singular($0)] } ?? []
    return words.dropLast() + last == KeyNames.lowercaseWords(property.destination?.name ?? "")[...]
  }

  private func add(_ property: EntityDraft.Property, of draft: EntityDraft, to destination: EntityDraft) {
    let isIdentified = destination.isIdentified
    let isToMany =
      switch property.kind {
      case .identifiers(_, false), .toOne: isIdentified
      case .identifiers: true
      default: isIdentified && (mayBeShared(property, of: draft, destination) || isShared(property, destination))
      }
    let name: String
    if draft === destination {
      // Without a word for the other side, a relationship from an entity to itself gets none.
      let hasParent = property.name == "children" || !isIdentified
      guard property.isToMany, !isToMany, hasParent, !draft.isUsed("parent") else { return }
      name = draft.take(["parent"])
    } else {
      let words = KeyNames.words(draft.name)
      let last = words.last ?? draft.name
      let base = KeyNames.propertyName(isToMany ? words.dropLast() + [KeyNames.plural(last)] : words)
      name = destination.take([
        base, KeyNames.propertyName(KeyNames.words(base) + ["As"] + KeyNames.words(property.name)),
      ])
    }
    destination.inverses.append(
      EntityDraft.Inverse(name: name, source: draft, property: property.name, isToMany: isToMany))
  }

  /// Whether the next sample may have an object of a list in two owners. Objects that name their owner, and children of the same
  /// entity, have only one.
  private func mayBeShared(
    _ property: EntityDraft.Property, of draft: EntityDraft, _ destination: EntityDraft
  ) -> Bool {
    if refutations.reason(.owner, property, table) != nil { return true }
    if draft === destination { return property.name != "children" }
    return !destination.properties.contains { other in
      guard case .identifiers(let owner, isToMany: false) = other.kind else { return false }
      return owner === draft || owner === draft.parent
    }
  }

  // MARK: Identities inside owners

  /// Finds keys that identify objects within their owner.
  ///
  ///     {"id": 1, "mentions": [{"id": 7, "indices": [0, 3]}]}         mention 7 of tweet 1
  ///     {"id": 2, "mentions": [{"id": 7, "indices": [5, 8]}]}         mention 7 of tweet 2
  ///     {"id": 3, "prices": [{"categoryId": 4, "amount": 90}]}        the price of category 4 for performance 3
  ///     {"id": 5, "prices": {"EUR": {"amount": 9}}}                   the price in EUR of product 5
  mutating func addOwnedIdentities() {
    var leading: [ObjectIdentifier: [EntityDraft.Property]] = [:]
    for property in drafts.flatMap(\.properties) {
      if let destination = property.destination { leading[ObjectIdentifier(destination), default: []].append(property) }
    }
    var waiting = drafts.filter { $0.parent == nil && $0.kinds.isEmpty && !$0.isIdentified && !isRoot($0) }
    var count = 0
    // Owners come before objects that are identified inside them.
    while waiting.count != count {
      count = waiting.count
      waiting.removeAll { draft in
        guard refutations.reason(.identity, Refutations.ownedIdentity, in: draft.shape.number, table) == nil,
          let inverse = onlyOwner(of: draft, leading[ObjectIdentifier(draft)] ?? []),
          let property = ownedKey(of: draft)
        else { return false }
        draft.identify(by: property.name, in: inverse.name)
        for row in 0..<draft.shape.rows.count {
          let id = Int(draft.shape.rows.ids[row])
          guard let owner = identities[owner(of: id)],
            let value = value(of: property.shape.number, in: draft.shape, row)
          else { continue }
          identities[id] = owner.adding(element: value)
        }
        return true
      }
    }
  }

  private func isRoot(_ draft: EntityDraft) -> Bool { draft.group?.sites.contains { $0.ancestors.isEmpty } ?? true }

  /// The property that identifies objects within their owner.
  private func ownedKey(of draft: EntityDraft) -> EntityDraft.Property? {
    let key = draft.group?.refuted?.key ?? draft.group?.ownedKey
    if let key, let property = draft.properties.first(where: { $0.path == [key] }),
      case .attribute(let choice, _) = property.kind, choice.nulls == nil,
      !choice.isList, [.integer64, .string, .uuid].contains(choice.type), isIdentity(property.shape.number, draft.shape)
    {
      return property
    }
    // Two lines of an order may refer to one product: only many objects can show that they do not.
    guard draft.shape.rows.count >= Self.manyRows else { return nil }
    let links = draft.properties.filter { property in
      guard case .identifiers(let destination, isToMany: false) = property.kind, property.note == nil,
        destination !== draft, property.path.count == 1
      else { return false }
      return isIdentity(property.shape.number, draft.shape, amongSeveral: true)
    }
    let words = KeyNames.lowercaseWords(draft.name).joined(separator: " ")
    return links.first { words.contains(KeyNames.lowercaseWords($0.name).joined(separator: " ")) } ?? links.first
  }

  private static let manyRows = 25

  /// The inverse of the only relationship to an entity, if it is a list whose owners have an identity.
  private func onlyOwner(of draft: EntityDraft, _ leading: [EntityDraft.Property]) -> EntityDraft.Inverse? {
    guard leading.count == 1, case .toMany = leading[0].kind else { return nil }
    return draft.inverses.first {
      !$0.isToMany && $0.property == leading[0].name && $0.source !== draft && $0.source.parent == nil
        && ($0.source.isIdentified || $0.source.ownedIdentity != nil)
    }
  }

  /// Whether objects with one owner and one value are the same, and no owner has two of them.
  ///
  /// - Parameter isAmongSeveral: whether most owners must have several objects.
  private func isIdentity(_ key: Int, _ shape: SampleShape, amongSeveral isAmongSeveral: Bool = false) -> Bool {
    struct Name: Hashable {
      var owner: ValueHash
      var value: ValueHash
    }
    var rows: [Name: (row: Int, owner: Int)] = [:]
    var all: Set<Int> = []
    var values: Set<ValueHash> = []
    for row in 0..<shape.rows.count {
      let owner = owner(of: Int(shape.rows.ids[row]))
      guard let identity = identities[owner], let value = value(of: key, in: shape, row) else { return false }
      all.insert(owner)
      values.insert(value)
      let name = Name(owner: identity, value: value)
      guard let known = rows[name] else {
        rows[name] = (row, owner)
        continue
      }
      guard known.owner != owner, content(shape, known.row) == content(shape, row) else { return false }
    }
    // A key that has one value everywhere identifies nothing.
    if values.count == 1, all.count > 2 { return false }
    return !isAmongSeveral || shape.rows.count >= 2 * all.count
  }

  private func value(of key: Int, in shape: SampleShape, _ row: Int) -> ValueHash? {
    shape.rows[row].first { table.find(Int($0.member)) == key }?.hash
  }

  private func content(_ shape: SampleShape, _ row: Int) -> [Int: ValueHash] {
    Dictionary(shape.rows[row].map { (table.find(Int($0.member)), $0.hash) }) { $1 }
  }

  /// The object of an entity that contains another one; 0 if there is none.
  private func owner(of id: Int) -> Int {
    var owner = Int(owners[id])
    while owner > 0, !isObject[owner] { owner = Int(owners[owner]) }
    return owner
  }

  /// Whether two owners have the same object.
  private func isShared(_ property: EntityDraft.Property, _ destination: EntityDraft) -> Bool {
    let via =
      switch property.kind {
      case .toMany(_, isKeyed: true): property.shape.keyed.map(table.find) ?? property.shape.number
      default: property.shape.number
      }
    let rows = destination.shape.rows
    // An owner without an identity is known by its number.
    enum Owner: Equatable {
      case identity(ValueHash)
      case object(Int)
    }
    var first: [ValueHash: Owner] = [:]
    for row in 0..<rows.count where table.find(Int(rows.vias[row])) == via {
      guard let identity = identities[Int(rows.ids[row])] else { continue }
      let number = owner(of: Int(rows.ids[row]))
      let owner = identities[number].map(Owner.identity) ?? .object(number)
      if let known = first[identity], known != owner { return true }
      first[identity] = owner
    }
    return false
  }
}
