/// The sequences that receive the changes of a live list or value.
struct ResultObservers<Changes: Sendable> {
  private var continuations: [AsyncStream<Changes>.Continuation] = []

  mutating func add() -> AsyncStream<Changes> {
    let (stream, continuation) = AsyncStream.makeStream(of: Changes.self)
    continuations.append(continuation)
    return stream
  }

  mutating func send(_ changes: Changes) {
    continuations.removeAll { continuation in
      if case .terminated = continuation.yield(changes) { true } else { false }
    }
  }

  func finish() { for continuation in continuations { continuation.finish() } }
}
