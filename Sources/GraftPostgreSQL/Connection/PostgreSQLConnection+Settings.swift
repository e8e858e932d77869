extension PostgreSQLConnection {
  /// Sets the timeouts of the options, in one round trip.
  func applySettings() throws(PostgreSQLError) {
    var settings = options.settings.map { "SET \($0.name) = \(PostgreSQLConnection.milliseconds($0.value))" }
    // A server may be configured to read backslashes in constants as escapes.
    if parameter("standard_conforming_strings") == "off" { settings.append("SET standard_conforming_strings = on") }
    guard !settings.isEmpty else { return }
    let deadline = Deadline.after(options.connectTimeout).earlier(self.deadline(nil))
    try execute(settings.joined(separator: "; "), deadline: deadline)
  }

  /// Sets the time after which the server cancels a statement.
  ///
  /// - Parameters:
  ///   - timeout: the time; nil for no limit.
  ///   - isLocal: whether the setting ends with the transaction. Otherwise, it remains, and a pool will not lend the connection again.
  package func setStatementTimeout(_ timeout: Duration?, isLocal: Bool) throws(PostgreSQLError) {
    try set("statement_timeout", timeout, isLocal)
  }

  /// Sets the time after which a statement stops waiting for a lock. See ``setStatementTimeout(_:isLocal:)``.
  package func setLockTimeout(_ timeout: Duration?, isLocal: Bool) throws(PostgreSQLError) {
    try set("lock_timeout", timeout, isLocal)
  }

  private func set(_ name: String, _ timeout: Duration?, _ isLocal: Bool) throws(PostgreSQLError) {
    let value = timeout.map(PostgreSQLConnection.milliseconds) ?? 0
    if !isLocal { hasSessionState = true }
    try execute("SET \(isLocal ? "LOCAL" : "SESSION") \(name) = \(value)")
  }

  /// Returns the value of a timeout, which is at least 1, because 0 would mean no limit.
  private static func milliseconds(_ timeout: Duration) -> Int32 {
    max(1, Int32(clamping: timeout.milliseconds(roundedUp: true)))
  }
}
