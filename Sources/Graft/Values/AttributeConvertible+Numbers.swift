#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// All integers alike: from `.integer`, from any JSON number of integral value that fits.
extension AttributeConvertible where Self: FixedWidthInteger {
  /// `an integer`.
  static var nounPhrase: String { "an integer" }

  /// Takes an integer that fits.
  public init?(attributeValue: AttributeValue) {
    switch attributeValue {
    case .integer(let value): self.init(exactly: value)
    // What does not fit in 64 bits with a sign is a decimal.
    case .decimal(let value) where value > Decimal(Int64.max): self.init(value.description)
    default: return nil
    }
  }

  /// An integer, or a decimal where 64 bits with a sign are not enough.
  public var attributeValue: AttributeValue {
    if let value = Int64(exactly: self) { return .integer(value) }
    return .decimal(JSONNumber(self).decimal ?? .nan)
  }

  /// Reads a number of integral value that fits: `4`, `4.0`, `4e0`.
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

  /// Takes a double or a float.
  public init?(attributeValue: AttributeValue) {
    switch attributeValue {
    case .double(let value): self = value
    case .float(let value): self.init(value)
    default: return nil
    }
  }

  /// A double.
  public var attributeValue: AttributeValue { .double(self) }

  /// Reads any number that a double reaches, rounded to nearest.
  init?(json: JSON) {
    guard let value = json.numberValue?.double else { return nil }
    self = value
  }
}

extension Float: AttributeConvertible, JSONReadable {
  /// `a number`.
  static var nounPhrase: String { "a number" }

  /// Takes a float.
  public init?(attributeValue: AttributeValue) {
    guard case .float(let value) = attributeValue else { return nil }
    self = value
  }

  /// A float.
  public var attributeValue: AttributeValue { .float(self) }

  /// Reads any number that a float reaches, rounded to nearest.
  init?(json: JSON) {
    guard let text = json.numberValue?.text, let value = Float(text), value.isFinite else { return nil }
    self = value
  }
}

extension Decimal: AttributeConvertible, JSONReadable {
  /// `a decimal number`.
  static var nounPhrase: String { "a decimal number" }

  /// Takes a decimal.
  public init?(attributeValue: AttributeValue) {
    guard case .decimal(let value) = attributeValue else { return nil }
    self = value
  }

  /// A decimal.
  public var attributeValue: AttributeValue { .decimal(self) }

  /// Reads any number that a decimal holds exactly.
  init?(json: JSON) {
    guard let value = json.numberValue?.decimal else { return nil }
    self = value
  }
}

extension JSONNumber: AttributeConvertible, JSONReadable {
  /// `a number`.
  static var nounPhrase: String { "a number" }

  /// Takes any number.
  public init?(attributeValue: AttributeValue) {
    switch attributeValue {
    case .integer, .float, .double, .decimal, .json: self.init(json: attributeValue.jsonValue)
    default: return nil
    }
  }

  /// The number as a JSON value, with all its digits.
  public var attributeValue: AttributeValue { .json(.number(self)) }

  /// Reads any number.
  init?(json: JSON) {
    guard case .number(let number) = json else { return nil }
    self = number
  }
}
