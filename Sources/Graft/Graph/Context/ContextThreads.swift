#if canImport(Dispatch)
  import Dispatch
#endif

/// The executor of a ``BackgroundContext``.
///
/// A store may block: SQLite waits for the lock of another connection. The threads of Swift's pool are as few as the cores, so a
/// context with a store has a queue of its own. One without a store never blocks, and going to another thread would make an empty
/// `perform` a hundred times slower, so it is an ordinary actor.
struct ContextThreads: Sendable {
  /// Lends its executor, which is that of the pool.
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

  /// It is valid as long as this value.
  var executor: UnownedSerialExecutor {
    #if canImport(Dispatch)
      if let queue { return queue.asUnownedSerialExecutor() }
    #endif
    return pool.unownedExecutor
  }
}

#if canImport(Dispatch)
  /// Runs jobs one after another on a thread that Dispatch adds if all others are blocked.
  private final class ContextQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "Graft.BackgroundContext")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
#endif
