/// A Swift type that an attribute can be read as and set from, and that value transformers can take and return.
///
/// `Bool`, the integers, `Float`, `Double`, `Decimal`, `String`, `Date`, `Data`, `UUID`, `URL`, ``JSON`` and ``JSONNumber``
/// conform, as do arrays and dictionaries of them. An enum with raw values needs no code:
///
///     enum Alignment: String, AttributeConvertible { case good, evil }
///
///     let alignment: Alignment? = hero["alignment"]
///
/// To capture an enum in a predicate, also declare it `Codable`.
///
/// Values are never coerced, just as in payloads ([M5](doc:Rules#M5)): a string is never read as a number, and 1 is never read as `true`.
public protocol AttributeConvertible: QueryableValue, Sendable {
  /// The type itself, by default.
  associatedtype QueriedValue = Self

  /// Creates a value from an attribute's value, or returns nil if the attribute's value is of another kind or does not fit.
  init?(attributeValue: AttributeValue)

  /// The value in the form that an attribute stores.
  var attributeValue: AttributeValue { get }
}

/// Enums, and other types that wrap a raw value.
extension AttributeConvertible where Self: RawRepresentable, RawValue: AttributeConvertible {
  /// Creates the value with the given raw value, or returns nil if there is no such value.
  public init?(attributeValue: AttributeValue) {
    guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: raw)
  }

  /// The raw value.
  public var attributeValue: AttributeValue { rawValue.attributeValue }
}
