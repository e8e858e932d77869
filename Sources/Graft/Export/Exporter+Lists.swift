/// Writing to-many relationships: arrays, or objects whose keys are those of their elements (M11).
extension Exporter {
  mutating func toMany(
    _ base: UnsafeMutablePointer<UInt64>, _ slot: UnsafeMutablePointer<SlotPlan>, _ step: UnsafePointer<ExportStep>
  ) -> Bool {
    key(step)
    let first = rows.count
    collect(base[slot.pointee.cell], slot)
    let isIdentifier = step.pointee.isIdentifier || options.identifiersOnly
    let isKeyed = hasKeyFirst(layouts + slot.pointee.destination) && !isIdentifier
    output.byte(isKeyed ? UInt8(ascii: "{") : UInt8(ascii: "["))
    depth += 1
    frames.append(
      Frame(
        kind: isKeyed ? .keyed : .list, table: slot.pointee.destinationTable, back: slot.pointee.inverse, next: first,
        end: rows.count, first: first, isIdentifier: isIdentifier))
    return true
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

  mutating func keyedElements() throws(ExportError) {
    let frame = frames.last.pointee
    var next = frame.next
    while next < frame.end {
      let row = rows[next]
      next += 1
      let base = reader.row(frame.table, row)
      // Under its key an object is all there is to say; a placeholder, or what is being written, has nothing to add.
      guard try key(of: frame.table, row) else { continue }
      if isIdentifier(base) {
        output.raw("{}")
        continue
      }
      frames.last.pointee.next = next
      if try element(frame.table, row, back: frame.back) { return }
    }
    output.byte(UInt8(ascii: "}"))
    depth -= 1
    rows.truncate(to: frame.first)
    frames.truncate(to: frames.count - 1)
  }

  /// Writes the key under which an object stands; false if it has none.
  mutating func key(of table: Int, _ row: UInt32) throws(ExportError) -> Bool {
    let base = reader.row(table, row)
    let layout = layouts[RowHeader.entity(base[0])]
    guard layout.keyField >= 0 else { return false }
    let number = plan.fields[layout.keyField].slot
    let slot = layout.slots + number
    guard base[slot.pointee.word] & slot.pointee.mask != 0 else { return false }
    if output.last != UInt8(ascii: "{") { output.byte(UInt8(ascii: ",")) }
    let start = output.count
    let entity = RowHeader.entity(base[0])
    try attribute(
      base, slot, ExportPlanner.writing(plan.entities[entity].properties[number]), entity, number)
    // A key is a string, whatever the attribute.
    if output.byte(at: start) != UInt8(ascii: "\"") { output.quote(from: start) }
    output.byte(UInt8(ascii: ":"))
    return true
  }

  /// Writes an object under its key; its `@value` alone where it has nothing else. True if a frame was opened.
  @discardableResult
  mutating func element(_ table: Int, _ row: UInt32, back: Int) throws(ExportError) -> Bool {
    let base = reader.row(table, row)
    let entity = RowHeader.entity(base[0])
    let layout = layouts + entity
    guard layout.pointee.valueField >= 0, plan.fields[layout.pointee.valueField].rank == 0 else {
      try open(table, row, back: back)
      return true
    }
    let number = plan.fields[layout.pointee.valueField].slot
    let slot = layout.pointee.slots + number
    let hasOthers = (0..<layout.pointee.stepCount).contains { index in
      let other = layout.pointee.steps[index].slot
      return other >= 0 && base[layout.pointee.slots[other].word] & layout.pointee.slots[other].mask != 0
    }
    if hasOthers || (base[slot.pointee.word] & slot.pointee.mask == 0 && slot.pointee.kind != .toMany) {
      try open(table, row, back: back)
      return true
    }
    guard slot.pointee.kind == .toMany else {
      try attribute(
        base, slot, ExportPlanner.writing(plan.entities[entity].properties[number]), entity, number)
      return false
    }
    let first = rows.count
    collect(base[slot.pointee.cell], slot)
    output.byte(UInt8(ascii: "["))
    depth += 1
    let isIdentifier = plan.entities[entity].properties[number].relationship?.representation != .object
    frames.append(
      Frame(
        kind: .list, table: slot.pointee.destinationTable, back: slot.pointee.inverse, next: first, end: rows.count,
        first: first, isIdentifier: isIdentifier || options.identifiersOnly))
    return true
  }
}
