extension AttributeType {
  /// Whether `minimum` and `maximum` apply to the type.
  var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .float, .double, .decimal: true
    default: false
    }
  }

  /// Whether `minLength` and `maxLength` apply to the type.
  var hasLength: Bool { self == .string || self == .binary }
}

extension AttributeValue {
  /// The number of Unicode scalars of a string (D9) or of bytes of binary data, or nil for other values.
  var length: Int? {
    switch self {
    case .string(let text): text.unicodeScalars.count
    case .binary(let data): data.count
    default: nil
    }
  }

  /// Returns whether both values are of the same kind.
  func isSameKind(as other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.float, .float), (.double, .double), (.decimal, .decimal), (.boolean, .boolean),
      (.string, .string), (.date, .date), (.binary, .binary), (.uuid, .uuid), (.uri, .uri), (.json, .json),
      (.list, .list):
      true
    default: false
    }
  }
}
