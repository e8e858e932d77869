import CSQLite

/// A connection to a database, used by one thread at a time.
///
///     try connection.using("SELECT \"name\" FROM \"Hero\" WHERE \"_id\" = ?") { statement throws(SQLiteError) in
///       try statement.bind(1, at: 1)
///       while try statement.step() { print(statement.text(0) ?? "") }
///     }
final class SQLiteConnection {
  let handle: OpaquePointer
  /// The prepared statements, with the time of their last use.
  private var statements: [String: (statement: SQLiteStatement, lastUse: Int)] = [:]
  private var uses = 0
  /// Statements that are found by a short key, without generating their text.
  private var statementsByKey: [StatementKey: SQLiteStatement] = [:]
  /// Whether the file could not be written because of its permissions.
  var isReadOnly = false
  /// The number of pages in the write-ahead log after the connection's latest commit.
  var logLength: Int32 = 0
  /// Whether a migration has begun a transaction that includes everything the connection does.
  var isMigrating = false

  /// A statement whose text is determined by a few numbers.
  struct StatementKey: Hashable {
    enum Kind { case rowByID, rowByIdentity }

    var kind: Kind
    var table: Int
    var identity = 0
  }

  /// The maximum number of statements that are kept. A store with a large model uses more. The least recently used statements are discarded
  /// and prepared again when needed.
  private static let capacity = 512

  /// The access of a connection to its file.
  enum Access {
    case readingAndWriting
    case reading
    /// Reads an immutable file, without creating files next to it.
    case readingImmutableFile
  }

  /// Opens a database file, which must exist.
  init(path: String, _ access: Access = .readingAndWriting) throws(SQLiteError) {
    var handle: OpaquePointer?
    let mode = access == .readingAndWriting ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    let isImmutable = access == .readingImmutableFile
    let status = sqlite3_open_v2(
      isImmutable ? SQLiteConnection.immutableURI(path) : path, &handle,
      mode | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        | (isImmutable ? SQLITE_OPEN_URI : 0), nil)
    guard status == SQLITE_OK, let handle else {
      let error = SQLiteError.latest(handle, code: status)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
  }

  /// Returns the URI that opens a file as immutable.
  private static func immutableURI(_ path: String) -> String {
    let escapes: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
    return "file:" + path.map { escapes[$0] ?? String($0) }.joined() + "?immutable=1"
  }

  deinit {
    statements.removeAll()
    statementsByKey.removeAll()
    sqlite3_close_v2(handle)
  }

  // MARK: Statements

  /// Calls a closure with a statement, which is prepared at its first use and kept.
  func using<Result>(
    _ sql: String, _ body: (SQLiteStatement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let statement = try statement(sql)
    defer { statement.clear() }
    return try body(statement)
  }

  /// Calls a closure with a statement that reads and is used so often that even looking it up by its text would take noticeable time.
  func using<Result>(
    _ key: StatementKey, _ sql: () -> String, _ body: (SQLiteStatement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let statement: SQLiteStatement
    if let known = statementsByKey[key] {
      statement = known
    } else {
      statement = try self.statement(sql())
      if statementsByKey.count >= SQLiteConnection.capacity { statementsByKey.removeAll() }
      statementsByKey[key] = statement
    }
    defer { statement.clear() }
    return try body(statement)
  }

  private func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    uses += 1
    if let index = statements.index(forKey: sql) {
      statements.values[index].lastUse = uses
      return statements.values[index].statement
    }
    let statement = try SQLiteStatement(sql, self)
    if statements.count >= SQLiteConnection.capacity { forgetOldStatements() }
    statements[sql] = (statement, uses)
    return statement
  }

  private func forgetOldStatements() {
    let limit = uses - SQLiteConnection.capacity / 2
    statements = statements.filter { $0.value.lastUse > limit }
  }

  /// Runs statements without parameters and without results.
  func execute(_ sql: String) throws(SQLiteError) {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw .latest(handle, code: status, sql: sql) }
  }

  /// Returns the number that a statement without parameters returns; nil if there is no row.
  func integer(_ sql: String) throws(SQLiteError) -> Int64? { try value(sql) { $0.integer(0) } }

  /// Returns the text that a statement without parameters returns; nil if there is no row.
  func text(_ sql: String) throws(SQLiteError) -> String? { try value(sql) { $0.text(0) } }

  /// Runs a statement to its end. A statement that makes a change makes it after its last row: `PRAGMA journal_mode = WAL` returns `wal`
  /// first, and fails later.
  private func value<Value>(_ sql: String, _ read: (SQLiteStatement) -> Value?) throws(SQLiteError) -> Value? {
    try using(sql) { statement throws(SQLiteError) in
      guard try statement.step() else { return nil }
      let value = read(statement)
      while try statement.step() {}
      return value
    }
  }

  // MARK: Transactions

  enum TransactionKind: String {
    /// Reads one state of the database.
    case reading = "BEGIN DEFERRED"
    /// Writes, and waits for other writers at the beginning.
    case writing = "BEGIN IMMEDIATE"
  }

  /// Calls a closure in a transaction, which is rolled back if it throws. Within the transaction of a migration, it becomes part of
  /// that transaction.
  func transaction<Result>(
    _ kind: TransactionKind, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    if isMigrating {
      // An error such as a full disk ends the whole migration, regardless of how the step handles the error.
      guard isInTransaction else { throw .endedMigration }
      return try savepoint(body)
    }
    try begin(kind)
    do throws(SQLiteError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a transaction. Within the transaction of a migration, reading does not need another transaction.
  func begin(_ kind: TransactionKind) throws(SQLiteError) {
    if !isMigrating { try run(kind.rawValue) }
  }

  /// Ends a transaction, unless it belongs to a migration. Some errors, such as a full disk, have already ended the transaction.
  func rollBack() {
    if isInTransaction, !isMigrating { try? run("ROLLBACK") }
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Calls a closure in a part of a transaction. If it throws, only that part is undone.
  func savepoint<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    try run("SAVEPOINT part")
    do throws(SQLiteError) {
      let result = try body()
      try run("RELEASE part")
      return result
    } catch {
      // If there is no transaction, there is nothing left to undo.
      if isInTransaction {
        try run("ROLLBACK TO part")
        try run("RELEASE part")
      }
      throw error
    }
  }

  /// Checks that all rows and links refer to rows that exist. Otherwise, a missing row would be reported only at the end of the
  /// transaction.
  func checkReferences() throws(SQLiteError) {
    var isBroken: Int32 = 0
    var highest: Int32 = 0
    let status = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &isBroken, &highest, 0)
    guard status == SQLITE_OK else { throw .latest(handle, code: status) }
    if isBroken != 0 { throw .missingTarget }
  }

  /// Checks that all rows and links refer to rows that exist, by reading all of them. The check also works if foreign keys are off.
  func checkAllReferences() throws(SQLiteError) {
    let hasFaults = try using("PRAGMA foreign_key_check") { statement throws(SQLiteError) in try statement.step() }
    if hasFaults { throw .damage("rows refer to rows that do not exist") }
  }

  private func run(_ sql: String) throws(SQLiteError) {
    try using(sql) { statement throws(SQLiteError) in try statement.run() }
  }

  /// Checks that the file that was opened is still at its path. Data that is written to a deleted file is lost, and the file's log, which
  /// stays at the path, would damage a file that replaced the deleted file.
  func checkFile() throws(SQLiteError) {
    var hasMoved: Int32 = 0
    let status = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    if status == SQLITE_OK, hasMoved != 0 { throw .movedFile }
  }

  /// The number of rows that the last statement changed.
  var changeCount: Int { Int(sqlite3_changes(handle)) }

  /// The number of the row that was inserted last.
  var lastRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The maximum number of parameters of a statement.
  var maximumParameters: Int { Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) }

  /// The maximum number of columns of a table.
  var maximumColumns: Int { Int(sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, -1)) }
}
