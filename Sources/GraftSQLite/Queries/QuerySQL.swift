import Graft

/// A query as SQL.
struct QuerySQL {
  private let from: String
  private let order: String
  private let range: String
  private let parameters: [StoreValue]

  init(_ schema: SQLSchema, _ query: StoreQuery) {
    let table = schema.tables[query.table]
    let hasRange = query.limit != nil || query.offset > 0
    var builder = ConditionSQL(schema, table: query.table, hasLimit: query.limit != nil)
    var conditions: [String] = []
    var isNothing = false
    if let entities = query.entities {
      if let condition = SQLTable.entityCondition(entities, table.layout) { conditions.append("t." + condition) }
      isNothing = entities.isEmpty
    }
    if isNothing { conditions = ["0"] }
    if query.condition != .always { conditions.append(builder.sql(query.condition, isAlone: conditions.isEmpty)) }
    let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    from = "\(SQLName.quoted(table.name)) AS t\(condition)"
    let keys = query.order.map { key in
      let collation = builder.isDecimal(.column(key.path, key.column)) ? " COLLATE \(DecimalOrder.name)" : ""
      return builder.sql(key.path, column: key.column) + collation + (key.isAscending ? "" : " DESC")
        + (key.isNilFirst == key.isAscending ? "" : key.isNilFirst ? " NULLS FIRST" : " NULLS LAST")
    }
    order = " ORDER BY \((keys + ["t.\"_id\""]).joined(separator: ", "))"
    if hasRange {
      // A negative limit means no limit.
      let limit = builder.parameter(.integer(query.limit.map { Int64(max(0, $0)) } ?? -1))
      range = " LIMIT \(limit) OFFSET \(builder.parameter(.integer(Int64(max(0, query.offset)))))"
    } else {
      range = ""
    }
    parameters = builder.parameters
  }

  /// The statement that selects some columns.
  func selecting(_ columns: String, isOrdered: Bool = true) -> String {
    "SELECT \(columns) FROM \(from)\(isOrdered ? order : "")\(range)"
  }

  /// Runs a statement with the values of the query.
  func run(
    _ connection: SQLiteConnection, _ sql: String, _ read: (SQLiteStatement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try connection.using(sql) { statement throws(SQLiteError) in
      for (index, value) in parameters.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
      try read(statement)
    }
  }
}

extension SQLiteStatement {
  /// Binds a value of a query.
  func bind(_ value: StoreValue, at parameter: Int32) throws(SQLiteError) {
    switch value {
    case .null: try bindNil(at: parameter)
    case .integer(let value): try bind(value, at: parameter)
    case .double(let value): try bind(value, at: parameter)
    case .text(let bytes): try bind(copyOf: bytes, isText: true, at: parameter)
    case .binary(let bytes): try bind(copyOf: bytes, isText: false, at: parameter)
    }
  }
}
