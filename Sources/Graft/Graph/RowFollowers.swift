/// Something that knows rows by their numbers between calls.
protocol RowFollower: AnyObject {
  /// Rows moved when gaps were closed; `.max` stands for one that is gone.
  func move(_ table: Int, _ moves: [UInt32])

  /// Other rows took the place of those there were.
  func move(_ moving: (RowPlace) -> UInt32?)

  /// Keeps what is known now; the closure goes back to it.
  func checkpoint() -> () -> Void

  /// Forgets everything: it never happened.
  func forget()
}

/// Those who know rows by their numbers: the reports of streams that are under way.
struct RowFollowers {
  private struct Reference { weak var follower: (any RowFollower)? }

  private var references: [Reference] = []
  /// How to go back to the beginning of each unit of work that is open.
  private var checkpoints: [[ObjectIdentifier: () -> Void]] = []

  private var all: [any RowFollower] { references.compactMap(\.follower) }

  mutating func add(_ follower: any RowFollower) {
    references.removeAll { $0.follower == nil }
    references.append(Reference(follower: follower))
  }

  func move(_ table: Int, _ moves: [UInt32]) { for follower in all { follower.move(table, moves) } }
  func move(_ moving: (RowPlace) -> UInt32?) { for follower in all { follower.move(moving) } }

  // MARK: Units of work

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
