#if canImport(Dispatch)
  import Dispatch
#endif

/// The executor of a ``BackgroundContext``.
///
/// A store may block: SQLite waits for the lock of another connection. Swift's pool has only as many threads as there are cores, so a
/// context with a store has a queue of its own. A context without a store never blocks, and switching to another thread would make an
/// empty `perform` a hundred times slower. Such a context therefore belongs to an ordinary actor.
struct ContextThreads: Sendable {
  /// An actor whose executor is the executor of the pool.
  private actor Pool {}

  private let pool = Pool()
  #if canImport(Dispatch)
    private let queue: ContextQueue?
  #endif

  init(mayBlock: Bool) {
    #if canImport(Dispatch)
      queue = mayBlock ? ContextQueue() : nil
    #endif
  }

  /// The executor; it is valid as long as this value exists.
  var executor: UnownedSerialExecutor {
    #if canImport(Dispatch)
      if let queue { return queue.asUnownedSerialExecutor() }
    #endif
    return pool.unownedExecutor
  }
}

#if canImport(Dispatch)
  /// Runs jobs in sequence, on a thread that Dispatch adds if all other threads are blocked.
  private final class ContextQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "Graft.BackgroundContext")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
#endif
