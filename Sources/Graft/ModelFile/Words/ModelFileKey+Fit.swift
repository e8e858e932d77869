/// The types to which validation keywords apply, shared by the checks and the JSON Schema.
extension ModelFileKey {
  /// The keywords that constrain an attribute's values, each with the types that it fits, for messages (D11).
  static let bounds: [(word: ModelFileKey, fits: String)] = [
    (.minimum, "numbers"), (.maximum, "numbers"), (.minLength, "strings and binary data"),
    (.maxLength, "strings and binary data"), (.pattern, "strings"),
  ]

  /// Returns whether a keyword applies to values of a type (D11).
  func fits(_ type: AttributeType) -> Bool {
    switch self {
    case .minimum, .maximum: type.isNumeric
    case .minLength, .maxLength: type.hasLength
    case .pattern: type == .string
    default: true
    }
  }
}
