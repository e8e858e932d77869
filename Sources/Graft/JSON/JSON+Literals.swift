extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }

  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// Creates a number without a fraction.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }

  /// Creates a number.
  ///
  /// - Precondition: The value is finite.
  public init(floatLiteral value: Double) { self = .number(JSONNumber(floatLiteral: value)) }

  /// Creates a string value. The text is not parsed as JSON.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates an array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }

  /// Creates an object.
  ///
  /// - Precondition: No key occurs twice.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(JSONObject(members.map { (key: $0.0, value: $0.1) }))
  }
}
