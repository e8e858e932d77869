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
  /// What its values are, with an article, for messages: `a string`.
  static var nounPhrase: String { get }

  /// Takes what an attribute holds; nil if that is another kind of value, or does not fit.
  init?(attributeValue: AttributeValue)

  /// The value as an attribute holds it.
  var attributeValue: AttributeValue { get }

  /// Reads a JSON value; nil if that is another kind of value, or does not fit.
  init?(json: JSON)
}

/// Enums, and all else that stands for a raw value.
extension AttributeConvertible where Self: RawRepresentable, RawValue: AttributeConvertible {
  /// What the raw values are.
  public static var nounPhrase: String { RawValue.nounPhrase }

  /// Takes the value of that raw value, if there is one.
  public init?(attributeValue: AttributeValue) {
    guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: raw)
  }

  /// The raw value.
  public var attributeValue: AttributeValue { rawValue.attributeValue }

  /// Takes the value of that raw value, if there is one.
  public init?(json: JSON) {
    guard let raw = RawValue(json: json) else { return nil }
    self.init(rawValue: raw)
  }
}

extension AttributeConvertible where Self: RawRepresentable & CaseIterable, RawValue: AttributeConvertible {
  /// The values there are: `one of "good", "evil"`.
  public static var nounPhrase: String {
    let values = allCases.map { $0.rawValue.attributeValue.description }
    return values.count > 12 ? RawValue.nounPhrase : "one of \(values.joined(separator: ", "))"
  }
}
