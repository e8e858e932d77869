import CSQLite

/// An SQLite error, or an error for data that stores never write.
struct SQLiteError: Error {
  /// The extended result code.
  let code: Int32
  /// SQLite's message.
  let message: String
  /// The statement that failed, if there was one.
  var sql: String?

  /// The result code without its details.
  var primaryCode: Int32 { code & 0xFF }

  /// Whether a file has content that stores never write.
  var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_FORMAT].contains(primaryCode) }

  /// Whether the file system could not read a part of a file: SQLITE_IOERR_READ, _SHORT_READ, _DATA and _CORRUPTFS.
  var isUnreadable: Bool { primaryCode == SQLITE_IOERR && [1, 2, 32, 33].contains(code >> 8) }

  /// Returns an error for data that stores never write.
  static func damage(_ message: String) -> SQLiteError { SQLiteError(code: SQLITE_CORRUPT, message: message) }

  /// The error for a condition that SQLite would need minutes to plan.
  static let tooManyConditions = SQLiteError(
    code: SQLITE_ERROR,
    message:
      "the predicate joins more conditions than SQLite compares with each other in reasonable time; use 'in', or a closure"
  )

  /// The error for a file that is no longer at its path.
  static let movedFile = SQLiteError(
    code: SQLITE_READONLY | 4 << 8, message: "its file was moved, replaced or deleted while the store was open")

  /// The error for writing to a store that was opened read-only.
  static let readOnlyStore = SQLiteError(
    code: SQLITE_READONLY, message: "it was opened with 'isReadOnly'; open it without that option to change it")

  /// The error for the use of a step's store after its migration.
  static let retiredStore = SQLiteError(
    code: SQLITE_MISUSE, message: "the migration whose step used it has ended; use the store that was opened")

  /// The error for a state of the store that can no longer be read.
  static let lostSnapshot = SQLiteError(
    code: SQLITE_BUSY | 2 << 8,
    message: "an error ended the read transaction, and the store has changed since; merge the context, and try again")

  /// The error for a store whose layout another process has changed.
  static let migrated = SQLiteError(
    code: SQLITE_SCHEMA, message: "another process migrated it to another version of the model; open it again")

  /// The error for a row or link that refers to a row that does not exist.
  static let missingTarget = SQLiteError(code: SQLITE_CONSTRAINT | 3 << 8, message: "FOREIGN KEY constraint failed")

  /// Returns a connection's latest error.
  static func latest(_ connection: OpaquePointer?, code: Int32, sql: String? = nil) -> SQLiteError {
    guard let connection else {
      return SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)), sql: sql)
    }
    let extended = sqlite3_extended_errcode(connection)
    // A misuse is not recorded in the connection.
    let isRecorded = extended & 0xFF == code & 0xFF
    return SQLiteError(
      code: isRecorded ? extended : code,
      message: String(cString: isRecorded ? sqlite3_errmsg(connection) : sqlite3_errstr(code)), sql: sql)
  }

  /// Whether the file is no longer at its path.
  var isMovedFile: Bool { code == SQLiteError.movedFile.code }

  /// Whether the state of the store can no longer be read.
  var isLostSnapshot: Bool { code == SQLiteError.lostSnapshot.code && message == SQLiteError.lostSnapshot.message }

  /// Whether a UNIQUE index rejected a row.
  var isUniqueViolation: Bool {
    code == SQLITE_CONSTRAINT | 8 << 8 || code == SQLITE_CONSTRAINT | 6 << 8 || code == SQLITE_CONSTRAINT | 10 << 8
  }

  /// Whether a row refers to a row that does not exist.
  var isForeignKeyViolation: Bool { code == SQLITE_CONSTRAINT | 3 << 8 }
}
