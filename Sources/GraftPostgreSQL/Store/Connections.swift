import Graft

/// The connections of a store.
enum Connections: Sendable {
  /// Each caller has its own connection.
  case pool(ConnectionPool)
  /// A migration has one connection, in whose transaction its steps read and write.
  case migration(MigrationConnection)

  /// Lends a connection.
  func lease() throws(PostgreSQLError) -> Lease {
    switch self {
    case .pool(let pool): return Lease(.pooled(try pool.lease()))
    case .migration(let migration): return Lease(.shared(try migration.connection()))
    }
  }

  /// A connection that is returned when the lease is released.
  final class Lease {
    fileprivate enum Kind {
      case pooled(ConnectionLease)
      case shared(PostgreSQLConnection)
    }

    private let kind: Kind

    fileprivate init(_ kind: Kind) { self.kind = kind }

    var connection: PostgreSQLConnection {
      switch kind {
      case .pooled(let lease): lease.connection
      case .shared(let connection): connection
      }
    }

    /// Whether the transaction belongs to a migration. If so, the migration ends the transaction.
    var isMigrating: Bool { if case .shared = kind { true } else { false } }

    /// Returns the connection. Callers that do not keep the lease must call this when they are done: if the lease is not used later, the
    /// compiler may release it too early.
    func end() {
      if case .pooled(let lease) = kind { lease.end() }
    }

    deinit { end() }
  }
}

/// The connection of a migration. A context that a step has kept must not use the connection after the migration.
final class MigrationConnection: @unchecked Sendable {
  private let value: Guarded<PostgreSQLConnection?>

  init(_ connection: PostgreSQLConnection) { value = Guarded(connection) }

  func connection() throws(PostgreSQLError) -> PostgreSQLConnection {
    guard let connection = value.withLock({ $0 }) else {
      throw PostgreSQLError(
        .misuse, "the migration whose step used it has ended; use the store that was opened")
    }
    return connection
  }

  func retire() { value.withLock { $0 = nil } }
}
