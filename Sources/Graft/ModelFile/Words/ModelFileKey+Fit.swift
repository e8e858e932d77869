/// Where words fit: the checks say so of one model, the JSON Schema of all.
extension ModelFileKey {
  /// The words that bound an attribute's values, each with what they fit, for messages (D11).
  static let bounds: [(word: ModelFileKey, fits: String)] = [
    (.minimum, "numbers"), (.maximum, "numbers"), (.minLength, "strings and binary data"),
    (.maxLength, "strings and binary data"), (.pattern, "strings"),
  ]

  /// Whether a word can say something about values of a type (D11).
  func fits(_ type: AttributeType) -> Bool {
    switch self {
    case .minimum, .maximum: type.isNumeric
    case .minLength, .maxLength: type.hasLength
    case .pattern: type == .string
    default: true
    }
  }
}
