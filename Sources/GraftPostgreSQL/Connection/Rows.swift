/// The rows of a statement, valid until the closure of the query returns. Columns are numbered from 0.
///
///     while try rows.next() { print(try rows.int64(0) ?? 0, try rows.text(1) ?? "") }
///
/// Reading a value as a different type throws `invalidValue`. NULL is nil.
package final class Rows {
  private let connection: PostgreSQLConnection
  private let library: LibPQ
  private let sql: String
  private let deadline: Deadline
  /// The current result, with one row or all of them.
  private(set) var result: LibPQ.Result?
  private(set) var row: CInt = -1
  private var rowCount: CInt = 0
  /// The types of the columns.
  private(set) var types: [UInt32] = []
  /// The number of rows that the statement inserted, changed, deleted or returned. Known after the last row.
  package private(set) var affectedRows = 0
  /// Whether all results were received, so the connection is free for other statements.
  private var isReceived = false
  /// The error that ended the rows. If the closure ignores it, it is thrown again, so that missing rows are not mistaken for the end.
  private var failure: PostgreSQLError?

  init(_ connection: PostgreSQLConnection, _ sql: String, _ deadline: Deadline) {
    self.connection = connection
    library = connection.library
    self.sql = sql
    self.deadline = deadline
  }

  /// The number of columns.
  package var columnCount: Int { types.count }

  /// Moves to the next row. Returns false after the last row.
  package func next() throws(PostgreSQLError) -> Bool {
    row += 1
    if row < rowCount { return true }
    if let failure { throw failure }
    if isReceived {
      row = rowCount
      return false
    }
    do throws(PostgreSQLError) {
      return try receiveRows()
    } catch {
      failure = error
      throw error
    }
  }

  // MARK: Receiving

  /// Receives the first row, or all rows.
  func receiveFirst(isWhole: Bool) throws(PostgreSQLError) {
    let hasRows = try receiveRows()
    // 'next' moves to the first row.
    row = -1
    if isWhole || !hasRows { try receiveEnd() }
  }

  /// Receives the next result. Returns whether it has rows.
  private func receiveRows() throws(PostgreSQLError) -> Bool {
    clear()
    guard let new = try connection.receive(deadline, sql: sql) else {
      isReceived = true
      return false
    }
    try take(new)
    if rowCount > 0 { return true }
    try receiveEnd()
    return false
  }

  /// Takes the only result of a statement, which was received to its end.
  func take(whole new: LibPQ.Result) throws(PostgreSQLError) {
    isReceived = true
    try take(new)
    // 'next' moves to the first row.
    row = -1
  }

  /// The server's name for what the statement did, such as `COMMIT`. Valid until the rows are released.
  var tag: String { result.flatMap { library.cmdStatus($0) }.map { String(cString: $0) } ?? "" }

  private func take(_ new: LibPQ.Result) throws(PostgreSQLError) {
    if let error = connection.error(of: new, sql: sql) {
      library.clear(new)
      throw error
    }
    result = new
    rowCount = library.ntuples(new)
    row = 0
    if types.isEmpty { types = (0..<library.nfields(new)).map { library.ftype(new, $0) } }
    if let tag = library.cmdTuples(new), tag.pointee != 0 { affectedRows = Int(String(cString: tag)) ?? affectedRows }
  }

  /// Receives the end of the statement, or an error.
  private func receiveEnd() throws(PostgreSQLError) {
    guard !isReceived else { return }
    isReceived = true
    try connection.drain(deadline, sql: sql) { [library] in
      if let tag = library.cmdTuples($0), tag.pointee != 0 { self.affectedRows = Int(String(cString: tag)) ?? 0 }
    }
  }

  /// Receives the rows that were not read, so that the connection is free.
  func finish() throws(PostgreSQLError) {
    if let failure { throw failure }
    if !isReceived { try receiveEnd() }
  }

  /// Receives the rows that were not read, after an error. If there are many rows, the statement is cancelled.
  func abandon() {
    guard !isReceived else { return }
    isReceived = true
    do throws(PostgreSQLError) {
      try connection.drain(deadline.earlier(.after(PostgreSQLConnection.gracePeriod)), sql: sql)
    } catch {}
  }

  private func clear() {
    library.clear(result)
    result = nil
    (row, rowCount) = (0, 0)
  }

  /// Frees the memory of the rows.
  func release() { clear() }

  deinit { library.clear(result) }

  // MARK: Bytes

  /// Returns whether the values of a column are of the type `bigint`.
  package func isInteger(_ column: Int) -> Bool {
    types.indices.contains(column) && types[column] == PostgreSQLType.int8.oid
  }

  /// Returns whether a value is NULL.
  package func isNull(_ column: Int) throws(PostgreSQLError) -> Bool { try bytes(column) == nil }

  /// The bytes of a value in the binary format, valid until the next row; nil if it is NULL. For `text`, `json` and `bytea`, the
  /// bytes are the content.
  @inline(__always)
  package func bytes(_ column: Int) throws(PostgreSQLError) -> UnsafeRawBufferPointer? {
    guard column >= 0, column < types.count, row >= 0, row < rowCount else { throw outside(column) }
    let index = CInt(truncatingIfNeeded: column)
    let length = library.getlength(result, row, index)
    if length == 0, library.getisnull(result, row, index) == 1 { return nil }
    return UnsafeRawBufferPointer(start: library.getvalue(result, row, index), count: Int(length))
  }

  @inline(never)
  private func outside(_ column: Int) -> PostgreSQLError {
    row >= 0 && row < rowCount
      ? PostgreSQLError(.misuse, "there is no column \(column); the statement returns \(types.count)")
      : PostgreSQLError(.misuse, "there is no row; call 'next' first")
  }
}
