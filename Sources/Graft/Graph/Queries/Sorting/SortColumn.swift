#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The values that one sort key compares: the values of all rows, by position, or the objects themselves.
///
///     position   0     1     2
///     integers   7     nil   3        ascending, nil last: 2, 0, 1
///
/// Values of the common types are unwrapped once, before sorting.
struct SortColumn {
  private enum Values {
    case integers([Int64?])
    case doubles([Double?])
    case strings([String?])
    case others([AttributeValue?])
    case objects((Int, Int) -> SortOrder)
  }

  private let values: Values
  private let isDescending: Bool
  private let isNilFirst: Bool

  /// Compares by the values of one attribute.
  init(_ values: [AttributeValue?], isDescending: Bool, isNilFirst: Bool) {
    self.isDescending = isDescending
    self.isNilFirst = isNilFirst
    self.values =
      SortColumn.unwrapped(values, \.sortInteger).map(Values.integers)
      ?? SortColumn.unwrapped(values, \.sortDouble).map(Values.doubles)
      ?? SortColumn.unwrapped(values, \.sortString).map(Values.strings)
      ?? .others(values)
  }

  /// Compares the objects at two positions.
  init(_ compare: @escaping (Int, Int) -> SortOrder) {
    values = .objects(compare)
    isDescending = false
    isNilFirst = false
  }

  /// Returns the values as values of one type, or nil if one of them has another type.
  private static func unwrapped<Value>(
    _ values: [AttributeValue?], _ unwrap: (AttributeValue) -> Value?
  ) -> [Value?]? {
    var result: [Value?] = []
    result.reserveCapacity(values.count)
    for value in values {
      guard let value else {
        result.append(nil)
        continue
      }
      guard let unwrapped = unwrap(value) else { return nil }
      result.append(unwrapped)
    }
    return result
  }

  /// Compares two positions.
  func order(_ left: Int, _ right: Int) -> SortOrder {
    switch values {
    case .integers(let values):
      .comparing(values[left], values[right], <, isDescending: isDescending, isNilFirst: isNilFirst)
    case .doubles(let values):
      .comparing(values[left], values[right], <, isDescending: isDescending, isNilFirst: isNilFirst)
    case .strings(let values):
      .comparing(
        values[left], values[right], { UTF8Key.precedes($0, $1) }, isDescending: isDescending, isNilFirst: isNilFirst)
    case .others(let values):
      .comparing(
        values[left], values[right], { $0.isLess(than: $1) }, isDescending: isDescending, isNilFirst: isNilFirst)
    case .objects(let compare): compare(left, right)
    }
  }

  /// Returns the positions from 0 up to a count, sorted by the given columns. Positions that compare equal keep their order.
  static func sortedPositions(_ count: Int, by columns: [SortColumn]) -> [Int] {
    (0..<count).sorted { left, right in
      for column in columns {
        switch column.order(left, right) {
        case .before: return true
        case .behind: return false
        case .same: continue
        }
      }
      return left < right
    }
  }
}

extension AttributeValue {
  fileprivate var sortInteger: Int64? {
    switch self {
    case .integer(let value): value
    case .boolean(let value): value ? 1 : 0
    default: nil
    }
  }

  fileprivate var sortDouble: Double? {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    case .date(let value): value.timeIntervalSinceReferenceDate
    default: nil
    }
  }

  fileprivate var sortString: String? {
    if case .string(let value) = self { value } else { nil }
  }
}
