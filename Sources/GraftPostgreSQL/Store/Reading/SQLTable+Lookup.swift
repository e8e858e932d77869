import Graft
import GraftSQL

extension SQLTable {
  /// The beginning and the end of a statement that selects rows. Rows are sorted, so that error reports are always the same.
  private var select: String { "SELECT \(selection) FROM \(SQLName.quoted(name)) AS t" }
  private static let order = " ORDER BY t.\"_id\""

  /// Returns the rows of a statement.
  func rows(
    _ connection: PostgreSQLConnection, _ sql: String, _ parameters: Parameters
  ) throws(PostgreSQLError) -> StoredRows {
    try connection.query(sql, parameters, reading: .whole) { result throws(PostgreSQLError) in
      var reader = RowReader(self)
      try reader.readAll(result)
      return reader.rows
    }
  }

  /// Returns rows by their numbers.
  func rows(_ connection: PostgreSQLConnection, ids: [Int64]) throws(PostgreSQLError) -> StoredRows {
    try rows(connection, column: "_id", ids)
  }

  /// Returns the rows that refer to the given rows.
  func rows(
    _ connection: PostgreSQLConnection, column: Int, referringTo targets: [Int64]
  ) throws(PostgreSQLError) -> StoredRows { try rows(connection, column: columnNames[column], targets) }

  private func rows(
    _ connection: PostgreSQLConnection, column: String, _ keys: [Int64]
  ) throws(PostgreSQLError) -> StoredRows {
    var parameters = Parameters()
    let keys = try parameters.append(keys: keys)
    return try rows(
      connection, "\(select) WHERE t.\(SQLName.quoted(column)) = \(keys)\(SQLTable.order)", parameters)
  }

  /// Returns the rows that have the given identities.
  func rows(
    _ connection: PostgreSQLConnection, identity number: Int, values: StoredValues
  ) throws(PostgreSQLError) -> StoredRows {
    let identity = layout.identities[number]
    let columns = identity.columns
    // An identity that contains nil identifies no row, and no row has a value that the database cannot hold.
    let keys = (0..<values.count).filter { row in
      columns.enumerated().allSatisfy { place, column in
        guard !values.isNil(row: row, column: place) else { return false }
        switch kinds[column] {
        case .attribute(.string), .attribute(.uri): return values.text(row: row, column: place)?.contains(0) == false
        case .attribute(.date): return Timestamp.isValid(values.integer(row: row, column: place) ?? 0)
        case .attribute(.double), .attribute(.float): return values.double(row: row, column: place)?.isFinite == true
        default: return true
        }
      }
    }
    guard !keys.isEmpty else { return emptyRows() }
    var parameters = Parameters()
    try values.withTexts { texts throws(PostgreSQLError) in
      for (place, column) in columns.enumerated() {
        let kind = kinds[column]
        if keys.count == 1 {
          try parameters.append(values, texts, row: keys[0], column: place, kind)
        } else {
          try parameters.appendArray(of: kind.type) { elements throws(PostgreSQLError) in
            for key in keys { try elements.append(values, texts, row: key, column: place, kind) }
          }
        }
      }
    }
    return try rows(connection, lookup(identity, keys.count) + SQLTable.order, parameters)
  }

  private func lookup(_ identity: StoreLayout.Identity, _ count: Int) -> String {
    let names = identity.columns.map { SQLName.quoted(columnNames[$0]) }
    let condition = SQLTable.entityCondition(identity.entities, layout).map { " AND t.\($0)" } ?? ""
    if count == 1 {
      let tests = names.enumerated().map { "t.\($1) = $\($0 + 1)" }
      return "\(select) WHERE \(tests.joined(separator: " AND "))\(condition)"
    }
    if names.count == 1 { return "\(select) WHERE t.\(names[0]) = ANY($1)\(condition)" }
    let lists = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let keys = names.indices.map { "k\($0)" }.joined(separator: ", ")
    let tests = names.enumerated().map { "t.\($1) = w.k\($0)" }
    return
      "\(select) JOIN (SELECT DISTINCT * FROM unnest(\(lists)) AS u(\(keys))) AS w ON \(tests.joined(separator: " AND "))\(condition)"
  }
}

extension SQLLinkTable {
  /// Returns the links of rows on one side.
  func links(
    _ connection: PostgreSQLConnection, _ column: String, of rows: [Int64]
  ) throws(PostgreSQLError) -> [StoredLink] {
    var parameters = Parameters()
    let keys = try parameters.append(keys: rows)
    let selection = columns.map { "t." + SQLName.quoted($0) }.joined(separator: ", ")
    let sql =
      "SELECT \(selection) FROM \(SQLName.quoted(name)) AS t WHERE t.\(SQLName.quoted(column)) = \(keys) ORDER BY 1, 2"
    return try connection.query(sql, parameters, reading: .whole) { result throws(PostgreSQLError) in
      var links: [StoredLink] = []
      while try result.next() {
        var link = StoredLink(owner: try result.int64(0) ?? 0, member: try result.int64(1) ?? 0)
        if layout.isOrdered { link.position = try result.int64(2) ?? 0 }
        if layout.isInverseOrdered { link.inversePosition = try result.int64(layout.isOrdered ? 3 : 2) ?? 0 }
        links.append(link)
      }
      return links
    }
  }
}

extension Parameters {
  /// Appends keys as the only parameter, and returns the expression that a column equals if it contains one of the keys.
  mutating func append(keys: [Int64]) throws(PostgreSQLError) -> String {
    guard keys.count == 1 else {
      try append(keys)
      return "ANY($1)"
    }
    // A single key needs no list. The server then always uses the index, and does not plan the statement each time.
    try append(keys[0])
    return "$1"
  }
}
