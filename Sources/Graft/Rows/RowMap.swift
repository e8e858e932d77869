/// A hash table that numbers rows from 0, in the order in which they are added. A fast table is needed because reading the journal
/// looks up the row of every entry.
///
///     places   | row 7 | row 9 |
///     slots    | free | 0 | free | free | 1 | ...        linear probing
struct RowMap {
  private(set) var places: [RowPlace] = []
  /// A row's number plus one; 0 is a free slot.
  private var slots: [UInt32] = []

  var count: Int { places.count }

  init(_ places: [RowPlace] = []) {
    for place in places { add(place.table, place.row) }
  }

  /// The number of a row, or nil if it was not added. Expected O(1).
  subscript(table: Int, row: UInt32) -> Int? {
    if places.isEmpty { return nil }
    let number = Int(slots[slot(table, row)])
    return number == 0 ? nil : number - 1
  }

  /// Adds a row, and returns its number. Expected O(1).
  @discardableResult
  mutating func add(_ table: Int, _ row: UInt32) -> Int {
    if places.count * 2 >= slots.count { grow() }
    let slot = slot(table, row)
    if slots[slot] == 0 {
      places.append(RowPlace(table: table, row: row))
      slots[slot] = UInt32(places.count)
    }
    return Int(slots[slot]) - 1
  }

  /// The slot of a row, or the slot that it would take.
  private func slot(_ table: Int, _ row: UInt32) -> Int {
    let mask = slots.count - 1
    let hash = (UInt64(truncatingIfNeeded: table) << 32 | UInt64(row)) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[slot] != 0 {
      let place = places[Int(slots[slot]) - 1]
      if place.row == row, place.table == table { break }
      slot = (slot &+ 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: max(16, slots.count * 2))
    for (number, place) in places.enumerated() { slots[slot(place.table, place.row)] = UInt32(number + 1) }
  }
}
