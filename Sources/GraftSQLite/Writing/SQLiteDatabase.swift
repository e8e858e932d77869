import CSQLite
import Graft
import GraftSQL

/// A transaction of a connection that writes.
struct SQLiteDatabase: SQLDatabase {
  let connection: SQLiteConnection
  let schema: SQLSchema

  init(_ connection: SQLiteConnection, _ schema: SQLSchema) {
    self.connection = connection
    self.schema = schema
  }

  /// Foreign keys are off while a store is migrated.
  var deletesLinks: Bool { connection.isMigrating }

  // MARK: Reading

  func readStates(of ids: [Int64], in table: SQLTable, into state: inout StoredState) throws(SQLiteError) {
    let names =
      ["_id", "_version"] + (table.hasEntity ? ["_entity"] : []) + table.linkColumns.map { table.columnNames[$0] }
    let selection = names.map { "t.\(SQLName.quoted($0))" }.joined(separator: ", ")
    try RowLookup(connection: connection, selection: selection, table: table.name, columns: ["_id"])
      .run(integers: ids) { statement throws(SQLiteError) in
        while try statement.step() {
          let entity =
            table.hasEntity
            ? table.layout.entities.firstIndex { statement.bytes(2).elementsEqual($0.utf8) } ?? -1 : 0
          state.add(statement.integer(0), version: statement.integer(1), entity: entity, in: table.number)
          for place in names.count - table.linkColumns.count..<names.count {
            state.append(statement.type(Int32(place)) == SQLITE_NULL ? nil : statement.integer(Int32(place)))
          }
        }
      }
  }

  func rows(_ ids: [Int64], in table: SQLTable) throws(SQLiteError) -> StoredRows {
    try table.rows(connection, ids: ids)
  }

  func referrers(to targets: [Int64], column: Int, in table: SQLTable) throws(SQLiteError) -> [Int64] {
    var ids: [Int64] = []
    try RowLookup(
      connection: connection, selection: "t.\"_id\"", table: table.name, columns: [table.columnNames[column]]
    ).run(integers: targets) { statement throws(SQLiteError) in
      while try statement.step() { ids.append(statement.integer(0)) }
    }
    return ids
  }

  func links(in table: SQLLinkTable, column: String, of rows: [Int64]) throws(SQLiteError) -> [StoredLink] {
    try table.links(connection, column, of: rows)
  }

  // MARK: Writing

  /// SQLite keeps track of the numbers itself, so none are reserved.
  func takeIDs(_ count: Int, in table: SQLTable) throws(SQLiteError) -> Int64 { try table.nextID(connection) }

  func insert(_ rows: StoredRows, in table: SQLTable, _ numbers: FinalNumbers) throws(SQLiteError) {
    try RowInserter(connection: connection, table: table, numbers: numbers, continuesNumbers: true).insert(rows)
  }

  func update(
    _ rows: StoredRows, columns: [[Int]?], movesEntity: [Bool], in table: SQLTable, _ numbers: FinalNumbers
  ) throws(SQLiteError) {
    try RowUpdater(connection: connection, table: table, numbers: numbers)
      .update(rows, columns: columns) { movesEntity[$0] }
  }

  func delete(_ ids: [Int64], column: String, from table: String) throws(SQLiteError) {
    try RowLookup.forEachBatch(of: ids, connection) { batch, size throws(SQLiteError) in
      let parameters = Array(repeating: "?", count: size).joined(separator: ",")
      let delete = "DELETE FROM \(SQLName.quoted(table)) WHERE \(SQLName.quoted(column)) IN (\(parameters))"
      try connection.using(delete) { statement throws(SQLiteError) in
        for (place, id) in batch.enumerated() { try statement.bind(id, at: Int32(place + 1)) }
        try statement.run()
      }
    }
  }

  func write(removed: [StoredLink], added: [StoredLink], in table: SQLLinkTable) throws(SQLiteError) {
    try LinkWriter(connection: connection, table: table).write(removed: removed, added: added)
  }

  // MARK: The log

  func appendLog(_ sequence: Int64, _ changes: RowChanges) throws(SQLiteError) {
    try CommitLog.append(connection, sequence, changes)
  }

  func log(since sequence: Int64) throws(SQLiteError) -> StoreLog {
    try CommitLog.changes(connection, since: sequence, tables: schema.tables.count)
  }

  // MARK: Errors

  static var move: SQLiteError { .move }

  static var missingRow: SQLiteError {
    SQLiteError(code: SQLITE_CONSTRAINT, message: "the changes update or delete a row that does not exist")
  }
}
