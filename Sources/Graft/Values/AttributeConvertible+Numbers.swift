#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// All integer types are read from `.integer`, and from any JSON number with an integral value that fits.
extension AttributeConvertible where Self: FixedWidthInteger {
  /// `an integer`.
  static var nounPhrase: String { "an integer" }

  /// Creates an integer from an attribute's value, or returns nil if it does not fit.
  public init?(attributeValue: AttributeValue) {
    switch attributeValue {
    case .integer(let value): self.init(exactly: value)
    // An integer that does not fit in 64 signed bits is stored as a decimal.
    case .decimal(let value) where value > Decimal(Int64.max): self.init(value.description)
    default: return nil
    }
  }

  /// An integer, or a decimal if the value does not fit in 64 signed bits.
  public var attributeValue: AttributeValue {
    if let value = Int64(exactly: self) { return .integer(value) }
    return .decimal(JSONNumber(self).decimal ?? .nan)
  }

  /// Creates an integer from a JSON number with an integral value that fits: `4`, `4.0`, `4e0`.
  init?(json: JSON) {
    guard case .number(let number) = json else { return nil }
    if let value = number.int64 {
      self.init(exactly: value)
    } else {
      guard let decimal = number.decimal, number.isIntegral else { return nil }
      self.init(decimal.description)
    }
  }
}

extension Int: AttributeConvertible, JSONReadable {}
extension Int8: AttributeConvertible, JSONReadable {}
extension Int16: AttributeConvertible, JSONReadable {}
extension Int32: AttributeConvertible, JSONReadable {}
extension Int64: AttributeConvertible, JSONReadable {}
extension UInt: AttributeConvertible, JSONReadable {}
extension UInt8: AttributeConvertible, JSONReadable {}
extension UInt16: AttributeConvertible, JSONReadable {}
extension UInt32: AttributeConvertible, JSONReadable {}
extension UInt64: AttributeConvertible, JSONReadable {}

extension Double: AttributeConvertible, JSONReadable {
  /// `a number`.
  static var nounPhrase: String { "a number" }

  /// Creates a double from an attribute's double or float.
  public init?(attributeValue: AttributeValue) {
    switch attributeValue {
    case .double(let value): self = value
    case .float(let value): self.init(value)
    default: return nil
    }
  }

  /// The number as a double.
  public var attributeValue: AttributeValue { .double(self) }

  /// Creates a double from a JSON number in its range, rounded to nearest.
  init?(json: JSON) {
    guard let value = json.numberValue?.double else { return nil }
    self = value
  }
}

extension Float: AttributeConvertible, JSONReadable {
  /// `a number`.
  static var nounPhrase: String { "a number" }

  /// Creates a float from an attribute's float.
  public init?(attributeValue: AttributeValue) {
    guard case .float(let value) = attributeValue else { return nil }
    self = value
  }

  /// The number as a float.
  public var attributeValue: AttributeValue { .float(self) }

  /// Creates a float from a JSON number in its range, rounded to nearest.
  init?(json: JSON) {
    guard let text = json.numberValue?.text, let value = Float(text), value.isFinite else { return nil }
    self = value
  }
}

extension Decimal: AttributeConvertible, JSONReadable {
  /// `a decimal number`.
  static var nounPhrase: String { "a decimal number" }

  /// Creates a decimal from an attribute's decimal.
  public init?(attributeValue: AttributeValue) {
    guard case .decimal(let value) = attributeValue else { return nil }
    self = value
  }

  /// The number as a decimal.
  public var attributeValue: AttributeValue { .decimal(self) }

  /// Creates a decimal from a JSON number, or returns nil if a decimal cannot hold it exactly.
  init?(json: JSON) {
    guard let value = json.numberValue?.decimal else { return nil }
    self = value
  }
}

extension JSONNumber: AttributeConvertible, JSONReadable {
  /// `a number`.
  static var nounPhrase: String { "a number" }

  /// Creates a JSON number from any number of an attribute.
  public init?(attributeValue: AttributeValue) {
    switch attributeValue {
    case .integer, .float, .double, .decimal, .json: self.init(json: attributeValue.jsonValue)
    default: return nil
    }
  }

  /// The number as a JSON value with all its digits.
  public var attributeValue: AttributeValue { .json(.number(self)) }

  /// Creates a number from any JSON number.
  init?(json: JSON) {
    guard case .number(let number) = json else { return nil }
    self = number
  }
}
