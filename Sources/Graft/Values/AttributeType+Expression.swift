/// Regular expressions for the text of values, in the syntax of JSON Schema (ECMA-262). They never reject text that an import
/// accepts, but do accept faults that an expression cannot detect, such as February 29 in a year that has no such day.
extension AttributeType {
  /// The expression that the whole text of a value matches; nil if the type has no text, or if any text is allowed.
  package var textExpression: String? {
    switch self {
    case .date:
      "[0-9]{4}-\(AttributeType.dayExpression)[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:[.][0-9]+)?"
        + "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
    case .binary: "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?"
    case .uuid: "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
    case .uri: #"[^\u0000-\u0020\u007F]+"#
    default: nil
    }
  }

  /// The month and the day, such as `02-29`.
  private static let dayExpression =
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))"

  /// The expression for text that represents a value, such as a key or a part of a split string; nil if any string is allowed.
  package var spellingExpression: String? {
    switch self {
    case .integer16: "(?:0|-?[1-9][0-9]{0,4})"
    case .integer32: "(?:0|-?[1-9][0-9]{0,9})"
    case .integer64: "(?:0|-?[1-9][0-9]{0,18})"
    case .float, .double, .decimal: AttributeType.numberExpression
    case .boolean: "(?:true|false)"
    case .date, .binary, .uuid, .uri: textExpression
    case .string, .json: nil
    }
  }

  /// A number as in RFC 8259.
  package static let numberExpression = "-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?"
}
