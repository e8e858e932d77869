extension AttributeType {
  /// Creates the type for a name in another language: `int`, `Bool`, `text`, `URL`.
  init?(foreignName name: String) {
    guard name.utf8.count <= 20 else { return nil }
    // A list: `[string]`, `string[]`, `array<string>`.
    if name.hasPrefix("[") || name.hasSuffix("[]") || name.hasSuffix(">") {
      self = .json
      return
    }
    switch name.lowercased() {
    case "int", "int64", "integer", "long", "bigint": self = .integer64
    case "int32": self = .integer32
    case "int16", "short", "smallint": self = .integer16
    case "number", "real", "float64": self = .double
    case "float32", "single": self = .float
    case "numeric", "money": self = .decimal
    case "bool", "flag": self = .boolean
    case "text", "str", "varchar", "char": self = .string
    case "datetime", "timestamp", "time", "date-time": self = .date
    case "data", "blob", "bytes", "base64": self = .binary
    case "guid": self = .uuid
    case "url": self = .uri
    case "object", "array", "list", "set", "any", "transformable", "dictionary": self = .json
    default: return nil
    }
  }

  /// Creates the type for a name in Graft or in another language, optional or not.
  init?(meant text: String) {
    let name = text.hasSuffix("?") ? String(text.dropLast()) : text
    let type =
      AttributeType(rawValue: name) ?? AttributeType(rawValue: name.lowercased()) ?? AttributeType(foreignName: name)
    guard let type else { return nil }
    self = type
  }

  /// Creates the type of the elements of a list, if its name contains it: `[string]`, `int[]`, `array<date>`.
  init?(elementOf text: String) {
    var name = Substring(text)
    if name.hasSuffix("[]") {
      name = name.dropLast(2)
    } else if name.hasPrefix("["), name.hasSuffix("]") {
      name = name.dropFirst().dropLast()
    } else if name.hasSuffix(">"), let start = name.firstIndex(of: "<") {
      name = name[name.index(after: start)...].dropLast()
    } else {
      return nil
    }
    guard !AttributeType.isList(String(name)), let type = AttributeType(meant: String(name)) else { return nil }
    self = type
  }

  /// Returns whether a name means a list of values: `array`, `[string]`, `string[]`.
  static func isList(_ name: String) -> Bool {
    name.utf8.count <= 40
      && (name.hasPrefix("[") || name.hasSuffix("[]") || name.lowercased().hasPrefix("array")
        || ["list", "set"].contains(name.lowercased()))
  }
}
