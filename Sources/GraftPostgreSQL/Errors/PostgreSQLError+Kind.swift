extension PostgreSQLError {
  /// The kind of an error, to the extent that a program can act on it.
  package enum Kind: Sendable, Hashable {
    // MARK: The connection

    /// An established connection broke. Uncommitted changes are lost.
    case connectionLost
    /// No server answered: wrong address, no server, or a server that does not accept connections in time.
    case unreachable
    /// The server is shutting down, starting, or recovering from a crash (57P01 to 57P03).
    case adminShutdown
    /// The server has no more connections (53300).
    case tooManyConnections
    /// The user or the password is wrong, or access is not allowed (28xxx).
    case authentication
    /// There is no such database (3D000).
    case databaseMissing

    // MARK: Transactions

    /// Another transaction changed data that this transaction has read (40001). Repeat the transaction.
    case serializationFailure
    /// Two transactions waited for each other, and this transaction was chosen to fail (40P01). Repeat the transaction.
    case deadlock
    /// A row with the same key exists (23505).
    case uniqueViolation
    /// A lock is held by another transaction (55P03).
    case lockNotAvailable

    // MARK: Limits

    /// The statement was cancelled, or took longer than the statement timeout (57014).
    case queryCanceled
    /// The call took longer than its deadline.
    case deadlineExceeded
    /// The ``Interruption`` of the connection was used.
    case interrupted
    /// The server's disk is full (53100).
    case diskFull
    /// All connections of the pool are in use.
    case poolExhausted
    /// The connection or the pool was closed.
    case closed

    // MARK: The client

    /// There is no usable libpq.
    case missingLibrary
    /// The connection string cannot be parsed.
    case invalidConnectionString
    /// PostgreSQL or Swift cannot hold a value, or a value does not have the type that the caller expects.
    case invalidValue
    /// The database has data that stores never write.
    case damage
    /// Another program has migrated the store.
    case migrated
    /// The state of the store that a context shows can no longer be read.
    case lostSnapshot
    /// Other commits have written data that changes depend on.
    case moved
    /// Calls were made in an order that is not allowed.
    case misuse
    /// Any other error, such as a syntax error. See `sqlState`.
    case other
  }

  /// Returns the kind of a SQLSTATE.
  static func kind(ofSQLState state: String) -> Kind {
    switch state {
    case "40001": .serializationFailure
    case "40P01": .deadlock
    case "23505": .uniqueViolation
    case "55P03": .lockNotAvailable
    case "57014": .queryCanceled
    case "57P01", "57P02", "57P03": .adminShutdown
    case "53100": .diskFull
    case "53300": .tooManyConnections
    case "3D000": .databaseMissing
    case _ where state.hasPrefix("28"): .authentication
    // 08xxx is 'other', because it can also report the connection of a foreign table, or a wrong number of parameters.
    default: .other
    }
  }

  /// Whether the same transaction may succeed if it is run again with the same connection.
  package var isRepeatable: Bool { self.kind == .serializationFailure || self.kind == .deadlock }

  /// Whether a new connection may succeed later.
  package var isTransient: Bool {
    switch self.kind {
    case .connectionLost, .unreachable, .adminShutdown, .tooManyConnections: true
    default: false
    }
  }
}
