import Graft

extension PostgreSQLError {
  /// Whether the server does not let a program call the function of ``Flush``, because the program lacks permission or the function
  /// does not exist.
  var isFlushRefused: Bool { ["42501", "42883", "0A000"].contains(self.sqlState) }

  /// Returns the error in the form shown to users: what could not be done, why, and what to do.
  ///
  /// - Parameters:
  ///   - name: the name of the database.
  ///   - action: `opened`, `read` or `written`.
  func storeError(_ name: String, _ action: String) -> StoreError {
    var (code, reason) = explanation
    if action != "read", kind == .invalidValue || isOfLimits { code = .unstorableValue }
    return StoreError(code, "the store '\(name)' cannot be \(action): \(reason)", notes: notes)
  }

  private var explanation: (DiagnosticCode, String) {
    switch self.kind {
    case _ where self.isOutcomeUnknown:
      (
        .unavailableStore,
        "\(self.message); it is not known whether the server has written the commit: merge and check before you try again"
      )
    case .connectionLost, .unreachable:
      (.unavailableStore, "\(self.message); check that the server is running, and try again")
    case .adminShutdown: (.unavailableStore, "\(self.message); try again when the server is up")
    case .tooManyConnections:
      (
        .unavailableStore,
        "\(self.message); lower 'maximumReaders' of the programs, or raise 'max_connections' of the server"
      )
    case .authentication: (.unavailableStore, "\(self.message); check the user, the password and 'pg_hba.conf'")
    case .databaseMissing: (.unavailableStore, "\(self.message); create it with 'createdb'")
    case .serializationFailure, .deadlock: (.unavailableStore, "\(self.message); try again")
    case .lockNotAvailable:
      (.unavailableStore, "other programs kept it locked for too long; end their transactions, and try again")
    case .diskFull: (.unavailableStore, "the disk of the server is full; free some space and try again")
    case .damage: (.damagedStore, "\(self.message); restore a backup")
    case .migrated: (.incompatibleModel, "another program migrated it to another version of the model; open it again")
    case .other where self.sqlState == "42P01":
      (.damagedStore, "\(self.message); restore a backup, or open the store again if another program migrated it")
    case .other where self.sqlState == "3F000":
      (.unavailableStore, "no schema of the search path exists; create it with 'CREATE SCHEMA'")
    case .other where self.sqlState == "42501" && self.message.contains("is a system catalog"):
      (.unavailableStore, "\(self.message); give the entity another name")
    case .other where self.sqlState == "42501": (.unavailableStore, "\(self.message); grant the user the permission")
    case .other where self.sqlState == "25006":
      (
        .unavailableStore,
        "the database or the user is read-only; open it with 'isReadOnly', or connect as another user"
      )
    case .other where self.sqlState == "2BP01":
      (
        .unavailableStore,
        "\(self.message): \(self.detail ?? ""); remove what depends on it, and create it again afterwards"
      )
    case .other where self.sqlState == "53200":
      (.unavailableStore, "\(self.message); the model has many tables: raise 'max_locks_per_transaction' of the server")
    case .other where isOfLimits:
      (.unavailableStore, "\(self.message); PostgreSQL limits the size of rows, of indexed values and of tables")
    case .other where isUntranslatable: (.untranslatablePredicate, self.message)
    default: (.unavailableStore, self.message)
    }
  }

  /// Whether values made an expression fail, through a division by zero or a number that is too large. The expression is then evaluated in
  /// memory instead.
  var isUntranslatable: Bool { self.sqlState == "22012" || self.sqlState == "22003" }

  /// Whether a row, an indexed value or a table is too large.
  private var isOfLimits: Bool { self.sqlState?.hasPrefix("54") == true }

  /// The statement, if it can help to find an error in the library.
  private var notes: [String] {
    guard self.kind == .other, !isUntranslatable, !isOfLimits, self.sqlState != "25006", let sql = self.sql else {
      return []
    }
    return ["the statement was: \(sql.count > 300 ? sql.prefix(300) + "…" : sql)"]
  }

  /// Whether a row refers to a row that does not exist, or has the identity of another row.
  var isConflict: Bool { self.kind == .uniqueViolation || self.sqlState == "23503" }

  /// Whether a table or column does not exist, or is no longer the same.
  var isOfOtherTables: Bool { self.sqlState == "42P01" || self.sqlState == "42703" || self.sqlState == "0A000" }
}
