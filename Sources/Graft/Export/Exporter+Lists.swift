/// Writes to-many relationships.
extension Exporter {
  /// Writes a to-many relationship; returns true if the open frames have changed.
  mutating func toMany(
    _ row: Row, _ slot: PlanReference<SlotPlan>, _ step: PlanReference<ExportStep>,
    _ next: Int
  ) throws(ExportError) -> Bool {
    let start = output.count
    frames.last.pointee.begin(next, start, objects.listed.count)
    key(step)
    let isIdentifier = step.pointee.isIdentifier || source.options.identifiersOnly
    switch openList(row, slot, isIdentifier: isIdentifier, isWrapped: !step.pointee.wrapper.isEmpty) {
    case .open: return true
    case .incomplete(let omission):
      try leaveOut(omission)
      return true
    case .empty:
      // The brackets of the list are below the depth limit, and null would not be a list (E7). If an import would also reject
      // such brackets, nothing is lost by omitting the key.
      if depth < Exporter.importedDepth {
        let isKeyed = step.pointee.wrapper.isEmpty && source.graph.hasKeyFirst(layouts + slot.pointee.destination)
        output.raw(isKeyed ? "{}" : "[]")
      } else {
        output.truncate(to: start)
      }
      return false
    }
  }

  /// The outcome of beginning the array or object of a to-many relationship.
  enum List {
    case open
    /// The list is empty, and below the depth limit.
    case empty
    case incomplete(Omission)
  }

  /// Begins the array or object of a to-many relationship. Except for collections by keys, it is known only after writing the
  /// elements whether all of them can be written.
  ///
  /// - Parameter owner: the object that the list represents, as its `@value` (M11).
  mutating func openList(
    _ row: Row, _ slot: PlanReference<SlotPlan>, isIdentifier: Bool, isWrapped: Bool = false,
    owner: (table: Int, row: UInt32)? = nil
  ) -> List {
    let first = rows.count
    collect(row, slot)
    let table = slot.pointee.destinationTable
    descend()
    if isWrapped { descend() }
    var frame = Frame(
      kind: .list, table: table, row: owner?.row ?? 0, entity: slot.pointee.destination, back: slot.pointee.inverse)
    (frame.start, frame.written) = (output.count, objects.listed.count)
    (frame.first, frame.next, frame.end) = (first, first, rows.count)
    frame.valueTable = owner?.table ?? -1
    frame.isIdentifier = isIdentifier
    frame.isWrapped = isWrapped
    frame.transformsIdentifiers = slot.pointee.hasUnusualIdentifiers
    frame.acceptsPlaceholders = !slot.pointee.defersUnknown
    func refused(_ reason: Omission.Reason, _ number: UInt32) -> List {
      ascend(from: frame)
      rows.truncate(to: first)
      return .incomplete(Omission(reason: reason, table: table, row: number))
    }
    if depth > source.options.maxDepth {
      if rows.count > first { return refused(.depth, rows[first]) }
      ascend(from: frame)
      return .empty
    }
    if !isIdentifier, source.graph.hasKeyFirst(layouts + slot.pointee.destination) {
      // If each element is wrapped in an object (M25), there is no place for a key.
      frame.isIdentifier =
        isWrapped || rows.count > first && (first..<rows.count).allSatisfy { canBeIdentifierUnderKey(rows[$0], frame) }
      if !frame.isIdentifier {
        frame.kind = .keyed
        for index in first..<rows.count {
          if let reason = misplacement(rows[index], frame) { return refused(reason, rows[index]) }
        }
      }
    }
    if source.options.sharedObjects == .once, !frame.isIdentifier {
      frame.isReserved = true
      if !reserve(table, from: first) {
        let repeated = rows[first]
        forgetWritten(from: frame.written)
        return refused(.repeated, repeated)
      }
    }
    output.byte(frame.kind == .keyed ? UInt8(ascii: "{") : UInt8(ascii: "["))
    frame.checksKeys =
      frame.kind == .keyed && rows.count - first > 1 && !source.graph.areKeysUnique(slot.pointee.destination)
    if frame.checksKeys { keyHolders.begin() }
    frames.append(frame)
    return .open
  }

  /// Puts the rows of a to-many relationship on the stack: in order if the relationship is ordered, otherwise by identity (E3).
  /// Objects that only the store has are loaded first.
  mutating func collect(_ owner: Row, _ slot: PlanReference<SlotPlan>) {
    if hasStore { state.loadList(owner, slot.pointee) }
    let cell = owner[slot]
    guard cell != 0 else { return }
    let first = rows.count
    let vector = RowVector(cell)
    let table = slot.pointee.destinationTable
    for index in 0..<vector.used where vector.rows[index] != 0 {
      let row = vector.rows[index] - 1
      if slot.pointee.inverse < 0, reader.isDeleted(table, row) { continue }
      rows.append(row)
    }
    if hasStore { for row in rows.elements(from: first) { state.loadRow(table, row) } }
    guard !slot.pointee.isOrdered, rows.count - first > 1 else { return }
    sort(from: first, table)
    if hasSurroundings { sortByPosition(from: first, table) }
  }

  /// Sorts rows by identity, without creating values if all identities consist of one word or one string.
  mutating func sort(from first: Int, _ table: Int) {
    var buffer = rows.elements(from: first)
    let layout = layouts[reader.row(table, buffer[0]).entity]
    let space = layout.identity.space
    let reader = reader
    let isSimple =
      layout.identity.count == 1
      && buffer.allSatisfy { number in
        let row = reader.row(table, number)
        let other = layouts[row.entity]
        let slot = layout.slots[layout.identity.slots[0]]
        return other.identity.space == space && row.isSet(slot)
      }
    guard isSimple else {
      let sorted = GraphNames(state, source.plan).sorted(buffer.map { (table: table, row: $0) })
      for (index, place) in sorted.enumerated() { buffer[index] = place.row }
      return
    }
    let slot = layout.slots[layout.identity.slots[0]]
    let texts = state.pointee.texts
    switch slot.kind {
    case .integer, .date:
      buffer.sort {
        Int64(bitPattern: reader.row(table, $0)[slot]) < Int64(bitPattern: reader.row(table, $1)[slot])
      }
    case .string, .uri, .uuid, .binary:
      buffer.sort {
        let left = texts.bytes(reader.row(table, $0)[slot])
        let right = texts.bytes(reader.row(table, $1)[slot])
        return left.lexicographicallyPrecedes(right)
      }
    default:
      let sorted = GraphNames(state, source.plan).sorted(buffer.map { (table: table, row: $0) })
      for (index, place) in sorted.enumerated() { buffer[index] = place.row }
    }
  }

  mutating func elements() throws(ExportError) {
    // A pointer, because copying the frame is expensive; it is valid until another frame is opened.
    let frame = frames.last
    let table = frame.pointee.table
    let destination = frame.pointee.entity
    let isWrapped = frame.pointee.isWrapped
    let isTransformed = frame.pointee.transformsIdentifiers && frame.pointee.valueTable < 0
    var next = frame.pointee.next
    if frame.pointee.transformsIdentifiers, next > frame.pointee.first, isSkippedNull() {
      return try leaveOut(Omission(reason: .null, table: table, row: rows[next - 1]))
    }
    while next < frame.pointee.end {
      let number = rows[next]
      next += 1
      let row = reader.row(table, number)
      let entity = row.entity
      var isHome = true
      if hasSurroundings {
        let index = next - 1 - frame.pointee.first
        if !isWrapped, !frame.pointee.isIdentifier, !isIdentifier(row) {
          fillGaps(before: row, &frame.pointee.gaps, at: index + frame.pointee.gaps)
        }
        isHome = isAtHome(row, back: frame.pointee.back, index: index + frame.pointee.gaps)
      }
      if isWrapped { wrap(isFirst: next - 1 == frame.pointee.first) } else { separate() }
      if frame.pointee.isIdentifier || isIdentifier(row) || !isHome
        || entity != destination && !source.graph.isReadable(entity, as: destination, row)
      {
        if frame.pointee.isIdentifier, entity == destination, isPlainlyIdentified(row, in: frame.pointee) {
          if try element(table, number, isTransformed: isTransformed) { continue }
          try leaveOut(Omission(reason: .transformed, table: table, row: number))
          return
        }
        let place = Place(
          destination: destination, wantsIdentifier: frame.pointee.isIdentifier,
          acceptsPlaceholders: frame.pointee.acceptsPlaceholders, isReserved: frame.pointee.isReserved, isHome: isHome,
          back: frame.pointee.back)
        switch form(row, at: place) {
        case .object: break
        case .identifier:
          if try element(table, number, isTransformed: isTransformed) { continue }
          try leaveOut(Omission(reason: .transformed, table: table, row: number))
          return
        case .mention:
          try mention(row, steps.mention(entity, source).steps, back: frame.pointee.back)
          if frame.pointee.transformsIdentifiers, isSkippedNull() {
            return try leaveOut(Omission(reason: .null, table: table, row: number))
          }
          continue
        case .none(let reason):
          try leaveOut(Omission(reason: reason, table: table, row: number))
          return
        }
      }
      try requirePlace(table, number)
      frame.pointee.next = next
      if layouts[entity].forms.readsElements {
        let start = output.count
        if try self.element(table, number, as: destination, back: frame.pointee.back) { return }
        if frame.pointee.transformsIdentifiers, isSkippedNull(since: start) {
          return try leaveOut(Omission(reason: .null, table: table, row: number))
        }
        continue
      }
      try open(table, number, back: frame.pointee.back)
      return
    }
    if isWrapped, next > frame.pointee.first { output.byte(UInt8(ascii: "}")) }
    output.byte(UInt8(ascii: "]"))
    ascend(from: frame.pointee)
    rows.truncate(to: frame.pointee.first)
    frames.truncate(to: frames.count - 1)
  }

  /// Writes the identifier of an element.
  @inline(__always)
  private mutating func element(
    _ table: Int, _ number: UInt32, isTransformed: Bool
  ) throws(ExportError) -> Bool {
    guard isTransformed else {
      let start = output.count
      return try identifier(table, number)
        && !(frames.last.pointee.transformsIdentifiers && isSkippedNull(since: start))
    }
    let owner = frames[frames.count - 2]
    let slot = steps[owner.entity][owner.step - 1].slot
    return try identifier(table, number, in: owner, layouts[owner.entity].slots + slot)
  }

  /// Begins the object that wraps an element (M25), after the object of the previous element.
  @inline(never)
  private mutating func wrap(isFirst: Bool) {
    let owner = frames[frames.count - 2]
    if !isFirst { output.raw("},") }
    output.raw(steps[owner.entity][owner.step - 1].wrapper)
  }

  /// Decreases the depth at the end of an object, or of a list and the objects that wrap its elements.
  @inline(__always)
  mutating func ascend(from frame: Frame) {
    if frame.isShared { return }
    ascend()
    if frame.isWrapped { ascend() }
  }

  @inline(__always)
  mutating func separate() {
    if output.last != UInt8(ascii: "[") { output.byte(UInt8(ascii: ",")) }
  }
}
