extension AttributeType {
  /// Whether `minimum` and `maximum` make sense.
  var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .float, .double, .decimal: true
    default: false
    }
  }

  /// Whether `minLength` and `maxLength` make sense.
  var hasLength: Bool { self == .string || self == .binary }
}

extension AttributeValue {
  /// The number of Unicode scalars of a string (D9), or of bytes; nil for everything else.
  var length: Int? {
    switch self {
    case .string(let text): text.unicodeScalars.count
    case .binary(let data): data.count
    default: nil
    }
  }

  /// Whether both values are of one kind.
  func isSameKind(as other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.float, .float), (.double, .double), (.decimal, .decimal), (.boolean, .boolean),
      (.string, .string), (.date, .date), (.binary, .binary), (.uuid, .uuid), (.uri, .uri), (.json, .json):
      true
    default: false
    }
  }
}
