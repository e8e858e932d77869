/// Keeps track of rows that move, for the holders of row numbers.
///
/// Row numbers are valid until rows move or disappear: when gaps are closed, insertions are rolled back, or all rows are
/// replaced. While code of the program runs, holders of row numbers therefore also hold their generation. When rows move, the
/// context starts a new generation, and the old one records the moves for its holders:
///
///     iterator --> generation 1 --moves--> generation 2 --moves--> generation 3 <-- context
///
/// If nothing holds the generation, no moves are recorded, and the generation continues. Not Sendable, like the context.
final class RowGeneration {
  private var successor: (moves: RowMoves, generation: RowGeneration)?

  /// Whether rows have moved or disappeared since this generation began.
  @inline(__always) var isOver: Bool { successor != nil }

  /// Ends the generation.
  ///
  /// - Returns: the next generation.
  func end(_ moves: RowMoves) -> RowGeneration {
    let next = RowGeneration()
    successor = (moves, next)
    return next
  }

  /// Calls a closure for each move since the end of this generation, oldest first.
  ///
  /// - Returns: the current generation.
  func forEachMove(_ body: (RowMoves) -> Void) -> RowGeneration {
    var generation = self
    while let (moves, next) = generation.successor {
      body(moves)
      generation = next
    }
    return generation
  }
}

/// A change to row numbers.
enum RowMoves {
  /// The rows of one table have new numbers; `.max` marks removed rows.
  case closedGaps(table: Int, [UInt32])
  /// All rows were removed. The value contains, for each table, the numbers that its rows have in the store.
  case cleared(stored: [[UInt32: Int64]])
  /// The insertion of rows was rolled back. The value contains, for each table, the first removed number.
  case truncated(to: [Int])
  /// Some rows have new numbers.
  case moved([RowPlace: RowPlace])
  /// All rows were replaced. The value contains, for each table, the new number of each object's row; `.max` marks removed rows.
  case replaced([[UInt32]])

  /// Whether the rows were removed because their insertion was rolled back.
  var isRollback: Bool {
    if case .truncated = self { return true }
    return false
  }

  /// Returns the current number of a row, or nil if it was removed.
  func row(_ table: Int, _ row: UInt32) -> UInt32? {
    let new: UInt32
    switch self {
    case .closedGaps(let moved, let moves): new = moved == table ? moves[Int(row)] : row
    case .cleared: new = .max
    case .truncated(let counts): new = Int(row) < counts[table] ? row : .max
    case .moved(let rows): new = rows[RowPlace(table: table, row: row)]?.row ?? row
    case .replaced(let moves): new = moves[table][Int(row)]
    }
    return new == .max ? nil : new
  }
}

/// Rows of one table that are held while code of the program runs. Moved rows are followed; removed rows are skipped.
struct HeldRows {
  let table: Int
  private var generation: RowGeneration
  /// The numbers of the rows; nil means all rows, numbered by position.
  private var numbers: [UInt32]?
  private var positions: Range<Int>

  init(_ context: ManagedObjectContext, _ table: Int, _ numbers: [UInt32]) {
    self.table = table
    self.numbers = numbers
    generation = context.generation
    positions = numbers.indices
  }

  /// Creates a list of all current rows of a table.
  init(_ context: ManagedObjectContext, allOf table: Int) {
    self.table = table
    generation = context.generation
    positions = 0..<context.state.tables[table].rowCount
  }

  /// Returns the number of the next row that still exists.
  mutating func next() -> UInt32? {
    if generation.isOver { follow() }
    return positions.popFirst().map { numbers?[$0] ?? UInt32($0) }
  }

  /// Returns the numbers of the remaining rows.
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
