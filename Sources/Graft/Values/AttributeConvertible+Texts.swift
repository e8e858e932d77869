#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Bool: AttributeConvertible, JSONReadable {
  /// `true or false`.
  static var nounPhrase: String { AttributeType.boolean.nounPhrase }

  /// Takes a truth value.
  public init?(attributeValue: AttributeValue) {
    guard case .boolean(let value) = attributeValue else { return nil }
    self = value
  }

  /// A truth value.
  public var attributeValue: AttributeValue { .boolean(self) }

  /// Reads `true` and `false`, never a number.
  init?(json: JSON) {
    guard case .boolean(let value) = json else { return nil }
    self = value
  }
}

extension String: AttributeConvertible, JSONReadable {
  /// `a string`.
  static var nounPhrase: String { AttributeType.string.nounPhrase }

  /// Takes a string.
  public init?(attributeValue: AttributeValue) {
    guard case .string(let value) = attributeValue else { return nil }
    self = value
  }

  /// A string.
  public var attributeValue: AttributeValue { .string(self) }

  /// Reads a string.
  init?(json: JSON) {
    guard case .string(let value) = json else { return nil }
    self = value
  }
}

extension Date: AttributeConvertible, JSONReadable {
  /// `a date (RFC 3339 text)`.
  static var nounPhrase: String { AttributeType.date.nounPhrase }

  /// Takes a date.
  public init?(attributeValue: AttributeValue) {
    guard case .date(let value) = attributeValue else { return nil }
    self = value
  }

  /// A date.
  public var attributeValue: AttributeValue { .date(self) }

  /// Reads RFC 3339 text.
  init?(json: JSON) { self.init(json: json, as: .date) }
}

extension Data: AttributeConvertible, JSONReadable {
  /// `base64 text`.
  static var nounPhrase: String { AttributeType.binary.nounPhrase }

  /// Takes binary data.
  public init?(attributeValue: AttributeValue) {
    guard case .binary(let value) = attributeValue else { return nil }
    self = value
  }

  /// Binary data.
  public var attributeValue: AttributeValue { .binary(self) }

  /// Reads base64 text.
  init?(json: JSON) { self.init(json: json, as: .binary) }
}

extension UUID: AttributeConvertible, JSONReadable {
  /// `a UUID`.
  static var nounPhrase: String { AttributeType.uuid.nounPhrase }

  /// Takes a UUID.
  public init?(attributeValue: AttributeValue) {
    guard case .uuid(let value) = attributeValue else { return nil }
    self = value
  }

  /// A UUID.
  public var attributeValue: AttributeValue { .uuid(self) }

  /// Reads a UUID's text, in either case.
  init?(json: JSON) { self.init(json: json, as: .uuid) }
}

extension URL: AttributeConvertible, JSONReadable {
  /// `a URI`.
  static var nounPhrase: String { AttributeType.uri.nounPhrase }

  /// Takes a URI.
  public init?(attributeValue: AttributeValue) {
    guard case .uri(let value) = attributeValue else { return nil }
    self = value
  }

  /// A URI.
  public var attributeValue: AttributeValue { .uri(self) }

  /// Reads a URI's text.
  init?(json: JSON) { self.init(json: json, as: .uri) }
}

extension AttributeConvertible {
  /// Reads JSON as an attribute of that type is read.
  fileprivate init?(json: JSON, as type: AttributeType) {
    guard let value = try? AttributeValue(json: json, type: type) else { return nil }
    self.init(attributeValue: value)
  }
}
