/// Determines, ahead of an import, which objects a payload names, so that a store loads them in batches.
///
///     payload --collector--> identities, and lists to be replaced --binding--> rows in memory --> the import
///
/// It handles identity attributes, identifiers, the keys of collections, and relationships. A dictionary that a closure would
/// change is read as it is in the payload, because most closures do not change the identity. Skipped identities (errors, and values
/// that closures read or that come from outside an object) are loaded when the import reaches them. The collected identities never
/// decide what is imported.
struct IdentityCollector {
  private let plan: Plan
  private let state: Reference<GraphState>
  private let binding: StoreBinding
  private var scanner: JSONScanner
  private var scratch = ScratchText()
  /// The bytes of identities that are not literally in the payload.
  private var kept = ScratchText()
  /// The number of levels that are read ahead, limited because reading recurses. Deeper objects are loaded when the import reaches them.
  private static let deepest = 64
  /// The number of open objects that are read from the dictionary of another object.
  private var sharing = 0
  /// The identities found, for each entity that has an identity.
  private var found: [Found?]
  /// Lists of objects that the payload may replace.
  private var lists: [(owner: Int, hash: UInt64, entity: Int, slot: Int)] = []
  /// The part whose objects are being read, if only their identities matter.
  private var flat: FlatPart?

  // All objects that are being read share this array. Each object knows where its own part of the array begins.
  private var identities: [(entity: Int, slot: Int, cell: Cell)] = []
  private var mentions: [(entity: Int, slot: Int)] = []
  /// The ways in which the objects of each entity are read.
  private var manners: [Manner]
  /// The cells of an object by slot. All cells are absent except those of the identity that is being noted.
  private var cells: [Cell]

  /// The identities of an entity's objects that are not in memory. An identity may occur several times.
  private struct Found {
    var values: StoredValues
    var hashes: [UInt64] = []
    /// Whether all objects of the table are loaded instead.
    var isWhole = false
  }

  /// The data that shows, long before its end, whether the payload names most rows of a table.
  private struct FlatPart {
    let entity: Int
    /// The number of bytes of the payload.
    let byteCount: Int
    /// The number of identities before the next check, large enough to make counting the rows worthwhile.
    var next = StoreBinding.fewIdentities + 1
    /// The number of rows of the table, once they have been counted.
    var rowCount: Int?
  }

  /// The ways in which objects of an entity are read, determined as needed.
  private struct Manner {
    /// The ways to read the identity values in its slots.
    var forms: [Form] = []
    /// Whether objects of the entity name no other objects.
    var isFlat: Bool?
    /// The entities whose identity its objects may have: the entity itself, and sub-entities with a different identity.
    var identified: [Int]?
  }

  /// The way in which an identity value is read.
  private enum Form {
    case integer, integerInString, text
    /// A rare type or a built-in transformer, for which a tree of the value is built.
    case other
    /// A value that a closure reads or that is not an attribute, which is left to the import.
    case closure
  }

  init(_ context: ManagedObjectContext, _ binding: StoreBinding, _ source: PayloadSource) {
    plan = context.model.plan
    state = context.state
    self.binding = binding
    found = Array(repeating: nil, count: plan.entities.count)
    manners = Array(repeating: Manner(), count: plan.entities.count)
    cells = []
    scanner = JSONScanner(source.bytes, maxDepth: min(max(1, source.options.limits.depth), JSONBuilder.deepest))
  }

  /// Loads the objects that a payload names. Faults of the payload are left to the import.
  static func load(
    _ source: PayloadSource, _ parts: [PlannedPart], _ context: ManagedObjectContext
  ) throws(ImportError) {
    guard let binding = context.binding else { return }
    // A new store contains nothing to load. Requesting a snapshot determines the store's version, and therefore whether it is new.
    do throws(StoreError) { _ = try binding.snapshot() } catch { throw ImportError(writing: error) }
    if binding.isWhole { return }
    var collector = IdentityCollector(context, binding, source)
    defer {
      collector.scratch.free()
      collector.kept.free()
    }
    let start = collector.scanner
    for part in parts {
      collector.scanner = start
      collector.scanner.restart(atDepth: source.root.depth)
      try? collector.collect(source, part)
      collector.identities.removeAll()
      collector.mentions.removeAll()
    }
    do throws(StoreError) { try collector.load() } catch { throw ImportError(writing: error) }
  }

  private func load() throws(StoreError) {
    for (entity, found) in found.enumerated() {
      guard let found else { continue }
      if found.isWhole {
        try binding.loadAll(plan.tables[plan.layouts[entity].table].root)
      } else {
        try binding.load(identities: found.values, hashes: found.hashes, plan.layouts[entity])
      }
    }
    var rows: [[Int]: [UInt32]] = [:]
    for list in lists {
      if let row = row(list.owner, list.hash, list.entity) { rows[[list.entity, list.slot], default: []].append(row) }
    }
    for (key, rows) in rows.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let layout = plan.layouts[key[0]]
      try binding.loadLists(rows, layout.table, layout.slots[key[1]])
    }
  }

  /// Returns a row in memory whose identity has the given hash, if it belongs to the entity. A different identity may have the same
  /// hash; a list is then loaded unnecessarily.
  private func row(_ identified: Int, _ hash: UInt64, _ entity: Int) -> UInt32? {
    let layout = plan.layouts[identified]
    let row = state.tables[layout.table].indexes[layout.identity.space].find(hash) { _ in true }
    guard let row else { return nil }
    let header = state.row(layout.table, row).header
    return plan.layouts[header.entity].isKind(of: plan.layouts[entity]) ? row : nil
  }

  // MARK: Reading

  private mutating func collect(_ source: PayloadSource, _ part: PlannedPart) throws(JSONSyntaxError) {
    var documents = PayloadDocuments(source, part, source.options.words)
    flat = isFlat(part.entity) ? FlatPart(entity: part.entity, byteCount: source.bytes.count) : nil
    while try documents.enter(&scanner, &scratch) {
      if documents.fault != nil { continue }
      if scanner.peek == UInt8(ascii: "{"), plan.isKeyedCollection(scanner, of: part.entity) {
        try readCollection(part.entity)
      } else {
        try readValue(part.entity)
      }
      try documents.leave(&scanner, &scratch)
    }
  }

  /// Reads an object, an identifier, or an array of them.
  private mutating func readValue(_ entity: Int) throws(JSONSyntaxError) {
    let layout = plan.layouts + entity
    if layout.pointee.forms.readsElements { return try readElements(entity) }
    switch scanner.peek {
    case UInt8(ascii: "{"): try readObject(entity)
    case UInt8(ascii: "["):
      if layout.pointee.identity.count > 1, try readCompositeIdentifier(entity) { return }
      try readEach(before: UInt8(ascii: "]")) { collector throws(JSONSyntaxError) in
        try collector.readValue(entity)
      }
    default:
      guard layout.pointee.identity.count == 1 else { return try scanner.skipValue() }
      let first = identities.count
      try readIdentity(entity, layout.pointee.identity.slots[0])
      note(entity, from: first)
      identities.removeLast(identities.count - first)
    }
  }

  /// Reads objects of an entity that has no identifiers: a value that is not an object is its `@value` (M23).
  @inline(never)
  private mutating func readElements(_ entity: Int) throws(JSONSyntaxError) {
    switch scanner.peek {
    case UInt8(ascii: "{"): try readObject(entity)
    case UInt8(ascii: "["):
      try readEach(before: UInt8(ascii: "]")) { collector throws(JSONSyntaxError) in
        if collector.scanner.peek == UInt8(ascii: "{") {
          try collector.readObject(entity)
        } else {
          try collector.readElementValue(entity)
        }
      }
    default: try readElementValue(entity)
    }
  }

  /// Reads an element as the `@value` of its object.
  private mutating func readElementValue(_ entity: Int) throws(JSONSyntaxError) {
    let first = identities.count
    try readMember(plan.layouts[entity].forms.valueField, isFlat: false, first)
    note(entity, from: first)
    identities.removeLast(identities.count - first)
  }

  /// Reads the elements of an array, or the members of an object, calling a closure at the start of each.
  @inline(__always)
  private mutating func readEach(
    before end: UInt8, _ read: (inout IdentityCollector) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    guard scanner.depth < IdentityCollector.deepest else { return try scanner.skipValue() }
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    if scanner.peek == end {
      scanner.advance()
    } else {
      repeat { try read(&self) } while try scanner.continues(before: end)
    }
    scanner.ascend()
  }

  /// Reads an array such as `["DAW", 12]` as an identifier with several values. If the value is something else, returns false and
  /// reads nothing.
  private mutating func readCompositeIdentifier(_ entity: Int) throws(JSONSyntaxError) -> Bool {
    let layout = plan.layouts[entity]
    let start = scanner
    let first = identities.count
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    for index in 0..<layout.identity.count {
      let byte = scanner.peek
      guard byte != UInt8(ascii: "{"), byte != UInt8(ascii: "["), byte != UInt8(ascii: "]") else { break }
      try readIdentity(entity, layout.identity.slots[index])
      if try !scanner.continues(before: UInt8(ascii: "]")) {
        scanner.ascend()
        note(entity, from: first)
        identities.removeLast(identities.count - first)
        return true
      }
    }
    scanner = start
    identities.removeLast(identities.count - first)
    return false
  }

  /// Reads objects, or their values, under keys that identify them (M11).
  private mutating func readCollection(_ entity: Int) throws(JSONSyntaxError) {
    try readEach(before: UInt8(ascii: "}")) { collector throws(JSONSyntaxError) in
      let key = try collector.scanner.scanKey()
      if collector.scanner.peek == UInt8(ascii: "n") {
        try collector.scanner.skipValue()
      } else {
        try collector.readObject(entity, under: key)
      }
    }
  }

  /// - Parameter key: the key of an element of a collection by keys. The element may be the value of the object's only property.
  private mutating func readObject(_ entity: Int, under key: RawString? = nil) throws(JSONSyntaxError) {
    let (first, firstMention) = (identities.count, mentions.count)
    let layout = plan.layouts + entity
    // An alias is used if the object has no value at the key path.
    let isFirst = key != nil && plan.fields[layout.pointee.forms.keyField].rank == 0
    if isFirst, let key { readKey(key, entity) }
    if scanner.peek == UInt8(ascii: "{"), key == nil || !layout.pointee.forms.readsObjectsAsValues {
      let start = layout.pointee.forms.sharesDictionary ? scanner.position : nil
      try readMembers(of: layout.pointee.group, entity, isFlat: isFlat(entity), first)
      if let start, scanner.depth + sharing < IdentityCollector.deepest / 2 {
        // Reads the same members again, as the members of the `@value` (M23). This takes as much stack as a separate level.
        scanner.move(to: start, depth: scanner.depth)
        sharing += 1
        defer { sharing -= 1 }
        try readObject(plan.fields[layout.pointee.forms.valueField].destination)
      }
    } else {
      try readMember(layout.pointee.forms.valueField >= 0 ? layout.pointee.forms.valueField : nil, isFlat: false, first)
    }
    if !isFirst, let key { readKey(key, entity) }
    for other in identified(entity) {
      guard let hash = note(other, from: first) else { continue }
      for mention in mentions[firstMention...] { lists.append((other, hash, mention.entity, mention.slot)) }
    }
    identities.removeLast(identities.count - first)
    mentions.removeLast(mentions.count - firstMention)
    if let found = found[entity]?.hashes.count, let flat, flat.entity == entity, found >= flat.next {
      try stopIfMostAreNamed(found)
    }
  }

  /// Stops reading if the rest of the payload, with as many identities as the part that was read, names most rows of the table. All
  /// rows are then read together, regardless of their identities.
  private mutating func stopIfMostAreNamed(_ found: Int) throws(JSONSyntaxError) {
    guard var part = flat else { return }
    defer { flat = part }
    part.next = 2 * found
    if part.rowCount == nil {
      part.rowCount = try? binding.snapshot().count(selectedBy: StoreQuery(table: plan.layouts[part.entity].table))
    }
    let share = Double(scanner.offset) / Double(part.byteCount)
    guard let count = part.rowCount, Double(count) * share < 2 * Double(found) else { return }
    self.found[part.entity]?.isWhole = true
    throw scanner.failure(.stopped)
  }

  /// - Parameters:
  ///   - isFlat: whether only the identity matters.
  ///   - first: the index at which the identity values of the object begin.
  private mutating func readMembers(
    of group: Int, _ entity: Int, isFlat: Bool, _ first: Int
  ) throws(JSONSyntaxError) {
    try readEach(before: UInt8(ascii: "}")) { collector throws(JSONSyntaxError) in
      let key = try collector.scanner.scanKey()
      if isFlat, collector.identities.count > first {
        try collector.scanner.skipValue()
      } else {
        if !isFlat, collector.isIdentifiedVariously(entity) { try collector.readOtherIdentities(key, group, entity) }
        try collector.readMember(collector.field(key, group, entity), isFlat: isFlat, first)
      }
    }
  }

  /// Returns the field of a key: a field of the entity, or of a sub-entity that a mapper may choose.
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

  /// Returns whether the objects of an entity name no other objects and are identified by one key.
  private mutating func isFlat(_ entity: Int) -> Bool {
    if let known = manners[entity].isFlat { return known }
    let isFlat =
      identified(entity).count == 1
      && plan.entities[entity].concreteAndSubentities.allSatisfy { other in
        let entity = plan.entities[other]
        return entity.identitySlots.count == 1 && entity.fields.ofSlot[entity.identitySlots[0]]?.count == 1
          && entity.properties.allSatisfy { $0.relationship == nil || $0.importedKeyPath == nil }
      }
    manners[entity].isFlat = isFlat
    return isFlat
  }

  /// Returns the entities whose identity an object may have.
  private mutating func identified(_ entity: Int) -> [Int] {
    if let known = manners[entity].identified { return known }
    var spaces: Set<Int> = []
    let entities = ([entity] + plan.entities[entity].concreteAndSubentities).filter { other in
      plan.layouts[other].identity.space >= 0 && spaces.insert(plan.layouts[other].identity.space).inserted
    }
    manners[entity].identified = entities
    return entities
  }

  private func isIdentifiedVariously(_ entity: Int) -> Bool { manners[entity].identified.map { $0.count > 1 } ?? false }

  /// Reads a value that sub-entities may have in their identities, without moving on, because several sub-entities may read the same key.
  private mutating func readOtherIdentities(_ key: RawString, _ group: Int, _ entity: Int) throws(JSONSyntaxError) {
    guard group == plan.layouts[entity].group else { return }
    let own = field(key, group, entity)
    let start = scanner
    for other in identified(entity) {
      let text = start.text(of: key, in: &scratch)
      defer { scratch.reset() }
      guard let field = plan.field(named: text, in: plan.groups[plan.layouts[other].group]), field != own,
        plan.fields[field].isIdentity, plan.fields[field].reading.rawValue < FieldPlan.Reading.toOne.rawValue
      else { continue }
      try readIdentity(other, plan.fields[field].slot)
      scanner = start
    }
  }

  private mutating func readMember(_ number: Int?, isFlat: Bool, _ first: Int) throws(JSONSyntaxError) {
    guard let number else { return try scanner.skipValue() }
    let field = plan.fields + number
    switch field.pointee.reading {
    case .group where scanner.peek == UInt8(ascii: "{"):
      try readMembers(of: field.pointee.group, field.pointee.entity, isFlat: isFlat, first)
    case .toOne: try readValue(field.pointee.destination)
    case .shaped: try readMember(field.pointee.inner, isFlat: isFlat, first)
    case .toMany:
      let (entity, slot) = (field.pointee.entity, field.pointee.slot)
      if isReplaced(plan.layouts[entity].slots[slot]) { mentions.append((entity, slot)) }
      if scanner.peek == UInt8(ascii: "{"), plan.layouts[field.pointee.destination].forms.keyField >= 0 {
        try readCollection(field.pointee.destination)
      } else {
        try readValue(field.pointee.destination)
      }
    case _ where field.pointee.isIdentity: try readIdentity(field.pointee.entity, field.pointee.slot)
    default: try scanner.skipValue()
    }
  }

  /// Returns whether a list in a payload can remove anything from the stored list or requires its members, because members that are
  /// identified inside their owner are found in that list (M12).
  private func isReplaced(_ slot: SlotPlan) -> Bool {
    !slot.isUnion || slot.isOrdered || slot.inverse < 0 || slot.inverseSlot.isToMany
      || plan.layouts[slot.destination].identity.hasOwner
  }

  // MARK: Identities

  /// Reads the value of an identity attribute of the object that is being read. A value that a closure must read, or that does
  /// not fit, is skipped.
  private mutating func readIdentity(_ entity: Int, _ slot: Int) throws(JSONSyntaxError) {
    let byte = scanner.peek
    switch form(entity, slot) {
    case .integer where PayloadReader.isNumber(byte):
      let number = try scanner.scanNumber()
      if let value = number.isShortInteger ? number.int64 : number.exactInt64 {
        identities.append((entity, slot, .integer(value)))
      }
    case .integerInString where byte == UInt8(ascii: "\""):
      let raw = try scanner.scanString()
      if !raw.hasEscapes, let value = PayloadReader.integer(in: raw.bytes) {
        identities.append((entity, slot, .integer(value)))
      }
    case .text where byte == UInt8(ascii: "\""):
      let raw = try scanner.scanString()
      identities.append((entity, slot, .text(scanner.text(of: raw, in: &kept))))
    case .other:
      let start = scanner.position
      try scanner.skipValue()
      let bytes = LentBytes(start: start, count: scanner.position - start)
      if let json = try? JSONBuilder.json(bytes), let cell = cell(json, entity, slot) {
        identities.append((entity, slot, cell))
      }
    default: try scanner.skipValue()
    }
  }

  /// Reads a key as an identity value.
  private mutating func readKey(_ key: RawString, _ entity: Int) {
    let slot = plan.fields[plan.layouts[entity].forms.keyField].slot
    guard plan.fields[plan.layouts[entity].forms.keyField].isIdentity else { return }
    let text = scanner.text(of: key, in: &kept)
    switch form(entity, slot) {
    case .text: identities.append((entity, slot, .text(text)))
    case .integer, .integerInString:
      if let value = PayloadReader.integer(in: text) { identities.append((entity, slot, .integer(value))) }
    case .other:
      let json: JSON? =
        switch plan.layouts[entity].slots[slot].kind {
        case .float, .double, .decimal, .boolean: try? JSONBuilder.json(text)
        default: .string(String(decoding: text, as: UTF8.self))
        }
      if let json, let cell = cell(json, entity, slot) { identities.append((entity, slot, cell)) }
    case .closure: break
    }
  }

  private mutating func form(_ entity: Int, _ slot: Int) -> Form {
    if manners[entity].forms.isEmpty {
      manners[entity].forms = plan.entities[entity].properties.enumerated().map { number, property in
        let kind = plan.layouts[entity].slots[number].kind
        if kind.isRelationship { return .closure }
        if let transformer = property.transformer {
          guard let builtIn = transformer.builtIn else { return .closure }
          return builtIn == .stringToInteger && kind == .integer ? .integerInString : .other
        }
        return kind == .integer ? .integer : kind == .string ? .text : .other
      }
    }
    return manners[entity].forms[slot]
  }

  /// Returns the cell of a value, or nil if it does not fit.
  private mutating func cell(_ json: JSON, _ entity: Int, _ number: Int) -> Cell? {
    let slot = plan.layouts[entity].slots[number]
    let property = plan.entities[entity].properties[number]
    guard let attribute = property.attribute, !json.isNull else { return nil }
    if let transformer = property.transformer {
      guard let value = try? transformer.forward(json) else { return nil }
      return CellEncoder.cell(for: value, in: slot) { kept.copy($0) }
    }
    guard let value = try? AttributeValue(json: json, type: attribute.type) else { return nil }
    if slot.kind == .uri, let text = json.stringValue {
      let utf8 = Array(text.utf8)
      return .text(kept.copy(utf8))
    }
    return CellEncoder.cell(for: value, in: slot) { kept.copy($0) }
  }

  /// Notes the identity of the object that was read, unless the object is in memory.
  ///
  /// - Parameter first: the index at which its identity values begin.
  /// - Returns: the hash of the identity; nil if a value is missing.
  @discardableResult
  private mutating func note(_ entity: Int, from first: Int) -> UInt64? {
    let layout = plan.layouts + entity
    guard layout.pointee.identity.space >= 0, identities.count > first else { return nil }
    while cells.count < layout.pointee.slotCount { cells.append(.absent) }
    // If both an alias and its key path are present, the first value is used.
    for (owner, slot, cell) in identities[first...]
    where slot < layout.pointee.slotCount && cells[slot].isAbsent && isSameProperty(slot, owner, entity) {
      cells[slot] = cell
    }
    defer { for (_, slot, _) in identities[first...] where slot < cells.count { cells[slot] = .absent } }
    return Cells.with(cells) { cells -> UInt64? in
      guard let hash = GraphIdentity.hash(layout, cells, state.pointee.seeds) else { return nil }
      let table = layout.pointee.table
      let known = state.tables[table].indexes[layout.pointee.identity.space].find(hash) { row in
        GraphIdentity.matches(layout, cells, state.row(table, row), state.pointee.texts)
      }
      if known == nil, !binding.knowledge.lacks(layout.pointee, hash) {
        if found[entity] == nil {
          found[entity] = Found(values: StoredValues(columnCount: layout.pointee.identity.count))
        }
        found[entity]?.values.append(cells, layout.pointee)
        found[entity]?.hashes.append(hash)
      }
      return hash
    }
  }
  /// Returns whether a slot contains the same property in two entities, that is, whether one inherits from the other.
  private func isSameProperty(_ slot: Int, _ entity: Int, _ other: Int) -> Bool {
    entity == other || plan.layouts[other].isKind(of: plan.layouts[entity])
      || plan.layouts[entity].isKind(of: plan.layouts[other])
  }
}
