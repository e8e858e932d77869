extension JSON: AttributeConvertible {
  /// `a JSON value`.
  public static var nounPhrase: String { AttributeType.json.nounPhrase }

  /// Takes a JSON value.
  public init?(attributeValue: AttributeValue) {
    guard case .json(let value) = attributeValue else { return nil }
    self = value
  }

  /// A JSON value.
  public var attributeValue: AttributeValue { .json(self) }

  /// Takes the value itself.
  public init?(json: JSON) { self = json }
}

/// Arrays are JSON arrays in an attribute of type `json`.
extension Array: AttributeConvertible where Element: AttributeConvertible {
  /// `an array`.
  public static var nounPhrase: String { "an array" }

  /// Takes a JSON array whose elements all fit.
  public init?(attributeValue: AttributeValue) {
    guard case .json(let value) = attributeValue else { return nil }
    self.init(json: value)
  }

  /// A JSON array.
  public var attributeValue: AttributeValue { .json(.array(map(\.attributeValue.jsonValue))) }

  /// Reads an array whose elements all fit.
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

/// Dictionaries are JSON objects in an attribute of type `json`, their members in the order of their keys' bytes.
extension Dictionary: AttributeConvertible where Key == String, Value: AttributeConvertible {
  /// `an object`.
  public static var nounPhrase: String { "an object" }

  /// Takes a JSON object whose members all fit.
  public init?(attributeValue: AttributeValue) {
    guard case .json(let value) = attributeValue else { return nil }
    self.init(json: value)
  }

  /// A JSON object.
  public var attributeValue: AttributeValue {
    let members = map { (key: $0.key, value: $0.value.attributeValue.jsonValue) }
    return .json(.object(JSONObject(uncheckedMembers: members.sorted { UTF8Key.precedes($0.key, $1.key) })))
  }

  /// Reads an object whose members all fit.
  public init?(json: JSON) {
    guard case .object(let members) = json else { return nil }
    self.init(minimumCapacity: members.count)
    for (key, member) in members {
      guard let value = Value(json: member) else { return nil }
      self[key] = value
    }
  }
}
