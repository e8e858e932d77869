/// The options of a connection.
package struct ConnectionOptions: Sendable {
  /// The name that the server shows in `pg_stat_activity`, unless the connection string or `PGAPPNAME` sets a different name.
  package var applicationName = "graft"
  /// The maximum time for connecting, unless the connection string sets `connect_timeout`. It applies to all hosts of the string together.
  package var connectTimeout = Duration.seconds(10)
  /// The default deadline of a call; nil for none. Without a deadline, a call ends about a minute after the network fails, but
  /// waits forever for a server that hangs.
  package var callTimeout: Duration?
  /// The time after which the server cancels a statement; nil for the server's setting.
  package var statementTimeout: Duration?
  /// The time after which a statement stops waiting for a lock; nil for the server's setting.
  package var lockTimeout: Duration?
  /// The time after which the server closes a connection that does nothing in a transaction; nil for the server's setting.
  package var idleInTransactionTimeout: Duration?
  /// The number of prepared statements that a connection keeps.
  package var statementCapacity = 256
  /// Whether several statements are sent in one round trip, if libpq can do that.
  package var isPipelined = true
  /// The path of libpq; nil for the usual places; see ``LibPQ/load(path:)``.
  package var libraryPath: String?
  /// Ends the waiting of the connection from another thread.
  package var interruption: Interruption?

  package init() {}

  /// The settings that are sent to the server when the connection is established.
  var settings: [(name: String, value: Duration)] {
    [
      ("statement_timeout", statementTimeout), ("lock_timeout", lockTimeout),
      ("idle_in_transaction_session_timeout", idleInTransactionTimeout),
    ].compactMap { name, value in value.map { (name, $0) } }
  }
}
