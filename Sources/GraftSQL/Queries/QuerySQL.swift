package import Graft

/// A query as SQL.
package struct QuerySQL {
  private let from: String
  private let order: String
  private let range: String
  package let parameters: [SQLParameter]
  /// Whether a part of the query has no equivalent in SQL.
  package let isUntranslatable: Bool
  /// Whether values can make the query fail.
  package let mayFail: Bool

  package init(_ schema: SQLSchema, _ query: StoreQuery) {
    let table = schema.tables[query.table]
    let hasRange = query.limit != nil || query.offset > 0
    var builder = ConditionSQL(schema, table: query.table, hasLimit: query.limit != nil)
    var conditions: [String] = []
    var isNothing = false
    if let entities = query.entities {
      if let condition = SQLTable.entityCondition(entities, table.layout) { conditions.append("t." + condition) }
      isNothing = entities.isEmpty
    }
    if isNothing { conditions = [schema.dialect.constant(false)] }
    if query.condition != .always { conditions.append(builder.sql(query.condition, isAlone: conditions.isEmpty)) }
    let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    from = "\(SQLName.quoted(table.name)) AS t\(condition)"
    let keys = query.order.map { key in
      let term = StoreTerm.column(key.path, key.column)
      let collation = builder.kind(term) == .attribute(.decimal) ? schema.dialect.decimalCollation : ""
      return builder.sql(term) + collation
        + schema.dialect.order(isAscending: key.isAscending, isNilFirst: key.isNilFirst)
    }
    order = " ORDER BY \((keys + ["t.\"_id\""]).joined(separator: ", "))"
    if hasRange {
      let rows = query.limit.map { StoreValue.integer(Int64(max(0, $0))) } ?? schema.dialect.noLimit
      let limit = builder.parameter(rows, .position)
      range = " LIMIT \(limit) OFFSET \(builder.parameter(.integer(Int64(max(0, query.offset))), .position))"
    } else {
      range = ""
    }
    parameters = builder.parameters
    isUntranslatable = builder.isUntranslatable
    mayFail = builder.mayFail
  }

  /// Returns the statement that selects the given columns.
  package func selecting(_ columns: String, isOrdered: Bool = true) -> String {
    "SELECT \(columns) FROM \(from)\(isOrdered ? order : "")\(range)"
  }
}
