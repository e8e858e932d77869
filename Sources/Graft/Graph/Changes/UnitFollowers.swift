/// An object that keeps track of transactions while they are open.
protocol UnitFollower: AnyObject {
  /// Saves the current state, and returns a closure that restores it.
  func checkpoint() -> () -> Void

  /// Discards everything that was recorded.
  func forget()
}

/// The objects that keep track of transactions, which are the reports of streams in progress.
struct UnitFollowers {
  private struct Reference { weak var follower: (any UnitFollower)? }

  private var references: [Reference] = []
  /// Closures that restore the state at the beginning of each open transaction.
  private var checkpoints: [[ObjectIdentifier: () -> Void]] = []

  private var all: [any UnitFollower] { references.compactMap(\.follower) }

  mutating func add(_ follower: any UnitFollower) {
    references.removeAll { $0.follower == nil }
    references.append(Reference(follower: follower))
  }

  mutating func begin() {
    checkpoints.append(Dictionary(uniqueKeysWithValues: all.map { (ObjectIdentifier($0), $0.checkpoint()) }))
  }

  mutating func end() { _ = checkpoints.popLast() }

  /// Returns to the state at the beginning of the innermost transaction, which continues.
  func rewind() {
    for follower in all {
      if let back = checkpoints.last?[ObjectIdentifier(follower)] { back() } else { follower.forget() }
    }
  }
}
