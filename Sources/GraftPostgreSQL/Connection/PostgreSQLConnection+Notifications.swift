/// A message from another connection, sent with `NOTIFY`.
package struct PostgreSQLNotification: Sendable, Hashable {
  package let channel: String
  package let payload: String
  /// The server process of the sender. A connection also receives its own notifications.
  package let backendPID: Int32
}

extension PostgreSQLConnection {
  /// Starts to receive the notifications of a channel, once the current transaction has been committed.
  package func listen(to channel: String, deadline: Deadline? = nil) throws(PostgreSQLError) {
    hasSessionState = true
    try execute("LISTEN \(PostgreSQLConnection.quoted(channel))", deadline: deadline)
  }

  /// Sends a notification when the current transaction is committed. The payload must have fewer than 8000 bytes.
  package func notify(_ channel: String, _ payload: String, deadline: Deadline? = nil) throws(PostgreSQLError) {
    var parameters = Parameters()
    try parameters.append(channel)
    try parameters.append(payload)
    try run("SELECT pg_notify($1, $2)", parameters, deadline: deadline)
  }

  /// Returns the notifications that have arrived, or waits for the next notifications. The connection must not be in a transaction, because
  /// no notifications arrive during a transaction.
  ///
  /// - Parameter timeout: how long to wait; nil to wait until the connection's ``Interruption`` is used.
  /// - Returns: an empty array if the time has passed.
  /// - Throws: if the connection broke, or was interrupted. In that case, the connection is closed.
  package func notifications(waiting timeout: Duration?) throws(PostgreSQLError) -> [PostgreSQLNotification] {
    let handle = try checkIsFree()
    if isInTransaction { throw PostgreSQLError(.misuse, "notifications do not arrive in a transaction") }
    let deadline = timeout.map { Deadline.after($0) } ?? .never
    while true {
      let received = takeNotifications(handle)
      if !received.isEmpty { return received }
      switch SocketWait.wait(library.socket(handle), forWriting: false, deadline, options.interruption) {
      case .ready: if library.consumeInput(handle) == 0 { throw loss(handle, nil) }
      case .deadlinePassed: return []
      case .interrupted:
        throw ended(PostgreSQLError(.interrupted, "waiting for notifications was interrupted"))
      }
    }
  }

  /// Takes the notifications that have arrived. `PGnotify` has three fields: the channel, the process and the payload. Each starts on a
  /// word boundary.
  private func takeNotifications(_ handle: LibPQ.Connection) -> [PostgreSQLNotification] {
    var received: [PostgreSQLNotification] = []
    while let start = library.notifies(handle) {
      defer { library.freemem(start) }
      let word = MemoryLayout<UnsafeRawPointer>.stride
      func text(_ field: Int) -> String {
        start.load(fromByteOffset: field * word, as: UnsafePointer<CChar>?.self).map { String(cString: $0) } ?? ""
      }
      received.append(
        PostgreSQLNotification(
          channel: text(0), payload: text(2), backendPID: start.load(fromByteOffset: word, as: Int32.self)))
    }
    return received
  }

  /// Quotes a name.
  package static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
