import Graft

/// Writes a change set within a transaction.
///
///     references of others to deleted rows → deletions → updates → insertions → links → log
///
/// Deletions come first, because they free identities. Foreign keys are checked when the transaction ends, so that rows may
/// refer to rows that are written later.
struct ChangeWriter {
  private let connection: SQLiteConnection
  private let sql: SQLSchema
  private let changes: StoreChanges
  private let sequence: Int64
  private let binder: RowBinder
  private var log = RowChanges()

  init(_ connection: SQLiteConnection, _ sql: SQLSchema, _ changes: StoreChanges) throws(SQLiteError) {
    self.connection = connection
    self.sql = sql
    self.changes = changes
    sequence = try CommitLog.latest(connection) + 1
    var firstIDs: [Int: Int64] = [:]
    var deleted: [Int: Set<Int64>] = [:]
    for table in changes.tables {
      let number = table.inserted.table
      if table.inserted.count > 0 { firstIDs[number] = try sql.tables[number].nextID(connection) }
      if !table.deleted.isEmpty { deleted[number] = Set(table.deleted.map(\.id)) }
    }
    binder = RowBinder(firstIDs: firstIDs, deleted: deleted)
  }

  /// Writes everything.
  mutating func write(_ known: StoredState) throws(SQLiteError) -> StoreWriteResult {
    try clearReferences()
    for table in changes.tables { try delete(table) }
    for table in changes.tables { try update(table, known) }
    for table in insertionOrder { try insert(table) }
    for links in changes.links { try write(links) }
    try CommitLog.append(connection, sequence, log)
    return .written(sequence: sequence, firstIDs: binder.firstIDs)
  }

  // MARK: Rows

  /// Referenced rows are written before the rows that refer to them: SQLite then finds the targets, and has nothing to check at
  /// the end.
  private var insertionOrder: [StoreChanges.TableChanges] {
    var left: [Int: StoreChanges.TableChanges] = [:]
    for table in changes.tables where table.inserted.count > 0 { left[table.inserted.table] = table }
    var order: [StoreChanges.TableChanges] = []
    func visit(_ number: Int) {
      guard let table = left.removeValue(forKey: number) else { return }
      for reference in sql.tables[number].references { visit(reference.table) }
      order.append(table)
    }
    for number in left.keys.sorted() { visit(number) }
    return order
  }

  private mutating func insert(_ table: StoreChanges.TableChanges) throws(SQLiteError) {
    let number = table.inserted.table
    guard let first = binder.firstIDs[number] else { return }
    var rows = table.inserted
    for row in rows.headers.indices {
      rows.headers[row].id = first + Int64(row)
      rows.headers[row].version = sequence
    }
    try RowInserter(connection: connection, table: sql.tables[number], binder: binder, continuesNumbers: true)
      .insert(rows)
    log.write(first..<first + Int64(rows.count), in: number)
  }

  private mutating func update(
    _ table: StoreChanges.TableChanges, _ known: StoredState
  ) throws(SQLiteError) {
    guard table.updated.count > 0 else { return }
    let number = table.updated.table
    var rows = table.updated
    for row in rows.headers.indices {
      rows.headers[row].version = sequence
      guard row < table.changedColumns.count else { continue }
      known.keepLinks(of: &rows, row, changed: table.changedColumns[row], in: sql.tables[number])
    }
    let entities = known.entities[number] ?? [:]
    let columns = rows.headers.indices.map { row -> [Int]? in
      guard row < table.changedColumns.count else { return nil }
      return table.changedColumns[row] + clearedReferences(rows, row, besides: table.changedColumns[row])
    }
    try RowUpdater(connection: connection, table: sql.tables[number], binder: binder).update(rows, columns: columns) {
      entities[rows.headers[$0].id] != rows.headers[$0].entity
    }
    log.write(rows.headers.lazy.map(\.id), in: number)
  }

  /// The columns of an updated row that refer to rows which are deleted with the same changes.
  private func clearedReferences(_ rows: StoredRows, _ row: Int, besides changed: [Int]) -> [Int] {
    guard !binder.deleted.isEmpty else { return [] }
    return sql.tables[rows.table].references.compactMap { reference in
      guard let target = rows.values.integer(row: row, column: reference.column), !changed.contains(reference.column),
        binder.target(target, in: reference.table) == nil
      else { return nil }
      return reference.column
    }
  }

  private mutating func delete(_ table: StoreChanges.TableChanges) throws(SQLiteError) {
    guard !table.deleted.isEmpty else { return }
    let number = table.inserted.table
    let ids = table.deleted.map(\.id).sorted()
    for links in sql.links { try logLinks(links, ofDeleted: ids, in: number) }
    if connection.isMigrating { try deleteLinks(ofDeleted: ids, in: number) }
    try delete(ids, from: sql.tables[number].name, column: "_id")
    log.delete(ids, in: number)
  }

  private func delete(_ ids: [Int64], from table: String, column: String) throws(SQLiteError) {
    try RowLookup.forEachBatch(of: ids, connection) { batch, size throws(SQLiteError) in
      let parameters = Array(repeating: "?", count: size).joined(separator: ",")
      let delete = "DELETE FROM \(SQLName.quoted(table)) WHERE \(SQLName.quoted(column)) IN (\(parameters))"
      try connection.using(delete) { statement throws(SQLiteError) in
        for (place, id) in batch.enumerated() { try statement.bind(id, at: Int32(place + 1)) }
        try statement.run()
      }
    }
  }

  /// Deletes the links of deleted rows, where no foreign keys do it.
  private func deleteLinks(ofDeleted ids: [Int64], in table: Int) throws(SQLiteError) {
    for links in sql.links {
      if links.layout.ownerTable == table { try delete(ids, from: links.name, column: links.layout.ownerColumn) }
      if links.layout.memberTable == table { try delete(ids, from: links.name, column: links.layout.memberColumn) }
    }
  }

  /// Links of deleted rows disappear with them. The rows on the other side count as changed.
  private mutating func logLinks(_ links: SQLLinkTable, ofDeleted ids: [Int64], in table: Int) throws(SQLiteError) {
    if links.layout.ownerTable == table {
      let members = try links.links(connection, links.layout.ownerColumn, of: ids).map(\.member)
      log.write(members, in: links.layout.memberTable)
    }
    if links.layout.memberTable == table {
      let owners = try links.links(connection, links.layout.memberColumn, of: ids).map(\.owner)
      log.write(owners, in: links.layout.ownerTable)
    }
  }

  // MARK: References to deleted rows

  /// Sets references to deleted rows to nil, in rows that the changes do not mention: others may have written them.
  private mutating func clearReferences() throws(SQLiteError) {
    guard !binder.deleted.isEmpty else { return }
    for table in sql.tables {
      var columns: [Int64: Set<Int>] = [:]
      for reference in table.references {
        guard let targets = binder.deleted[reference.table] else { continue }
        try RowLookup(
          connection: connection, selection: "t.\"_id\"", table: table.name,
          columns: [table.layout.columns[reference.column].name]
        ).run(integers: Array(targets)) { statement throws(SQLiteError) in
          while try statement.step() { columns[statement.integer(0), default: []].insert(reference.column) }
        }
      }
      for change in changes.tables where change.inserted.table == table.number {
        for header in change.updated.headers + change.deleted { columns[header.id] = nil }
      }
      if !columns.isEmpty { try clear(columns, in: table) }
    }
  }

  private mutating func clear(_ columns: [Int64: Set<Int>], in table: SQLTable) throws(SQLiteError) {
    var rows = try table.rows(connection, ids: Array(columns.keys))
    var changed: [[Int]?] = []
    for row in rows.headers.indices {
      rows.headers[row].version = sequence
      // The position among the members of the deleted row is removed as well.
      let references = columns[rows.headers[row].id] ?? []
      let positions = table.layout.columns.indices.filter { column in
        if case .position(let reference) = table.layout.columns[column].content {
          references.contains(reference)
        } else {
          false
        }
      }
      let all = (references.union(positions)).sorted()
      for column in all { rows.values.setNil(row: row, column: column) }
      changed.append(all)
    }
    try RowUpdater(connection: connection, table: table, binder: binder).update(rows, columns: changed) { _ in false }
    log.write(rows.headers.map(\.id), in: table.number)
  }

  // MARK: Links

  private mutating func write(_ changes: StoreChanges.LinkChanges) throws(SQLiteError) {
    let table = sql.links[changes.table]
    let removed = try resolved(changes.removed, table)
    let added = try resolved(changes.added, table)
    try LinkWriter(connection: connection, table: table).write(removed: removed, added: added)
    log.write((removed + added).lazy.map(\.owner), in: table.layout.ownerTable)
    log.write((removed + added).lazy.map(\.member), in: table.layout.memberTable)
  }

  /// Returns links with final numbers, in the order of the table, without those of deleted rows.
  private func resolved(_ links: [StoredLink], _ table: SQLLinkTable) throws(SQLiteError) -> [StoredLink] {
    links.compactMap { link in
      guard let owner = binder.target(link.owner, in: table.layout.ownerTable),
        let member = binder.target(link.member, in: table.layout.memberTable)
      else { return nil }
      var link = link
      link.owner = owner
      link.member = member
      return link
    }.sorted { ($0.owner, $0.member) < ($1.owner, $1.member) }
  }
}

extension SQLTable {
  /// The number for the next row: higher than any that was used before.
  func nextID(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    let used = try connection.using("SELECT \"seq\" FROM \"sqlite_sequence\" WHERE \"name\" = ?") {
      statement throws(SQLiteError) -> Int64 in
      try statement.bind(name, at: 1)
      return try statement.step() ? statement.integer(0) : 0
    }
    let present = try connection.integer("SELECT max(\"_id\") FROM \(SQLName.quoted(name))") ?? 0
    guard max(used, present) < Int64.max / 2 else {
      throw .damage("the table '\(name)' has used up its row IDs")
    }
    return max(used, present, 0) + 1
  }
}
