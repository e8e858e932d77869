/// Where rows and links are that are not in memory: the store of a context.
///
///     row:  | header | presence ... | cells ... | lists not loaded: as presence | id | version | positions ... |
///
/// A row of a store is in memory in one of two forms. A fault has nothing but its ID, and what links to it say. Any other row
/// has all of its attributes and to-ones; its to-manys contain what else is in memory, until they are loaded as well.
///
/// Errors cannot be thrown where rows are read: the source keeps them, and what could not be loaded reads as nothing.
protocol RowSource: AnyObject {
  /// Loads a fault. If the store no longer has the row, it is deleted here as well.
  func load(_ table: Int, _ row: UInt32)

  /// Loads the members of a to-many relationship.
  func loadList(_ row: Row, _ slot: SlotPlan)

  /// Returns the row with the identity of some cells, one for each slot; nil if the store has none either.
  func find(_ entity: Int, _ cells: Cells, _ hash: UInt64) -> UInt32?

  /// A number that is smaller for objects that were inserted earlier.
  func age(_ table: Int, _ row: UInt32) -> UInt64

  /// Makes links again that were loaded, and taken away by rolling back. Lists count as not loaded.
  func restore(_ links: [RowLoads.Link], _ lists: [RowLoads.List], _ load: RowLoads.Load)
}

/// What was loaded in the middle of units of work. Nothing of it is a change.
struct RowLoads {
  /// A link that was loaded.
  struct Link {
    /// The owner of the list, its entity, and the list's cell.
    var owner: RowPlace
    var entity: Int
    var cell: Int
    /// The member that was added.
    var member: UInt32
    /// Whether it follows from a to-one of the member, which stays.
    var isReference: Bool
  }

  /// A list that was loaded.
  struct List {
    var owner: RowPlace
    var cell: Int
    /// The members that the store has, in its order.
    var members: [UInt32]
  }

  /// A link that was not made, because the object that it leads to was deleted here, and may come back.
  struct Withheld {
    var member: RowPlace
    /// The to-one of the member.
    var slot: Int
    var target: RowPlace
  }

  /// One side of a one-to-one as the store has it, whether it could be linked or not.
  struct OneToOne {
    var member: RowPlace
    /// The to-one of the member.
    var slot: Int
    var target: RowPlace
  }

  /// For each table, one more than the last row that was loaded; 0 if none was.
  var ends: [Int] = []
  var links: [Link] = []
  var lists: [List] = []
  var withheld: [Withheld] = []
  var oneToOnes: [OneToOne] = []
  /// Rows that were faults.
  var filled: [RowPlace] = []

  /// A load in progress.
  struct Load {
    /// Whether anything has changed since the last commit.
    var isAmongChanges: Bool
    /// The bytes of all texts when it began.
    var storedText: Int
    /// ``GraphState/replacedVectors`` when it began: what is loaded is no change.
    var replacedVectors: Int
  }

  /// Everything that was loaded counts as committed.
  mutating func forget() {
    for table in ends.indices { ends[table] = 0 }
    links.removeAll()
    lists.removeAll()
    withheld.removeAll()
    oneToOnes.removeAll()
    filled.removeAll()
  }
}

extension Table {
  /// The word with the bits of the lists that are not loaded, for a slot whose presence is in a word.
  @inline(__always) func unloadedWord(_ presenceWord: Int) -> Int { storeWords + presenceWord - 1 }
  /// The words with the row's number in the store, and its version.
  @inline(__always) var idWord: Int { storeWords + presenceWords }
  @inline(__always) var versionWord: Int { storeWords + presenceWords + 1 }
  /// The word with the position of a row in an ordered relationship that leads to it.
  @inline(__always) func positionWord(_ position: Int) -> Int { storeWords + presenceWords + 2 + position }
}

// Not as methods of the graph, which would be copied for each call.
extension Reference where Value == GraphState {
  /// Loads the members of a to-many relationship unless they are in memory.
  @inline(__always)
  func loadList(_ row: Row, _ slot: SlotPlan) {
    if pointee.source != nil { loadFromSource(row, slot) }
  }

  @inline(never)
  private func loadFromSource(_ row: Row, _ slot: SlotPlan) {
    let table = tables[layouts[row.entity].table]
    if row[table.unloadedWord(slot.word)] & slot.mask != 0 { pointee.source?.loadList(row, slot) }
  }

  /// Loads a row if it is a fault.
  @inline(__always)
  func loadRow(_ table: Int, _ number: UInt32) {
    if row(table, number).isFault { pointee.source?.load(table, number) }
  }
}

// The order in which objects were inserted: that of the rows, or with a store, that of their numbers there.
extension GraphState {
  /// Whether an object was inserted before another one of its table.
  func isEarlier(_ left: (table: Int, row: UInt32), _ right: (table: Int, row: UInt32)) -> Bool {
    guard let source, left.table == right.table else { return left.row < right.row }
    return source.age(left.table, left.row) < source.age(right.table, right.row)
  }

  /// All rows of a table, in the order of insertion.
  func rowsAsInserted(_ table: Int) -> [UInt32] {
    let rows = 0..<UInt32(tables[table].rowCount)
    guard let source else { return Array(rows) }
    return rows.map { (age: source.age(table, $0), row: $0) }.sorted { $0.age < $1.age }.map(\.row)
  }
}
