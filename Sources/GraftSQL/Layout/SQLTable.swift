package import Graft

/// A hierarchy's table in SQL.
///
///     CREATE TABLE "Hero" (
///       "_id"          INTEGER PRIMARY KEY AUTOINCREMENT,
///       "_version"     INTEGER NOT NULL,
///       "_placeholder" INTEGER NOT NULL,
///       "_digest"      INTEGER NOT NULL,
///       "name"         TEXT,
///       "publisher"    INTEGER REFERENCES "Publisher" ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
///     ) STRICT
package struct SQLTable: Sendable {
  /// The form of a column's values.
  package enum Form: Sendable {
    /// An integer within a range: for integers, booleans, dates, rows and positions.
    case integer(ClosedRange<Int64>)
    case real
    case text
    case uuid, decimal, uri, json
    case blob

    /// Whether values are bytes.
    package var isBytes: Bool {
      switch self {
      case .integer, .real: false
      default: true
      }
    }
  }

  /// The table's position among the tables.
  package let number: Int
  package let layout: StoreLayout.Table
  /// The name in SQL.
  package let name: String
  /// The names of the columns in SQL, and their kinds.
  package let columnNames: [String]
  package let kinds: [SQLKind]
  package let forms: [Form]
  /// The columns that refer to rows, with the tables of these rows.
  package let references: [(column: Int, table: Int)]
  /// The columns with references and with positions.
  package let linkColumns: [Int]
  /// For each column, the table of its reference.
  package let referenceTables: [Int?]
  /// The names of the entities, in sequence. They are not moved as long as the table exists.
  private let entityNames: EntityNames
  /// Whether rows store their entity.
  package let hasEntity: Bool
  package let hasBare: Bool
  /// The statements that create the table, and the indexes that are part of its layout.
  package let definition: String
  package let indexes: [SQLItem]
  /// The indexes that only make queries faster: the indexes that the model declares, and the index of placeholders. If a store
  /// lacks them, they are created when it is opened.
  package let declaredIndexes: [SQLItem]
  package let placeholderIndex: SQLItem

  /// The columns that precede the model's, in order.
  package let headerColumns: [String]
  /// The columns to select from the table under the name `t`.
  package let selection: String
  /// The names of the entities as bytes.
  package let entityBytes: [[UInt8]]

  init(_ number: Int, _ layout: StoreLayout, _ names: SQLNames, _ dialect: any SQLDialect) {
    let table = layout.tables[number]
    let columnNames = SQLTable.columnNames(table, dialect)
    self.number = number
    self.layout = table
    name = names.tables[number]
    self.columnNames = columnNames
    kinds = table.columns.map { SQLKind($0.content) }
    forms = table.columns.map { SQLTable.form($0.content) }
    references = table.columns.enumerated().compactMap { index, column in
      if case .reference(let other) = column.content { (index, other) } else { nil }
    }
    linkColumns = table.columns.indices.filter { index in
      switch table.columns[index].content {
      case .reference, .position: true
      default: false
      }
    }
    referenceTables = table.columns.map { if case .reference(let other) = $0.content { other } else { nil } }
    entityNames = EntityNames(table.entities)
    hasEntity = table.entities.count > 1
    hasBare = table.hasBareDiscriminators
    headerColumns =
      ["_id", "_version", "_placeholder"] + (hasEntity ? ["_entity"] : []) + (hasBare ? ["_bare"] : [])
      + (dialect.hasDigests ? ["_digest"] : [])
    selection = (headerColumns + columnNames).map { "t." + SQLName.quoted($0) }.joined(separator: ", ")
    entityBytes = table.entities.map { Array($0.utf8) }
    definition = SQLTable.definition(name, headerColumns, columnNames, table, names, dialect)
    indexes = SQLTable.indexes(name, columnNames, table, names.indexes[number])
    placeholderIndex = SQLTable.placeholderIndex(name, names.indexes[number], dialect)
    declaredIndexes = SQLTable.declaredIndexes(name, columnNames, table, names.indexes[number], dialect)
  }

  /// Returns the name of an entity, by its position in the hierarchy.
  package func entityName(_ entity: Int) -> UnsafeBufferPointer<UInt8> { entityNames[entity] }

  private static func form(_ content: StoreLayout.Content) -> Form {
    guard case .attribute(let name) = content, let type = AttributeType(rawValue: name) else {
      // Rows are numbered from 1. Positions may be negative.
      if case .reference = content { return .integer(1...Int64.max) }
      return .integer(Int64.min...Int64.max)
    }
    return switch type {
    case .integer16, .integer32, .integer64: .integer(type.integerRange ?? Int64.min...Int64.max)
    case .boolean: .integer(0...1)
    case .date: .integer(Int64.min...Int64.max)
    case .float, .double: .real
    case .string: .text
    case .decimal: .decimal
    case .uuid: .uuid
    case .uri: .uri
    case .json: .json
    case .binary: .blob
    }
  }

  /// Returns an empty list of rows.
  package func emptyRows() -> StoredRows { StoredRows(table: number, columnCount: forms.count) }

  // MARK: Definitions

  private static func columnNames(_ table: StoreLayout.Table, _ dialect: any SQLDialect) -> [String] {
    var taken: Set<String> = []
    return table.columns.map { column in
      var name = dialect.name(ofColumn: column.name)
      var number = 2
      while !taken.insert(name.lowercased()).inserted {
        name = dialect.name(ofColumn: "\(column.name)_\(number)")
        number += 1
      }
      return name
    }
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
    return "CREATE TABLE \(SQLName.quoted(name)) (\n\(aligned(lines))\n)\(dialect.tableEnding)"
  }

  /// Returns definitions of columns, one per line, with the types aligned.
  static func aligned(_ columns: [(name: String, type: String)]) -> String {
    // A single long name does not shift all types.
    let width = columns.map(\.name.count).filter { $0 <= 32 }.max() ?? 0
    return columns.map { name, type in
      "  " + name + String(repeating: " ", count: max(1, width + 1 - name.count)) + type
    }.joined(separator: ",\n")
  }

  private static func indexes(
    _ name: String, _ columnNames: [String], _ table: StoreLayout.Table, _ indexNames: SQLNames.Indexes
  ) -> [SQLItem] {
    let identities = table.identities.enumerated().map { index, identity in
      let columns = SQLName.list(identity.columns.map { columnNames[$0] })
      let condition = entityCondition(identity.entities, table).map { "\nWHERE \($0)" } ?? ""
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

  /// Returns the declared indexes. An index of a sub-entity contains all rows of the table, because SQLite uses a partial index
  /// only for conditions in exactly the same words.
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

  /// Returns the condition that a row has one of the given entities, or nil if all rows do.
  package static func entityCondition(_ entities: [Int], _ table: StoreLayout.Table) -> String? {
    guard entities.count < table.entities.count else { return nil }
    return "\"_entity\" IN (\(entities.map { SQLName.literal(table.entities[$0]) }.joined(separator: ", ")))"
  }
}

/// Names as bytes that do not move, so that statements can refer to them.
private final class EntityNames: @unchecked Sendable {
  private let names: [UnsafeMutableBufferPointer<UInt8>]

  init(_ names: [String]) {
    self.names = names.map { name in
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count)
      _ = bytes.initialize(from: name.utf8)
      return bytes
    }
  }

  deinit { names.forEach { $0.deallocate() } }

  subscript(index: Int) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(names[index]) }
}
