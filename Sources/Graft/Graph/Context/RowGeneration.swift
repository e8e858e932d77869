/// Tells those who hold row numbers where their rows are now.
///
/// Row numbers are good until rows move or go: until gaps are closed, inserts are rolled back, or other rows take the place of all.
/// What holds row numbers while code of the program runs therefore holds their generation as well. When rows move, the
/// context goes on with a new generation, and the old one keeps the moves for its holders:
///
///     iterator --> generation 1 --moves--> generation 2 --moves--> generation 3 <-- context
///
/// If nobody holds the generation, nothing is kept, and it goes on. Not Sendable, as the context is not.
final class RowGeneration {
  private var successor: (moves: RowMoves, generation: RowGeneration)?

  /// Whether rows moved or went since.
  @inline(__always) var isOver: Bool { successor != nil }

  /// Ends the generation.
  ///
  /// - Returns: the next one.
  func end(_ moves: RowMoves) -> RowGeneration {
    let next = RowGeneration()
    successor = (moves, next)
    return next
  }

  /// Hands out the moves since this generation, oldest first.
  ///
  /// - Returns: the generation that is not over.
  func forEachMove(_ body: (RowMoves) -> Void) -> RowGeneration {
    var generation = self
    while let (moves, next) = generation.successor {
      body(moves)
      generation = next
    }
    return generation
  }
}

/// Where rows went.
enum RowMoves {
  /// The rows of one table have new numbers; `.max` stands for those that are gone.
  case closedGaps(table: Int, [UInt32])
  /// All rows are gone.
  case cleared
  /// The rows from a number on are gone, by table: their insertion was rolled back.
  case truncated(to: [Int])
  /// Other rows took the place of all, by table: the numbers of the same objects, `.max` for those that are gone.
  case replaced([[UInt32]])

  /// Whether rows that are gone were never there: their insertion was rolled back.
  var isRollback: Bool {
    if case .truncated = self { return true }
    return false
  }

  /// The number of a row now; nil if it is gone.
  func row(_ table: Int, _ row: UInt32) -> UInt32? {
    let new: UInt32
    switch self {
    case .closedGaps(let moved, let moves): new = moved == table ? moves[Int(row)] : row
    case .cleared: new = .max
    case .truncated(let counts): new = Int(row) < counts[table] ? row : .max
    case .replaced(let moves): new = moves[table][Int(row)]
    }
    return new == .max ? nil : new
  }
}

/// Rows of one table, held while code of the program runs: they are followed when they move, and left out when they go.
struct HeldRows {
  let table: Int
  private var generation: RowGeneration
  /// nil: all rows, the position of each is its number.
  private var numbers: [UInt32]?
  private var positions: Range<Int>

  init(_ context: ManagedObjectContext, _ table: Int, _ numbers: [UInt32]) {
    self.table = table
    self.numbers = numbers
    generation = context.generation
    positions = numbers.indices
  }

  /// All rows that a table has now.
  init(_ context: ManagedObjectContext, allOf table: Int) {
    self.table = table
    generation = context.generation
    positions = 0..<context.state.pointee.tables[table].rowCount
  }

  /// The number of the next row that is there.
  mutating func next() -> UInt32? {
    if generation.isOver { follow() }
    return positions.popFirst().map { numbers?[$0] ?? UInt32($0) }
  }

  /// The numbers of the rows that are left.
  mutating func rest() -> [UInt32] {
    if generation.isOver { follow() }
    if let numbers, positions == numbers.indices { return numbers }
    return positions.map { numbers?[$0] ?? UInt32($0) }
  }

  private mutating func follow() {
    var left = positions.map { numbers?[$0] ?? UInt32($0) }
    generation = generation.forEachMove { [table] moves in left = left.compactMap { moves.row(table, $0) } }
    numbers = left
    positions = left.indices
  }
}
