#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoreAggregate {
  /// Computes the value for each group of rows, in the order of the groups' keys.
  func groups<Rows: ConditionRows>(
    of places: [RowPlace], _ rows: Rows, table: Int
  ) throws(StoreError) -> [Group] {
    let column = column.map { CompiledColumn($0, rows, table: table) }
    let key = groupedBy.map { CompiledColumn($0, rows, table: table) }
    var values: [StoreValue: [StoreValue]] = [:]
    var counts: [StoreValue: Int] = key == nil ? [.null: 0] : [:]
    for place in places {
      let group = key?.value(of: place) ?? .null
      counts[group, default: 0] += 1
      guard let value = column?.value(of: place), value != .null else { continue }
      values[group, default: []].append(value)
    }
    var groups: [Group] = []
    for (group, count) in counts {
      let value = try value(of: values[group] ?? [], count: count, isDecimal: column?.isDecimal ?? false)
      groups.append(Group(key: group, value: value, count: count))
    }
    let isDecimal = key?.isDecimal ?? false
    return groups.sorted { left, right in
      if left.key == .null || right.key == .null { return left.key == .null && right.key != .null }
      return left.key.order(before: right.key, isDecimal: isDecimal) ?? 0 < 0
    }
  }

  /// The value computed over the values of a group that are not nil.
  private func value(of values: [StoreValue], count: Int, isDecimal: Bool) throws(StoreError) -> StoreValue {
    func precedes(_ left: StoreValue, _ right: StoreValue) -> Bool {
      left.order(before: right, isDecimal: isDecimal) ?? 0 < 0
    }
    switch function {
    case .count: return .integer(Int64(column == nil ? count : values.count))
    case .minimum: return values.min(by: precedes) ?? .null
    case .maximum: return values.max(by: precedes) ?? .null
    case .average where values.isEmpty: return .null
    case .sum where !isDecimal, .average where !isDecimal:
      if let sum = StoreAggregate.sum(ofIntegers: values) {
        if function == .average { return .double(sum.double / Double(values.count)) }
        if let integer = sum.integer { return .integer(integer) }
        throw StoreError(.untranslatablePredicate, "a sum of integers has more than 64 bits")
      }
      var sum = StoreValue.integer(0)
      for value in values { sum = try sum.combined(with: value, by: .add) }
      return function == .sum ? sum : .double((sum.number ?? 0) / Double(values.count))
    case .sum, .average:
      let sum = values.reduce(Decimal(0)) { $0 + $1.decimal }
      let text = function == .sum ? DecimalText.sum(sum) : DecimalText.average(sum, of: values.count)
      guard let text else { throw StoreError(.untranslatablePredicate, "a sum of decimals has more than 38 digits") }
      return .text(text)
    }
  }

  /// The sum; nil if a value is not an integer.
  private static func sum(ofIntegers values: [StoreValue]) -> IntegerSum? {
    var sum = IntegerSum()
    for value in values {
      guard case .integer(let integer) = value else { return nil }
      sum.add(integer)
    }
    return sum
  }
}

extension StoreValue {
  fileprivate var decimal: Decimal {
    guard case .text(let bytes) = self else { return 0 }
    return LentBytes.with(bytes) { DecimalText.decimal($0) } ?? 0
  }
}
