/// Something that knows what units of work did, while they are open.
protocol UnitFollower: AnyObject {
  /// Keeps what is known now; the closure goes back to it.
  func checkpoint() -> () -> Void

  /// Forgets everything: it never happened.
  func forget()
}

/// Those who know what units of work did: the reports of streams that are under way.
struct UnitFollowers {
  private struct Reference { weak var follower: (any UnitFollower)? }

  private var references: [Reference] = []
  /// How to go back to the beginning of each unit of work that is open.
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

  /// Goes back to the beginning of the innermost unit of work, which goes on.
  func rewind() {
    for follower in all {
      if let back = checkpoints.last?[ObjectIdentifier(follower)] { back() } else { follower.forget() }
    }
  }
}
