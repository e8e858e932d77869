/// The changes in a context since the last commit that a query must consider, because stores do not have them yet.
struct PendingChanges {
  private let state: Reference<GraphState>
  /// The tables with rows that were inserted, changed or deleted.
  private(set) var tables: Set<Int>
  /// The changes that a copied graph already contained when it was copied, by table.
  private let inherited: [Int: Set<UInt32>]

  /// Expected time in proportion to the number of changes.
  init(_ state: Reference<GraphState>, inherited: [Int: Set<UInt32>] = [:]) {
    self.state = state
    self.inherited = inherited
    tables = Set(inherited.keys)
    guard state.hasChanges else { return }
    for index in 0..<state.pointee.journal.count { tables.insert(state.pointee.journal[index].table) }
    for table in 0..<state.tableCount {
      if state.deletedSinceCommit(table) || insertedRows(table).contains(where: { _ in true }) {
        tables.insert(table)
      }
    }
  }

  /// Whether anything differs from the last commit. Changes may have been reversed.
  var isNet: Bool {
    for table in 0..<state.tableCount {
      if insertedRows(table).contains(where: { _ in true }) { return true }
    }
    func differs(_ history: RowHistory) -> Bool {
      history.places.contains { place in
        history.changesHeader(of: place)
          || history.withImage(of: place) { !$0.now.isDeleted && !history.changes($0).isEmpty }
      }
    }
    // The last changed object is checked first, because a change is rarely undone, and checking one object is faster than checking all
    // objects.
    let journal = state.pointee.journal
    if journal.count > 0 {
      let last = journal[journal.count - 1]
      let place = RowPlace(table: last.table, row: last.row)
      if differs(RowHistory(state, since: .lastCommit, of: RowMap([place]))) { return true }
    }
    return differs(RowHistory(state, since: .lastCommit))
  }

  private func insertedRows(_ table: Int) -> some Sequence<UInt32> {
    let first = state.committedRows(table)
    return (first..<max(first, state.tables[table].rowCount)).lazy.map { UInt32($0) }.filter {
      state.row(table, $0).isInserted
    }
  }

  /// The rows of a table that were inserted, changed or deleted.
  func rows(of table: Int) -> Set<UInt32> {
    var rows = Set(insertedRows(table)).union(inherited[table] ?? [])
    for index in 0..<state.pointee.journal.count where state.pointee.journal[index].table == table {
      rows.insert(state.pointee.journal[index].row)
    }
    return rows
  }

  /// The changes by table, for a copy of the graph.
  var all: [Int: Set<UInt32>] {
    Dictionary(uniqueKeysWithValues: tables.map { ($0, rows(of: $0)) })
  }
}

extension ManagedObjectContext {
  /// The changes that the store of the context does not have.
  var pendingChanges: PendingChanges { PendingChanges(state, inherited: binding?.inherited ?? [:]) }
}
