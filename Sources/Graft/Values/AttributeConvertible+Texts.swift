#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Bool: AttributeConvertible {
  /// `true or false`.
  public static var nounPhrase: String { AttributeType.boolean.nounPhrase }

  /// Creates a boolean from an attribute's boolean.
  public init?(attributeValue: AttributeValue) {
    guard case .boolean(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as a boolean.
  public var attributeValue: AttributeValue { .boolean(self) }

  /// Creates a boolean from `true` or `false`, never from a number.
  public init?(json: JSON) {
    guard case .boolean(let value) = json else { return nil }
    self = value
  }
}

extension String: AttributeConvertible {
  /// `a string`.
  public static var nounPhrase: String { AttributeType.string.nounPhrase }

  /// Creates a string from an attribute's string.
  public init?(attributeValue: AttributeValue) {
    guard case .string(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as a string.
  public var attributeValue: AttributeValue { .string(self) }

  /// Creates a string from a JSON string.
  public init?(json: JSON) {
    guard case .string(let value) = json else { return nil }
    self = value
  }
}

extension Date: AttributeConvertible {
  /// `a date (RFC 3339 text)`.
  public static var nounPhrase: String { AttributeType.date.nounPhrase }

  /// Creates a date from an attribute's date.
  public init?(attributeValue: AttributeValue) {
    guard case .date(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as a date.
  public var attributeValue: AttributeValue { .date(self) }

  /// Creates a date from RFC 3339 text.
  public init?(json: JSON) { self.init(json: json, as: .date) }
}

extension Data: AttributeConvertible {
  /// `base64 text`.
  public static var nounPhrase: String { AttributeType.binary.nounPhrase }

  /// Creates data from an attribute's binary data.
  public init?(attributeValue: AttributeValue) {
    guard case .binary(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as binary data.
  public var attributeValue: AttributeValue { .binary(self) }

  /// Creates data from base64 text.
  public init?(json: JSON) { self.init(json: json, as: .binary) }
}

extension UUID: AttributeConvertible {
  /// `a UUID`.
  public static var nounPhrase: String { AttributeType.uuid.nounPhrase }

  /// Creates a UUID from an attribute's UUID.
  public init?(attributeValue: AttributeValue) {
    guard case .uuid(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as a UUID.
  public var attributeValue: AttributeValue { .uuid(self) }

  /// Creates a UUID from its text, in upper or lower case.
  public init?(json: JSON) { self.init(json: json, as: .uuid) }
}

extension URL: AttributeConvertible {
  /// `a URI`.
  public static var nounPhrase: String { AttributeType.uri.nounPhrase }

  /// Creates a URL from an attribute's URI.
  public init?(attributeValue: AttributeValue) {
    guard case .uri(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as a URI.
  public var attributeValue: AttributeValue { .uri(self) }

  /// Creates a URL from a URI's text.
  public init?(json: JSON) { self.init(json: json, as: .uri) }
}

extension AttributeConvertible {
  /// Creates a value from JSON by the rules of an attribute type.
  fileprivate init?(json: JSON, as type: AttributeType) {
    guard let value = try? AttributeValue(json: json, type: type) else { return nil }
    self.init(attributeValue: value)
  }
}
