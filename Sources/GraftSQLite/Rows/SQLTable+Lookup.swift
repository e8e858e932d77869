import Graft
import GraftSQL

extension SQLTable {
  /// Returns a row by its number.
  func row(_ connection: SQLiteConnection, id: Int64) throws(SQLiteError) -> StoredRows {
    let text = {
      RowLookup(connection: connection, selection: selection, table: name, columns: ["_id"]).sql(1)
    }
    let key = SQLiteConnection.StatementKey(kind: .rowByID, table: number)
    return try connection.using(key, text) { statement throws(SQLiteError) in
      try statement.bind(id, at: 1)
      var reader = RowReader(self)
      try reader.readAll(statement)
      return reader.rows
    }
  }

  /// Returns the row with the identity in the given values, which contain only one identity.
  func row(
    _ connection: SQLiteConnection, identity number: Int, values: StoredValues
  ) throws(SQLiteError) -> StoredRows {
    // An identity that contains nil identifies no row.
    for column in 0..<values.columnCount where values.isNil(row: 0, column: column) { return emptyRows() }
    let text = { identityLookup(connection, selection: selection, identity: number).sql(1) }
    let key = SQLiteConnection.StatementKey(kind: .rowByIdentity, table: self.number, identity: number)
    return try connection.using(key, text) { statement throws(SQLiteError) in
      try values.withTexts { texts throws(SQLiteError) in
        for (place, column) in layout.identities[number].columns.enumerated() {
          try statement.bind(values, texts, row: 0, column: place, forms[column], at: Int32(place + 1))
        }
        var reader = RowReader(self)
        try reader.readAll(statement)
        return reader.rows
      }
    }
  }

  private func identityLookup(
    _ connection: SQLiteConnection, selection: String, identity: Int
  ) -> RowLookup {
    let identity = layout.identities[identity]
    var lookup = RowLookup(
      connection: connection, selection: selection, table: name,
      columns: identity.columns.map { layout.columns[$0].name })
    lookup.condition = SQLTable.entityCondition(identity.entities, layout)
    return lookup
  }

  /// Returns rows by their numbers.
  func rows(_ connection: SQLiteConnection, ids: [Int64]) throws(SQLiteError) -> StoredRows {
    var ids = ids.sorted()
    ids.removeRepetitions()
    guard let first = ids.first, let last = ids.last else { return emptyRows() }
    // Rows whose numbers are close together are read together.
    let (distance, isFar) = last.subtractingReportingOverflow(first)
    if ids.count > 16, !isFar, distance / 2 < ids.count { return try rows(connection, between: first, and: last, ids) }
    var reader = RowReader(self)
    try RowLookup(connection: connection, selection: selection, table: name, columns: ["_id"])
      .run(integers: ids) { statement throws(SQLiteError) in try reader.readAll(statement) }
    return reader.rows
  }

  /// Returns the rows of a range of numbers.
  func rows(_ connection: SQLiteConnection, in range: ClosedRange<Int64>) throws(SQLiteError) -> StoredRows {
    let sql = "SELECT \(selection) FROM \(SQLName.quoted(name)) AS t WHERE t.\"_id\" BETWEEN ? AND ? ORDER BY t.\"_id\""
    return try connection.using(sql) { statement throws(SQLiteError) in
      try statement.bind(range.lowerBound, at: 1)
      try statement.bind(range.upperBound, at: 2)
      var reader = RowReader(self)
      try reader.readAll(statement)
      return reader.rows
    }
  }

  /// Returns the rows of a range that have one of the given numbers, which are sorted.
  private func rows(
    _ connection: SQLiteConnection, between first: Int64, and last: Int64, _ ids: [Int64]
  ) throws(SQLiteError) -> StoredRows {
    let range =
      "SELECT \(selection) FROM \(SQLName.quoted(name)) AS t WHERE t.\"_id\" BETWEEN ? AND ? ORDER BY t.\"_id\""
    return try connection.using(range) { statement throws(SQLiteError) in
      try statement.bind(first, at: 1)
      try statement.bind(last, at: 2)
      var reader = RowReader(self)
      var next = 0
      while try statement.step() {
        let id = statement.integer(0)
        while next < ids.count, ids[next] < id { next += 1 }
        if next < ids.count, ids[next] == id { try reader.read(statement) }
      }
      return reader.rows
    }
  }

  /// Returns the rows that have the given identities.
  func rows(
    _ connection: SQLiteConnection, identity: Int, values: StoredValues
  ) throws(SQLiteError) -> StoredRows {
    var reader = RowReader(self)
    try lookup(connection, selection: selection, identity: identity, values: values) { statement throws(SQLiteError) in
      try reader.readAll(statement)
    }
    return reader.rows
  }

  /// Returns a lookup of identities.
  func lookup(
    _ connection: SQLiteConnection, selection: String, identity: Int, values: StoredValues,
    read: (SQLiteStatement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let lookup = identityLookup(connection, selection: selection, identity: identity)
    let forms = layout.identities[identity].columns.map { self.forms[$0] }
    let keys = SortedKeys(values, forms).rows
    try values.withTexts { texts throws(SQLiteError) in
      try lookup.run(
        count: keys.count,
        bind: { (statement, key, parameter) throws(SQLiteError) in
          for (place, form) in forms.enumerated() {
            try statement.bind(
              values, texts, row: keys[key], column: place, form, at: parameter + Int32(place))
          }
        }, read: read)
    }
  }

  /// Returns the rows that refer to the given rows.
  func rows(
    _ connection: SQLiteConnection, column: Int, referringTo targets: [Int64]
  ) throws(SQLiteError) -> StoredRows {
    var reader = RowReader(self)
    try RowLookup(connection: connection, selection: selection, table: name, columns: [layout.columns[column].name])
      .run(integers: targets) { statement throws(SQLiteError) in try reader.readAll(statement) }
    return reader.rows
  }
}

extension SQLLinkTable {
  /// The columns of a link, under the name `t`.
  var selection: String { columns.map { "t." + SQLName.quoted($0) }.joined(separator: ", ") }

  /// Returns the links of rows on one side.
  func links(_ connection: SQLiteConnection, _ column: String, of rows: [Int64]) throws(SQLiteError) -> [StoredLink] {
    var links: [StoredLink] = []
    try RowLookup(connection: connection, selection: selection, table: name, columns: [column])
      .run(integers: rows) { statement throws(SQLiteError) in
        while try statement.step() { links.append(link(statement)) }
      }
    return links
  }

  /// Returns the link in the current row of a statement, which has the columns of ``selection``.
  func link(_ statement: SQLiteStatement) -> StoredLink {
    var link = StoredLink(owner: statement.integer(0), member: statement.integer(1))
    if layout.isOrdered { link.position = statement.integer(2) }
    if layout.isInverseOrdered { link.inversePosition = statement.integer(layout.isOrdered ? 3 : 2) }
    return link
  }
}
