/// The rows of a table in chunks, which form groups. After a copy of this value, a change copies only one chunk, and the lists that lead to
/// it.
///
///     groups   | 0 | 1 | ...              a million rows: 62
///     chunks   | 0 | 1 | ... | 63 |       in each group
///     rows     | 0 | 1 | ... | 255 |      in each chunk
struct ChunkedRows {
  private static let size = 256
  private static let groupSize = 64
  private var groups: [[StoredRows]] = []
  /// A chunk without rows.
  private let empty: StoredRows
  private(set) var count = 0

  init(table: Int, columnCount: Int) { empty = StoredRows(table: table, columnCount: columnCount) }

  /// The position of a row.
  private struct Place {
    let group: Int
    let chunk: Int
    let row: Int

    init(_ number: Int) {
      let chunk = number / ChunkedRows.size
      (group, self.chunk) = chunk.quotientAndRemainder(dividingBy: ChunkedRows.groupSize)
      row = number % ChunkedRows.size
    }
  }

  // MARK: Reading

  /// Returns the chunk that contains a row, and the row's index in it.
  func chunk(of number: Int) -> (rows: StoredRows, row: Int) {
    let place = Place(number)
    return (groups[place.group][place.chunk], place.row)
  }

  func header(_ number: Int) -> StoredRows.Header {
    let place = Place(number)
    return groups[place.group][place.chunk].headers[place.row]
  }

  func integer(_ number: Int, column: Int) -> Int64? {
    let place = Place(number)
    return groups[place.group][place.chunk].values.integer(row: place.row, column: column)
  }

  func value(_ number: Int, column: Int, _ content: StoreSchema.Content) -> StoreValue {
    let place = Place(number)
    return groups[place.group][place.chunk].values.value(row: place.row, column: column, content)
  }

  /// Calls a closure with batches of rows until it returns false.
  func read(_ body: (StoredRows) -> Bool) {
    for group in groups {
      for chunk in group where !body(chunk) { return }
    }
  }

  // MARK: Changing

  /// Changes a row in place.
  mutating func change(_ number: Int, _ body: (inout StoredRows, _ row: Int) -> Void) {
    let place = Place(number)
    body(&groups[place.group][place.chunk], place.row)
  }

  /// Appends a row of nils.
  mutating func append(_ header: StoredRows.Header) {
    appendToLast { $0.append(header) }
  }

  /// Appends a row from another list of rows of the same table.
  mutating func append(_ other: StoredRows, _ row: Int, _ table: StoreSchema.Table) {
    appendToLast { $0.append(other, row, table) }
  }

  private mutating func appendToLast(_ append: (inout StoredRows) -> Void) {
    let place = Place(count)
    if place.group == groups.count { groups.append([]) }
    if place.chunk == groups[place.group].count { groups[place.group].append(empty) }
    append(&groups[place.group][place.chunk])
    count += 1
  }
}
