/// Calls a closure after each commit to a store, until the follower is released.
final class CommitFollower: Sendable {
  private let task = Guarded<Task<Void, Never>?>(nil)

  func follow(_ store: any PersistentStore, _ body: @escaping @Sendable () async -> Void) {
    // The store may be released before the task has begun to follow it.
    let commits = store.commits()
    let new = Task { for await _ in commits { await body() } }
    task.withLock { $0 = new }
  }

  deinit { task.withLock { $0?.cancel() } }
}
