import Foundation
import Graft
import GraftSQL

/// A value computed over rows, as SQL. Sums and averages of integers and decimals are exact, because PostgreSQL computes them as `numeric`.
/// A sum drops the decimals that a `Decimal` cannot hold. Sums and averages of doubles and floats are computed in doubles, as in
/// memory, because PostgreSQL's sum of floats has only the precision of a float.
struct AggregateSQL {
  let query: QuerySQL
  let text: String
  private let aggregate: StoreAggregate
  /// The columns of the value and of the group.
  private let kind: SQLKind?
  private let keyKind: SQLKind?

  init(_ schema: SQLSchema, _ aggregate: StoreAggregate, _ query: StoreQuery) {
    let table = schema.tables[query.table]
    self.aggregate = aggregate
    self.query = QuerySQL(schema, query)
    kind = aggregate.column.map { table.kinds[$0] }
    keyKind = aggregate.groupedBy.map { table.kinds[$0] }
    func column(_ number: Int?) -> String {
      number.map { schema.dialect.comparable("t." + SQLName.quoted(table.columnNames[$0]), table.kinds[$0]) } ?? "NULL"
    }
    let sum = kind?.isReal == true ? "sum(v::double precision)" : "sum(v)"
    let function =
      switch aggregate.function {
      case .count: aggregate.column == nil ? "count(*)" : "count(v)"
      case .sum: sum
      // PostgreSQL has no function for the minimum of booleans, UUIDs or bytea, but it can sort them.
      case .minimum: "(array_agg(v ORDER BY v) FILTER (WHERE v IS NOT NULL))[1]"
      case .maximum: "(array_agg(v ORDER BY v DESC) FILTER (WHERE v IS NOT NULL))[1]"
      // The quotient is computed later, in the same way as in memory.
      case .average: sum
      }
    let selection = "\(column(aggregate.groupedBy)) AS k, \(column(aggregate.column)) AS v"
    let isPlain =
      kind.map { $0.isNumber || $0.isText || $0 == .attribute(.date) || $0 == .attribute(.decimal) } ?? false
    let direct = aggregate.function == .minimum ? "min(v)" : "max(v)"
    let value = isPlain && (aggregate.function == .minimum || aggregate.function == .maximum) ? direct : function
    let grouping = aggregate.groupedBy == nil ? "" : " GROUP BY k ORDER BY k NULLS FIRST"
    text =
      "SELECT \(aggregate.groupedBy == nil ? "NULL::bigint" : "k"), \(value), count(*), count(v) FROM (\(self.query.selecting(selection))) AS q\(grouping)"
  }

  func groups(_ rows: Rows) throws(PostgreSQLError) -> [StoreAggregate.Group] {
    var groups: [StoreAggregate.Group] = []
    while try rows.next() {
      groups.append(
        StoreAggregate.Group(
          key: aggregate.groupedBy == nil ? .null : try rows.value(0, keyKind), value: try result(rows),
          count: Int(try rows.int64(2) ?? 0)))
    }
    return groups
  }

  private func result(_ rows: Rows) throws(PostgreSQLError) -> StoreValue {
    switch aggregate.function {
    case .count: return .integer(try rows.int64(1) ?? 0)
    case .minimum, .maximum: return try rows.value(1, kind)
    case .sum, .average:
      let count = try rows.int64(3) ?? 0
      if kind?.isReal == true {
        let sum = try rows.double(1) ?? 0
        if aggregate.function == .sum { return .double(sum) }
        return count == 0 ? .null : .double(sum / Double(count))
      }
      return try exact(rows, count)
    }
  }

  /// Returns a sum or average of integers or decimals.
  private func exact(_ rows: Rows, _ count: Int64) throws(PostgreSQLError) -> StoreValue {
    let sum: Decimal =
      if rows.isInteger(1) { Decimal(try rows.int64(1) ?? 0) } else { try rows.decimal(1, dropsDecimals: true) ?? 0 }
    if aggregate.function == .average, count == 0 { return .null }
    if kind == .attribute(.decimal) {
      let text =
        aggregate.function == .sum ? DecimalText.sum(sum) : DecimalText.average(sum, of: Int(count))
      guard let text else {
        throw PostgreSQLError(.invalidValue, "a sum of decimals has more than 38 digits")
      }
      return .text(text)
    }
    let integer = Int64("\(sum)")
    if aggregate.function == .average {
      return .double((integer.map(Double.init) ?? Double("\(sum)") ?? .infinity) / Double(count))
    }
    guard let integer else { throw .overflow }
    return .integer(integer)
  }
}

extension PostgreSQLError {
  /// The error for a sum with more than 64 bits.
  static let overflow = PostgreSQLError(
    Fields(kind: .other, message: "a sum of integers has more than 64 bits", sqlState: "22003"))
}

extension Rows {
  /// Returns the value of a column of the given kind.
  fileprivate func value(_ column: Int, _ kind: SQLKind?) throws(PostgreSQLError) -> StoreValue {
    guard let kind, try !isNull(column) else { return .null }
    switch kind {
    case _ where kind.isInteger: return .integer(try int64(column) ?? 0)
    case _ where kind.isReal: return .double(try double(column) ?? 0)
    case .attribute(.boolean): return .integer(try bool(column) == true ? 1 : 0)
    case .attribute(.date): return .integer(try microseconds(column) ?? 0)
    case .attribute(.decimal): return .text(try decimal(column).flatMap { DecimalText.canonical($0) } ?? [])
    case .attribute(.uuid): return .text(Array((try uuid(column)?.uuidString ?? "").lowercased().utf8))
    case .attribute(.binary): return .binary(try binary(column) ?? [])
    default: return .text(Array(try utf8(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)))
    }
  }
}
