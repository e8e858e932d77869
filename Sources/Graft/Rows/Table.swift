/// The rows of one hierarchy of entities.
///
///     chunk of 1,024 rows:  | header | presence ... | cell | cell | cell ...   <- one row, `stride` words
///
/// Chunks never move. During a transaction, rows are only appended, so insertions are rolled back by truncation. Rows move only when
/// ``GraphState`` closes the gaps of deleted rows. Plain data behind a pointer. ``GraphEditor`` writes values and links; marks in headers,
/// such as ``Row/isListed`` and ``Row/isOnPath``, are set and cleared by the reader that needs them.
struct Table {
  static let rowShift = 10
  static let rowsPerChunk = 1 << rowShift

  let rootEntity: Int
  let stride: Int
  let presenceWords: Int
  /// The start of the words for a store, after the cells; the stride without a store.
  let storeWords: Int
  private(set) var chunks = PlainStack<UnsafeMutablePointer<UInt64>>()
  private(set) var rowCount = 0
  /// The first row that is new in the current transaction. Changes to new rows need no journal.
  var firstNewRow = 0
  /// Every change to a row below this number is journaled, even if the row is new, because live lists read the journal. 0 if there are no
  /// live lists.
  var followedRows = 0
  /// Whether any row belongs, or belonged, to an entity other than the root.
  var hasSubentityRows = false
  /// An index for each identity space.
  let indexes: UnsafeMutablePointer<IdentityIndex>
  let identitySpaces: Int
  /// An index for each alternate identity. The spaces of alternate identities are numbered after the spaces of identities.
  let alternates: UnsafeMutablePointer<ChainedIndex>
  let alternateCount: Int

  /// - Parameter positions: the number of ordered relationships to the rows, if they come from a store; nil otherwise.
  init(_ plan: TablePlan, positions: Int? = nil) {
    rootEntity = plan.root
    storeWords = plan.stride
    stride = plan.stride + (positions.map { plan.presenceWords + 2 + $0 } ?? 0)
    presenceWords = plan.presenceWords
    identitySpaces = plan.identitySpaces
    indexes = .allocate(capacity: max(1, identitySpaces))
    for space in 0..<identitySpaces { (indexes + space).initialize(to: IdentityIndex()) }
    alternateCount = plan.alternateSpaces
    alternates = .allocate(capacity: max(1, alternateCount))
    for index in 0..<alternateCount { (alternates + index).initialize(to: ChainedIndex()) }
  }

  func free() {
    for chunk in 0..<chunks.count { chunks[chunk].deallocate() }
    chunks.free()
    for space in 0..<identitySpaces { indexes[space].free() }
    indexes.deallocate()
    for index in 0..<alternateCount { alternates[index].free() }
    alternates.deallocate()
  }

  /// Moves the rows and identity indexes of a table of the same plan into this table, which must be empty. If the rows of this
  /// table come from a store, they are wider than those of the other table, because the data for the store follows the cells.
  mutating func copyRows(of other: Table) {
    while chunks.count << Table.rowShift < other.rowCount { addChunk() }
    for chunk in 0..<chunks.count {
      let rows = min(Table.rowsPerChunk, other.rowCount - chunk << Table.rowShift)
      if other.stride == stride {
        chunks[chunk].update(from: other.chunks[chunk], count: rows * stride)
        continue
      }
      for row in 0..<rows {
        let copy = Row(chunks[chunk] + row * stride)
        copy.words.update(from: other.chunks[chunk] + row * other.stride, count: stride)
        copy.isStored = false
      }
    }
    rowCount = other.rowCount
    firstNewRow = other.rowCount
    hasSubentityRows = other.hasSubentityRows
    for space in 0..<identitySpaces {
      indexes[space].free()
      indexes[space] = other.indexes[space].copy()
    }
    for index in 0..<alternateCount {
      alternates[index].free()
      alternates[index] = other.alternates[index].copy()
    }
  }

  /// Empties all indexes.
  func clearIndexes() {
    for space in 0..<identitySpaces {
      indexes[space].free()
      indexes[space] = IdentityIndex()
    }
    for index in 0..<alternateCount {
      alternates[index].free()
      alternates[index] = ChainedIndex()
    }
  }

  /// The index of an alternate identity, by its space.
  func alternate(_ space: Int) -> UnsafeMutablePointer<ChainedIndex> { alternates + (space - identitySpaces) }

  @inline(__always)
  func row(_ number: UInt32) -> Row {
    assert(number < rowCount, "a table does not have this row")
    let number = Int(truncatingIfNeeded: number)
    return Row(chunks[number >> Table.rowShift] + (number & (Table.rowsPerChunk - 1)) &* stride)
  }

  @inline(__always)
  mutating func append() -> UInt32 {
    if rowCount >> Table.rowShift == chunks.count { addChunk() }
    rowCount += 1
    return UInt32(truncatingIfNeeded: rowCount - 1)
  }

  @inline(never)
  mutating func addChunk() {
    precondition(rowCount < Int(UInt32.max) - Table.rowsPerChunk, "a hierarchy holds at most 4 billion objects")
    let words = Table.rowsPerChunk * stride
    let chunk = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    chunk.initialize(repeating: 0, count: words)
    chunks.append(chunk)
  }

  /// Removes the rows from a number onward.
  mutating func truncate(to count: Int) {
    for number in count..<rowCount { row(UInt32(number)).words.update(repeating: 0, count: stride) }
    rowCount = count
  }

  /// Journals the changes to followed rows that are new. A rollback may have dropped some of these rows.
  mutating func keepFollowing() {
    followedRows = min(followedRows, rowCount)
    firstNewRow = max(firstNewRow, followedRows)
  }

  /// Frees memory that the current rows do not need.
  mutating func trim() {
    let needed = rowCount >> Table.rowShift + 2
    if chunks.count > needed {
      for chunk in needed..<chunks.count { chunks[chunk].deallocate() }
      chunks.truncate(to: needed)
    }
    for space in 0..<identitySpaces { indexes[space].trim() }
    for index in 0..<alternateCount { alternates[index].trim() }
  }
}
