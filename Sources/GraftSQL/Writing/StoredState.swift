package import Graft

/// The stored state of the rows that a change set updates or deletes: their versions, entities and links.
package struct StoredState {
  /// The entities, by table and row.
  package private(set) var entities: [Int: [Int64: Int]] = [:]
  /// For each table and row, the index in ``numbers`` at which the row's references and positions begin. They are in the order of
  /// the table's columns.
  private var starts: [Int: [Int64: Int]] = [:]
  /// The row numbers of references, and positions; nil for none.
  private var numbers: [Int64?] = []
  /// The highest version of the rows; 0 if there are no rows.
  package private(set) var latestVersion: Int64 = 0
  /// Whether some of the rows do not exist.
  package private(set) var isMissingRows = false

  /// Reads the rows that a change set names.
  package init<Database: SQLDatabase>(_ database: Database, _ changes: StoreChanges) throws(Database.Failure) {
    for table in changes.tables {
      let ids = (table.updated.headers + table.deleted).map(\.id)
      guard !ids.isEmpty else { continue }
      let number = table.inserted.table
      entities[number] = [:]
      entities[number]?.reserveCapacity(ids.count)
      starts[number] = [:]
      try database.readStates(of: ids, in: database.schema.tables[number], into: &self)
      if let entities = entities[number], !ids.allSatisfy({ entities[$0] != nil }) { isMissingRows = true }
    }
  }

  /// Adds a row. Its references and positions are then added with ``append(_:)``, in the order of ``SQLTable/linkColumns``.
  package mutating func add(_ id: Int64, version: Int64, entity: Int, in table: Int) {
    latestVersion = max(latestVersion, version)
    entities[table, default: [:]][id] = entity
    starts[table, default: [:]][id] = numbers.count
  }

  /// Adds a reference or a position of the row that was added last.
  package mutating func append(_ number: Int64?) { numbers.append(number) }

  /// Sets the references and positions of an updated row to those in the store, except those that change. The digest then matches the final
  /// row even if its context does not know about links from other contexts.
  func keepLinks(of rows: inout StoredRows, _ row: Int, changed: [Int], in table: SQLTable) {
    guard let start = starts[table.number]?[rows.headers[row].id] else { return }
    for (place, column) in table.linkColumns.enumerated() where !changed.contains(column) {
      if let number = numbers[start + place] {
        rows.values.setInteger(number, row: row, column: column)
      } else {
        rows.values.setNil(row: row, column: column)
      }
    }
  }
}
