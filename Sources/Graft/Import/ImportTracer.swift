/// Records what an import does to one object, for ``ImportTrace``.
///
///     reader --'}'--> willApply    the state of the object, the contents of the dictionary
///                     apply
///                     didApply     its new state: a mention by a dictionary, an identifier or an inverse
///
/// Tracing takes time proportional to the size of the object for each dictionary of the payload.
struct ImportTracer {
  private let trace: ImportTrace
  private let context: ManagedObjectContext
  private let plan: Plan
  private let entity: EntityPlan
  private let table: Int
  /// The object's row, as soon as it exists.
  private var row: UInt32?
  /// The state of the object when it was last examined.
  private var picture: ObjectPicture?
  /// Whether an identifier created the object and this has not been recorded yet.
  private var isNewPlaceholder = false
  private var before = Before()
  /// The number of nested dictionaries of an open object that describe the traced object, by the open object's first cell and its
  /// relationship.
  private var nested: [Spot: Int] = [:]
  /// Mentions whose locations are not known yet, with their offsets.
  private var waiting: [(mention: ImportTrace.Mention, offset: Int?)] = []
  /// The number of root objects that have been processed.
  var rootCount = 0

  private struct Spot: Hashable {
    var cells: Int
    var slot: Int
  }

  /// The facts about a dictionary before it is applied.
  private struct Before {
    var isKnown = false
    var isPlaceholder = false
    /// Whether the dictionary has the values of the identity, except owners, because the dictionary may be inside the owner.
    var hasIdentity = true
    /// The values that it sets, if it may describe the object.
    var given: [(slot: Int, source: ImportTrace.Source)] = []
    /// The identifiers in the dictionary that belong to the object.
    var identifiers: [(slot: Int, offset: Int)] = []
  }

  init(_ trace: ImportTrace, _ context: ManagedObjectContext) {
    self.trace = trace
    self.context = context
    plan = context.model.plan
    entity = plan.entity(named: trace.entityName) ?? plan.entities[0]
    table = plan.layouts[entity.index].table
  }

  // MARK: The object

  private var state: Reference<GraphState> { context.state }

  private var names: GraphNames { GraphNames(state, plan) }

  /// Finds the object by its identity.
  private func find(isLoaded: Bool) -> UInt32? {
    guard let values = trace.values else { return nil }
    let layout = plan.layouts[entity.index]
    var scratch = ScratchText()
    defer { scratch.free() }
    var cells: [Cell] = []
    for (index, value) in values.enumerated() {
      let slot = layout.slots[layout.identity.slots[index]]
      guard let cell = CellEncoder.cell(for: value, in: slot, keep: { scratch.copy($0) }) else { return nil }
      cells.append(cell)
    }
    return context.find(entity.index, cells: cells, isLoaded: isLoaded)
  }

  /// Returns whether a row belongs to the object, if its identity cannot be looked up.
  private func isObject(_ row: UInt32) -> Bool {
    guard trace.values == nil, let identity = RowReader(state).identityJSON(state.row(table, row)) else {
      return false
    }
    return GraphNames.text(identity) == trace.identity
  }

  /// Looks for the object among all objects of its entity, if its identity cannot be looked up because it includes the owner's
  /// identity (M12).
  private func search() -> UInt32? {
    guard trace.values == nil, plan.layouts[entity.index].identity.hasOwner else { return nil }
    do throws(StoreError) {
      return try context.rows(of: entity).first(where: isObject)
    } catch {
      // The binding keeps the error, so the import fails at its end.
      context.binding?.keep(error)
      return nil
    }
  }

  mutating func begin(_ reader: PayloadReader) {
    row = find(isLoaded: false) ?? search()
    picture = row.map { ObjectPicture(table, $0, state) }
    rootCount = reader.roots.rows.count
  }

  // MARK: Dictionaries

  mutating func willApply(_ reader: PayloadReader) {
    let frame = reader.open.frames.last.pointee
    before = Before()
    if row == nil, let found = find(isLoaded: true) {
      row = found
      isNewPlaceholder = true
      picture = ObjectPicture(table, found, state)
    }
    before.isKnown = row != nil
    before.isPlaceholder = row.map { state.row(table, $0).isPlaceholder } ?? false
    if plan.layouts[frame.entity].table == table {
      before.given = given(frame, reader)
      let entity = plan.entities[frame.entity]
      before.hasIdentity = entity.identitySlots.allSatisfy { slot in
        entity.ownerSlots.contains(slot) || before.given.contains { $0.slot == slot }
      }
    }
    if let row { before.identifiers = identifiers(of: row, frame, reader) }
  }

  /// Returns the values that the innermost dictionary sets, in model order.
  private func given(_ frame: ImportFrame, _ reader: PayloadReader) -> [(slot: Int, source: ImportTrace.Source)] {
    let layout = plan.layouts[frame.entity]
    return (0..<layout.slotCount).compactMap { slot in
      switch reader.open.cells[frame.cells + slot].tag {
      case .absent, .invalid, .deferred, .setAside: nil
      case .null, .word, .text, .row, .rows: (slot, source(of: slot, frame, reader))
      }
    }
  }

  /// Returns the source of a property's value in a dictionary, such as a key path or an alias.
  private func source(of slot: Int, _ frame: ImportFrame, _ reader: PayloadReader) -> ImportTrace.Source {
    let layout = plan.layouts[frame.entity]
    let entity = plan.entities[frame.entity]
    let fields = (entity.fields.ofSlot[slot] ?? []).map { plan.fields[$0] }.sorted { $0.rank < $1.rank }
    for field in fields {
      let path = entity.path(ofField: field)
      let bits = reader.open.cells[frame.cells + layout.slotCount + field.number >> 6].bits
      let isSeen = bits >> UInt64(field.number & 63) & 1 != 0
      // The last key path is the source, because the value is not in the object.
      if path.surroundings != nil { return .keyPath(path, isAlias: field.rank > 0) }
      let isElement = path.isElementValue && frame.marks.isElementValue
      if path.isObjectKey ? frame.key != nil : isSeen || isElement { return .keyPath(path, isAlias: field.rank > 0) }
    }
    return .surroundings
  }

  mutating func didApply(_ applied: UInt32?, _ reader: PayloadReader) {
    let frame = reader.open.frames.last.pointee
    defer { if !nested.isEmpty { nested = nested.filter { $0.key.cells < frame.cells } } }
    let isOwnTable = plan.layouts[frame.entity].table == table
    if row == nil, isOwnTable, let applied, find(isLoaded: true) == applied || isObject(applied) { row = applied }
    guard let row else { return }
    let old = picture
    let new = ObjectPicture(table, row, state)
    picture = new
    let isOwn = isOwnTable && applied == row
    var changes = changes(from: old, to: new, before.isKnown && !before.isPlaceholder, isOwn, frame)
    let causeName = applied.map { names.name(plan.layouts[frame.entity].table, $0) } ?? plan.entities[frame.entity].name
    for (index, identifier) in before.identifiers.enumerated() {
      let isLast = index == before.identifiers.count - 1 && !isOwn
      var mention = ImportTrace.Mention(match: isNewPlaceholder ? .placeholder : .identifier)
      mention.cause = "\(causeName).\(plan.entities[frame.entity].properties[identifier.slot].name)"
      if isLast { mention.changes = changes }
      isNewPlaceholder = false
      waiting.append((mention, identifier.offset))
    }
    if isOwn {
      let known: ImportTrace.Match = before.hasIdentity ? .identity : .alternate
      var mention = ImportTrace.Mention(
        match: !before.isKnown ? .inserted : before.isPlaceholder ? .filled : known)
      swap(&mention.changes, &changes)
      waiting.append((mention, frame.offset))
      noteNested(frame, reader)
      isNewPlaceholder = false
    } else if !changes.isEmpty, before.identifiers.isEmpty {
      waiting.append((ImportTrace.Mention(match: .inverse, cause: causeName, changes: changes), frame.offset))
    }
  }

  /// Records that the values that an object had set aside were applied: objects inside that object, and objects on paths through arrays.
  mutating func didApplyOwned(_ applied: UInt32, _ fields: [Int], _ reader: PayloadReader) {
    guard let row else { return }
    let frame = reader.open.frames.last.pointee
    let (old, new) = (picture, ObjectPicture(table, row, state))
    picture = new
    let isOwn = plan.layouts[frame.entity].table == table && applied == row
    let entity = plan.entities[frame.entity]
    let changes = new.slots.indices.compactMap { slot -> ImportTrace.Change? in
      guard new.isChanged(slot, since: old) else { return nil }
      let field = isOwn ? fields.map { plan.fields[$0] }.first { $0.slot == slot } : nil
      let source = field.map { ImportTrace.Source.keyPath(entity.path(ofField: $0), isAlias: $0.rank > 0) }
      return change(slot, from: old, to: new, true, source, names)
    }
    if changes.isEmpty { return }
    guard isOwn else {
      let causeName = names.name(plan.layouts[frame.entity].table, applied)
      waiting.append((ImportTrace.Mention(match: .inverse, cause: causeName, changes: changes), frame.offset))
      return
    }
    let own: [ImportTrace.Match] = [.inserted, .filled, .identity, .alternate]
    if let index = waiting.lastIndex(where: { $0.offset == frame.offset && own.contains($0.mention.match) }) {
      let known = waiting[index].mention.changes.filter { change in !changes.contains { $0.property == change.property }
      }
      waiting[index].mention.changes = known + changes
    } else {
      waiting.append((ImportTrace.Mention(match: .identity, changes: changes), frame.offset))
    }
  }

  /// Returns the values that a dictionary sets, and their consequences, in model order.
  private func changes(
    from old: ObjectPicture?, to new: ObjectPicture, _ wasFull: Bool, _ isOwn: Bool, _ frame: ImportFrame
  ) -> [ImportTrace.Change] {
    let given = Dictionary(isOwn ? before.given : []) { first, _ in first }
    let names = names
    return new.slots.indices.compactMap { slot in
      let source = given[slot]
      guard source != nil || new.isChanged(slot, since: old) else { return nil }
      return change(
        slot, from: old, to: new, wasFull, source ?? (isOwn && !wasFull ? .defaultValue : nil), names)
    }
  }

  /// - Parameter source: the source of the value; nil if the value is a consequence of something else.
  private func change(
    _ slot: Int, from old: ObjectPicture?, to new: ObjectPicture, _ wasFull: Bool, _ source: ImportTrace.Source?,
    _ names: GraphNames
  ) -> ImportTrace.Change? {
    let entity = plan.entities[new.header.entity]
    let property = entity.properties[slot]
    let plan = plan.layouts[entity.index].slots[slot]
    var inverse: String?
    if let relationship = property.relationship, let name = relationship.inverseName {
      inverse = "\(relationship.destinationName).\(name)"
    }
    var effect: ImportTrace.Effect
    switch (old?[slot], new.slots[slot]) {
    case (let former, .value(let value)):
      // An object that did not exist had no values.
      if wasFull, case .value(let earlier)? = former {
        effect = .value(old: earlier, new: value)
      } else {
        effect = .value(old: nil, new: value)
      }
    case (let former, .links(let rows)):
      var earlier: [UInt32] = []
      if case .links(let rows)? = former { earlier = rows }
      func name(_ row: UInt32) -> String {
        state.loadRow(plan.destinationTable, row)
        return names.name(plan.destinationTable, row)
      }
      if plan.kind == .toOne {
        let target = rows.first.map { JSON.string(name($0)) } ?? .null
        let former = earlier.first.map { JSON.string(name($0)) }
        effect = .value(old: former ?? (wasFull ? .null : nil), new: target)
      } else {
        let (gone, come) = (Set(earlier).subtracting(rows), Set(rows).subtracting(earlier))
        effect = .links(
          added: rows.filter(come.contains).map(name), removed: earlier.filter(gone.contains).map(name))
      }
    }
    var isHiddenUnchanged: Bool?
    if property.attribute != nil, property.isSensitive, case .value(let old, let new) = effect {
      isHiddenUnchanged = old == new
      effect = .value(old: old.map(property.shown), new: property.shown(new))
    }
    let isFollowing = source == nil
    // A default of nil and an empty relationship are not reported.
    if case .defaultValue? = source, case .value(_, .null) = effect { return nil }
    return ImportTrace.Change(
      property: property.name, isRelationship: property.relationship != nil, effect: effect,
      source: source ?? inverse.map { .inverse($0) } ?? .consequence,
      transformer: isFollowing ? nil : property.attribute?.transformerName, inverse: isFollowing ? nil : inverse,
      isHiddenUnchanged: isHiddenUnchanged)
  }

  /// Notes which relationship of which open object contains the object's own dictionary.
  private mutating func noteNested(_ frame: ImportFrame, _ reader: PayloadReader) {
    let frames = reader.open.frames
    guard frames.count > 1 else { return }
    let around = frames.base[frames.count - 2]
    if frame.field >= 0 {
      nested[Spot(cells: around.cells, slot: plan.fields[frame.field].slot), default: 0] += 1
    } else if around.field >= 0, frames.count > 2 {
      let spot = Spot(cells: frames.base[frames.count - 3].cells, slot: plan.fields[around.field].slot)
      nested[spot, default: 0] += 1
    }
  }

  // MARK: Identifiers

  /// Returns the identifiers of the object that the innermost dictionary contains.
  private func identifiers(
    of row: UInt32, _ frame: ImportFrame, _ reader: PayloadReader
  ) -> [(slot: Int, offset: Int)] {
    let layout = plan.layouts[frame.entity]
    var found: [(slot: Int, offset: Int)] = []
    for slot in 0..<layout.slotCount where layout.slots[slot].destinationTable == table {
      // An owner that contains the dictionary is not an identifier (M12).
      if case .surroundings = source(of: slot, frame, reader) { continue }
      let cell = reader.open.cells[frame.cells + slot]
      let rows: [UInt32]
      switch cell.tag {
      case .row: rows = [UInt32(truncatingIfNeeded: cell.bits - 1)]
      case .rows:
        let first = Int(truncatingIfNeeded: cell.bits)
        rows = Array(reader.open.rows.elements[first..<first + cell.count])
      case .deferred: rows = Array(reader.finder.waiting.rows(of: cell))
      default: continue
      }
      let count = rows.count { $0 == row } - (nested[Spot(cells: frame.cells, slot: slot)] ?? 0)
      guard count > 0 else { continue }
      let offsets = offsets(of: row, rows, slot, frame, reader)
      found += (0..<count).map { (slot, $0 < offsets.count ? offsets[$0] : offsets.last ?? frame.offset) }
    }
    return found
  }

  /// Returns the offsets of a row's identifiers among the elements of a relationship, or the offset of the relationship.
  private func offsets(
    of row: UInt32, _ rows: [UInt32], _ slot: Int, _ frame: ImportFrame, _ reader: PayloadReader
  ) -> [Int] {
    guard case .keyPath(let path, _) = source(of: slot, frame, reader), reader.texts.isPayload, !path.isElementValue
    else { return [frame.offset] }
    if path.surroundings != nil {
      return [reader.shelf.surroundingPlaces.place(of: slot, ofObjectAt: frame.offset) ?? frame.offset]
    }
    var scanner = reader.scanner
    scanner.move(to: frame.start, depth: 0)
    guard case .value(let place) = JSONLocator.find(path.keys, in: scanner) else { return [frame.offset] }
    scanner.move(to: place)
    guard scanner.peek == UInt8(ascii: "[") else { return [reader.offset(of: place)] }
    let elements = ImportTracer.elements(&scanner, reader)
    guard elements.count == rows.count else { return [reader.offset(of: place)] }
    return zip(rows, elements).compactMap { other, element in
      other == row && !element.isObject ? element.offset : nil
    }
  }

  /// Returns the offsets of the elements of an array that are not null.
  private static func elements(
    _ scanner: inout JSONScanner, _ reader: PayloadReader
  ) -> [(offset: Int, isObject: Bool)] {
    var elements: [(offset: Int, isObject: Bool)] = []
    do {
      try scanner.descend()
      scanner.advance()
      scanner.skipWhitespace()
      if scanner.peek == UInt8(ascii: "]") { return [] }
      repeat {
        if scanner.peek != UInt8(ascii: "n") {
          elements.append((reader.offset(of: scanner.position), scanner.peek == UInt8(ascii: "{")))
        }
        try scanner.skipValue()
      } while try scanner.continues(before: UInt8(ascii: "]"))
    } catch {
      // The array has been read before, so scanning it cannot throw.
    }
    return elements
  }

  mutating func noteRoots(_ reader: PayloadReader) {
    let new = reader.roots.rows[min(rootCount, reader.roots.rows.count)...]
    rootCount = reader.roots.rows.count
    guard reader.roots.entity >= 0, plan.layouts[reader.roots.entity].table == table, !new.isEmpty else { return }
    let isNew = row == nil
    if isNew { row = find(isLoaded: true) }
    guard let row, new.contains(row) else { return }
    if isNew { picture = ObjectPicture(table, row, state) }
    let offset = reader.open.frames.count > 0 ? reader.open.frames.base[0].offset : nil
    waiting.append((ImportTrace.Mention(match: isNew ? .placeholder : .identifier), offset))
  }

  mutating func noteSkip(
    _ standIn: UInt32, _ opening: PayloadReader.Opening, at offset: Int, isMark: Bool, _ reader: PayloadReader
  ) {
    guard plan.layouts[opening.entity].table == table, let row = row ?? find(isLoaded: true) else { return }
    let isWaiting = WaitingIdentifiers.contains(standIn)
    guard (isWaiting ? reader.finder.row(of: reader.finder.waiting[standIn]) : standIn) == row else { return }
    waiting.append((ImportTrace.Mention(match: isMark ? .marked : .skipped), offset))
  }

  // MARK: The end

  mutating func willFinish(_ reader: PayloadReader, _ deferrals: Deferrals) {
    if row == nil { row = find(isLoaded: true) }
    guard let row else { return }
    picture = picture ?? ObjectPicture(table, row, state)
    for link in deferrals.links {
      for number in deferrals.rows(of: link) where WaitingIdentifiers.contains(number) {
        let identifier = reader.finder.waiting[number]
        guard !identifier.isSkipped, plan.layouts[identifier.entity].table == table,
          reader.finder.row(of: identifier) == row
        else { continue }
        let owner = names.name(link.place.table, link.place.row)
        let entity = plan.entities[state.row(link.place.table, link.place.row).entity]
        let cause = "\(owner).\(entity.properties[link.place.slot].name)"
        waiting.append((ImportTrace.Mention(match: .identifier, cause: cause), identifier.offset))
      }
    }
  }

  mutating func didFinish(_ shelf: PieceShelf) {
    if let row {
      if state.row(table, row).isDeleted {
        waiting.append((ImportTrace.Mention(match: .deleted), nil))
      } else {
        let new = ObjectPicture(table, row, state)
        let changes = new.slots.indices.compactMap { slot in
          new.isChanged(slot, since: picture) ? change(slot, from: picture, to: new, true, nil, names) : nil
        }
        if !changes.isEmpty { waiting.append((ImportTrace.Mention(match: .end, changes: changes), nil)) }
      }
    }
    record(shelf)
  }

  /// Records the findings while the bytes of the payload can be read.
  mutating func record(_ shelf: PieceShelf) {
    guard !waiting.isEmpty else { return }
    let spots = shelf.spots(of: waiting.compactMap(\.offset))
    trace.append(
      waiting.map { mention, offset in
        var mention = mention
        guard let spot = offset.flatMap({ spots[$0] }) else { return mention }
        (mention.path, mention.line, mention.sourceName) = (spot.path, spot.line, spot.sourceName)
        return mention
      })
    waiting = []
  }
}
