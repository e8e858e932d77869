import Graft

/// The statements that create a hierarchy's table and its indexes.
package struct SQLTableDefinitions: Sendable {
  /// The statement that creates the table.
  package let table: String
  /// The indexes that are part of the table's layout.
  package let indexes: [SQLItem]
  /// The indexes that only make queries faster: the indexes that the model declares, and the index of placeholders. If a store lacks these
  /// indexes, they are created when the store is opened.
  package let declaredIndexes: [SQLItem]
  package let placeholderIndex: SQLItem

  init(
    _ name: String, _ headerColumns: [String], _ columnNames: [String], _ layout: StoreLayout.Table, _ names: SQLNames,
    _ indexNames: SQLNames.Indexes, _ dialect: any SQLDialect
  ) {
    table = Self.definition(name, headerColumns, columnNames, layout, names, dialect)
    indexes = Self.indexes(name, columnNames, layout, indexNames)
    placeholderIndex = Self.placeholderIndex(name, indexNames, dialect)
    declaredIndexes = Self.declaredIndexes(name, columnNames, layout, indexNames, dialect)
  }

  private static func definition(
    _ name: String, _ headerColumns: [String], _ columnNames: [String], _ table: StoreLayout.Table, _ names: SQLNames,
    _ dialect: any SQLDialect
  ) -> String {
    var lines = headerColumns.map { column in
      let type =
        switch column {
        case "_id": dialect.idType
        case "_entity": "\(dialect.entityType) NOT NULL"
        case "_placeholder", "_bare": "\(dialect.flagType) NOT NULL"
        default: "\(dialect.integerType) NOT NULL"
        }
      return (SQLName.quoted(column), type)
    }
    for (column, columnName) in zip(table.columns, columnNames) {
      var type = dialect.type(of: SQLKind(column.content))
      if case .reference(let other) = column.content {
        type += dialect.reference(toTable: names.tables[other], onDelete: "SET NULL")
      }
      lines.append((SQLName.quoted(columnName), type))
    }
    return "CREATE TABLE \(SQLName.quoted(name)) (\n\(SQLTable.aligned(lines))\n)\(dialect.tableEnding)"
  }

  private static func indexes(
    _ name: String, _ columnNames: [String], _ table: StoreLayout.Table, _ indexNames: SQLNames.Indexes
  ) -> [SQLItem] {
    let identities = table.identities.enumerated().map { index, identity in
      let columns = SQLName.list(identity.columns.map { columnNames[$0] })
      let condition = SQLTable.entityCondition(identity.entities, table).map { "\nWHERE \($0)" } ?? ""
      let index = indexNames.identities[index]
      return SQLItem(
        kind: "index", name: index,
        sql: "CREATE UNIQUE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\(columns))\(condition)")
    }
    let references = table.columns.enumerated().compactMap { number, column -> SQLItem? in
      guard case .reference = column.content, let index = indexNames.references[number] else { return nil }
      let quoted = SQLName.quoted(columnNames[number])
      return SQLItem(
        kind: "index", name: index,
        sql:
          "CREATE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\(quoted))\nWHERE \(quoted) IS NOT NULL")
    }
    return identities + references
  }

  private static func placeholderIndex(
    _ name: String, _ indexNames: SQLNames.Indexes, _ dialect: any SQLDialect
  ) -> SQLItem {
    let index = indexNames.placeholders
    return SQLItem(
      kind: "index", name: index,
      sql:
        "CREATE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\"_placeholder\")\nWHERE \(dialect.isPlaceholder)"
    )
  }

  /// Returns the declared indexes. An index of a sub-entity contains all rows of the table, because SQLite uses a partial index only for
  /// conditions with exactly the same text.
  private static func declaredIndexes(
    _ name: String, _ columnNames: [String], _ table: StoreLayout.Table, _ indexNames: SQLNames.Indexes,
    _ dialect: any SQLDialect
  ) -> [SQLItem] {
    zip(indexNames.declared, table.indexes).map { index, columns in
      let list = columns.map { dialect.indexed(columnNames[$0]) }.joined(separator: ", ")
      return SQLItem(
        kind: "index", name: index,
        sql: "CREATE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\(list))")
    }
  }
}
