/// A Swift type that an attribute can be read as and set from, and that a value transformer can take and give.
///
/// `Bool`, the integers, `Float`, `Double`, `Decimal`, `String`, `Date`, `Data`, `UUID`, `URL`, ``JSON`` and
/// ``JSONNumber`` conform, and so do arrays and dictionaries of them. An enum of raw values needs no code:
///
///     enum Alignment: String, AttributeConvertible { case good, evil }
///
///     let alignment: Alignment? = hero["alignment"]
///
/// Reading is strict, as in payloads (M5): a string is never read as a number, nor 1 as `true`.
public protocol AttributeConvertible: Sendable {
  /// Takes what an attribute holds; nil if that is another kind of value, or does not fit.
  init?(attributeValue: AttributeValue)

  /// The value as an attribute holds it.
  var attributeValue: AttributeValue { get }
}

/// Enums and other types with a raw value.
extension AttributeConvertible where Self: RawRepresentable, RawValue: AttributeConvertible {
  /// The value with this raw value, if there is one.
  public init?(attributeValue: AttributeValue) {
    guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: raw)
  }

  /// The raw value.
  public var attributeValue: AttributeValue { rawValue.attributeValue }
}
