/// The type of an attribute ([M5](doc:Rules#M5)). The names are Core Data's.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  case integer16, integer32, integer64, float, double, decimal, boolean, string, date, binary, uuid, uri, json

  /// The type's name with its article, for messages: `an integer`, `a date`.
  package var nounPhrase: String {
    switch self {
    case .integer16, .integer32, .integer64: "an integer"
    case .float, .double: "a number"
    case .decimal: "a decimal number"
    case .boolean: "true or false"
    case .string: "a string"
    case .date: "a date (RFC 3339 text)"
    case .binary: "base64 text"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .json: "a JSON value"
    }
  }

  /// The range of an integer type, or nil for other types.
  package var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    default: nil
    }
  }
}
