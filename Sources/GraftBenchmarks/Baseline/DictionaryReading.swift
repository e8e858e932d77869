import Foundation

/// Typed reading of `JSONSerialization` results.
extension [String: Any] {
  func required<Wanted>(_ key: String, as type: Wanted.Type = Wanted.self) throws -> Wanted {
    guard let value = self[key] as? Wanted else { throw TypedGraphError.malformed(key) }
    return value
  }

  /// Returns nil if the key is missing or null.
  func optional<Wanted>(_ key: String, as type: Wanted.Type = Wanted.self) throws -> Wanted? {
    guard let value = self[key], !(value is NSNull) else { return nil }
    guard let value = value as? Wanted else { throw TypedGraphError.malformed(key) }
    return value
  }

  func date(_ key: String) throws -> Date {
    guard let date = FastDate.date(try required(key)) else { throw TypedGraphError.malformed(key) }
    return date
  }

  /// Reads a number from a string of digits.
  func digits(_ key: String) throws -> Int { try digitsAsInteger(required(key)) }
}

func digitsAsInteger(_ text: String) throws -> Int {
  guard let number = Int(text) else { throw TypedGraphError.malformed("digits \(text)") }
  return number
}

func asDictionary(_ value: Any) throws -> [String: Any] {
  guard let dictionary = value as? [String: Any] else { throw TypedGraphError.malformed("object") }
  return dictionary
}
