import Graft

/// Finds out why SQLite rejected a change set: identities that other rows have, or references to rows that do not exist.
///
/// Writing does not look for them beforehand, because they are rare.
struct ConflictFinder {
  let connection: SQLiteConnection
  let sql: SQLSchema
  let changes: StoreChanges

  /// Returns the conflicts with what the store contains now.
  func conflicts() throws(SQLiteError) -> [StoreConflict] {
    var conflicts: [StoreConflict] = []
    for table in changes.tables {
      for identity in sql.tables[table.inserted.table].layout.identities.indices {
        conflicts += try takenIdentities(table, identity)
      }
    }
    return try conflicts + missingTargets()
  }

  // MARK: Identities

  private func takenIdentities(
    _ changes: StoreChanges.TableChanges, _ identity: Int
  ) throws(SQLiteError) -> [StoreConflict] {
    let table = sql.tables[changes.inserted.table]
    let columns = table.layout.identities[identity].columns
    let entities = Set(table.layout.identities[identity].entities)
    let forms = columns.map { table.forms[$0] }
    // The identities that the changes write, and the rows that shall have them.
    var wanted: [[UInt8]: Int64] = [:]
    var conflicts: [StoreConflict] = []
    var values = StoredValues(columnCount: columns.count)
    for (rows, isInserted) in [(changes.updated, false), (changes.inserted, true)] {
      for row in rows.headers.indices where entities.contains(rows.headers[row].entity) {
        guard let key = IdentityKey.bytes(rows.values, row, columns, forms) else { continue }
        let id = isInserted ? -Int64(row) - 1 : rows.headers[row].id
        if let other = wanted[key] {
          conflicts.append(StoreConflict(table: table.number, id: id, reason: .identityTaken(by: other)))
          continue
        }
        wanted[key] = id
        values.appendRow(columns: columns, of: rows.values, row: row, forms)
      }
    }
    guard !wanted.isEmpty else { return conflicts }
    // Rows that the changes write or delete have no identity of their own any more.
    let written = Set(changes.updated.headers.map(\.id) + changes.deleted.map(\.id))
    let selection = (["_id"] + columns.map { table.layout.columns[$0].name }).map { "t." + SQLName.quoted($0) }
    try table.lookup(connection, selection: selection.joined(separator: ", "), identity: identity, values: values) {
      statement throws(SQLiteError) in
      while try statement.step() {
        let holder = statement.integer(0)
        guard !written.contains(holder), let key = IdentityKey.bytes(statement, forms), let id = wanted[key] else {
          continue
        }
        conflicts.append(StoreConflict(table: table.number, id: id, reason: .identityTaken(by: holder)))
      }
    }
    return conflicts
  }

  // MARK: References

  /// A row that refers to another one, by a column or a link.
  private struct Reference: Hashable {
    let table: Int
    let id: Int64
    let targetTable: Int
    let target: Int64
  }

  /// Rows that refer to rows that do not exist.
  private func missingTargets() throws(SQLiteError) -> [StoreConflict] {
    let references = changes.tables.flatMap(references(of:)) + changes.links.flatMap(references(of:))
    var missing: [Int: Set<Int64>] = [:]
    for reference in references { missing[reference.targetTable, default: []].insert(reference.target) }
    for number in missing.keys.sorted() {
      let lookup = RowLookup(
        connection: connection, selection: "t.\"_id\"", table: sql.tables[number].name, columns: ["_id"])
      try lookup.run(integers: Array(missing[number] ?? [])) { statement throws(SQLiteError) in
        while try statement.step() { missing[number]?.remove(statement.integer(0)) }
      }
    }
    return references.filter { missing[$0.targetTable]?.contains($0.target) == true }.map {
      StoreConflict(table: $0.table, id: $0.id, reason: .referenceDeleted(table: $0.targetTable, id: $0.target))
    }
  }

  private func references(of changes: StoreChanges.TableChanges) -> [Reference] {
    let table = sql.tables[changes.inserted.table]
    var references: [Reference] = []
    for reference in table.references {
      for (rows, isInserted) in [(changes.inserted, true), (changes.updated, false)] {
        for row in rows.headers.indices {
          guard let target = rows.values.integer(row: row, column: reference.column), target > 0 else { continue }
          references.append(
            Reference(
              table: table.number, id: isInserted ? -Int64(row) - 1 : rows.headers[row].id,
              targetTable: reference.table, target: target))
        }
      }
    }
    return references
  }

  private func references(of changes: StoreChanges.LinkChanges) -> [Reference] {
    let layout = sql.links[changes.table].layout
    return changes.added.flatMap { link in
      [
        Reference(table: layout.ownerTable, id: link.owner, targetTable: layout.memberTable, target: link.member),
        Reference(table: layout.memberTable, id: link.member, targetTable: layout.ownerTable, target: link.owner),
      ].filter { $0.target > 0 }
    }
  }
}
