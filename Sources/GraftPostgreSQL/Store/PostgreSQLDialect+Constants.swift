import Foundation
import Graft
import GraftSQL

/// Comparisons with constants, which have the same results as in Swift.
extension PostgreSQLDialect {
  func comparison(_ sign: SQLSign, _ value: StoreValue, _ kind: SQLKind?) -> SQLComparison? {
    guard let kind else { return nil }
    switch (kind, value) {
    case (_, .integer) where kind.isInteger: return .value(sign, value)
    case (_, .double(let number)) where kind.isInteger: return PostgreSQLDialect.comparison(sign, number)
    case (_, .double) where kind.isReal: return .value(sign, value)
    case (_, .integer(let number)) where kind.isReal:
      // A column of doubles cannot have a value between two neighbors.
      return Double(exactly: number).map { .value(sign, .double($0)) }
    case (.attribute(.boolean), .integer(0)), (.attribute(.boolean), .integer(1)): return .value(sign, value)
    case (.attribute(.date), .integer(let microseconds)):
      return Timestamp.isValid(microseconds) ? .value(sign, value) : nil
    case (.attribute(.decimal), .integer): return .value(sign, value)
    case (.attribute(.decimal), .text(let bytes)):
      return LentBytes.with(bytes) { DecimalText.decimal($0) } == nil ? nil : .value(sign, value)
    case (.attribute(.uuid), .text(let bytes)):
      if LentBytes.with(bytes, { UUIDText.parse($0) }) != nil { return .value(sign, value) }
      return sign == .equal ? .constant(false) : nil
    case (.attribute(.binary), .binary): return .value(sign, value)
    case (_, .text(let bytes)) where kind.isText:
      // No text in the database contains a NUL.
      if bytes.contains(0) { return sign == .equal ? .constant(false) : nil }
      return .value(sign, value)
    default: return nil
    }
  }

  /// Returns a comparison of integers with a double: an integer is less than 2.5 if it is at most 2.
  private static func comparison(_ sign: SQLSign, _ number: Double) -> SQLComparison? {
    if let integer = Int64(exactly: number) { return .value(sign, .integer(integer)) }
    let isBelowAll = number < 0 && Int64(exactly: number.rounded(.up)) == nil
    let isAboveAll = number > 0 && Int64(exactly: number.rounded(.down)) == nil
    switch sign {
    case .equal: return .constant(false)
    case .less, .lessOrEqual:
      if isBelowAll || isAboveAll { return .constant(isAboveAll) }
      return Int64(exactly: number.rounded(.down)).map { .value(.lessOrEqual, .integer($0)) }
    case .greater, .greaterOrEqual:
      if isBelowAll || isAboveAll { return .constant(isBelowAll) }
      return Int64(exactly: number.rounded(.up)).map { .value(.greaterOrEqual, .integer($0)) }
    }
  }
}
