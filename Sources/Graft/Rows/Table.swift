/// The rows of one hierarchy of entities.
///
///     chunk of 1,024 rows:  | header | presence ... | cell | cell | cell ...   <- one row, `stride` words
///     header:               | epoch: 32 bits | flags: 16 bits | entity: 16 bits |
///
/// Chunks never move. During a transaction, rows are only appended, so rolling back inserts is truncation; rows move only
/// when ``GraphState`` closes the gaps of deleted ones. Plain data behind a pointer. ``GraphEditor`` writes values and links;
/// marks in headers, such as ``RowHeader/listed`` and ``RowHeader/onPath``, are set and cleared by the reader that needs them.
struct Table {
  static let rowShift = 10
  static let rowsPerChunk = 1 << rowShift

  let rootEntity: Int
  let stride: Int
  let presenceWords: Int
  /// Where the words for a store begin, behind the cells; the stride without a store.
  let storeWords: Int
  private(set) var chunks = PlainStack<UnsafeMutablePointer<UInt64>>()
  var rowCount = 0
  /// The first row that is new in the current unit of work: changing newer rows needs no journal.
  var firstNewRow = 0
  /// Whether a row is, or was, of another entity than the root.
  var hasSubentityRows = false
  /// One for each identity space.
  let indexes: UnsafeMutablePointer<IdentityIndex>
  let indexCount: Int

  /// - Parameter positions: how many ordered relationships lead to the rows, if they come from a store; nil if they do not.
  init(_ plan: TablePlan, positions: Int? = nil) {
    rootEntity = plan.root
    storeWords = plan.stride
    stride = plan.stride + (positions.map { plan.presenceWords + 2 + $0 } ?? 0)
    presenceWords = plan.presenceWords
    indexCount = plan.identitySpaces
    indexes = .allocate(capacity: max(1, indexCount))
    for space in 0..<indexCount { (indexes + space).initialize(to: IdentityIndex()) }
  }

  func free() {
    for chunk in 0..<chunks.count { chunks[chunk].deallocate() }
    chunks.free()
    for space in 0..<indexCount { indexes[space].free() }
    indexes.deallocate()
  }

  @inline(__always)
  func row(_ number: UInt32) -> UnsafeMutablePointer<UInt64> {
    let number = Int(truncatingIfNeeded: number)
    return chunks[number >> Table.rowShift] + (number & (Table.rowsPerChunk - 1)) &* stride
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

  /// Forgets the rows from a number on.
  mutating func truncate(to count: Int) {
    for number in count..<rowCount { row(UInt32(number)).update(repeating: 0, count: stride) }
    rowCount = count
  }

  /// Gives memory back that only more rows needed.
  mutating func trim() {
    let needed = rowCount >> Table.rowShift + 2
    if chunks.count > needed {
      for chunk in needed..<chunks.count { chunks[chunk].deallocate() }
      chunks.truncate(to: needed)
    }
    for space in 0..<indexCount { indexes[space].trim() }
  }
}

/// The first word of a row.
enum RowHeader {
  @inline(__always) static var entityMask: UInt64 { 1 << ModelLimits.entityBits - 1 }
  /// Known by its identifier only (I4).
  static let placeholder: UInt64 = 1 << 16
  static let deleted: UInt64 = 1 << 17
  /// Being written further up in the current export (E2).
  static let onPath: UInt64 = 1 << 18
  /// Already met in the array that is being read (I5).
  static let listed: UInt64 = 1 << 19
  /// The mapper's key held a number or a boolean, not a string (D4, E4).
  static let bareDiscriminator: UInt64 = 1 << 20
  /// A dictionary of the current import describes the object; counts only while the epoch is the current one.
  static let described: UInt64 = 1 << 21
  /// A dictionary of the current import changed the object; counts only while the epoch is the current one.
  static let changed: UInt64 = 1 << 22
  /// The store has the object: it is not new, whenever it was loaded.
  static let stored: UInt64 = 1 << 23
  /// Only where the object is in the store is known; it must be loaded before anything of it is read.
  static let fault: UInt64 = 1 << 24
  /// What is exempt from validation.
  static let notValidated = placeholder | deleted | fault

  @inline(__always) static func entity(_ header: UInt64) -> Int { Int(truncatingIfNeeded: header & entityMask) }
  @inline(__always) static func epoch(_ header: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: header >> 32) }
}
