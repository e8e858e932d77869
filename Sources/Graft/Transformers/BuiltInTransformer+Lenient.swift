#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `Lenient` (T6): reads an attribute of any type from every form that can be read without loss.
extension BuiltInTransformer {
  /// Unix times of a smaller magnitude are in seconds; all other Unix times are in milliseconds. Seconds thus cover the years up to 5138,
  /// and milliseconds all but three years around 1970.
  static let firstMilliseconds: Int64 = 100_000_000_000

  /// Returns the transformer for attributes of a type.
  func lenientTransformer(for type: AttributeType) -> ValueTransformer {
    let expected = BuiltInTransformer.lenientForms(of: type)
    return make(input: expected, output: type, expected: expected) { json in
      if let value = try? AttributeValue(json: json, type: type) { return value }
      return BuiltInTransformer.lenientForm(json, of: type).flatMap { try? AttributeValue(json: $0, type: type) }
    } reverse: { value in
      value.jsonValue
    }
  }

  /// Returns the standard form of a value in another form, or nil if there is none.
  private static func lenientForm(_ json: JSON, of type: AttributeType) -> JSON? {
    switch (type, json) {
    case (.integer16, .string(let text)), (.integer32, .string(let text)), (.integer64, .string(let text)),
      (.float, .string(let text)), (.double, .string(let text)), (.decimal, .string(let text)):
      number(in: text).map { .number($0) }
    case (.boolean, .number(let number)): number.int64.flatMap(boolean)
    case (.boolean, .string(let text)): boolean(text)
    case (.string, .number), (.string, .boolean): .string(json.description)
    case (.date, .number(let number)): date(number)
    default: nil
    }
  }

  /// Returns the number that a string represents. Leading zeros, a plus sign and surrounding spaces are allowed.
  private static func number(in text: String) -> JSONNumber? {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    var digits = Array(text.utf8)[...].drop(while: isSpace)
    while let last = digits.last, isSpace(last) { digits.removeLast() }
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard let first = digits.first, NumberText.isDigit(first) else { return nil }
    let integer = digits.prefix(while: NumberText.isDigit)
    let zeros = integer.dropLast().prefix { $0 == UInt8(ascii: "0") }
    return JSONNumber((isNegative ? "-" : "") + String(decoding: digits[zeros.endIndex...], as: UTF8.self))
  }

  private static func boolean(_ number: Int64) -> JSON? { number == 0 || number == 1 ? .boolean(number == 1) : nil }

  private static func boolean(_ text: String) -> JSON? {
    switch text {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil
    }
  }

  /// Returns the date of a Unix time in seconds or milliseconds, with microsecond precision (D9).
  private static func date(_ number: JSONNumber) -> JSON? {
    let value = number.canonical
    guard let seconds = value.rounded(timesTenTo: 0) else { return nil }
    let power = seconds.magnitude < firstMilliseconds.magnitude ? 6 : 3
    return DateText.microseconds(value, timesTenTo: power).map { .string(DateText.text($0)) }
  }

  /// Returns the forms that are read, for messages.
  private static func lenientForms(of type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64, .float, .double, .decimal:
      "\(type.rangePhrase), or a string that contains one"
    case .boolean: #"true, false, 0, 1, or the string "true", "false", "yes", "no", "0" or "1""#
    case .string: "a string, a number, true or false"
    case .date: "a date: RFC 3339 text, or seconds or milliseconds since 1970, in the years 0000 to 9999"
    case .binary, .uuid, .uri, .json: type.nounPhrase
    }
  }
}
