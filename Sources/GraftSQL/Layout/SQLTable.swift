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
  /// The names of the entities, in sequence. Their bytes stay in place as long as this value exists.
  private let entityNames: EntityNames
  package let definitions: SQLTableDefinitions
  /// The columns that precede the model's columns, in order.
  package let headerColumns: [String]
  /// The columns to select from the table under the name `t`.
  package let selection: String

  /// Whether rows store their entity.
  package var hasEntity: Bool { layout.entities.count > 1 }
  package var hasBare: Bool { layout.hasBareDiscriminators }

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
    headerColumns =
      ["_id", "_version", "_placeholder"] + (table.entities.count > 1 ? ["_entity"] : [])
      + (table.hasBareDiscriminators ? ["_bare"] : []) + (dialect.hasDigests ? ["_digest"] : [])
    selection = (headerColumns + columnNames).map { "t." + SQLName.quoted($0) }.joined(separator: ", ")
    definitions = SQLTableDefinitions(name, headerColumns, columnNames, table, names, names.indexes[number], dialect)
  }

  /// Returns the name of an entity, by its position in the hierarchy.
  package func entityName(_ entity: Int) -> UnsafeBufferPointer<UInt8> { entityNames[entity] }

  /// Returns the position of an entity in the hierarchy, by its name; nil if there is no such entity.
  ///
  /// - Parameter likely: the position to compare first.
  package func entity(named name: some Sequence<UInt8>, likely: Int = 0) -> Int? {
    if layout.entities.indices.contains(likely), name.elementsEqual(entityNames[likely]) { return likely }
    return layout.entities.indices.first { name.elementsEqual(entityNames[$0]) }
  }

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

  // MARK: Names

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

  /// Returns definitions of columns, one per line, with the types aligned.
  static func aligned(_ columns: [(name: String, type: String)]) -> String {
    // A single long name does not shift all types.
    let width = columns.map(\.name.count).filter { $0 <= 32 }.max() ?? 0
    return columns.map { name, type in
      "  " + name + String(repeating: " ", count: max(1, width + 1 - name.count)) + type
    }.joined(separator: ",\n")
  }

  /// Returns the condition that a row has one of the given entities, or nil if all rows have one of them.
  package static func entityCondition(_ entities: [Int], _ table: StoreLayout.Table) -> String? {
    guard entities.count < table.entities.count else { return nil }
    return "\"_entity\" IN (\(entities.map { SQLName.literal(table.entities[$0]) }.joined(separator: ", ")))"
  }
}

/// Names as bytes that do not move, so that statements can refer to these bytes.
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
