import CSQLite

/// A value of the current row of a statement, valid until the next step.
struct SQLiteValue {
  fileprivate let handle: OpaquePointer?

  /// `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`, `SQLITE_BLOB` or `SQLITE_NULL`.
  @inline(__always)
  var type: Int32 { sqlite3_value_type(handle) }

  @inline(__always)
  var integer: Int64 { sqlite3_value_int64(handle) }

  @inline(__always)
  var double: Double { sqlite3_value_double(handle) }

  /// The bytes of a string or blob.
  @inline(__always)
  var bytes: UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_blob(handle)
    let count = sqlite3_value_bytes(handle)
    return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : Int(count))
  }
}

/// A prepared statement.
final class SQLiteStatement {
  let sql: String
  private let handle: OpaquePointer
  private unowned let connection: SQLiteConnection

  init(_ sql: String, _ connection: SQLiteConnection) throws(SQLiteError) {
    var handle: OpaquePointer?
    let status = sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard status == SQLITE_OK, let handle else { throw .latest(connection.handle, code: status, sql: sql) }
    self.sql = sql
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  // MARK: Parameters, from 1

  @inline(__always)
  func bind(_ value: Int64, at index: Int32) throws(SQLiteError) { try check(sqlite3_bind_int64(handle, index, value)) }

  @inline(__always)
  func bind(_ value: Double, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, index, value))
  }

  func bindNil(at index: Int32) throws(SQLiteError) { try check(sqlite3_bind_null(handle, index)) }

  /// Binds text without copying it. The text must stay in place until the statement is reset.
  @inline(__always)
  func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) throws(SQLiteError) {
    try check(graft_sqlite3_bind_text(handle, index, text.baseAddress, UInt64(text.count)))
  }

  /// Binds bytes without copying them. The bytes must stay in place until the statement is reset.
  func bind(blob: UnsafeBufferPointer<UInt8>, at index: Int32) throws(SQLiteError) {
    try check(graft_sqlite3_bind_blob(handle, index, blob.baseAddress, UInt64(blob.count)))
  }

  /// Binds a copy of text.
  func bind(_ text: String, at index: Int32) throws(SQLiteError) {
    var text = text
    try check(text.withUTF8 { graft_sqlite3_bind_text_copy(handle, index, $0.baseAddress, UInt64($0.count)) })
  }

  /// Binds a copy of bytes.
  func bind(copyOf bytes: [UInt8], isText: Bool, at index: Int32) throws(SQLiteError) {
    try check(
      bytes.withUnsafeBytes {
        isText
          ? graft_sqlite3_bind_text_copy(handle, index, $0.baseAddress, UInt64($0.count))
          : graft_sqlite3_bind_blob_copy(handle, index, $0.baseAddress, UInt64($0.count))
      })
  }

  // MARK: Steps

  /// Goes to the next row. Returns false at the end.
  @inline(__always)
  func step() throws(SQLiteError) -> Bool {
    let status = sqlite3_step(handle)
    if status == SQLITE_ROW { return true }
    if status == SQLITE_DONE { return false }
    throw .latest(connection.handle, code: status, sql: sql)
  }

  /// Runs the statement to its end, then makes it ready to run again. Parameters remain bound.
  func run() throws(SQLiteError) {
    defer { sqlite3_reset(handle) }
    while try step() {}
  }

  /// Makes the statement ready to run again. Parameters remain bound.
  func reset() { sqlite3_reset(handle) }

  /// Clears rows and parameters.
  func clear() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  // MARK: Columns of the current row, from 0

  var columnCount: Int32 { sqlite3_column_count(handle) }

  /// `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`, `SQLITE_BLOB` or `SQLITE_NULL`.
  @inline(__always)
  func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  @inline(__always)
  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// The bytes of a string or blob, valid until the next step.
  @inline(__always)
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_blob(handle, column)
    let count = sqlite3_column_bytes(handle, column)
    return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : Int(count))
  }

  /// The value of a column, valid until the next step. If a column is read with several calls, this is faster than calling the functions
  /// above.
  @inline(__always)
  func value(_ column: Int32) -> SQLiteValue { SQLiteValue(handle: sqlite3_column_value(handle, column)) }

  /// The text of a column; nil if it is NULL.
  func text(_ column: Int32) -> String? {
    type(column) == SQLITE_NULL ? nil : String(decoding: bytes(column), as: UTF8.self)
  }

  private func check(_ status: Int32) throws(SQLiteError) {
    guard status == SQLITE_OK else { throw .latest(connection.handle, code: status, sql: sql) }
  }
}
