import Graft

/// The idle connections for reading. Each keeps its prepared statements.
final class ReadConnections: Sendable {
  private let idle: Guarded<[SQLiteConnection]>
  private let limit: Int

  /// - Parameters:
  ///   - first: an open connection.
  ///   - limit: the number of connections that are kept.
  init(_ first: SQLiteConnection, limit: Int) {
    // The first connection always stays open, because it can read a file that is no longer at its path.
    idle = Guarded([first])
    self.limit = max(1, limit)
  }

  /// The number of idle connections.
  var count: Int { idle.withLock { $0.count } }

  /// Removes and returns the connection that was used last, or nil if there is none. While a store is migrated, there is only one
  /// connection.
  func take() -> SQLiteConnection? {
    idle.withLock { $0.last?.isMigrating == true ? $0.last : $0.popLast() }
  }

  /// Puts back a connection that has no transaction. Closes it if enough connections are idle.
  func put(_ connection: SQLiteConnection) {
    guard !connection.isInTransaction else { return }
    idle.withLock { if $0.count < limit { $0.append(connection) } }
  }
}
