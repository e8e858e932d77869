extension PersistentStore {
  /// The commits of all contexts and processes from now on.
  ///
  ///     for await log in store.commits() { try context.merge() }
  ///
  /// - Parameter interval: how often the store is polled.
  /// - Returns: the written changes, whenever there are any.
  public func commits(every interval: Duration = .milliseconds(250)) -> AsyncStream<StoreLog> {
    // The task may begin long after the call.
    let first = try? latestCommit()
    return AsyncStream { continuation in
      let task = Task { [weak self] in
        var seen = first
        while !Task.isCancelled {
          try? await Task.sleep(for: interval)
          guard let self else { break }
          guard let known = seen else {
            seen = try? self.latestCommit()
            continue
          }
          guard let latest = try? self.latestCommit(), latest > known, let log = try? self.changes(since: known) else {
            continue
          }
          seen = log.sequence
          continuation.yield(log)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
