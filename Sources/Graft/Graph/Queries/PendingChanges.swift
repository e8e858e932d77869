/// What changed in a context since the last commit, as far as a query must know: stores do not have it yet.
struct PendingChanges {
  private let state: Reference<GraphState>
  /// The tables with rows that were inserted, changed or deleted.
  private(set) var tables: Set<Int> = []

  /// Expected time in proportion to the number of changes.
  init(_ state: Reference<GraphState>) {
    self.state = state
    guard state.hasChanges else { return }
    for index in 0..<state.pointee.journal.count { tables.insert(state.pointee.journal[index].table) }
    for table in 0..<state.tableCount {
      if state.deletedSinceCommit(table) || insertedRows(table).contains(where: { _ in true }) {
        tables.insert(table)
      }
    }
  }

  private func insertedRows(_ table: Int) -> some Sequence<UInt32> {
    let first = state.committedRows(table)
    return (first..<max(first, state.tables[table].rowCount)).lazy.map { UInt32($0) }.filter {
      state.row(table, $0).isInserted
    }
  }

  /// The rows of a table that were inserted, changed or deleted.
  func rows(of table: Int) -> Set<UInt32> {
    var rows = Set(insertedRows(table))
    for index in 0..<state.pointee.journal.count where state.pointee.journal[index].table == table {
      rows.insert(state.pointee.journal[index].row)
    }
    return rows
  }
}
