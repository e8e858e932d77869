package import Foundation

extension NumberText {
  /// Returns all digits of a decimal number without an exponent, like its description in any locale.
  ///
  /// A description takes longer than importing an object, and JSONSerialization creates a decimal for every number with 17
  /// digits. Digits that fit in an integer are therefore written as an integer.
  package static func positional(_ value: Decimal) -> String {
    let (significand, exponent) = (value.significand, value.exponent)
    let integer = NSDecimalNumber(decimal: significand).uint64Value
    // The integer is used only if it converts back to the same value.
    guard Decimal(integer) == significand, (-40...20).contains(exponent) else { return value.description }
    guard integer > 0 else { return "0" }
    var digits = String(integer)
    if exponent < 0 {
      var places = -exponent
      while places > 0, digits.last == "0" {
        digits.removeLast()
        places -= 1
      }
      if digits.utf8.count <= places { digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits }
      if places > 0 { digits.insert(".", at: digits.utf8.index(digits.endIndex, offsetBy: -places)) }
    } else {
      digits += String(repeating: "0", count: exponent)
    }
    return value.isSignMinus ? "-" + digits : digits
  }
}
