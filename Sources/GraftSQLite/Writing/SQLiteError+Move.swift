import CSQLite

extension SQLiteError {
  /// The error for a commit whose base is outdated.
  static let move = SQLiteError(code: SQLITE_ABORT, message: "the data that the changes depend on has changed")

  /// Whether other commits wrote data that a commit depends on.
  var isMove: Bool { code == SQLiteError.move.code && message == SQLiteError.move.message }
}
