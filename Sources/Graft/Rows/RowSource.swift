/// The source of rows and links that are not in memory: the store of a context.
///
///     row:  | header | presence ... | cells ... | lists not loaded: as presence | id | version | positions ... |
///
/// A row of a store is in memory in one of two forms. A fault has only its ID. Any other row has all of its attributes
/// and to-one relationships. A to-many relationship is also in one of two forms: unknown or complete. An unknown list
/// contains only the rows that were added in this context since the last commit.
///
/// Errors cannot be thrown where rows are read, so the source keeps them, and values that could not be loaded are read as nil or empty.
protocol RowSource: AnyObject {
  /// Loads a fault.
  func load(_ table: Int, _ row: UInt32)

  /// Loads the members of a to-many relationship.
  func loadList(_ row: Row, _ slot: SlotPlan)

  /// Returns the row with the identity in the given cells, one for each slot; nil if the store does not contain such a row.
  func find(_ entity: Int, _ cells: Cells, _ hash: UInt64) -> UInt32?

  /// Loads the row with the same identity as a row in memory, if the store has it.
  func loadIdentity(of row: UInt32, _ table: Int)

  /// Loads the row with the alternate identity in the given cells, one for each slot, if the store has it (M27).
  func load(_ alternate: PlanReference<EntityLayout>, _ cells: Cells, _ hash: UInt64)

  /// A number that is smaller for objects that were inserted earlier.
  func age(_ table: Int, _ row: UInt32) -> UInt64
}

/// The data that was loaded since the last commit. Loading is not a change, and a rollback does not remove it.
struct RowLoads {
  /// For each table, one more than the last row that was loaded among changes; 0 if there was no such row.
  var ends: [Int] = []
  /// Rows with unknown lists that lost members. Whether other members remain is known only after the list has been loaded.
  var thinned: Set<RowPlace> = []
  /// Lists that were changed directly, and not from the other side of a relationship.
  private(set) var edited: Set<ListPlace> = []
  /// Tables that an import replaced as a whole, by deleting the objects that its payload did not mention, in the order of the imports.
  var replacedTables: [Int] = []
  /// The lists in `edited`, in the order of their first change.
  private var edits: [ListPlace] = []

  /// A load in progress.
  struct Load {
    /// Whether anything has changed since the last commit.
    var isAmongChanges: Bool
    /// The bytes of all texts when the load began.
    var storedText: Int
  }

  /// Treats everything that was loaded as committed.
  mutating func forget() {
    forgetEnds()
    thinned.removeAll()
    replacedTables.removeAll()
    forgetEdits(from: 0)
  }

  /// The number of lists that were changed directly.
  var editCount: Int { edits.count }

  mutating func noteEdit(of list: ListPlace) { if edited.insert(list).inserted { edits.append(list) } }

  /// Discards the records of lists that were changed after the first `count` lists, because these changes are undone.
  mutating func forgetEdits(from count: Int) {
    for list in edits[count...] { edited.remove(list) }
    edits.removeSubrange(count...)
  }

  /// Treats all loaded rows as committed.
  mutating func forgetEnds() { for table in ends.indices { ends[table] = 0 } }
}

/// A to-many relationship of a row.
struct ListPlace: Hashable {
  var owner: RowPlace
  /// The cell of the list.
  var cell: Int
}

extension Table {
  // MARK: Unknown lists, whose members are not in memory

  /// The word with the bits of unknown lists, for a slot whose presence bit is in the given word.
  @inline(__always) private func unknownWord(_ presenceWord: Int) -> Int { storeWords + presenceWord - 1 }

  /// Whether a list is unknown.
  @inline(__always) func isUnknown(_ words: SlotWords, in row: Row) -> Bool {
    row[unknownWord(words.word)] & words.mask != 0
  }
  @inline(__always) func markUnknown(_ slot: SlotPlan, in row: Row) { row[unknownWord(slot.word)] |= slot.mask }
  @inline(__always) func markKnown(_ slot: SlotPlan, in row: Row) { row[unknownWord(slot.word)] &= ~slot.mask }
  /// Marks all lists of a row.
  @inline(__always) func markAllUnknown(in row: Row) {
    for word in 1...max(1, presenceWords) { row[unknownWord(word)] = ~0 }
  }

  // MARK: Other words of rows with a store

  /// The words with the row's number in the store, and with its version.
  @inline(__always) var idWord: Int { storeWords + presenceWords }
  @inline(__always) var versionWord: Int { storeWords + presenceWords + 1 }
  /// The word with the position of a row in an ordered relationship that contains the row.
  @inline(__always) func positionWord(_ position: Int) -> Int { storeWords + presenceWords + 2 + position }
}

// These are not methods of the graph, because the graph would be copied for each call.
extension Reference where Value == GraphState {
  /// Loads the members of a to-many relationship unless they are in memory.
  @inline(__always)
  func loadList(_ row: Row, _ slot: SlotPlan) {
    if pointee.source != nil { loadFromSource(row, slot) }
  }

  @inline(never)
  private func loadFromSource(_ row: Row, _ slot: SlotPlan) {
    let table = tables[layouts[row.entity].table]
    if table.isUnknown(slot.words, in: row) { pointee.source?.loadList(row, slot) }
  }

  /// Whether the members of a list are not in memory. Used only with a store.
  @inline(__always)
  func isUnknown(_ words: SlotWords, _ table: Int, _ row: Row) -> Bool { tables[table].isUnknown(words, in: row) }

  /// Loads a row if it is a fault.
  @inline(__always)
  func loadRow(_ table: Int, _ number: UInt32) {
    if row(table, number).isFault { pointee.source?.load(table, number) }
  }
}

// The order in which objects were inserted: the order of the rows or, with a store, of their numbers in the store.
extension GraphState {
  /// Whether an object was inserted before another object of its table.
  func isEarlier(_ left: (table: Int, row: UInt32), _ right: (table: Int, row: UInt32)) -> Bool {
    guard let source, left.table == right.table else { return left.row < right.row }
    return source.age(left.table, left.row) < source.age(right.table, right.row)
  }

  /// All rows of a table, in the order of insertion.
  func rowsAsInserted(_ table: Int) -> [UInt32] { asInserted(Array(0..<UInt32(tables[table].rowCount)), table) }

  /// The given rows of a table, in the order of insertion.
  func asInserted(_ rows: [UInt32], _ table: Int) -> [UInt32] {
    guard let source else { return rows }
    let ages = rows.map { source.age(table, $0) }
    if zip(ages, ages.dropFirst()).allSatisfy(<) { return rows }
    return zip(ages, rows).sorted { $0.0 < $1.0 }.map(\.1)
  }
}
