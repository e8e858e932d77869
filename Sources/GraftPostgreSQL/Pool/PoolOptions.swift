/// The options of a pool.
package struct PoolOptions: Sendable {
  /// The maximum number of connections. A server allows 100 by default, for all its clients together.
  package var limit = 8
  /// The maximum time that a caller waits for a connection when all are in use.
  package var waitingTime = Duration.seconds(30)
  /// The time after which an idle connection is closed.
  package var idleTime = Duration.seconds(300)
  /// The idle time after which a connection is checked with a round trip before it is lent. Before that, only its socket is checked, which
  /// detects a server that was shut down, but not a dead network.
  package var unverifiedTime = Duration.seconds(5)
  /// The time for which connecting is retried when the server does not answer, such as during a restart. If the pool has never had
  /// a connection, or the server was missing for that time, connecting is not retried until the server has answered.
  package var reconnectingTime = Duration.seconds(5)

  package init() {}
}
