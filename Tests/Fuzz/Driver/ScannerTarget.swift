import Foundation
import Graft

/// The JSON parser, compared with JSONSerialization.
enum ScannerTarget {
  /// Texts that parsers treat differently.
  static let more = [
    "[1,]", #"{"a":1,"a":2}"#, "\u{FEFF}[]", "[1e999]", "[-0]", "[1E+2,1.50,0.1e-7]", #"["\ud83d\ude00\u0000\/"]"#,
    #"["\ud83d"]"#, "tru", "\"a\tb\"", "01", "[1.]", " \r\n\t[null,true,false]\n", "18446744073709551616", "",
    "[[[[[[[[]]]]]]]]", "{\"\u{E9}\":{\"e\u{301}\":[]}}", "// no", "NaN", "'a'", "{a:1}", "1 2",
  ].map { Array($0.utf8) }

  static func check(_ input: [UInt8]) throws {
    let json: JSON
    do throws(JSONSyntaxError) {
      json = try JSON(parsing: input)
    } catch {
      try expect((0...input.count).contains(error.offset), "an error is outside the text: \(error)")
      guard isAlwaysRefused(error.problem), let value = foundationValue(input) else { return }
      throw BrokenLaw("JSONSerialization accepts what the parser refuses, \(error): \(value)")
    }
    let text = Array(JSONWriter.text(of: json).utf8)
    guard let again = try? JSON(parsing: text) else { throw BrokenLaw("what was written cannot be parsed") }
    try expect(again == json, "what was written is another value")
    try expect(Array(JSONWriter.text(of: again).utf8) == text, "a text that was written is written differently")
    guard let value = foundationValue(input) else {
      return try expect(isRefusedByFoundation(json, input), "JSONSerialization refuses what the parser accepts")
    }
    guard let converted = try? JSON(foundation: value) else { return }
    try expect(isAlike(json, converted), "JSONSerialization reads \(converted)")
  }

  private static func foundationValue(_ input: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)
  }

  /// Whether JSONSerialization must also refuse text with a given error. It accepts trailing commas, equal keys, UTF-16 and UTF-32.
  private static func isAlwaysRefused(_ problem: JSONSyntaxError.Problem) -> Bool {
    switch problem {
    case .trailingComma, .duplicateKey, .wrongEncoding, .tooDeep: false
    default: true
    }
  }

  /// Whether JSONSerialization can refuse a value, because of numbers that a double cannot hold or because of deep nesting.
  private static func isRefusedByFoundation(_ json: JSON, _ input: [UInt8]) -> Bool {
    switch json {
    case .number(let number): return !(Double(number.text).map { $0.isFinite } ?? false) || number.text.utf8.count > 15
    case .array(let elements): return elements.contains { isRefusedByFoundation($0, input) }
    case .object(let object): return object.contains { isRefusedByFoundation($0.value, input) }
    default: return false
    }
  }

  /// Whether two values are equal except for digits of numbers. JSONSerialization keeps only one of two canonically equivalent keys, and
  /// drops some byte order marks in strings.
  private static func isAlike(_ json: JSON, _ other: JSON) -> Bool {
    switch (json, other) {
    case (.number(let left), .number(let right)):
      let (left, right) = (Double(left.text) ?? .infinity, Double(right.text) ?? .infinity)
      return left == right || abs(left - right) <= abs(left) * 1e-15
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy(isAlike)
    case (.object(let left), .object(let right)):
      guard Set(left.map(\.key)).count == left.count, !left.contains(where: { hasMark($0.key) }) else { return true }
      return left.count == right.count
        && left.allSatisfy { member in right[member.key].map { isAlike(member.value, $0) } ?? false }
    case (.string(let left), .string): return hasMark(left) || json == other
    default: return json == other
    }
  }

  private static func hasMark(_ text: String) -> Bool { text.unicodeScalars.contains("\u{FEFF}") }
}
