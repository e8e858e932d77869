package import Graft

/// Writes a change set within a transaction.
///
///     references from other rows to deleted rows → deletions → updates → insertions → links → log
///
/// Deletions come first, because they free identities. Foreign keys are checked when the transaction ends, so rows may refer to
/// rows that are written later.
package struct ChangeWriter<Database: SQLDatabase> {
  private let database: Database
  private let changes: StoreChanges
  private let sequence: Int64
  private let numbers: FinalNumbers
  private var log = RowChanges()

  private var tables: [SQLTable] { database.schema.tables }
  private var links: [SQLLinkTable] { database.schema.links }

  /// - Parameter sequence: the number of the commit.
  package init(_ database: Database, _ changes: StoreChanges, sequence: Int64) throws(Database.Failure) {
    self.database = database
    self.changes = changes
    self.sequence = sequence
    var firstIDs: [Int: Int64] = [:]
    var deleted: [Int: Set<Int64>] = [:]
    for table in changes.tables {
      let number = table.inserted.table
      if table.inserted.count > 0 {
        firstIDs[number] = try database.takeIDs(table.inserted.count, in: database.schema.tables[number])
      }
      if !table.deleted.isEmpty { deleted[number] = Set(table.deleted.map(\.id)) }
    }
    numbers = FinalNumbers(firstIDs: firstIDs, deleted: deleted)
  }

  /// Writes all changes.
  package mutating func write(_ known: StoredState) throws(Database.Failure) -> StoreWriteResult {
    try clearReferences()
    for table in changes.tables { try delete(table) }
    for table in changes.tables { try update(table, known) }
    for table in insertionOrder { try insert(table) }
    for links in changes.links { try write(links) }
    try database.appendLog(sequence, log)
    return .written(sequence: sequence, firstIDs: numbers.firstIDs)
  }

  // MARK: Rows

  /// The order in which tables are inserted. Referenced rows are written before the rows that refer to them, so SQLite finds the targets
  /// immediately and does not have to check references at the end.
  private var insertionOrder: [StoreChanges.TableChanges] {
    var left: [Int: StoreChanges.TableChanges] = [:]
    for table in changes.tables where table.inserted.count > 0 { left[table.inserted.table] = table }
    var order: [StoreChanges.TableChanges] = []
    func visit(_ number: Int) {
      guard let table = left.removeValue(forKey: number) else { return }
      for reference in tables[number].references { visit(reference.table) }
      order.append(table)
    }
    for number in left.keys.sorted() { visit(number) }
    return order
  }

  private mutating func insert(_ table: StoreChanges.TableChanges) throws(Database.Failure) {
    let number = table.inserted.table
    guard let first = numbers.firstIDs[number] else { return }
    var rows = table.inserted
    for row in rows.headers.indices {
      rows.headers[row].id = first + Int64(row)
      rows.headers[row].version = sequence
    }
    try database.insert(rows, in: tables[number], numbers)
    log.write(first..<first + Int64(rows.count), in: number)
  }

  private mutating func update(
    _ table: StoreChanges.TableChanges, _ known: StoredState
  ) throws(Database.Failure) {
    guard table.updated.count > 0 else { return }
    let number = table.updated.table
    var rows = table.updated
    for row in rows.headers.indices {
      rows.headers[row].version = sequence
      guard row < table.changedColumns.count else { continue }
      known.keepLinks(of: &rows, row, changed: table.changedColumns[row], in: tables[number])
    }
    let entities = known.entities[number] ?? [:]
    let columns = rows.headers.indices.map { row -> [Int]? in
      guard row < table.changedColumns.count else { return nil }
      return table.changedColumns[row] + clearedReferences(rows, row, besides: table.changedColumns[row])
    }
    let movesEntity = rows.headers.map { entities[$0.id] != $0.entity }
    try database.update(rows, columns: columns, movesEntity: movesEntity, in: tables[number], numbers)
    log.write(rows.headers.lazy.map(\.id), in: number)
  }

  /// Returns the columns of an updated row that refer to rows deleted by the same changes.
  private func clearedReferences(_ rows: StoredRows, _ row: Int, besides changed: [Int]) -> [Int] {
    guard !numbers.deleted.isEmpty else { return [] }
    return tables[rows.table].references.compactMap { reference in
      guard let target = rows.values.integer(row: row, column: reference.column), !changed.contains(reference.column),
        numbers.target(target, in: reference.table) == nil
      else { return nil }
      return reference.column
    }
  }

  private mutating func delete(_ table: StoreChanges.TableChanges) throws(Database.Failure) {
    guard !table.deleted.isEmpty else { return }
    let number = table.inserted.table
    let ids = table.deleted.map(\.id).sorted()
    for links in self.links { try logLinks(links, ofDeleted: ids, in: number) }
    if database.deletesLinks { try deleteLinks(ofDeleted: ids, in: number) }
    try database.delete(ids, column: "_id", from: tables[number].name)
    log.delete(ids, in: number)
  }

  /// Deletes the links of deleted rows, unless foreign keys do so.
  private func deleteLinks(ofDeleted ids: [Int64], in table: Int) throws(Database.Failure) {
    for links in self.links {
      if links.layout.ownerTable == table { try database.delete(ids, column: links.ownerColumn, from: links.name) }
      if links.layout.memberTable == table { try database.delete(ids, column: links.memberColumn, from: links.name) }
    }
  }

  /// Records the links of deleted rows, which are removed along with these rows. The rows on the other side are recorded as changed.
  private mutating func logLinks(_ links: SQLLinkTable, ofDeleted ids: [Int64], in table: Int) throws(Database.Failure)
  {
    if links.layout.ownerTable == table {
      let members = try database.links(in: links, column: links.ownerColumn, of: ids).map(\.member)
      log.write(members, in: links.layout.memberTable)
    }
    if links.layout.memberTable == table {
      let owners = try database.links(in: links, column: links.memberColumn, of: ids).map(\.owner)
      log.write(owners, in: links.layout.ownerTable)
    }
  }

  // MARK: References to deleted rows

  /// Sets references to deleted rows to nil, in rows that the changes do not mention, because another context may have written them.
  private mutating func clearReferences() throws(Database.Failure) {
    guard !numbers.deleted.isEmpty else { return }
    for table in tables {
      var columns: [Int64: Set<Int>] = [:]
      for reference in table.references {
        guard let targets = numbers.deleted[reference.table] else { continue }
        for id in try database.referrers(to: Array(targets), column: reference.column, in: table) {
          columns[id, default: []].insert(reference.column)
        }
      }
      for change in changes.tables where change.inserted.table == table.number {
        for header in change.updated.headers + change.deleted { columns[header.id] = nil }
      }
      if !columns.isEmpty { try clear(columns, in: table) }
    }
  }

  private mutating func clear(_ columns: [Int64: Set<Int>], in table: SQLTable) throws(Database.Failure) {
    var rows = try database.rows(Array(columns.keys), in: table)
    var changed: [[Int]?] = []
    for row in rows.headers.indices {
      rows.headers[row].version = sequence
      // The position among the members of the deleted row is also removed.
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
    try database.update(
      rows, columns: changed, movesEntity: Array(repeating: false, count: rows.count), in: table, numbers)
    log.write(rows.headers.map(\.id), in: table.number)
  }

  // MARK: Links

  private mutating func write(_ changes: StoreChanges.LinkChanges) throws(Database.Failure) {
    let table = links[changes.table]
    let removed = try resolved(changes.removed, table)
    let added = try resolved(changes.written, table)
    try database.write(removed: removed, added: added, in: table)
    log.write((removed + added).lazy.map(\.owner), in: table.layout.ownerTable)
    log.write((removed + added).lazy.map(\.member), in: table.layout.memberTable)
  }

  /// Returns links with final numbers, in the order of the table, without the links of deleted rows.
  private func resolved(_ links: [StoredLink], _ table: SQLLinkTable) throws(Database.Failure) -> [StoredLink] {
    links.compactMap { link in
      guard let owner = numbers.target(link.owner, in: table.layout.ownerTable),
        let member = numbers.target(link.member, in: table.layout.memberTable)
      else { return nil }
      var link = link
      link.owner = owner
      link.member = member
      return link
    }.sorted { ($0.owner, $0.member) < ($1.owner, $1.member) }
  }
}
