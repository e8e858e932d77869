import Graft
import GraftSQL

/// Updates rows. Only the columns that changed are set, because SQLite maintains an index only if its columns are set.
struct RowUpdater {
  let connection: SQLiteConnection
  let table: SQLTable
  let numbers: FinalNumbers

  /// Updates rows. Their headers have their final versions.
  ///
  /// - Parameters:
  ///   - columns: for each row, the columns that changed; nil for all.
  ///   - movesEntity: whether a row's entity changed.
  func update(
    _ rows: StoredRows, columns: [[Int]?], movesEntity: (Int) -> Bool
  ) throws(SQLiteError) {
    let order = rows.headers.indices.sorted { rows.headers[$0].id < rows.headers[$1].id }
    let identity = Set(table.layout.identities.flatMap(\.columns))
    let cleared = try clearIdentities(rows, identity, columns, movesEntity, order)
    try rows.values.withTexts { texts throws(SQLiteError) in
      for row in order {
        var changed = columns[row] ?? Array(table.forms.indices)
        // Cleared values are set again, even if they did not change.
        if cleared.contains(row) { changed = Set(changed).union(identity).sorted() }
        try update(rows, texts, row, changed, movesEntity(row))
      }
    }
  }

  private func update(
    _ rows: StoredRows, _ texts: UnsafeBufferPointer<UInt8>, _ row: Int, _ columns: [Int], _ movesEntity: Bool
  ) throws(SQLiteError) {
    let header = rows.headers[row]
    try connection.using(sql(columns, movesEntity)) { statement throws(SQLiteError) in
      // Every column is part of the digest, but only some have parameters.
      var digest = RowDigest(header)
      var parameters = [Int32](repeating: 0, count: table.forms.count)
      for (place, column) in columns.enumerated() { parameters[column] = Int32(place + 1) }
      for column in table.forms.indices {
        if parameters[column] > 0 {
          try numbers.bind(rows.values, texts, row, column, table, to: statement, at: parameters[column], &digest)
        } else {
          numbers.add(rows.values, texts, row, column, table, to: &digest)
        }
      }
      var next = Int32(columns.count + 1)
      func bind(_ value: Int64) throws(SQLiteError) {
        try statement.bind(value, at: next)
        next += 1
      }
      try bind(header.version)
      try bind(header.isPlaceholder ? 1 : 0)
      if table.hasBare { try bind(header.isBare ? 1 : 0) }
      if movesEntity {
        try statement.bind(text: table.entityName(header.entity), at: next)
        next += 1
      }
      try bind(digest.value)
      try bind(header.id)
      try statement.run()
    }
  }

  private func sql(_ columns: [Int], _ movesEntity: Bool) -> String {
    let names =
      columns.map { table.layout.columns[$0].name } + ["_version", "_placeholder"] + (table.hasBare ? ["_bare"] : [])
      + (movesEntity ? ["_entity"] : []) + ["_digest"]
    let assignments = names.map { "\(SQLName.quoted($0)) = ?" }.joined(separator: ", ")
    return "UPDATE \(SQLName.quoted(table.name)) SET \(assignments) WHERE \"_id\" = ?"
  }

  /// Removes the old identities of rows that get new identities, so that two rows can exchange identities.
  ///
  /// - Returns: the rows whose identities were removed.
  private func clearIdentities(
    _ rows: StoredRows, _ identity: Set<Int>, _ columns: [[Int]?], _ movesEntity: (Int) -> Bool, _ order: [Int]
  ) throws(SQLiteError) -> Set<Int> {
    guard !identity.isEmpty else { return [] }
    let changing = order.filter { row in
      movesEntity(row) || columns[row].map { $0.contains(where: identity.contains) } ?? true
    }
    guard changing.count > 1 else { return [] }
    let assignments = identity.sorted().map { "\(SQLName.quoted(table.layout.columns[$0].name)) = NULL" }
    let sql =
      "UPDATE \(SQLName.quoted(table.name)) SET \(assignments.joined(separator: ", ")) WHERE \"_id\" = ?"
    try connection.using(sql) { statement throws(SQLiteError) in
      for row in changing {
        try statement.bind(rows.headers[row].id, at: 1)
        try statement.run()
      }
    }
    return Set(changing)
  }
}

extension FinalNumbers {
  /// Adds a value to a digest without binding it.
  func add(
    _ values: StoredValues, _ texts: UnsafeBufferPointer<UInt8>, _ row: Int, _ column: Int, _ table: SQLTable,
    to digest: inout RowDigest
  ) {
    guard !values.isNil(row: row, column: column) else { return digest.addNil() }
    switch table.forms[column] {
    case .integer:
      let value = Int64(bitPattern: values.word(row: row, column: column))
      guard let other = table.referenceTables[column] else { return digest.add(UInt64(bitPattern: value)) }
      guard let target = target(value, in: other) else { return digest.addNil() }
      digest.add(UInt64(bitPattern: target))
    case .real: digest.add(RowDigest.bits(values.word(row: row, column: column)))
    default: digest.add(UnsafeBufferPointer(rebasing: texts[values.textRange(row: row, column: column)]))
    }
  }
}
