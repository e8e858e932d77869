/// The rows of a table that are in memory, by their numbers in the store: open addressing, linear probing.
///
///     entries | 17: row 4 | free | 9: row 0 | ...        numbers in a store begin at 1; 0 is free
///
/// A large load looks up and adds each row. A store numbers rows consecutively, so their entries are close to each other, and
/// the processor finds most of them in its cache.
struct RowsByID: Sequence {
  private struct Entry {
    var id: Int64 = 0
    var row: UInt32 = 0
  }

  private var entries: [Entry] = []
  private(set) var count = 0
  /// The numbers are hashed with the seeds of the process, because a store may choose them badly, or be hostile.
  private let seeds = IdentityHash.seeds

  /// The row with a number. Expected O(1).
  subscript(id: Int64) -> UInt32? {
    get {
      if count == 0 || id == 0 { return nil }
      let entry = entries[place(id)]
      return entry.id == id ? entry.row : nil
    }
    set {
      guard id != 0 else { return }
      guard let newValue else { return remove(id) }
      if count * 2 >= entries.count { resize() }
      let place = place(id)
      if entries[place].id == 0 { count += 1 }
      entries[place] = Entry(id: id, row: newValue)
    }
  }

  /// The numbers, in any order.
  var ids: [Int64] { map(\.id) }

  func makeIterator() -> some IteratorProtocol<(id: Int64, row: UInt32)> {
    entries.lazy.filter { $0.id != 0 }.map { (id: $0.id, row: $0.row) }.makeIterator()
  }

  /// Changes the positions of rows in memory. If the closure returns nil, the row is removed.
  mutating func move(_ newRow: (UInt32) -> UInt32?) {
    let old = entries
    (entries, count) = ([], 0)
    for entry in old where entry.id != 0 {
      if let row = newRow(entry.row) { self[entry.id] = row }
    }
  }

  /// The index of a number's entry, or of the free entry that the number would take.
  private func place(_ id: Int64) -> Int {
    let mask = entries.count - 1
    var place = home(id)
    while entries[place].id != id, entries[place].id != 0 { place = (place + 1) & mask }
    return place
  }

  /// The first index to try for a number. Consecutive numbers are next to each other, in one line of the processor's cache.
  private func home(_ id: Int64) -> Int {
    let hash = seeds.mix(UInt64(bitPattern: id >> 2) ^ seeds.first, seeds.second)
    return (Int(truncatingIfNeeded: hash) << 2 | Int(id & 3)) & (entries.count - 1)
  }

  private mutating func resize() {
    let old = entries
    entries = Array(repeating: Entry(), count: Swift.max(16, old.count * 2))
    for entry in old where entry.id != 0 { entries[place(entry.id)] = entry }
  }

  /// Removes a number, and closes the gap so that searches never encounter vacated entries.
  private mutating func remove(_ id: Int64) {
    if count == 0 { return }
    let mask = entries.count - 1
    var gap = place(id)
    guard entries[gap].id == id else { return }
    count -= 1
    var next = gap
    while true {
      next = (next + 1) & mask
      if entries[next].id == 0 { break }
      // An entry may move into the gap unless its home lies after the gap.
      if (next - home(entries[next].id)) & mask >= (next - gap) & mask {
        entries[gap] = entries[next]
        gap = next
      }
    }
    entries[gap] = Entry()
  }
}
