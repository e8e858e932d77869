/// The type of a property that aggregates compute with and group by: the type of an attribute, or that type as an optional.
public protocol QueryableValue {
  /// The type without the optional.
  associatedtype QueriedValue: AttributeConvertible

  /// Returns the value of a property from an attribute's value, or nil if the attribute has no value.
  static func queried(_ value: AttributeValue?) -> Self?
}

extension AttributeConvertible where QueriedValue == Self {
  /// Returns the value of a property from an attribute's value, or nil if it has no value.
  public static func queried(_ value: AttributeValue?) -> Self? { value.flatMap { Self(attributeValue: $0) } }
}

extension Optional: QueryableValue where Wrapped: AttributeConvertible {
  /// The type without the optional.
  public typealias QueriedValue = Wrapped

  /// Returns the value of a property from an attribute's value; nil is a valid value.
  public static func queried(_ value: AttributeValue?) -> Wrapped?? {
    guard let value else { return .some(nil) }
    return Wrapped(attributeValue: value)
  }
}
