/// Writing to-many relationships.
extension Exporter {
  mutating func toMany(
    _ base: UnsafeMutablePointer<UInt64>, _ slot: UnsafeMutablePointer<SlotPlan>, _ step: UnsafePointer<ExportStep>
  ) throws(ExportError) -> Bool {
    let start = output.count
    key(step)
    let first = rows.count
    if openList(base, slot, isIdentifier: step.pointee.isIdentifier || options.identifiersOnly) { return true }
    if rows.count > first || options.omitsNil {
      output.truncate(to: start)
      rows.truncate(to: first)
    } else {
      // Nothing is lost: null is as good (D2).
      output.raw("null")
    }
    return false
  }

  /// Begins the array or object of a to-many; false if it lies below the depth limit, and then its rows stay on the stack.
  mutating func openList(
    _ base: UnsafeMutablePointer<UInt64>, _ slot: UnsafeMutablePointer<SlotPlan>, isIdentifier: Bool
  ) -> Bool {
    let first = rows.count
    collect(base[slot.pointee.cell], slot)
    let table = slot.pointee.destinationTable
    depth += 1
    var isIdentifier = isIdentifier
    var isKeyed = false
    if !isIdentifier, hasKeyFirst(layouts + slot.pointee.destination) {
      isKeyed = first == rows.count || !(first..<rows.count).allSatisfy { isIdentifierUnderKey(table, rows[$0]) }
      isIdentifier = !isKeyed
    }
    if depth >= options.maxDepth, !isListWithin(table, first, isKeyed: isKeyed) {
      depth -= 1
      return false
    }
    output.byte(isKeyed ? UInt8(ascii: "{") : UInt8(ascii: "["))
    let checksKeys = isKeyed && rows.count - first > 1 && !areKeysUnique(slot.pointee.destination)
    if checksKeys { keyHolders.append([:]) }
    frames.append(
      Frame(
        kind: isKeyed ? .keyed : .list, table: table, back: slot.pointee.inverse, next: first,
        end: rows.count, first: first, isIdentifier: isIdentifier, checksKeys: checksKeys))
    return true
  }

  /// Whether a to-many whose brackets are the last level, or lie below, can be written: not where its identifiers are
  /// arrays.
  private func isListWithin(_ table: Int, _ first: Int, isKeyed: Bool) -> Bool {
    if depth > options.maxDepth { return false }
    return isKeyed
      || (first..<rows.count).allSatisfy {
        layouts[RowHeader.entity(reader.row(table, rows[$0])[0])].identityCount < 2
      }
  }

  /// Puts the rows of a to-many on the stack: ordered ones in their order, others by identity (E3).
  mutating func collect(_ cell: UInt64, _ slot: UnsafeMutablePointer<SlotPlan>) {
    guard cell != 0 else { return }
    let first = rows.count
    let vector = RowVector(cell)
    let table = slot.pointee.destinationTable
    for index in 0..<vector.used where vector.rows[index] != 0 {
      let row = vector.rows[index] - 1
      if slot.pointee.inverse < 0, reader.isDeleted(table, row) { continue }
      rows.append(row)
    }
    if !slot.pointee.isOrdered, rows.count - first > 1 { sort(from: first, table) }
  }

  /// Sorts by identity; where all identities are one word, or one text, without making values of them.
  mutating func sort(from first: Int, _ table: Int) {
    var buffer = UnsafeMutableBufferPointer(start: rows.base + first, count: rows.count - first)
    let layout = layouts[RowHeader.entity(reader.row(table, buffer[0])[0])]
    let space = layout.identitySpace
    let reader = reader
    let isSimple =
      layout.identityCount == 1
      && buffer.allSatisfy { row in
        let base = reader.row(table, row)
        let other = layouts[RowHeader.entity(base[0])]
        let slot = layout.slots[layout.identitySlots[0]]
        return other.identitySpace == space && base[slot.word] & slot.mask != 0
      }
    guard isSimple else {
      let sorted = GraphNames(state, plan).sorted(buffer.map { (table: table, row: $0) })
      for (index, place) in sorted.enumerated() { buffer[index] = place.row }
      return
    }
    let slot = layout.slots[layout.identitySlots[0]]
    let texts = state.pointee.texts
    switch slot.kind {
    case .integer, .date:
      buffer.sort {
        Int64(bitPattern: reader.row(table, $0)[slot.cell]) < Int64(bitPattern: reader.row(table, $1)[slot.cell])
      }
    case .string, .uri, .uuid, .binary:
      buffer.sort {
        let left = texts.bytes(reader.row(table, $0)[slot.cell])
        let right = texts.bytes(reader.row(table, $1)[slot.cell])
        return left.lexicographicallyPrecedes(right)
      }
    default:
      let sorted = GraphNames(state, plan).sorted(buffer.map { (table: table, row: $0) })
      for (index, place) in sorted.enumerated() { buffer[index] = place.row }
    }
  }

  mutating func elements() throws(ExportError) {
    let frame = frames.last.pointee
    var next = frame.next
    while next < frame.end {
      let row = rows[next]
      next += 1
      let base = reader.row(frame.table, row)
      if frame.isIdentifier || isIdentifier(base) {
        let start = output.count
        separate()
        if try !identifier(frame.table, row) { output.truncate(to: start) }
        continue
      }
      separate()
      try requirePlace(frame.table, row)
      frames.last.pointee.next = next
      try open(frame.table, row, back: frame.back)
      return
    }
    output.byte(UInt8(ascii: "]"))
    depth -= 1
    rows.truncate(to: frame.first)
    frames.truncate(to: frames.count - 1)
  }

  @inline(__always)
  mutating func separate() {
    if output.last != UInt8(ascii: "[") { output.byte(UInt8(ascii: ",")) }
  }
}
