/// Maps rows to numbers, in four bytes per row.
///
///     table:   | branch: 65,536 rows | none | branch ...
///     branch:  | number of a leaf: 256 rows | 0 | ...        created where a row has a number, however many rows there are
///     leaves:  | entry | entry | ...                         in sequence, starting with number 1
struct RowEntries {
  /// The number of a row; 0 if there is none.
  typealias Entry = UInt32
  private typealias Branch = [UInt32]

  private var tables: [[Branch]]
  private var leaves: [Entry] = []

  init(tableCount: Int) { tables = Array(repeating: [], count: tableCount) }

  var isEmpty: Bool { leaves.isEmpty }

  mutating func removeAll() { self = RowEntries(tableCount: tables.count) }

  subscript(table: Int, row: UInt32) -> Entry {
    get {
      let branch = Int(row >> 16)
      guard branch < tables[table].count, !tables[table][branch].isEmpty else { return 0 }
      let number = Int(tables[table][branch][Int(row >> 8 & 0xFF)])
      return number == 0 ? 0 : leaves[(number - 1) << 8 | Int(row & 0xFF)]
    }
    set {
      let (branch, leaf) = (Int(row >> 16), Int(row >> 8 & 0xFF))
      while tables[table].count <= branch { tables[table].append([]) }
      if tables[table][branch].isEmpty { tables[table][branch] = Array(repeating: 0, count: 256) }
      var number = Int(tables[table][branch][leaf])
      if number == 0 {
        leaves.append(contentsOf: repeatElement(0, count: 256))
        number = leaves.count / 256
        tables[table][branch][leaf] = UInt32(number)
      }
      leaves[(number - 1) << 8 | Int(row & 0xFF)] = newValue
    }
  }

  func forEach(_ body: (_ table: Int, _ row: UInt32, _ entry: Entry) -> Void) {
    for table in tables.indices {
      for (branch, numbers) in tables[table].enumerated() {
        for (leaf, number) in numbers.enumerated() where number != 0 {
          for place in 0..<256 {
            let entry = leaves[Int(number - 1) << 8 | place]
            if entry != 0 { body(table, UInt32(branch << 16 | leaf << 8 | place), entry) }
          }
        }
      }
    }
  }
}
