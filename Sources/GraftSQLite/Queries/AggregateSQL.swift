import CSQLite
import Foundation
import Graft
import GraftSQL

/// A value computed over rows, as SQL.
struct AggregateSQL {
  private let aggregate: StoreAggregate
  private let query: QuerySQL
  /// The columns of the value and of the group.
  private let form: SQLTable.Form?
  private let keyForm: SQLTable.Form?
  private let selection: String

  init(_ schema: SQLSchema, _ aggregate: StoreAggregate, _ query: StoreQuery) {
    let table = schema.tables[query.table]
    self.aggregate = aggregate
    self.query = QuerySQL(schema, query)
    form = aggregate.column.map { table.forms[$0] }
    keyForm = aggregate.groupedBy.map { table.forms[$0] }
    func column(_ number: Int?) -> String {
      number.map { "t." + SQLName.quoted(table.layout.columns[$0].name) } ?? "NULL"
    }
    selection = "\(column(aggregate.groupedBy)) AS k, \(column(aggregate.column)) AS v"
  }

  private var isDecimal: Bool { if case .decimal = form { true } else { false } }

  private var isReal: Bool { if case .real = form { true } else { false } }

  func groups(_ connection: SQLiteConnection) throws(SQLiteError) -> [StoreAggregate.Group] {
    let isSum = aggregate.function == .sum || aggregate.function == .average
    if isDecimal, isSum { return try decimalGroups(connection) }
    let collation = isDecimal ? " COLLATE \(DecimalOrder.name)" : ""
    let function =
      switch aggregate.function {
      case .count: aggregate.column == nil ? "count(*)" : "count(v)"
      // Each half of an integer is added separately, so that no intermediate sum has more than 64 bits.
      case .sum, .average: isReal ? "sum(v), NULL, count(v)" : "sum(v >> 32), sum(v & 4294967295), count(v)"
      case .minimum: "min(v\(collation))"
      case .maximum: "max(v\(collation))"
      }
    var groups: [StoreAggregate.Group] = []
    let grouping = aggregate.groupedBy == nil ? "" : " GROUP BY k ORDER BY k\(keyCollation)"
    let sql = "SELECT k, count(*), \(function) FROM (\(query.selecting(selection)))\(grouping)"
    try query.run(connection, sql) { statement throws(SQLiteError) in
      while try statement.step() {
        groups.append(
          StoreAggregate.Group(
            key: aggregate.groupedBy == nil ? .null : try value(statement, 0, keyForm), value: try result(statement),
            count: Int(statement.integer(1))))
      }
    }
    return groups
  }

  private var keyCollation: String { if case .decimal = keyForm { " COLLATE \(DecimalOrder.name)" } else { "" } }

  private func result(_ statement: SQLiteStatement) throws(SQLiteError) -> StoreValue {
    switch aggregate.function {
    case .count: return .integer(statement.integer(2))
    case .minimum, .maximum: return try value(statement, 2, form)
    case .sum, .average:
      let count = statement.integer(4)
      if aggregate.function == .average, count == 0 { return .null }
      let sum = IntegerSum(high: isReal ? 0 : statement.integer(2), low: isReal ? 0 : statement.integer(3))
      if aggregate.function == .average {
        return .double((isReal ? statement.double(2) : sum.double) / Double(count))
      }
      if isReal { return .double(statement.double(2)) }
      guard let integer = sum.integer else {
        throw SQLiteError(code: SQLITE_TOOBIG, message: "a sum of integers has more than 64 bits")
      }
      return .integer(integer)
    }
  }

  private func value(
    _ statement: SQLiteStatement, _ column: Int32, _ form: SQLTable.Form?
  ) throws(SQLiteError) -> StoreValue {
    guard statement.type(column) != SQLITE_NULL else { return .null }
    return switch form {
    case .integer: .integer(statement.integer(column))
    case .real: .double(statement.double(column))
    case .blob: .binary(Array(statement.bytes(column)))
    default: .text(Array(statement.bytes(column)))
    }
  }

  // MARK: Decimals

  /// Adds decimals exactly, without SQLite, because SQLite would add them as doubles.
  private func decimalGroups(_ connection: SQLiteConnection) throws(SQLiteError) -> [StoreAggregate.Group] {
    var keys: [StoreValue] = []
    var sums: [StoreValue: (sum: Decimal, values: Int, count: Int)] = [:]
    if aggregate.groupedBy == nil {
      keys = [.null]
      sums[.null] = (0, 0, 0)
    }
    let sql = "SELECT k, v FROM (\(query.selecting(selection))) ORDER BY k\(keyCollation)"
    try query.run(connection, sql) { statement throws(SQLiteError) in
      while try statement.step() {
        let key = aggregate.groupedBy == nil ? .null : try value(statement, 0, keyForm)
        if sums[key] == nil { keys.append(key) }
        sums[key, default: (0, 0, 0)].count += 1
        guard statement.type(1) != SQLITE_NULL else { continue }
        guard let decimal = DecimalText.decimal(LentBytes(statement.bytes(1))) else {
          throw .damage("a decimal cannot be read")
        }
        sums[key]?.sum += decimal
        sums[key]?.values += 1
      }
    }
    return try keys.map { key throws(SQLiteError) in
      let (sum, values, count) = sums[key] ?? (0, 0, 0)
      if aggregate.function == .average, values == 0 { return .init(key: key, value: .null, count: count) }
      let text = aggregate.function == .sum ? DecimalText.sum(sum) : DecimalText.average(sum, of: values)
      guard let text else {
        throw SQLiteError(code: SQLITE_TOOBIG, message: "a sum of decimals has more than 38 digits")
      }
      return .init(key: key, value: .text(text), count: count)
    }
  }
}
