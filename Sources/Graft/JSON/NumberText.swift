#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Queries on the text of a number. None of these queries allocates memory.
package enum NumberText {
  /// Returns whether the bytes are a number as in RFC 8259: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
  package static func isNumber(_ bytes: LentBytes) -> Bool {
    var index = 0
    func digits() -> Int {
      let start = index
      while index < bytes.count, isDigit(bytes[index]) { index += 1 }
      return index - start
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    let leading = index
    let count = digits()
    guard count == 1 || (count > 1 && bytes[leading] != UInt8(ascii: "0")) else { return false }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard digits() > 0 else { return false }
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      guard digits() > 0 else { return false }
    }
    return index == bytes.count
  }

  /// Returns the integral value of a number's text if it fits. Never overflows, and a huge exponent costs nothing.
  package static func int64(_ bytes: LentBytes) -> Int64? {
    // Almost all integers consist of an optional sign and a few digits.
    var index = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { index = 1 }
    if bytes.count - index <= 18 {
      var value: Int64 = 0
      while index < bytes.count, isDigit(bytes[index]) {
        value = value &* 10 &+ Int64(bytes[index] &- 0x30)
        index += 1
      }
      if index == bytes.count { return isNegative ? -value : value }
    }
    return CanonicalNumber(bytes).int64
  }

  /// Returns the JSON text for a double's description: `4.0` becomes `4`.
  package static func shortest(_ description: String) -> String {
    description.hasSuffix(".0") ? String(description.dropLast(2)) : description
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
