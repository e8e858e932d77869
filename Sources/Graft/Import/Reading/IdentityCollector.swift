/// Reads ahead of an import which objects a payload names, so that a store loads them in batches.
///
///     payload --collector--> identities, and lists to be replaced --binding--> rows in memory --> the import
///
/// It knows plain identity attributes, identifiers and relationships. What it passes over (closures, collections by keys, faults)
/// is loaded when the import meets it, object by object: what is collected never decides what is imported.
struct IdentityCollector {
  private let plan: Plan
  private let state: UnsafeMutablePointer<GraphState>
  private let binding: StoreBinding
  private var scanner: JSONScanner
  private var scratch = ScratchText()
  /// What was found, for each entity that has an identity.
  private var found: [Int: Found] = [:]
  /// Lists of objects that the payload may replace.
  private var lists: [(entity: Int, hash: UInt64, slot: Int)] = []
  /// The objects that are being read, outermost first.
  private var objects: [Object] = []

  /// The identities of an entity's objects that are not in memory.
  private struct Found {
    var values: StoredValues
    var hashes: [UInt64] = []
    private var known: Set<UInt64> = []

    init(_ layout: EntityLayout) { values = StoredValues(columnCount: layout.identityCount) }

    mutating func note(_ hash: UInt64, _ cells: UnsafePointer<Cell>, _ layout: EntityLayout) {
      guard known.insert(hash).inserted else { return }
      values.append(cells, layout)
      hashes.append(hash)
    }
  }

  /// An object that is being read.
  private struct Object {
    var entity: Int
    /// The identity values found so far, by slot.
    var identity: [Int: Cell] = [:]
    /// The to-manys that it mentions, and the entities that have them: its own, or a sub-entity.
    var lists: [(entity: Int, slot: Int)] = []
  }

  init(_ context: ManagedObjectContext, _ binding: StoreBinding, _ source: PayloadSource) {
    plan = context.model.plan
    state = context.state
    self.binding = binding
    scanner = JSONScanner(source.bytes, maxDepth: min(max(1, source.options.limits.depth), JSONBuilder.deepest))
  }

  /// Loads what a payload names. Faults of the payload are left to the import.
  static func load(
    _ source: PayloadSource, _ parts: [PlannedPart], _ context: ManagedObjectContext
  ) throws(ImportError) {
    guard let binding = context.binding else { return }
    var collector = IdentityCollector(context, binding, source)
    defer { collector.scratch.free() }
    let start = collector.scanner
    for part in parts {
      collector.scanner = start
      collector.scanner.depth = source.root.depth
      try? collector.collect(source, part)
      collector.objects = []
    }
    do throws(StoreError) { try collector.load() } catch { throw ImportError(writing: error) }
  }

  private func load() throws(StoreError) {
    for (entity, found) in found.sorted(by: { $0.key < $1.key }) {
      try binding.load(identities: found.values, hashes: found.hashes, entity)
    }
    var rows: [[Int]: [UInt32]] = [:]
    for list in lists {
      if let row = row(list.entity, list.hash) { rows[[list.entity, list.slot], default: []].append(row) }
    }
    for (key, rows) in rows.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let layout = plan.layouts[key[0]]
      try binding.loadLists(rows, layout.table, layout.slots[key[1]])
    }
  }

  /// A row in memory whose identity has a hash. Another identity may have it as well: then a list is loaded for nothing.
  private func row(_ entity: Int, _ hash: UInt64) -> UInt32? {
    let layout = plan.layouts[entity]
    guard layout.identitySpace >= 0 else { return nil }
    let row = state.pointee.tables[layout.table].indexes[layout.identitySpace].find(hash) { _ in true }
    guard let row else { return nil }
    let header = state.pointee.row(layout.table, row)[0]
    return plan.layouts[RowHeader.entity(header)].isKind(of: layout) ? row : nil
  }

  // MARK: Reading

  private mutating func collect(_ source: PayloadSource, _ part: PlannedPart) throws(JSONSyntaxError) {
    var documents = PayloadDocuments(source, part, source.options.words)
    while try documents.enter(&scanner, &scratch) {
      try readValue(part.entity)
      try documents.leave(&scanner, &scratch)
    }
  }

  /// Reads an object, an identifier, or an array of them.
  private mutating func readValue(_ entity: Int) throws(JSONSyntaxError) {
    let layout = plan.layouts[entity]
    switch scanner.peek {
    case UInt8(ascii: "{"):
      if layout.keyField >= 0 || plan.entities[entity].dictionaryTransformer != nil { return try scanner.skipValue() }
      try readObject(entity)
    case UInt8(ascii: "["):
      if layout.identityCount > 1, try readCompositeIdentifier(entity) { return }
      try scanner.descend()
      scanner.position += 1
      scanner.skipWhitespace()
      if scanner.peek == UInt8(ascii: "]") {
        scanner.position += 1
      } else {
        repeat { try readValue(entity) } while try scanner.continues(before: UInt8(ascii: "]"))
      }
      scanner.ascend()
    default:
      guard layout.identityCount == 1, let cell = try readIdentity(entity, layout.identitySlots[0]) else { return }
      note(entity, [layout.identitySlots[0]: cell])
    }
  }

  /// Reads `["DAW", 12]` as an identifier of several values; false, and nothing is read, if it is something else.
  private mutating func readCompositeIdentifier(_ entity: Int) throws(JSONSyntaxError) -> Bool {
    let layout = plan.layouts[entity]
    let start = scanner
    try scanner.descend()
    scanner.position += 1
    scanner.skipWhitespace()
    var identity: [Int: Cell] = [:]
    for index in 0..<layout.identityCount {
      let byte = scanner.peek
      guard byte != UInt8(ascii: "{"), byte != UInt8(ascii: "["), byte != UInt8(ascii: "]") else { break }
      let slot = layout.identitySlots[index]
      identity[slot] = try readIdentity(entity, slot)
      if try !scanner.continues(before: UInt8(ascii: "]")) {
        scanner.ascend()
        note(entity, identity)
        return true
      }
    }
    scanner = start
    return false
  }

  private mutating func readObject(_ entity: Int) throws(JSONSyntaxError) {
    objects.append(Object(entity: entity))
    try readMembers(of: plan.layouts[entity].group, entity)
    guard let object = objects.popLast(), let hash = note(entity, object.identity) else { return }
    for list in object.lists { lists.append((list.entity, hash, list.slot)) }
  }

  private mutating func readMembers(of group: Int, _ entity: Int) throws(JSONSyntaxError) {
    try scanner.descend()
    scanner.position += 1
    scanner.skipWhitespace()
    if scanner.peek == UInt8(ascii: "}") {
      scanner.position += 1
    } else {
      repeat {
        scanner.skipWhitespace()
        guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key") }
        let key = try scanner.scanString()
        try scanner.expectColon()
        try readMember(field(key, group, entity))
      } while try scanner.continues(before: UInt8(ascii: "}"))
    }
    scanner.ascend()
  }

  /// The field of a key: one of the entity's, or of a sub-entity's that a mapper may choose.
  private mutating func field(_ key: RawString, _ group: Int, _ entity: Int) -> Int? {
    let text = scanner.text(of: key, in: &scratch)
    defer { scratch.reset() }
    if let field = plan.field(named: text, in: plan.groups[group]) { return field }
    guard group == plan.layouts[entity].group else { return nil }
    for other in plan.entities[entity].concreteAndSubentities where other != entity {
      if let field = plan.field(named: text, in: plan.groups[plan.layouts[other].group]) { return field }
    }
    return nil
  }

  private mutating func readMember(_ number: Int?) throws(JSONSyntaxError) {
    guard let number else { return try scanner.skipValue() }
    let field = plan.fields[number]
    switch field.reading {
    case .group where scanner.peek == UInt8(ascii: "{"): try readMembers(of: field.group, field.entity)
    case .toOne: try readValue(field.destination)
    case .toMany:
      if let last = objects.indices.last, isReplaced(plan.layouts[field.entity].slots[field.slot]) {
        objects[last].lists.append((field.entity, field.slot))
      }
      try readValue(field.destination)
    default:
      guard field.isIdentity, let cell = try readIdentity(field.entity, field.slot), let last = objects.indices.last
      else { return }
      if objects[last].identity[field.slot] == nil { objects[last].identity[field.slot] = cell }
    }
  }

  /// Whether a list that a payload gives can take anything out of the list, or needs to know what is in it.
  private func isReplaced(_ slot: SlotPlan) -> Bool {
    !slot.isUnion || slot.isOrdered || slot.inverse < 0 || slot.inverseIsToMany
  }

  // MARK: Identities

  /// Reads the value of an identity attribute; nil, and the value is passed over, if a closure must read it or if it does not fit.
  private mutating func readIdentity(_ entity: Int, _ number: Int) throws(JSONSyntaxError) -> Cell? {
    let start = scanner.position
    try scanner.skipValue()
    let bytes = UnsafeBufferPointer(start: start, count: scanner.position - start)
    let property = plan.entities[entity].properties[number]
    let slot = plan.layouts[entity].slots[number]
    guard property.transformer == nil, let attribute = property.attribute else { return nil }
    if slot.kind == .string, bytes.count > 1, bytes[0] == UInt8(ascii: "\""), !bytes.contains(UInt8(ascii: "\\")) {
      return .text(bytes.baseAddress.unsafelyUnwrapped + 1, bytes.count - 2)
    }
    guard let json = try? JSONBuilder.json(bytes), !json.isNull,
      let value = try? AttributeValue(json: json, type: attribute.type)
    else { return nil }
    if slot.kind == .uri, let text = json.stringValue {
      let utf8 = Array(text.utf8)
      return .text(kept(utf8), utf8.count)
    }
    return CellEncoder.cell(for: value, in: slot, keep: kept)
  }

  /// Keeps the bytes of a value until they are noted.
  private func kept(_ bytes: [UInt8]) -> UnsafePointer<UInt8> { values.keep(bytes) }
  private let values = KeptBytes()

  /// Notes an identity, unless its object is in memory.
  ///
  /// - Returns: the hash of the identity; nil if a value is missing.
  @discardableResult
  private mutating func note(_ entity: Int, _ identity: [Int: Cell]) -> UInt64? {
    let layout = plan.layouts + entity
    guard layout.pointee.identitySpace >= 0 else { return nil }
    var cells = Array(repeating: Cell.absent, count: layout.pointee.slotCount)
    // A sub-entity may have further identity attributes: its objects are loaded when the import meets them.
    for (slot, cell) in identity where slot < cells.count { cells[slot] = cell }
    return cells.withUnsafeBufferPointer { cells -> UInt64? in
      let base = cells.baseAddress.unsafelyUnwrapped
      guard let hash = GraphIdentity.hash(layout, base, state.pointee.seeds) else { return nil }
      let table = layout.pointee.table
      let known = state.pointee.tables[table].indexes[layout.pointee.identitySpace].find(hash) { row in
        GraphIdentity.matches(layout, base, state.pointee.row(table, row), state.pointee.texts)
      }
      if known == nil, !binding.isAbsent(layout.pointee, hash) {
        found[entity, default: Found(layout.pointee)].note(hash, base, layout.pointee)
      }
      return hash
    }
  }
}

/// Bytes at addresses that stay.
private final class KeptBytes {
  private var texts = ScratchText()

  func keep(_ bytes: [UInt8]) -> UnsafePointer<UInt8> { texts.copy(bytes) }

  deinit { texts.free() }
}
