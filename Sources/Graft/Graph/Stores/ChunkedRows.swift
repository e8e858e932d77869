/// The rows of a table in chunks: a change after a copy copies one chunk, not all of them.
struct ChunkedRows {
  private static let size = 256
  private var chunks: [StoredRows] = []
  /// A chunk without rows.
  private let empty: StoredRows
  private(set) var count = 0

  init(table: Int, columnCount: Int) { empty = StoredRows(table: table, columnCount: columnCount) }

  // MARK: Reading

  /// The chunk with a row, and the row's index in it.
  func chunk(of place: Int) -> (rows: StoredRows, row: Int) {
    (chunks[place / ChunkedRows.size], place % ChunkedRows.size)
  }

  func header(_ place: Int) -> StoredRows.Header {
    chunks[place / ChunkedRows.size].headers[place % ChunkedRows.size]
  }

  func integer(_ place: Int, column: Int) -> Int64? {
    chunks[place / ChunkedRows.size].values.integer(row: place % ChunkedRows.size, column: column)
  }

  func value(_ place: Int, column: Int, _ content: StoreSchema.Content) -> StoreValue {
    chunks[place / ChunkedRows.size].values.value(row: place % ChunkedRows.size, column: column, content)
  }

  /// Calls a closure with the rows, some at a time, until it returns false.
  func read(_ body: (StoredRows) -> Bool) {
    for chunk in chunks where !body(chunk) { return }
  }

  // MARK: Changing

  /// Changes a row in place.
  mutating func change(_ place: Int, _ body: (inout StoredRows, _ row: Int) -> Void) {
    body(&chunks[place / ChunkedRows.size], place % ChunkedRows.size)
  }

  /// Appends a row of nils.
  mutating func append(_ header: StoredRows.Header) {
    if count % ChunkedRows.size == 0 { chunks.append(empty) }
    chunks[chunks.count - 1].append(header)
    count += 1
  }

  /// Appends a row of another list of the same table.
  mutating func append(_ other: StoredRows, _ row: Int, _ table: StoreSchema.Table) {
    if count % ChunkedRows.size == 0 { chunks.append(empty) }
    chunks[chunks.count - 1].append(other, row, table)
    count += 1
  }
}
