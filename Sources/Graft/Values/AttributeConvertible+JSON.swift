extension JSON: AttributeConvertible {
  /// `a JSON value`.
  public static var nounPhrase: String { AttributeType.json.nounPhrase }

  /// Creates a value from an attribute of type `json`.
  public init?(attributeValue: AttributeValue) {
    guard case .json(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value for an attribute of type `json`.
  public var attributeValue: AttributeValue { .json(self) }

  /// Creates a copy of the value.
  public init?(json: JSON) { self = json }
}

/// An array is stored as a JSON array in an attribute of type `json`.
extension Array: AttributeConvertible where Element: AttributeConvertible {
  /// `an array`.
  public static var nounPhrase: String { "an array" }

  /// Creates an array from a JSON array, or returns nil unless all elements fit.
  public init?(attributeValue: AttributeValue) {
    guard case .json(let value) = attributeValue else { return nil }
    self.init(json: value)
  }

  /// The array as a JSON array.
  public var attributeValue: AttributeValue { .json(.array(map(\.attributeValue.jsonValue))) }

  /// Creates an array from a JSON array, or returns nil unless all elements fit.
  public init?(json: JSON) {
    guard case .array(let values) = json else { return nil }
    self = []
    reserveCapacity(values.count)
    for value in values {
      guard let element = Element(json: value) else { return nil }
      append(element)
    }
  }
}

/// A dictionary is stored as a JSON object in an attribute of type `json`, with its keys sorted by their bytes.
extension Dictionary: AttributeConvertible where Key == String, Value: AttributeConvertible {
  /// `an object`.
  public static var nounPhrase: String { "an object" }

  /// Creates a dictionary from a JSON object, or returns nil unless all members fit.
  public init?(attributeValue: AttributeValue) {
    guard case .json(let value) = attributeValue else { return nil }
    self.init(json: value)
  }

  /// The dictionary as a JSON object.
  public var attributeValue: AttributeValue {
    let members = map { (key: $0.key, value: $0.value.attributeValue.jsonValue) }
    return .json(.object(JSONObject(uncheckedMembers: members.sorted { UTF8Key.precedes($0.key, $1.key) })))
  }

  /// Creates a dictionary from a JSON object, or returns nil unless all members fit.
  public init?(json: JSON) {
    guard case .object(let members) = json else { return nil }
    self.init(minimumCapacity: members.count)
    for (key, member) in members {
      guard let value = Value(json: member) else { return nil }
      self[key] = value
    }
  }
}
