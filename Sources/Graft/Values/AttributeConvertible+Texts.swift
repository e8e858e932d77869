#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Bool: AttributeConvertible, JSONReadable {
  /// `true or false`.
  static var nounPhrase: String { AttributeType.boolean.nounPhrase }

  /// Creates a boolean from an attribute's boolean.
  public init?(attributeValue: AttributeValue) {
    guard case .boolean(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as a boolean.
  public var attributeValue: AttributeValue { .boolean(self) }

  /// Creates a boolean from `true` or `false`, never from a number.
  init?(json: JSON) {
    guard case .boolean(let value) = json else { return nil }
    self = value
  }
}

extension String: AttributeConvertible, JSONReadable {
  /// `a string`.
  static var nounPhrase: String { AttributeType.string.nounPhrase }

  /// Creates a string from an attribute's string.
  public init?(attributeValue: AttributeValue) {
    guard case .string(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as a string.
  public var attributeValue: AttributeValue { .string(self) }

  /// Creates a string from a JSON string.
  init?(json: JSON) {
    guard case .string(let value) = json else { return nil }
    self = value
  }
}

extension Date: AttributeConvertible, JSONReadable {
  /// `a date (RFC 3339 text)`.
  static var nounPhrase: String { AttributeType.date.nounPhrase }

  /// Creates a date from an attribute's date.
  public init?(attributeValue: AttributeValue) {
    guard case .date(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as a date.
  public var attributeValue: AttributeValue { .date(self) }

  /// Creates a date from RFC 3339 text.
  init?(json: JSON) { self.init(json: json, as: .date) }
}

extension Data: AttributeConvertible, JSONReadable {
  /// `base64 text`.
  static var nounPhrase: String { AttributeType.binary.nounPhrase }

  /// Creates data from an attribute's binary data.
  public init?(attributeValue: AttributeValue) {
    guard case .binary(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as binary data.
  public var attributeValue: AttributeValue { .binary(self) }

  /// Creates data from base64 text.
  init?(json: JSON) { self.init(json: json, as: .binary) }
}

extension UUID: AttributeConvertible, JSONReadable {
  /// `a UUID`.
  static var nounPhrase: String { AttributeType.uuid.nounPhrase }

  /// Creates a UUID from an attribute's UUID.
  public init?(attributeValue: AttributeValue) {
    guard case .uuid(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as a UUID.
  public var attributeValue: AttributeValue { .uuid(self) }

  /// Creates a UUID from its text, in upper or lower case.
  init?(json: JSON) { self.init(json: json, as: .uuid) }
}

extension URL: AttributeConvertible, JSONReadable {
  /// `a URI`.
  static var nounPhrase: String { AttributeType.uri.nounPhrase }

  /// Creates a URL from an attribute's URI.
  public init?(attributeValue: AttributeValue) {
    guard case .uri(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value as a URI.
  public var attributeValue: AttributeValue { .uri(self) }

  /// Creates a URL from a URI's text.
  init?(json: JSON) { self.init(json: json, as: .uri) }
}

extension AttributeConvertible {
  /// Creates a value from JSON by the rules of an attribute type.
  fileprivate init?(json: JSON, as type: AttributeType) {
    guard let value = try? AttributeValue(json: json, type: type) else { return nil }
    self.init(attributeValue: value)
  }
}
