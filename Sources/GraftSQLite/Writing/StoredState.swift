import CSQLite
import Foundation
import Graft

/// The stored state of the rows that a change set updates or deletes: their versions, entities and links.
struct StoredState {
  /// By table and row.
  private(set) var entities: [Int: [Int64: Int]] = [:]
  /// By table and row, where the references and positions of the row begin in ``numbers``, in the order of the table's columns.
  private var starts: [Int: [Int64: Int]] = [:]
  /// The row numbers of references, and positions; nil for none.
  private var numbers: [Int64?] = []
  /// The highest version of the rows; 0 without rows.
  private(set) var latestVersion: Int64 = 0
  /// Whether some of the rows do not exist.
  private(set) var isMissingRows = false

  /// Reads the rows that a change set names.
  init(_ connection: SQLiteConnection, _ sql: SQLSchema, _ changes: StoreChanges) throws(SQLiteError) {
    for table in changes.tables {
      let headers = table.updated.headers + table.deleted
      guard !headers.isEmpty else { continue }
      try read(connection, headers.map(\.id), sql.tables[table.inserted.table])
    }
  }

  private mutating func read(
    _ connection: SQLiteConnection, _ ids: [Int64], _ table: SQLTable
  ) throws(SQLiteError) {
    var entities: [Int64: Int] = [:]
    entities.reserveCapacity(ids.count)
    var starts: [Int64: Int] = [:]
    let names =
      ["_id", "_version"] + (table.hasEntity ? ["_entity"] : [])
      + table.linkColumns.map { table.layout.columns[$0].name }
    let selection = names.map { "t.\(SQLName.quoted($0))" }.joined(separator: ", ")
    try RowLookup(connection: connection, selection: selection, table: table.name, columns: ["_id"])
      .run(integers: ids) { statement throws(SQLiteError) in
        while try statement.step() {
          let id = statement.integer(0)
          latestVersion = max(latestVersion, statement.integer(1))
          entities[id] =
            table.hasEntity
            ? table.layout.entities.firstIndex { statement.bytes(2).elementsEqual($0.utf8) } ?? -1 : 0
          if table.linkColumns.isEmpty { continue }
          starts[id] = numbers.count
          for place in names.count - table.linkColumns.count..<names.count {
            numbers.append(statement.type(Int32(place)) == SQLITE_NULL ? nil : statement.integer(Int32(place)))
          }
        }
      }
    self.entities[table.number] = entities
    self.starts[table.number] = starts
    if !ids.allSatisfy({ entities[$0] != nil }) { isMissingRows = true }
  }

  /// Gives an updated row the references and positions that the store has, except for those that change, so that the digest
  /// fits the final row even if its context does not know links that others made.
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
