#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The transformers between numbers and strings.
extension BuiltInTransformer {
  var numberTransformer: ValueTransformer {
    switch self {
    case .stringToInteger:
      // The only sign allowed is minus. Leading zeros and `-0` are not allowed, so each integer has exactly one form and round-trips (E4).
      make(
        input: "a string", output: .integer64,
        expected: "a string of digits, such as \"42\", that fits in 64 bits, without leading zeros"
      ) { json in
        guard case .string(let text) = json, let value = Int64(text), UTF8Key(String(value)) == UTF8Key(text) else {
          return nil
        }
        return .integer(value)
      } reverse: { value in
        value.jsonValue.numberValue?.int64.map { .string(String($0)) }
      }
    case .stringToDecimal:
      // Exports omit zeros that do not change the value: "1.50" is written as "1.5".
      make(
        input: "a string", output: .decimal,
        expected: "a string with a decimal number, such as \"12.5\", of at most 38 digits"
      ) { json in
        guard case .string(let text) = json else { return nil }
        return JSONNumber(text)?.decimal.map { .decimal($0) }
      } reverse: { value in
        guard let decimal = value.jsonValue.numberValue?.decimal else { return nil }
        return DecimalText.canonical(decimal).map { .string(String(decoding: $0, as: UTF8.self)) }
      }
    default:
      make(
        input: "a string", output: .double,
        expected: "a string with a number, such as \"0.5\" or \"1e6\", that a double can hold"
      ) { json in
        guard case .string(let text) = json else { return nil }
        return JSONNumber(text)?.double.map { .double($0) }
      } reverse: { value in
        value.jsonValue.numberValue.map { .string($0.text) }
      }
    }
  }

  /// Returns a transformer between dates and the time since 1970, with microsecond precision (D9). It also reads a number in a string.
  ///
  /// - Parameter decimals: 0 for seconds, 3 for milliseconds.
  func timeTransformer(
    decimals: Int, unit: String, since year: Int = 1970, _ start: Int64 = 0
  ) -> ValueTransformer {
    let power = 6 - decimals
    return make(
      input: "a number", output: .date, expected: "a number of \(unit) since \(year), in the years 0000 to 9999"
    ) { json in
      guard let number = json.numberValue ?? json.stringValue.flatMap(JSONNumber.init),
        let microseconds = DateText.microseconds(number.canonical, timesTenTo: power, since: start)
      else { return nil }
      return .date(Date(microsecondsSince1970: microseconds))
    } reverse: { value in
      guard case .date(let date) = value else { return nil }
      // A date that is too distant to be counted is clamped.
      let (count, overflow) = date.microsecondsSince1970.subtractingReportingOverflow(start)
      return .number(BuiltInTransformer.time(overflow ? .min : count, decimals: power))
    }
  }

  /// The beginning of 2001, from which `Date` counts, in microseconds since 1970.
  static let referenceDate: Int64 = 978_307_200_000_000

  /// Returns microseconds as a number of seconds or milliseconds: an integer if there is no fraction.
  package static func time(_ microseconds: Int64, decimals: Int) -> JSONNumber {
    var unit: UInt64 = 1
    for _ in 0..<decimals { unit *= 10 }
    let (whole, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: unit)
    var text = (microseconds < 0 ? "-" : "") + String(whole)
    if rest != 0 {
      var fraction = String(rest + unit).dropFirst()
      while fraction.last == "0" { fraction.removeLast() }
      text += "." + fraction
    }
    return JSONNumber(uncheckedText: text)
  }
}
