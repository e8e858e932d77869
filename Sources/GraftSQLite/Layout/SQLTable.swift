import Graft

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
struct SQLTable: Sendable {
  /// The form of a column's values.
  enum Form: Sendable {
    /// An integer within a range: for integers, booleans, dates, rows and positions.
    case integer(ClosedRange<Int64>)
    case real
    case text
    case uuid, decimal, uri, json
    case blob

    /// Whether values are bytes.
    var isBytes: Bool {
      switch self {
      case .integer, .real: false
      default: true
      }
    }

    /// The type of the column in SQL.
    var sqlType: String {
      switch self {
      case .integer: "INTEGER"
      case .real: "REAL"
      case .blob: "BLOB"
      default: "TEXT"
      }
    }
  }

  /// The table's position among the tables.
  let number: Int
  let layout: StoreLayout.Table
  /// The name in SQL.
  let name: String
  let forms: [Form]
  /// The columns that refer to rows, with the tables of these.
  let references: [(column: Int, table: Int)]
  /// The columns with references and with positions.
  let linkColumns: [Int]
  /// By column, the table of a reference.
  let referenceTables: [Int?]
  /// The names of the entities, one after the other: they stay where they are as long as the table.
  private let entityNames: EntityNames
  /// Whether rows store their entity.
  let hasEntity: Bool
  let hasBare: Bool
  /// The statements that create the table, and the indexes that are part of its layout.
  let definition: String
  let indexes: [(name: String, sql: String)]
  /// The indexes that only make queries faster: those that the model declares, and that of placeholders. A store that lacks them
  /// gets them when it is opened.
  let declaredIndexes: [SQLSchema.Item]
  let placeholderIndex: SQLSchema.Item

  /// The columns before those of the model, in order.
  let headerColumns: [String]
  /// The columns to select, of the table under the name `t`.
  let selection: String
  /// The names of the entities as bytes.
  let entityBytes: [[UInt8]]

  init(_ number: Int, _ layout: StoreLayout, _ names: SQLNames) {
    let table = layout.tables[number]
    self.number = number
    self.layout = table
    name = names.tables[number]
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
      ["_id", "_version", "_placeholder"] + (hasEntity ? ["_entity"] : []) + (hasBare ? ["_bare"] : []) + ["_digest"]
    selection = (headerColumns + table.columns.map(\.name)).map { "t." + SQLName.quoted($0) }.joined(separator: ", ")
    entityBytes = table.entities.map { Array($0.utf8) }
    definition = SQLTable.definition(name, headerColumns, table, names)
    indexes = SQLTable.indexes(name, table, names.indexes[number])
    placeholderIndex = SQLTable.placeholderIndex(name, names.indexes[number])
    declaredIndexes = SQLTable.declaredIndexes(name, table, names.indexes[number])
  }

  /// The name of an entity, by its position in the hierarchy.
  func entityName(_ entity: Int) -> UnsafeBufferPointer<UInt8> { entityNames[entity] }

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

  // MARK: Definitions

  private static func definition(
    _ name: String, _ headerColumns: [String], _ table: StoreLayout.Table, _ names: SQLNames
  ) -> String {
    var lines = headerColumns.map { column in
      let type =
        switch column {
        case "_id": "INTEGER PRIMARY KEY AUTOINCREMENT"
        case "_entity": "TEXT NOT NULL"
        default: "INTEGER NOT NULL"
        }
      return (SQLName.quoted(column), type)
    }
    for column in table.columns {
      var type = form(column.content).sqlType
      if case .reference(let other) = column.content {
        type += " REFERENCES \(SQLName.quoted(names.tables[other])) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED"
      }
      lines.append((SQLName.quoted(column.name), type))
    }
    return "CREATE TABLE \(SQLName.quoted(name)) (\n\(aligned(lines))\n) STRICT"
  }

  /// Returns definitions of columns, one on a line, with the types below each other.
  static func aligned(_ columns: [(name: String, type: String)]) -> String {
    // A single long name does not push all types away.
    let width = columns.map(\.name.count).filter { $0 <= 32 }.max() ?? 0
    return columns.map { name, type in
      "  " + name + String(repeating: " ", count: max(1, width + 1 - name.count)) + type
    }.joined(separator: ",\n")
  }

  private static func indexes(
    _ name: String, _ table: StoreLayout.Table, _ indexNames: SQLNames.Indexes
  ) -> [(name: String, sql: String)] {
    let identities = table.identities.enumerated().map { index, identity in
      let columns = SQLName.list(identity.columns.map { table.columns[$0].name })
      let condition = entityCondition(identity.entities, table).map { "\nWHERE \($0)" } ?? ""
      let index = indexNames.identities[index]
      return (
        index, "CREATE UNIQUE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\(columns))\(condition)"
      )
    }
    let references = table.columns.enumerated().compactMap { index, column -> (name: String, sql: String)? in
      guard case .reference = column.content, let index = indexNames.references[index] else { return nil }
      let quoted = SQLName.quoted(column.name)
      return (
        index,
        "CREATE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\(quoted))\nWHERE \(quoted) IS NOT NULL"
      )
    }
    return identities + references
  }

  private static func placeholderIndex(_ name: String, _ indexNames: SQLNames.Indexes) -> SQLSchema.Item {
    let index = indexNames.placeholders
    return SQLSchema.Item(
      kind: "index", name: index,
      sql:
        "CREATE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\"_placeholder\")\nWHERE \(isPlaceholder)")
  }

  /// An index of a sub-entity contains all rows of the table: SQLite uses a partial one only for conditions in the same words.
  private static func declaredIndexes(
    _ name: String, _ table: StoreLayout.Table, _ indexNames: SQLNames.Indexes
  ) -> [SQLSchema.Item] {
    zip(indexNames.declared, table.indexes).map { index, columns in
      let list = SQLName.list(columns.map { table.columns[$0].name })
      return SQLSchema.Item(
        kind: "index", name: index,
        sql: "CREATE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\(list))")
    }
  }

  /// The condition that a row is a placeholder. SQLite uses the index only for a condition in the same words.
  static let isPlaceholder = "\"_placeholder\" = 1"

  /// The condition that a row has one of some entities; nil if all rows have.
  static func entityCondition(_ entities: [Int], _ table: StoreLayout.Table) -> String? {
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
