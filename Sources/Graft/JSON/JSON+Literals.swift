extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }

  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// A number without a fraction.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }

  /// A number.
  ///
  /// - Precondition: it is finite.
  public init(floatLiteral value: Double) { self = .number(JSONNumber(floatLiteral: value)) }

  /// A string: not JSON text, but the value itself.
  public init(stringLiteral value: String) { self = .string(value) }

  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }

  /// An object.
  ///
  /// - Precondition: no key occurs twice.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(JSONObject(members.map { (key: $0.0, value: $0.1) }))
  }
}
