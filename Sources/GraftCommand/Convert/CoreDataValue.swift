import Foundation
import Graft

/// Reads values in the form that Xcode writes in a model.
enum CoreDataValue {
  /// Returns the value of a type; nil if the text is not valid.
  static func read(_ text: String, as type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64, .float, .double, .decimal:
      number(text).flatMap { try? AttributeValue(json: .number($0), type: type) }
    case .boolean: boolean(text).map(AttributeValue.boolean)
    case .date: date(text)
    case .string, .uuid, .uri: try? AttributeValue(json: .string(text), type: type)
    case .binary, .json: nil
    }
  }

  /// Returns a number. Xcode accepts numbers that JSON does not: `+1`, `.5`, `1.`, `007`.
  private static func number(_ text: String) -> JSONNumber? {
    if let number = JSONNumber(text) { return number }
    guard let parts = text.wholeMatch(of: /\s*([+-]?)(\d*)(\.\d*)?([eE][+-]?\d+)?\s*/) else { return nil }
    let whole = parts.2.drop { $0 == "0" }
    let fraction = parts.3.map { $0.dropFirst() } ?? ""
    guard !parts.2.isEmpty || !fraction.isEmpty else { return nil }
    let sign = parts.1 == "-" ? "-" : ""
    return JSONNumber(
      "\(sign)\(whole.isEmpty ? "0" : whole)\(fraction.isEmpty ? "" : ".\(fraction)")\(parts.4.map(String.init) ?? "")")
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  /// Converts seconds since the reference date, 2001-01-01; nil if the year is out of range for a date.
  private static func date(_ text: String) -> AttributeValue? {
    guard let seconds = Double(text), abs(seconds) < 1e12 else { return nil }
    let date = AttributeValue.date(Date(timeIntervalSinceReferenceDate: seconds))
    return try? AttributeValue(json: date.jsonValue, type: .date)
  }
}
