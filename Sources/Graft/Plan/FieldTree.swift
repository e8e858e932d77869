/// The fields of an entity, by their use.
struct EntityFields {
  /// The fields of a slot: its key path, then its aliases.
  var ofSlot: [Int: [Int]] = [:]
  /// The fields of relationships that have no key path (I24).
  var ofRelationship: [Int: Int] = [:]
  /// The fields that are read from the surroundings of an object: `@parent`, `@root` (M19).
  var surrounding: [Int] = []
  /// The numbers of fields that only objects inside the entity's objects read (M19).
  var forOthers: [Int] = []
}

/// Arranges the key paths of an entity into groups of fields: the entity's own keys, and a group for each object along a key
/// path.
///
///     "name"            group 0:  name  publisher
///     "publisher.name"                      |
///     "publisher.city"  group 1:            name  city
struct FieldTree {
  private(set) var fields = EntityFields()
  private(set) var group = -1
  private(set) var keyField = -1
  private(set) var valueField = -1
  private(set) var indexField = -1
  private(set) var fieldCount = 0

  /// The role of a key.
  private struct Role {
    /// The property whose value the key has, and the rank of the key path.
    var leaf: (slot: Int, rank: Int)?
    /// Whether the value is skipped.
    var isSkipped = false
    /// Whether the key is on the path to a value of the entity itself.
    var isOwn = false
  }

  private typealias Node = KeyTree<Role>

  init(entity: EntityPlan, slots: [SlotPlan], builder: inout PlanBuilder) {
    let root = Node("", Role())
    var transformers: [Int: Int] = [:]
    // Keys that are read at the end of the object (M24, M25).
    var late: [JSONKeyPath] = []
    for (slot, property) in entity.properties.enumerated() {
      if let transformer = property.transformer, property.attribute != nil {
        transformers[slot] = builder.transformers.count
        builder.transformers.append(transformer)
      }
      guard let keyPath = property.importedKeyPath else {
        if property.relationship != nil { addRelationship(slot, entity, slots, &builder) }
        continue
      }
      if let relationship = property.relationship, keyPath.isThroughArrays || !relationship.identifierKeyPaths.isEmpty {
        addRelationship(slot, entity, slots, &builder)
      }
      for (rank, path) in ([keyPath] + property.keyPathAliases).enumerated() {
        let parts = rank == 0 ? property.relationship?.identifierKeyPaths ?? [] : []
        if path.isKeyWord || !parts.isEmpty {
          var field = makeField(Node("", Role()), leaf: (slot, rank), entity, slots, transformers, builder)
          addInner(of: &field, entity, slots, path, &builder)
          late += parts.map(\.keyPath)
          if let keys = path.segments.first {
            late.append(JSONKeyPath(keys: keys))
            field.reading = .spread
          }
          if !parts.isEmpty { field.reading = .parts }
          if field.reading == .spread || field.reading == .parts { fields.surrounding.append(builder.fields.count) }
          if path.isObjectKey { keyField = builder.fields.count }
          if path.isElementValue { valueField = builder.fields.count }
          if path.isElementIndex { indexField = builder.fields.count }
          if let surroundings = path.surroundings {
            field.surroundings = surroundings
            fields.surrounding.append(builder.fields.count)
          }
          fields.ofSlot[slot, default: []].append(builder.fields.count)
          builder.fields.append(field)
          continue
        }
        var node = root
        for key in path.keys {
          node = node.child(key)
          node.content.isOwn = true
        }
        node.content.leaf = (slot, rank)
      }
    }
    let written = entity.properties.filter { $0.direction == .export }.flatMap { property -> [JSONKeyPath] in
      let parts = property.relationship?.identifierKeyPaths ?? []
      if !parts.isEmpty { return parts.map(\.keyPath) }
      guard let path = property.keyPath else { return [] }
      return [path.segments.first.map(JSONKeyPath.init(keys:)) ?? path]
    }
    let mark = entity.deletionMark.map { [$0.keyPath] } ?? []
    for path in entity.discriminators + written + mark + late { FieldTree.add(path, to: root, isOwn: true) }
    for path in entity.surroundings.known + entity.sharedPaths { FieldTree.add(path, to: root, isOwn: false) }
    group = makeGroup(root, entity, slots, transformers, &builder)
    linkSpreads(entity, &builder)
    for (slot, list) in fields.ofSlot where list.count > 1 {
      fields.ofSlot[slot] = list.sorted { builder.fields[$0].rank < builder.fields[$1].rank }
    }
  }

  /// Adds a key that is known but not read here, so that a duplicate is detected (I13): a discriminator, a mark (M17), or a key
  /// that is only exported (M16), that is read at the end of the object (M24, M25), or that nested objects read (M19). Such a key
  /// is not added if a property maps the key or a key on the path to it.
  private static func add(_ path: JSONKeyPath, to root: Node, isOwn: Bool) {
    var node = root
    for key in path.keys {
      node = node.child(key)
      if isOwn { node.content.isOwn = true }
      if node.content.leaf != nil { return }
    }
    node.content.isSkipped = node.children.isEmpty
  }

  /// Links the key at which a path through arrays begins (M25) to the field that reads the path. If several paths begin at one key, the key
  /// is linked to the field of the first path.
  private func linkSpreads(_ entity: EntityPlan, _ builder: inout PlanBuilder) {
    for slot in fields.ofSlot.keys.sorted() where entity.properties[slot].relationship != nil {
      for number in fields.ofSlot[slot] ?? [] where builder.fields[number].reading == .spread {
        let field = builder.fields[number]
        let property = entity.properties[slot]
        let path = field.rank == 0 ? property.importedKeyPath : property.keyPathAliases[field.rank - 1]
        var (group, place) = (self.group, -1)
        for key in path?.segments.first ?? [] {
          let fields = builder.groups[group].first..<builder.groups[group].first + builder.groups[group].count
          guard let next = fields.first(where: { UTF8Key(builder.fields[$0].name) == UTF8Key(key) }) else { break }
          (group, place) = (builder.fields[next].group, next)
          if builder.fields[next].reading != .group { break }
        }
        if place >= 0, builder.fields[place].reading == .skipped, builder.fields[place].inner < 0 {
          builder.fields[place].inner = number
        }
      }
    }
  }

  private mutating func makeGroup(
    _ node: Node, _ entity: EntityPlan, _ slots: [SlotPlan], _ transformers: [Int: Int], _ builder: inout PlanBuilder
  ) -> Int {
    var made: [FieldPlan] = []
    made.reserveCapacity(node.children.count)
    for child in node.children {
      var field = makeField(child, leaf: child.content.leaf, entity, slots, transformers, builder)
      if child.content.isSkipped {
        field.reading = .skipped
      } else if child.content.leaf == nil {
        field.group = makeGroup(child, entity, slots, transformers, &builder)
      }
      made.append(field)
    }
    for index in made.indices { addInner(of: &made[index], entity, slots, nil, &builder) }
    let first = builder.fields.count
    builder.fields.append(contentsOf: made)
    for (index, field) in made.enumerated() where field.slot >= 0 {
      fields.ofSlot[field.slot, default: []].append(first + index)
    }
    var size = 4
    while size < made.count * 2 { size *= 2 }
    var table = Array(repeating: Int32(0), count: size)
    for (index, field) in made.enumerated() {
      let key = field.key.part(0..<field.key.count - 1)
      var place = Int(truncatingIfNeeded: KeyHash.of(key)) & (size - 1)
      while table[place] != 0 { place = (place + 1) & (size - 1) }
      table[place] = Int32(first + index + 1)
    }
    builder.groups.append(
      GroupPlan(first: first, count: made.count, table: builder.memory.place(table), tableMask: size - 1))
    return builder.groups.count - 1
  }

  private mutating func makeField(
    _ node: Node, leaf: (slot: Int, rank: Int)?, _ entity: EntityPlan, _ slots: [SlotPlan], _ transformers: [Int: Int],
    _ builder: PlanBuilder
  ) -> FieldPlan {
    // The key with its quote, and 16 more bytes so that words can be loaded from it.
    var bytes = Array(node.key.utf8)
    bytes.reserveCapacity(bytes.count + 17)
    bytes.append(UInt8(ascii: "\""))
    let length = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 16))
    let padded = builder.memory.place(bytes: bytes)
    func mask(_ count: Int) -> UInt64 {
      count >= 8 ? .max : count <= 0 ? 0 : (1 << (UInt64(count) * 8)) - 1
    }
    var field = FieldPlan(
      word0: padded.word(from: 0), mask0: mask(length), word1: padded.word(from: 8) & mask(length - 8),
      mask1: mask(length - 8), key: padded.part(0..<length),
      needsEscapes: node.key.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }, reading: .group,
      rank: leaf?.rank ?? 0,
      slot: leaf?.slot ?? -1, number: fieldCount, entity: entity.index)
    if field.needsEscapes { (field.word0, field.mask0) = (1, 0) }
    field.isForOthers = leaf == nil && !node.content.isOwn
    if field.isForOthers { fields.forOthers.append(field.number) }
    fieldCount += 1
    if let leaf {
      let slot = slots[leaf.slot]
      field.isIdentity = slot.isIdentity
      if slot.isIdentity && !slot.kind.isRelationship || leaf.slot == entity.synchronization?.modificationSlot {
        field.ahead = .always
      } else if !slot.kind.isRelationship, entity.alternates.contains(where: { $0.slots.contains(leaf.slot) }) {
        field.ahead = .ifNeeded
      }
      field.hasInverseBeside =
        slot.inverse >= 0 && slot.inverse != leaf.slot && entity.inherits(from: builder.entities[slot.destination])
      field.range = slot.range
      field.destination = slot.destination
      field.transformer = transformers[leaf.slot] ?? -1
      if let type = entity.properties[leaf.slot].attribute?.type, type == .uri || type == .date {
        field.keepsText = entity.properties[leaf.slot].transformer?.keepsText(of: type) == true
      }
      field.reading =
        slot.elementType != nil
        ? .list : slot.isSetAside ? .owned : FieldTree.reading(slot.kind, entity.properties[leaf.slot].transformer)
    }
    return field
  }

  /// Adds the field of a relationship without a single key path, because a payload may be its value (I24).
  private mutating func addRelationship(
    _ slot: Int, _ entity: EntityPlan, _ slots: [SlotPlan], _ builder: inout PlanBuilder
  ) {
    var field = makeField(Node("", Role()), leaf: (slot, 0), entity, slots, [:], builder)
    // The field is not a key of the object, so it does not need a number.
    fieldCount -= 1
    addInner(of: &field, entity, slots, nil, &builder)
    fields.ofRelationship[slot] = builder.fields.count
    builder.fields.append(field)
  }

  /// Adds the fields that read the elements of a list, and the usual form of a value that may have other forms. These fields are
  /// not in any group.
  ///
  /// - Parameter path: the key path, if the field itself is also not in any group.
  private func addInner(
    of field: inout FieldPlan, _ entity: EntityPlan, _ slots: [SlotPlan], _ path: JSONKeyPath?,
    _ builder: inout PlanBuilder
  ) {
    guard field.slot >= 0, field.reading != .skipped, field.reading != .group else { return }
    field.forms = builder.addForms(
      of: entity.properties[field.slot], in: entity, field.destination, path: path)
    if field.reading == .list {
      var element = field
      element.reading = FieldTree.reading(slots[field.slot].element.kind, entity.properties[field.slot].transformer)
      field.element = builder.fields.count
      builder.fields.append(element)
    }
    guard field.forms >= 0, builder.forms[field.forms].isAround else { return }
    let isRelationship = slots[field.slot].kind.isRelationship
    // The field of a list reads the other forms itself.
    if !isRelationship, builder.forms[field.forms].nulls.isEmpty { return }
    var inner = field
    inner.hasInverseBeside = false
    field.inner = builder.fields.count
    builder.fields.append(inner)
    field.reading = isRelationship ? .shaped : .guarded
  }

  private static func reading(_ kind: SlotPlan.Kind, _ transformer: ValueTransformer?) -> FieldPlan.Reading {
    // A relationship's transformer applies to identifiers.
    if let transformer, !kind.isRelationship {
      return transformer.builtIn == .stringToInteger && kind == .integer ? .stringToInteger : .transformed
    }
    return switch kind {
    case .integer: .integer
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .boolean: .boolean
    case .string: .string
    case .date: .date
    case .binary: .binary
    case .uuid: .uuid
    case .uri: .uri
    case .json: .json
    case .toOne: .toOne
    case .toMany: .toMany
    }
  }
}
