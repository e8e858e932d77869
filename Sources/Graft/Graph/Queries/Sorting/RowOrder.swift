/// The order of rows by sort keys, whose values are read directly from the rows.
///
///     row        7         2         5
///     name       "Otter"   nil       "Owl"
///     entry      "Otter"   -         "Owl"       up to 16 bytes of the first key, as two integers that compare in the same way
///
/// The entries are sorted. The values of the keys are compared only if two entries are equal. Rows that compare equal keep their order.
struct RowOrder {
  /// A sort key: a path of to-one relationships to an attribute.
  struct Key {
    var path: [SlotPlan]
    var isDescending: Bool
    var isNilFirst: Bool
  }

  private struct Entry {
    var first: UInt64
    var second: UInt64
    var position: Int
  }

  let reader: RowReader
  let table: Int
  let keys: [Key]

  init(_ reader: RowReader, table: Int, _ keys: [Key]) {
    self.reader = reader
    self.table = table
    self.keys = keys
  }

  /// Returns the positions of the first rows in order.
  ///
  /// - Parameter most: the maximum number of positions. If only a small part of the rows is requested, the other rows are not sorted.
  func positions(_ rows: [UInt32], atMost most: Int = .max) -> [Int] {
    guard let key = keys.first, most > 0 else { return Array(rows.indices.prefix(most)) }
    var entries: [Entry] = []
    var nils: [Int] = []
    let isPart = most < rows.count / 4
    // When this room is full, all entries after the first `most` entries are dropped, and rows that come after the remaining entries are no
    // longer added.
    let room = isPart ? most + max(most, 1024) : rows.count
    entries.reserveCapacity(room)
    var greatest = UInt64.max
    let isExact = keys.count == 1 && key.path.last.map { RowOrder.isExact($0.kind) } == true
    func sort() {
      entries.sort { left, right in
        if left.first != right.first { return left.first < right.first }
        if left.second != right.second { return left.second < right.second }
        return isExact ? left.position < right.position : precedes(left.position, right.position, rows)
      }
    }
    for position in rows.indices {
      guard let entry = entry(rows[position], position, key) else {
        nils.append(position)
        continue
      }
      if entry.first > greatest { continue }
      entries.append(entry)
      if isPart, entries.count == room {
        sort()
        entries.removeLast(room - most)
        greatest = entries[most - 1].first
      }
    }
    sort()
    if keys.count > 1 { nils.sort { precedes($0, $1, rows) } }
    let found = entries.lazy.map(\.position)
    return Array((key.isNilFirst ? nils + found : found + nils).prefix(most))
  }

  // MARK: Entries

  /// The beginning of the first key's value; nil if the row has no value.
  @inline(__always)
  private func entry(_ number: UInt32, _ position: Int, _ key: Key) -> Entry? {
    guard let row = owner(number, key.path) else { return nil }
    let slot = key.path[key.path.count - 1]
    guard row.isSet(slot) else { return nil }
    var entry = Entry(first: 0, second: 0, position: position)
    if slot.kind == .string {
      let bytes = reader.state.pointee.texts.bytes(row[slot])
      entry.first = bytes.word(at: 0)
      entry.second = bytes.word(at: 8)
    } else if slot.kind == .decimal {
      // The nearest double of a number never precedes the nearest double of a smaller number.
      let text = String(decoding: reader.state.pointee.texts.bytes(row[slot]), as: UTF8.self)
      if let nearest = Double(text) { entry.first = RowOrder.ordered(nearest.bitPattern, .double) }
    } else if RowOrder.isExact(slot.kind) {
      entry.first = RowOrder.ordered(row[slot], slot.kind)
    }
    if key.isDescending {
      entry.first = ~entry.first
      entry.second = ~entry.second
    }
    return entry
  }

  /// The row that has the attribute at the end of a path.
  @inline(__always)
  private func owner(_ number: UInt32, _ path: [SlotPlan]) -> Row? {
    var row = reader.row(table, number)
    if path.count == 1 { return row }
    for slot in path.dropLast() {
      guard let target = reader.target(row, slot) else { return nil }
      row = reader.row(slot.destinationTable, target)
    }
    return row
  }

  /// Whether 64 bits distinguish a value from all other values.
  @inline(__always)
  private static func isExact(_ kind: SlotPlan.Kind) -> Bool {
    switch kind {
    case .integer, .boolean, .date, .double, .float: true
    default: false
    }
  }

  /// The bits of a value, in a form that compares like the value.
  @inline(__always)
  private static func ordered(_ bits: UInt64, _ kind: SlotPlan.Kind) -> UInt64 {
    guard kind == .double || kind == .float else { return bits ^ 1 << 63 }
    // -0.0 and 0 must have the same bits, because they are equal.
    if bits == 1 << 63 { return bits }
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  // MARK: Whole values

  /// Whether a row precedes another row by all keys, or by position if they compare equal.
  private func precedes(_ left: Int, _ right: Int, _ rows: [UInt32]) -> Bool {
    switch order(rows[left], rows[right]) {
    case .before: true
    case .behind: false
    case .same: left < right
    }
  }

  /// Compares two rows by all keys.
  func order(_ left: UInt32, _ right: UInt32) -> SortOrder {
    for key in keys {
      let order = order(left, right, key)
      if order != .same { return order }
    }
    return .same
  }

  private func order(_ left: UInt32, _ right: UInt32, _ key: Key) -> SortOrder {
    let slot = key.path[key.path.count - 1]
    let (left, right) = (value(left, key.path, slot), value(right, key.path, slot))
    guard let left, let right else {
      return .comparing(left, right, { _, _ in false }, isDescending: key.isDescending, isNilFirst: key.isNilFirst)
    }
    let isLess: Bool
    let isGreater: Bool
    if RowOrder.isExact(slot.kind) {
      let (one, other) = (RowOrder.ordered(left[slot], slot.kind), RowOrder.ordered(right[slot], slot.kind))
      (isLess, isGreater) = (one < other, one > other)
    } else if slot.kind == .string || slot.kind == .uri {
      let texts = reader.state.pointee.texts
      let (one, other) = (texts.bytes(left[slot]), texts.bytes(right[slot]))
      isLess = one.precedes(other)
      isGreater = !isLess && other.precedes(one)
    } else {
      guard let one = reader.value(left, slot), let other = reader.value(right, slot) else { return .same }
      isLess = one.isLess(than: other)
      isGreater = !isLess && other.isLess(than: one)
    }
    if !isLess, !isGreater { return .same }
    return isLess != key.isDescending ? .before : .behind
  }

  /// The row that has a key's value; nil if there is no such row.
  private func value(_ number: UInt32, _ path: [SlotPlan], _ slot: SlotPlan) -> Row? {
    guard let row = owner(number, path), row.isSet(slot) else { return nil }
    return row
  }
}
