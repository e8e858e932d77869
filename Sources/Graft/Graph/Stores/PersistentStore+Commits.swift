extension PersistentStore {
  /// The commits of all contexts and processes from now on.
  ///
  ///     for await _ in store.commits() { try context.merge() }
  ///
  /// Files are polled. Programs that share a database notify each other of commits within milliseconds. A database that cannot
  /// notify, such as a standby server or a database behind certain connection poolers, is also polled.
  ///
  /// - Parameter interval: how often the store is polled.
  /// - Returns: a sequence that produces the number of the latest commit whenever there is a new commit.
  public func commits(every interval: Duration = .milliseconds(250)) -> AsyncStream<Int64> {
    // The task may begin long after the call.
    let first = try? latestCommit()
    let signals = backend.commitSignals(every: interval)
    return AsyncStream { continuation in
      let task = Task { [weak self] in
        var seen = first
        for await _ in signals {
          guard let self else { break }
          guard let known = seen else {
            seen = try? self.latestCommit()
            continue
          }
          // After a server has lost commits, numbers can be smaller than before.
          guard let latest = try? self.latestCommit(), latest != known else { continue }
          seen = latest
          continuation.yield(latest)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension StoreBackend {
  package func commitSignals(every interval: Duration) -> AsyncStream<Void> {
    AsyncStream { try? await Task.sleep(for: interval) }
  }
}
