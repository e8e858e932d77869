/// Reads ahead of an import which objects a payload names, so that a store loads them in batches.
///
///     payload --collector--> identities, and lists to be replaced --binding--> rows in memory --> the import
///
/// It knows plain identity attributes, identifiers and relationships. What it skips (closures, collections by keys, faults)
/// is loaded when the import meets it, object by object: what is collected never decides what is imported.
struct IdentityCollector {
  private let plan: Plan
  private let state: Reference<GraphState>
  private let binding: StoreBinding
  private var scanner: JSONScanner
  private var scratch = ScratchText()
  /// Bytes of identities that are not in the payload as they are.
  private var kept = ScratchText()
  /// What was found, for each entity that has an identity.
  private var found: [Found?]
  /// Lists of objects that the payload may replace.
  private var lists: [(entity: Int, hash: UInt64, slot: Int)] = []
  /// The part whose objects are being read, if nothing but their identities matters.
  private var flat: FlatPart?

  // The objects that are being read share these. Each knows where its own part begins.
  private var identities: [(slot: Int, cell: Cell)] = []
  private var mentions: [(entity: Int, slot: Int)] = []
  /// For each entity, how to read the identity values in its slots; empty until the entity is met.
  private var forms: [[Form]]
  /// For each entity, whether its objects name no others; nil until the entity is met.
  private var areFlat: [Bool?]
  /// Cells of an object by slot, absent but for the identity that is being noted.
  private var cells: [Cell]

  /// The identities of an entity's objects that are not in memory. One may occur several times.
  private struct Found {
    var values: StoredValues
    var hashes: [UInt64] = []
    /// Whether all objects of the table are loaded instead.
    var isWhole = false
  }

  /// What tells whether the payload names most of a table's rows, long before its end.
  private struct FlatPart {
    let entity: Int
    /// The bytes of the payload.
    let byteCount: Int
    /// How many identities are found before that is asked again: as many as are worth counting rows.
    var next = StoreBinding.fewIdentities + 1
    /// The rows of the table, once they were counted.
    var rowCount: Int?
  }

  /// How an identity value is read.
  private enum Form {
    case integer, integerInString, text
    /// A rare type: a tree of the value is made.
    case other
    /// By a closure, or not an attribute: left to the import.
    case closure
  }

  init(_ context: ManagedObjectContext, _ binding: StoreBinding, _ source: PayloadSource) {
    plan = context.model.plan
    state = context.state
    self.binding = binding
    found = Array(repeating: nil, count: plan.entities.count)
    forms = Array(repeating: [], count: plan.entities.count)
    areFlat = Array(repeating: nil, count: plan.entities.count)
    cells = []
    scanner = JSONScanner(source.bytes, maxDepth: min(max(1, source.options.limits.depth), JSONBuilder.deepest))
  }

  /// Loads what a payload names. Faults of the payload are left to the import.
  static func load(
    _ source: PayloadSource, _ parts: [PlannedPart], _ context: ManagedObjectContext
  ) throws(ImportError) {
    guard let binding = context.binding, !binding.isWhole else { return }
    var collector = IdentityCollector(context, binding, source)
    defer {
      collector.scratch.free()
      collector.kept.free()
    }
    let start = collector.scanner
    for part in parts {
      collector.scanner = start
      collector.scanner.depth = source.root.depth
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
        try binding.load(identities: found.values, hashes: found.hashes, entity)
      }
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
    let row = state.tables[layout.table].indexes[layout.identitySpace].find(hash) { _ in true }
    guard let row else { return nil }
    let header = state.row(layout.table, row).header
    return plan.layouts[header.entity].isKind(of: layout) ? row : nil
  }

  // MARK: Reading

  private mutating func collect(_ source: PayloadSource, _ part: PlannedPart) throws(JSONSyntaxError) {
    var documents = PayloadDocuments(source, part, source.options.words)
    flat = isFlat(part.entity) ? FlatPart(entity: part.entity, byteCount: source.bytes.count) : nil
    while try documents.enter(&scanner, &scratch) {
      if documents.fault != nil { continue }
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
      guard layout.identityCount == 1 else { return try scanner.skipValue() }
      let first = identities.count
      try readIdentity(entity, layout.identitySlots[0])
      note(entity, from: first)
    }
  }

  /// Reads `["DAW", 12]` as an identifier of several values; false, and nothing is read, if it is something else.
  private mutating func readCompositeIdentifier(_ entity: Int) throws(JSONSyntaxError) -> Bool {
    let layout = plan.layouts[entity]
    let start = scanner
    let first = identities.count
    try scanner.descend()
    scanner.position += 1
    scanner.skipWhitespace()
    for index in 0..<layout.identityCount {
      let byte = scanner.peek
      guard byte != UInt8(ascii: "{"), byte != UInt8(ascii: "["), byte != UInt8(ascii: "]") else { break }
      try readIdentity(entity, layout.identitySlots[index])
      if try !scanner.continues(before: UInt8(ascii: "]")) {
        scanner.ascend()
        note(entity, from: first)
        return true
      }
    }
    scanner = start
    identities.removeLast(identities.count - first)
    return false
  }

  private mutating func readObject(_ entity: Int) throws(JSONSyntaxError) {
    let (first, firstMention) = (identities.count, mentions.count)
    try readMembers(of: plan.layouts[entity].group, entity, isFlat: isFlat(entity), first)
    if let hash = note(entity, from: first) {
      for mention in mentions[firstMention...] { lists.append((mention.entity, hash, mention.slot)) }
    }
    mentions.removeLast(mentions.count - firstMention)
    if let found = found[entity]?.hashes.count, let flat, flat.entity == entity, found >= flat.next {
      try stopIfMostAreNamed(found)
    }
  }

  /// Stops reading if the rest of the payload, with as many identities as what was read, names most of the table's rows: those
  /// are read at once, whatever their identities are.
  private mutating func stopIfMostAreNamed(_ found: Int) throws(JSONSyntaxError) {
    guard var part = flat else { return }
    defer { flat = part }
    part.next = 2 * found
    if part.rowCount == nil {
      part.rowCount = try? binding.store.count(selectedBy: StoreQuery(table: plan.layouts[part.entity].table))
    }
    let share = Double(scanner.offset) / Double(part.byteCount)
    guard let count = part.rowCount, Double(count) * share < 2 * Double(found) else { return }
    self.found[part.entity]?.isWhole = true
    throw scanner.failure(.stopped)
  }

  /// - Parameters:
  ///   - isFlat: whether nothing but the identity matters.
  ///   - first: where the identity values of the object begin.
  private mutating func readMembers(
    of group: Int, _ entity: Int, isFlat: Bool, _ first: Int
  ) throws(JSONSyntaxError) {
    try scanner.descend()
    scanner.position += 1
    scanner.skipWhitespace()
    if scanner.peek == UInt8(ascii: "}") {
      scanner.position += 1
    } else {
      repeat {
        scanner.skipWhitespace()
        let key = try scanner.scanKey()
        if isFlat, identities.count > first {
          try scanner.skipValue()
        } else {
          try readMember(field(key, group, entity), isFlat: isFlat, first)
        }
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

  /// Whether the objects of an entity name no others, and are identified by one key.
  private mutating func isFlat(_ entity: Int) -> Bool {
    if let known = areFlat[entity] { return known }
    let isFlat = plan.entities[entity].concreteAndSubentities.allSatisfy { other in
      let entity = plan.entities[other]
      return entity.identitySlots.count == 1 && entity.fieldsOfSlot[entity.identitySlots[0]]?.count == 1
        && entity.properties.allSatisfy { $0.relationship == nil || $0.importedKeyPath == nil }
    }
    areFlat[entity] = isFlat
    return isFlat
  }

  private mutating func readMember(_ number: Int?, isFlat: Bool, _ first: Int) throws(JSONSyntaxError) {
    guard let number else { return try scanner.skipValue() }
    let field = plan.fields + number
    switch field.pointee.reading {
    case .group where scanner.peek == UInt8(ascii: "{"):
      try readMembers(of: field.pointee.group, field.pointee.entity, isFlat: isFlat, first)
    case .toOne: try readValue(field.pointee.destination)
    case .toMany:
      let (entity, slot) = (field.pointee.entity, field.pointee.slot)
      if isReplaced(plan.layouts[entity].slots[slot]) { mentions.append((entity, slot)) }
      try readValue(field.pointee.destination)
    case _ where field.pointee.isIdentity: try readIdentity(field.pointee.entity, field.pointee.slot)
    default: try scanner.skipValue()
    }
  }

  /// Whether a list that a payload gives can take anything out of the list, or needs to know what is in it.
  private func isReplaced(_ slot: SlotPlan) -> Bool {
    !slot.isUnion || slot.isOrdered || slot.inverse < 0 || slot.inverseIsToMany
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
        identities.append((slot, .integer(value)))
      }
    case .integerInString where byte == UInt8(ascii: "\""):
      let raw = try scanner.scanString()
      if !raw.hasEscapes, let value = PayloadReader.integer(in: UnsafeBufferPointer(start: raw.base, count: raw.count))
      {
        identities.append((slot, .integer(value)))
      }
    case .text where byte == UInt8(ascii: "\""):
      let raw = try scanner.scanString()
      let text =
        raw.hasEscapes ? scanner.text(of: raw, in: &kept) : UnsafeBufferPointer(start: raw.base, count: raw.count)
      identities.append((slot, .text(text.baseAddress ?? raw.base, text.count)))
    case .other:
      let start = scanner.position
      try scanner.skipValue()
      let bytes = UnsafeBufferPointer(start: start, count: scanner.position - start)
      if let cell = cell(bytes, entity, slot) { identities.append((slot, cell)) }
    default: try scanner.skipValue()
    }
  }

  private mutating func form(_ entity: Int, _ slot: Int) -> Form {
    if forms[entity].isEmpty {
      forms[entity] = plan.entities[entity].properties.enumerated().map { number, property in
        let kind = plan.layouts[entity].slots[number].kind
        if kind.isRelationship { return .closure }
        if let transformer = property.transformer {
          return transformer.builtIn == .stringToInteger && kind == .integer ? .integerInString : .closure
        }
        return kind == .integer ? .integer : kind == .string ? .text : .other
      }
    }
    return forms[entity][slot]
  }

  /// The cell of a value of a rare type; nil if it does not fit.
  private mutating func cell(_ bytes: UnsafeBufferPointer<UInt8>, _ entity: Int, _ number: Int) -> Cell? {
    let slot = plan.layouts[entity].slots[number]
    guard let attribute = plan.entities[entity].properties[number].attribute,
      let json = try? JSONBuilder.json(bytes), !json.isNull,
      let value = try? AttributeValue(json: json, type: attribute.type)
    else { return nil }
    if slot.kind == .uri, let text = json.stringValue {
      let utf8 = Array(text.utf8)
      return .text(kept.copy(utf8), utf8.count)
    }
    return CellEncoder.cell(for: value, in: slot) { kept.copy($0) }
  }

  /// Notes the identity of the object that was read, unless the object is in memory.
  ///
  /// - Parameter first: where its identity values begin; they are removed.
  /// - Returns: the hash of the identity; nil if a value is missing.
  @discardableResult
  private mutating func note(_ entity: Int, from first: Int) -> UInt64? {
    let layout = plan.layouts + entity
    defer { identities.removeLast(identities.count - first) }
    guard layout.pointee.identitySpace >= 0, identities.count > first else { return nil }
    while cells.count < layout.pointee.slotCount { cells.append(.absent) }
    // Of an alias and its key path, the first counts. A sub-entity may have further identity attributes: its objects are loaded
    // when the import meets them.
    for (slot, cell) in identities[first...] where slot < cells.count && cells[slot].isAbsent { cells[slot] = cell }
    defer { for (slot, _) in identities[first...] where slot < cells.count { cells[slot] = .absent } }
    return Cells.with(cells) { cells -> UInt64? in
      guard let hash = GraphIdentity.hash(layout, cells, state.pointee.seeds) else { return nil }
      let table = layout.pointee.table
      let known = state.tables[table].indexes[layout.pointee.identitySpace].find(hash) { row in
        GraphIdentity.matches(layout, cells, state.row(table, row), state.pointee.texts)
      }
      if known == nil, !binding.isAbsent(layout.pointee, hash) {
        if found[entity] == nil {
          found[entity] = Found(values: StoredValues(columnCount: layout.pointee.identityCount))
        }
        found[entity]?.values.append(cells, layout.pointee)
        found[entity]?.hashes.append(hash)
      }
      return hash
    }
  }
}
