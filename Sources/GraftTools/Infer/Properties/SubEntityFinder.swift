import Graft

/// Finds a key whose values separate the objects of an entity into kinds, and creates a sub-entity for each kind that has its
/// own properties.
///
///     {"type": "text", "body": "Hi"}, {"type": "image", "width": 40}
struct SubEntityFinder {
  let table: ShapeTable
  private(set) var names: EntityNames
  /// The owner of each object of the samples.
  private let owners: [UInt32]
  private let refutations: Refutations

  init(_ table: ShapeTable, _ names: EntityNames, _ refutations: Refutations) {
    self.table = table
    self.refutations = refutations
    self.names = names
    var owners = [UInt32](repeating: 0, count: table.objectCount + 1)
    for shape in table.shapes {
      for row in 0..<shape.rows.count { owners[Int(shape.rows.ids[row])] = shape.rows.owners[row] }
    }
    self.owners = owners
  }

  private static let words: Set<String> = [
    "type", "kind", "class", "event", "variant", "_type", "@type", "object", "typename",
  ]
  /// The keys of parts that describe the containing object: `{"attributes": {"type": "Account"}, "Name": "Acme"}`.
  private static let containers: Set<String> = ["attributes", "@attributes", "metadata", "meta", "_meta", "sys"]
  private static let mostKinds = 40

  /// The kinds of an entity's objects.
  private struct Kinds {
    let discriminator: Int
    let values: [String]
    /// The number of objects of each kind.
    var rows: [Int]
    /// The number of objects of each kind that have each property.
    var counts: [[Int]]
    /// The kinds of the objects in each relationship of the hierarchy to itself, by key path and the kind of the owner.
    var destinations: [[String]: [Int: Set<Int>]] = [:]
  }

  /// Moves the properties of only one kind to sub-entities, which are added after their parents.
  mutating func split(_ drafts: [EntityDraft]) -> [EntityDraft] {
    var all: [EntityDraft] = []
    for draft in drafts {
      all.append(draft)
      if let kinds = kinds(of: draft) { all += split(draft, kinds) }
    }
    return all
  }

  private func kinds(of draft: EntityDraft) -> Kinds? {
    if let key = draft.group?.typeKey, draft.identityKeys.count == 2,
      let index = draft.properties.firstIndex(where: { $0.path == [key] })
    {
      return count(draft, index, draft.properties[index].shape.texts.distinct)
    }
    for (index, property) in draft.properties.enumerated() {
      guard
        property.path.count == 1 || property.path.count == 2 && Self.containers.contains(property.path[0].lowercased()),
        !property.isIdentity, property.elementKey == nil,
        case .attribute(let choice, isOptional: false) = property.kind,
        choice.type == .string, let last = property.path.last.flatMap({ KeyNames.lowercaseWords($0).last }),
        Self.words.contains(last)
      else { continue }
      let texts = property.shape.texts
      guard !texts.hasMoreDistinct, (2...Self.mostKinds).contains(texts.distinct.count), draft.shape.rows.count >= 4,
        texts.distinct.allSatisfy({ (1...60).contains($0.utf8.count) })
      else { continue }
      let kinds = count(draft, index, texts.distinct)
      if isSeparated(kinds) { return kinds }
    }
    return nil
  }

  /// Counts the properties of the objects of each kind.
  private func count(_ draft: EntityDraft, _ discriminator: Int, _ values: [String]) -> Kinds {
    var kinds = Kinds(
      discriminator: discriminator, values: values, rows: Array(repeating: 0, count: values.count),
      counts: Array(repeating: Array(repeating: 0, count: values.count), count: draft.properties.count))
    let numbers = Dictionary(values.enumerated().map { (ValueHash.string($1), $0) }) { first, _ in first }
    var kindOfRow: [UInt32: Int] = [:]
    let path = draft.properties[discriminator].path
    let key = UTF8Key(path[path.count - 1])
    // The value is in the object, or in a part of it.
    let holders = path.count == 1 ? draft.shape : table[draft.properties[discriminator].container]
    for row in 0..<holders.rows.count {
      let cell = holders.rows[row].first { UTF8Key(table.shapes[Int($0.member)].key) == key }
      guard let kind = cell.flatMap({ numbers[$0.hash] }) else { continue }
      let object = path.count == 1 ? holders.rows.ids[row] : holders.rows.owners[row]
      kindOfRow[object] = kind
      if !draft.references.contains(object) { kinds.rows[kind] += 1 }
    }
    if draft.group?.typeKey != nil { kinds.destinations = destinations(of: draft, kindOfRow) }
    /// The properties of each shape that contains some: the entity's shape, and the shapes of its parts.
    var places: [Int: [UTF8Key: Int]] = [:]
    for (index, property) in draft.properties.enumerated() where property.path != ["@key"] {
      places[property.container, default: [:]][UTF8Key(property.path[property.path.count - 1])] = index
    }
    for (number, properties) in places {
      let shape = table[number]
      for row in 0..<shape.rows.count {
        guard let kind = kind(of: shape, row, kindOfRow, draft) else { continue }
        for cell in shape.rows[row] {
          if let index = properties[UTF8Key(table.shapes[Int(cell.member)].key)] { kinds.counts[index][kind] += 1 }
        }
      }
    }
    return kinds
  }

  /// The kind of the object that a part belongs to.
  private func kind(
    of shape: SampleShape, _ row: Int, _ kindOfRow: [UInt32: Int], _ draft: EntityDraft
  ) -> Int? {
    if shape === draft.shape { return kindOfRow[shape.rows.ids[row]] }
    var owner = shape.rows.owners[row]
    for _ in 0..<10 {
      if let kind = kindOfRow[owner] { return kind }
      owner = owners[Int(owner)]
    }
    return nil
  }

  /// Whether the kinds differ: at least two properties belong only to some kinds, and most of these properties are in all objects of their
  /// kinds.
  private func isSeparated(_ kinds: Kinds) -> Bool {
    var special = 0
    var regular = 0
    for counts in kinds.counts {
      let having = counts.indices.filter { counts[$0] > 0 }
      guard !having.isEmpty, having.count < kinds.values.count else { continue }
      special += 1
      if having.allSatisfy({ 5 * counts[$0] >= 4 * kinds.rows[$0] }) { regular += 1 }
    }
    return special >= 2 && 5 * regular >= 3 * special
  }

  private mutating func split(_ draft: EntityDraft, _ kinds: Kinds) -> [EntityDraft] {
    if draft.group?.typeKey != nil { return splitTyped(draft, kinds) }
    var kindOfProperty: [Int: Int] = [:]
    for (index, counts) in kinds.counts.enumerated() {
      let having = counts.indices.filter { counts[$0] > 0 }
      // A property that only a few objects of a kind have might also occur in objects of other kinds.
      if having.count == 1, kinds.rows[having[0]] >= PropertyFinder.fewest, index != kinds.discriminator,
        !draft.properties[index].isIdentity
      {
        kindOfProperty[index] = having[0]
      }
    }
    let separate = kinds.values.indices.filter { kind in
      draft.properties.indices.contains { kindOfProperty[$0] == kind }
    }
    let plainNames = separate.map { KeyNames.entityName(KeyNames.words(kinds.values[$0])) }
    let isRenamed = giveUpName(of: draft, to: plainNames)
    var subs: [EntityDraft] = []
    for (kind, plainName) in zip(separate, plainNames) {
      let value = kinds.values[kind]
      let mine = draft.properties.indices.filter { kindOfProperty[$0] == kind }
      let name = names.take(isRenamed ? plainName : KeyNames.entityName(ofKind: value, of: draft.name))
      let sub = EntityDraft(name, draft.shape, parent: draft)
      sub.properties = mine.map { index in
        var property = draft.properties[index]
        if case .attribute(let choice, _) = property.kind {
          let isOptional =
            kinds.counts[index][kind] < max(kinds.rows[kind], PropertyFinder.fewest)
            || refutations.reason(.presence, property, table) != nil
          property.kind = .attribute(choice, isOptional: isOptional)
        }
        return property
      }
      draft.kinds.append((value, sub))
      subs.append(sub)
    }
    guard subs.count > 0 else { return [] }
    draft.mapperPath = draft.properties[kinds.discriminator].path
    draft.properties[kinds.discriminator] = plain(draft.properties[kinds.discriminator])
    draft.notes.append(
      "Guess: \"\(draft.mapperPath?.joined(separator: ".").escapedForDisplay() ?? "")\" separates kinds of objects that have their own properties, which objects of kinds "
        + "that are not listed do not have. 'graft infer --update' adds new kinds.")
    draft.properties = draft.properties.enumerated().filter { kindOfProperty[$0.offset] == nil }.map(\.element)
    return subs
  }

  // MARK: Types that identify

  /// The kinds of the objects that objects of each kind contain, by the key path between them.
  private func destinations(of draft: EntityDraft, _ kindOfRow: [UInt32: Int]) -> [[String]: [Int: Set<Int>]] {
    var found: [[String]: [Int: Set<Int>]] = [:]
    var paths: [UInt32: [String]?] = [:]
    let rows = draft.shape.rows
    for row in 0..<rows.count {
      let via = rows.vias[row]
      let keys = paths[via] ?? path(of: Int(via), in: draft.shape)
      paths[via] = keys
      var owner = rows.owners[row]
      var steps = 0
      while owner > 0, kindOfRow[owner] == nil, steps < 10 { (owner, steps) = (owners[Int(owner)], steps + 1) }
      guard let keys, let kind = kindOfRow[rows.ids[row]], let outer = kindOfRow[owner] else { continue }
      found[keys, default: [:]][outer, default: []].insert(kind)
    }
    return found
  }

  /// The key path from an entity's objects to a member inside them; nil if it is not inside.
  private func path(of member: Int, in shape: SampleShape) -> [String]? {
    var keys: [String] = []
    var next = Optional(member)
    while let number = next {
      let inner = table.shapes[number]
      if !inner.isElement { keys.append(inner.key) }
      guard let parent = inner.parent else { return nil }
      if table.find(parent) == shape.number { return keys.reversed() }
      next = parent
    }
    return nil
  }

  /// Creates a sub-entity for each type, which has all properties that its objects have.
  private mutating func splitTyped(_ draft: EntityDraft, _ kinds: Kinds) -> [EntityDraft] {
    giveUpName(of: draft, to: kinds.values.map(TypedIdentity.entityName))
    let subs = kinds.values.map { value in
      EntityDraft(names.take(TypedIdentity.entityName(value)), draft.shape, parent: draft)
    }
    draft.kinds = Array(zip(kinds.values, subs).map { (value: $0, draft: $1) })
    draft.mapperPath = draft.properties[kinds.discriminator].path
    var shared: [EntityDraft.Property] = []
    for (index, property) in draft.properties.enumerated() {
      let having = subs.indices.filter { kinds.counts[index][$0] > 0 }
      guard !property.isIdentity, !having.isEmpty else {
        shared.append(plain(property))
        continue
      }
      for kind in having {
        var own = property
        switch own.kind {
        case .attribute(let choice, _):
          let isOptional =
            kinds.counts[index][kind] < max(kinds.rows[kind], PropertyFinder.fewest) || choice.nulls != nil
            || refutations.reason(.presence, property, table) != nil
          own.kind = .attribute(choice, isOptional: isOptional)
        case .toOne(let destination) where destination === draft:
          own.kind = .toOne(only(kinds.destinations[property.path]?[kind], subs) ?? draft)
        case .toMany(let destination, let isKeyed) where destination === draft:
          own.kind = .toMany(only(kinds.destinations[property.path]?[kind], subs) ?? draft, isKeyed: isKeyed)
        default: break
        }
        subs[kind].properties.append(own)
      }
    }
    draft.properties = shared
    for sub in subs { sub.separateNames() }
    let keys = draft.identityKeys.map { "\"\($0.escapedForDisplay())\"" }.joined(separator: " and ")
    draft.notes.append("\(keys) identify the objects together: each type has its own IDs.")
    return subs
  }

  /// Gives the name of an entity to its kind of that name, because objects of other kinds do not belong to it.
  ///
  /// - Returns: whether there is one.
  @discardableResult
  private mutating func giveUpName(of draft: EntityDraft, to kinds: [String]) -> Bool {
    guard kinds.contains(where: { $0.lowercased() == draft.name.lowercased() }) else { return false }
    names.release(draft.name)
    draft.name = names.take("Resource")
    return true
  }

  private func only(_ kinds: Set<Int>?, _ subs: [EntityDraft]) -> EntityDraft? {
    kinds?.count == 1 ? kinds?.first.map { subs[$0] } : nil
  }

  /// The same property without a list of its values: other values are objects of the parent.
  private func plain(_ property: EntityDraft.Property) -> EntityDraft.Property {
    guard case .attribute(var choice, let isOptional) = property.kind, choice.allowedValues != nil else {
      return property
    }
    var plain = property
    choice.allowedValues = nil
    plain.kind = .attribute(choice, isOptional: isOptional)
    plain.note = nil
    return plain
  }
}
