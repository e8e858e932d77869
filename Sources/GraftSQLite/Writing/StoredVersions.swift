import Graft

/// What the store has of the rows that a change set updates or deletes: their versions and entities.
struct StoredVersions {
  /// By table and row.
  private(set) var entities: [Int: [Int64: Int]] = [:]
  /// Rows that were changed or deleted since they were read.
  private(set) var conflicts: [StoreConflict] = []

  /// Compares the versions of a change set with those of the store.
  init(_ connection: SQLiteConnection, _ sql: SQLSchema, _ changes: StoreChanges) throws(SQLiteError) {
    for table in changes.tables {
      let headers = table.updated.headers + table.deleted
      guard !headers.isEmpty else { continue }
      try compare(connection, headers, sql.tables[table.inserted.table])
    }
  }

  private mutating func compare(
    _ connection: SQLiteConnection, _ headers: [StoredRows.Header], _ table: SQLTable
  ) throws(SQLiteError) {
    var versions: [Int64: Int64] = [:]
    var entities: [Int64: Int] = [:]
    versions.reserveCapacity(headers.count)
    let selection = "t.\"_id\", t.\"_version\"" + (table.hasEntity ? ", t.\"_entity\"" : "")
    try RowLookup(connection: connection, selection: selection, table: table.name, columns: ["_id"])
      .run(integers: headers.map(\.id)) { statement throws(SQLiteError) in
        while try statement.step() {
          let id = statement.integer(0)
          versions[id] = statement.integer(1)
          entities[id] =
            table.hasEntity
            ? table.layout.entities.firstIndex { statement.bytes(2).elementsEqual($0.utf8) } ?? -1 : 0
        }
      }
    self.entities[table.number] = entities
    for header in headers {
      guard let version = versions[header.id] else {
        conflicts.append(StoreConflict(table: table.number, id: header.id, reason: .deleted))
        continue
      }
      if version != header.version {
        conflicts.append(StoreConflict(table: table.number, id: header.id, reason: .changed))
      }
    }
  }
}
