import CSQLite
import Graft

extension SQLiteError {
  /// Returns the error in the form shown to users: what could not be done, why, and what to do.
  ///
  /// - Parameter action: `opened`, `read` or `written`.
  func storeError(_ name: String, _ action: String, _ options: SQLiteStore.Options) -> StoreError {
    let (code, reason) = explanation(options)
    return StoreError(code, "the store '\(name)' cannot be \(action): \(reason)", notes: notes)
  }

  private func explanation(_ options: SQLiteStore.Options) -> (DiagnosticCode, String) {
    switch primaryCode {
    case SQLITE_FULL,
      SQLITE_IOERR where code == SQLiteError.noSharedMemory:
      (.unavailableStore, "the disk is full; free some space and try again")
    case SQLITE_BUSY where isLostSnapshot: (.unavailableStore, message)
    case SQLITE_BUSY, SQLITE_LOCKED:
      (.unavailableStore, "another process kept it busy for \(options.busyTimeout); try again")
    case SQLITE_READONLY where isMovedFile:
      (.unavailableStore, "\(SQLiteError.movedFile.message); put the file back, or open the store again")
    case SQLITE_READONLY where message == SQLiteError.readOnlyStore.message: (.unavailableStore, message)
    case SQLITE_READONLY where options.isReadOnly:
      (
        .unavailableStore,
        "a write by another program must first be completed by a program that may write to the store: open it without 'isReadOnly'"
      )
    case SQLITE_READONLY: (.unavailableStore, "it is read-only; check the permissions of the file and its folder")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      (.unavailableStore, "\(message); check the permissions of the file and its folder")
    case SQLITE_IOERR: (.unavailableStore, "the file system reported an error (\(message), code \(code)); try again")
    case SQLITE_NOMEM: (.unavailableStore, "there is not enough memory")
    case SQLITE_NOTADB: (.notAStore, "it is not an SQLite database; it was not changed")
    case SQLITE_CORRUPT:
      (
        .damagedStore,
        "\(message); restore a backup, or copy what can be read with 'SQLiteStore.salvage' or 'graft store salvage'"
      )
    case SQLITE_SCHEMA: (.incompatibleModel, message)
    case SQLITE_ERROR where message.contains("integer overflow") || message == ArithmeticFunctions.overflow:
      (.untranslatablePredicate, message)
    case SQLITE_ERROR where message == "parser stack overflow" || message.hasPrefix("Expression tree is too large"):
      (
        .untranslatablePredicate,
        "the predicate is nested too deeply for SQLite; use a part of it as the predicate, and the rest as a closure"
      )
    case SQLITE_ERROR where message == "too many SQL variables" || message == "no query solution":
      (
        .untranslatablePredicate,
        "the predicate has more values than SQLite allows; divide them among several predicates, or use a closure"
      )
    case SQLITE_ERROR where message == SQLiteError.tooManyConditions.message: (.untranslatablePredicate, message)
    case SQLITE_MISMATCH where message == SQLiteError.notANumber.message: (.unstorableValue, message)
    case SQLITE_TOOBIG where message.hasPrefix("a sum"): (.unavailableStore, message)
    case SQLITE_TOOBIG: (.unstorableValue, "a value is longer than SQLite allows")
    default: (.unavailableStore, "\(message) (SQLite code \(code))")
    }
  }

  /// The code for the error that the file for shared memory could not be enlarged (SQLITE_IOERR_SHMSIZE).
  private static let noSharedMemory = SQLITE_IOERR | 19 << 8

  /// The statement, if it can help to find an error in the library.
  private var notes: [String] {
    guard let sql, primaryCode == SQLITE_ERROR || primaryCode == SQLITE_MISUSE || primaryCode == SQLITE_CONSTRAINT
    else {
      return []
    }
    return ["the statement was: \(sql.count > 200 ? sql.prefix(200) + "…" : sql)"]
  }
}
