/// Sends rows with `COPY`. See ``PostgreSQLConnection/copy(into:columns:deadline:_:)``.
package struct CopyWriter: BinaryFields {
  package var buffer = BinaryBuffer()
  private let connection: PostgreSQLConnection
  private let sql: String
  private let deadline: Deadline
  private let columns: Int
  /// The number of values that the current row still needs.
  private var missing = 0
  /// The number of rows.
  package private(set) var rowCount = 0

  /// The number of bytes that are sent at a time. Larger chunks are not faster.
  static let chunk = 1 << 16

  init(_ connection: PostgreSQLConnection, _ sql: String, columns: Int, _ deadline: Deadline) {
    self.connection = connection
    self.sql = sql
    self.columns = columns
    self.deadline = deadline
  }

  /// Appends the signature, with no flags and no extension.
  mutating func beginFile() {
    "PGCOPY\n".utf8.withContiguousStorageIfAvailable { buffer.append(UnsafeRawBufferPointer($0)) }
    for byte: UInt8 in [0xFF, 0x0D, 0x0A, 0] { buffer.append(byte) }
    buffer.append(0 as Int32)
    buffer.append(0 as Int32)
  }

  /// Begins a row. Then append one value for each column.
  package mutating func beginRow() throws(PostgreSQLError) {
    try checkRow()
    if buffer.count >= CopyWriter.chunk { try send() }
    buffer.append(Int16(columns))
    missing = columns
    rowCount += 1
  }

  package mutating func willAppend(_ type: PostgreSQLType) throws(PostgreSQLError) {
    missing -= 1
    if missing < 0 { throw PostgreSQLError(.misuse, "a row of COPY has more than \(columns) values") }
  }

  private func checkRow() throws(PostgreSQLError) {
    if missing > 0 { throw PostgreSQLError(.misuse, "a row of COPY has \(columns - missing) of \(columns) values") }
  }

  /// Appends the trailer, and sends the rest.
  mutating func endFile() throws(PostgreSQLError) {
    try checkRow()
    buffer.append(-1 as Int16)
    try send()
  }

  private mutating func send() throws(PostgreSQLError) {
    try connection.putCopyData(buffer.bytes, deadline, sql)
    buffer.removeAll()
  }
}
