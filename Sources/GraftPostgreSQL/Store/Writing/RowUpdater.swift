import Graft
import GraftSQL

/// Updates rows. Rows with the same changed columns share one statement:
///
///     UPDATE "Hero" AS t SET "_version" = u.c1, "name" = u.c3 FROM unnest($1, $2, $3, $4) AS u(c0, c1, c2, c3) WHERE t."_id" = u.c0
struct RowUpdater {
  /// The number of rows in a statement.
  private static let batch = 10_000

  let connection: PostgreSQLConnection
  let values: RowValues
  /// For each row, the columns that changed; nil for all.
  let columns: [[Int]?]
  /// For each row, whether its entity changed.
  let movesEntity: [Bool]

  private var table: SQLTable { values.table }
  private var rows: StoredRows { values.rows }

  /// The changes that the statement for a row makes.
  private struct Change: Hashable {
    let columns: [Int]
    let movesEntity: Bool
  }

  func update() throws(PostgreSQLError) {
    let identity = Set(table.layout.identities.flatMap(\.columns))
    let cleared = try clearIdentities(identity)
    var groups: [Change: [Int]] = [:]
    var order: [Change] = []
    for row in rows.headers.indices.sorted(by: { rows.headers[$0].id < rows.headers[$1].id }) {
      var changed = Set(columns[row] ?? Array(table.kinds.indices))
      // Cleared values are set again, even if they did not change.
      if cleared.contains(row) { changed.formUnion(identity) }
      let change = Change(columns: changed.sorted(), movesEntity: movesEntity[row])
      if groups[change] == nil { order.append(change) }
      groups[change, default: []].append(row)
    }
    for change in order {
      let rows = groups[change] ?? []
      var start = 0
      while start < rows.count {
        let end = min(start + RowUpdater.batch, rows.count)
        try update(Array(rows[start..<end]), change)
        start = end
      }
    }
  }

  private func update(_ selected: [Int], _ change: Change) throws(PostgreSQLError) {
    if selected.count == 1 { return try update(selected[0], change) }
    var parameters = Parameters()
    try parameters.append(selected.map { rows.headers[$0].id })
    try parameters.append(selected.map { rows.headers[$0].version })
    try parameters.append(selected.map { rows.headers[$0].isPlaceholder })
    if table.hasBare { try parameters.append(selected.map { rows.headers[$0].isBare }) }
    if change.movesEntity {
      try parameters.append(selected.map { table.layout.entities[rows.headers[$0].entity] })
    }
    try rows.values.withTexts { texts throws(PostgreSQLError) in
      for column in change.columns {
        try parameters.appendArray(of: table.kinds[column].type) { elements throws(PostgreSQLError) in
          for row in selected { try values.append(texts, row, column, to: &elements) }
        }
      }
    }
    let names = names(change)
    let assignments = names.enumerated().map { "\(SQLName.quoted($1)) = u.c\($0 + 1)" }.joined(separator: ", ")
    let lists = (0...names.count).map { "$\($0 + 1)" }.joined(separator: ", ")
    let places = (0...names.count).map { "c\($0)" }.joined(separator: ", ")
    try connection.enqueue(
      """
      UPDATE \(SQLName.quoted(table.name)) AS t SET \(assignments) FROM unnest(\(lists)) AS u(\(places)) \
      WHERE t."_id" = u.c0
      """, parameters)
  }

  /// Updates one row, with a statement that the server does not plan each time.
  private func update(_ row: Int, _ change: Change) throws(PostgreSQLError) {
    let header = rows.headers[row]
    var parameters = Parameters()
    try parameters.append(header.id)
    try parameters.append(header.version)
    try parameters.append(header.isPlaceholder)
    if table.hasBare { try parameters.append(header.isBare) }
    if change.movesEntity { try parameters.append(table.layout.entities[header.entity]) }
    try rows.values.withTexts { texts throws(PostgreSQLError) in
      for column in change.columns { try values.append(texts, row, column, to: &parameters) }
    }
    let assignments = names(change).enumerated().map { "\(SQLName.quoted($1)) = $\($0 + 2)" }
    try connection.enqueue(
      """
      UPDATE \(SQLName.quoted(table.name)) SET \(assignments.joined(separator: ", ")) WHERE "_id" = $1
      """, parameters)
  }

  /// Returns the columns that a statement sets.
  private func names(_ change: Change) -> [String] {
    ["_version", "_placeholder"] + (table.hasBare ? ["_bare"] : []) + (change.movesEntity ? ["_entity"] : [])
      + change.columns.map { table.columnNames[$0] }
  }

  /// Removes the old identities of rows that get new identities, so that two rows can exchange identities.
  ///
  /// - Returns: the rows whose identities were removed.
  private func clearIdentities(_ identity: Set<Int>) throws(PostgreSQLError) -> Set<Int> {
    guard !identity.isEmpty else { return [] }
    let changing = rows.headers.indices.filter { row in
      movesEntity[row] || columns[row].map { $0.contains(where: identity.contains) } ?? true
    }
    guard changing.count > 1 else { return [] }
    let assignments = identity.sorted().map { "\(SQLName.quoted(table.columnNames[$0])) = NULL" }
    var parameters = Parameters()
    try parameters.append(changing.map { rows.headers[$0].id })
    try connection.enqueue(
      """
      UPDATE \(SQLName.quoted(table.name)) SET \(assignments.joined(separator: ", ")) WHERE "_id" = ANY($1)
      """, parameters)
    return Set(changing)
  }
}
