import Foundation
import Graft
import GraftSQL

/// A transaction of a connection that writes. Only one transaction writes at a time; see ``PostgreSQLStore``.
struct PostgreSQLDatabase: SQLDatabase {
  let connection: PostgreSQLConnection
  let schema: SQLSchema
  let mark: CommitMark
  /// The token of the commit that is written.
  var token = UUID()

  /// Foreign keys delete the links.
  var deletesLinks: Bool { false }

  // MARK: Reading

  func readStates(of ids: [Int64], in table: SQLTable, into state: inout StoredState) throws(PostgreSQLError) {
    let names =
      ["_id", "_version"] + (table.hasEntity ? ["_entity"] : []) + table.linkColumns.map { table.columnNames[$0] }
    let selection = names.map { "t.\(SQLName.quoted($0))" }.joined(separator: ", ")
    var parameters = Parameters()
    let keys = try parameters.append(keys: ids)
    let sql = "SELECT \(selection) FROM \(SQLName.quoted(table.name)) AS t WHERE t.\"_id\" = \(keys)"
    var read = state
    try connection.query(sql, parameters, reading: .whole) { rows throws(PostgreSQLError) in
      while try rows.next() {
        guard let id = try rows.int64(0), let version = try rows.int64(1) else { continue }
        var entity = 0
        if table.hasEntity, let name = try rows.utf8(2) {
          entity = table.entity(named: name) ?? -1
        }
        read.add(id, version: version, entity: entity, in: table.number)
        for place in names.count - table.linkColumns.count..<names.count { read.append(try rows.int64(place)) }
      }
    }
    state = read
  }

  func rows(_ ids: [Int64], in table: SQLTable) throws(PostgreSQLError) -> StoredRows {
    try table.rows(connection, ids: ids)
  }

  func referrers(to targets: [Int64], column: Int, in table: SQLTable) throws(PostgreSQLError) -> [Int64] {
    var parameters = Parameters()
    try parameters.append(targets)
    let column = SQLName.quoted(table.columnNames[column])
    let sql = "SELECT \"_id\" FROM \(SQLName.quoted(table.name)) WHERE \(column) = ANY($1)"
    return try connection.query(sql, parameters, reading: .whole) { rows throws(PostgreSQLError) in
      var ids: [Int64] = []
      while try rows.next() { ids.append(try rows.int64(0) ?? 0) }
      return ids
    }
  }

  func links(in table: SQLLinkTable, column: String, of rows: [Int64]) throws(PostgreSQLError) -> [StoredLink] {
    try table.links(connection, column, of: rows)
  }

  // MARK: Writing

  func takeIDs(_ count: Int, in table: SQLTable) throws(PostgreSQLError) -> Int64 {
    var parameters = Parameters()
    try parameters.append(table.name)
    try parameters.append(Int64(count))
    let sql = "UPDATE \"_graft_numbers\" SET \"last\" = \"last\" + $2 WHERE \"table\" = $1 RETURNING \"last\""
    guard let last = try connection.integer(sql, parameters), last >= Int64(count), last < Int64.max / 2 else {
      throw .damage("table '_graft_numbers' has no valid entry for '\(table.name)'")
    }
    return last - Int64(count) + 1
  }

  func insert(_ rows: StoredRows, in table: SQLTable, _ numbers: FinalNumbers) throws(PostgreSQLError) {
    let columns = table.headerColumns + table.columnNames
    let values = RowValues(rows: rows, table: table, numbers: numbers)
    let target = "\(SQLName.quoted(table.name)) (\(SQLName.list(columns)))"
    try rows.values.withTexts { texts throws(PostgreSQLError) in
      if rows.count <= PostgreSQLDatabase.few, texts.count < 1 << 16 {
        let lists = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return try connection.enqueue(
          "INSERT INTO \(target) SELECT * FROM unnest(\(lists))", try parameters(values, texts))
      }
      try connection.copy(into: target, columns: columns.count) { writer throws(PostgreSQLError) in
        for (row, header) in rows.headers.enumerated() {
          try writer.beginRow()
          try writer.append(header.id)
          try writer.append(header.version)
          try writer.append(header.isPlaceholder)
          if table.hasEntity { try writer.append(table.layout.entities[header.entity]) }
          if table.hasBare { try writer.append(header.isBare) }
          for column in table.kinds.indices { try values.append(texts, row, column, to: &writer) }
        }
      }
    }
  }

  /// The maximum number of rows that are inserted without COPY, which takes additional round trips.
  private static let few = 100

  /// Returns, for each column, a list of the values to insert.
  private func parameters(
    _ values: RowValues, _ texts: UnsafeBufferPointer<UInt8>
  ) throws(PostgreSQLError) -> Parameters {
    let (rows, table) = (values.rows, values.table)
    var parameters = Parameters()
    try parameters.append(rows.headers.map(\.id))
    try parameters.append(rows.headers.map(\.version))
    try parameters.append(rows.headers.map(\.isPlaceholder))
    if table.hasEntity { try parameters.append(rows.headers.map { table.layout.entities[$0.entity] }) }
    if table.hasBare { try parameters.append(rows.headers.map(\.isBare)) }
    for column in table.kinds.indices {
      try parameters.appendArray(of: table.kinds[column].type) { elements throws(PostgreSQLError) in
        for row in rows.headers.indices { try values.append(texts, row, column, to: &elements) }
      }
    }
    return parameters
  }

  func update(
    _ rows: StoredRows, columns: [[Int]?], movesEntity: [Bool], in table: SQLTable, _ numbers: FinalNumbers
  ) throws(PostgreSQLError) {
    let updater = RowUpdater(
      connection: connection, values: RowValues(rows: rows, table: table, numbers: numbers), columns: columns,
      movesEntity: movesEntity)
    try updater.update()
  }

  func delete(_ ids: [Int64], column: String, from table: String) throws(PostgreSQLError) {
    var parameters = Parameters()
    let keys = try parameters.append(keys: ids)
    try connection.enqueue("DELETE FROM \(SQLName.quoted(table)) WHERE \(SQLName.quoted(column)) = \(keys)", parameters)
  }

  func write(removed: [StoredLink], added: [StoredLink], in table: SQLLinkTable) throws(PostgreSQLError) {
    let (owner, member) = (SQLName.quoted(table.ownerColumn), SQLName.quoted(table.memberColumn))
    if !removed.isEmpty {
      var parameters = Parameters()
      try parameters.append(removed.map(\.owner))
      try parameters.append(removed.map(\.member))
      try connection.enqueue(
        """
        DELETE FROM \(SQLName.quoted(table.name)) AS t USING unnest($1, $2) AS u(o, m) \
        WHERE t.\(owner) = u.o AND t.\(member) = u.m
        """, parameters)
    }
    guard !added.isEmpty else { return }
    var lists = [added.map(\.owner), added.map(\.member)]
    if table.layout.isOrdered { lists.append(added.map(\.position)) }
    if table.layout.isInverseOrdered { lists.append(added.map(\.inversePosition)) }
    var parameters = Parameters()
    for list in lists { try parameters.append(list) }
    let values = lists.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    try connection.enqueue(
      """
      INSERT INTO \(SQLName.quoted(table.name)) AS l (\(SQLName.list(table.columns))) SELECT * FROM unnest(\(values)) \
      ON CONFLICT (\(owner), \(member)) DO \(table.repositioning)
      """, parameters)
  }

  // MARK: The log

  func appendLog(_ sequence: Int64, _ changes: RowChanges) throws(PostgreSQLError) {
    try CommitLog.append(connection, sequence, changes, token: token)
    mark.note(sequence, token)
  }

  func log(since sequence: Int64) throws(PostgreSQLError) -> StoreLog {
    try CommitLog.changes(
      connection, since: sequence, latest: try CommitState(connection).latest, tables: schema.tables.count)
  }

  // MARK: Errors

  static var move: PostgreSQLError { PostgreSQLError(.moved, "the data that the changes depend on has changed") }

  static var missingRow: PostgreSQLError {
    PostgreSQLError(.misuse, "the changes update or delete a row that does not exist")
  }
}
