extension JSON: AttributeConvertible, JSONReadable {
  /// `a JSON value`.
  static var nounPhrase: String { AttributeType.json.nounPhrase }

  /// Takes a JSON value.
  public init?(attributeValue: AttributeValue) {
    guard case .json(let value) = attributeValue else { return nil }
    self = value
  }

  /// A JSON value.
  public var attributeValue: AttributeValue { .json(self) }

  /// Takes the value itself.
  init?(json: JSON) { self = json }
}

/// Arrays are JSON arrays in an attribute of type `json`.
extension Array: AttributeConvertible, JSONReadable where Element: AttributeConvertible {
  /// `an array`.
  static var nounPhrase: String { "an array" }

  /// Takes a JSON array whose elements all fit.
  public init?(attributeValue: AttributeValue) {
    guard case .json(let value) = attributeValue else { return nil }
    self.init(json: value)
  }

  /// A JSON array.
  public var attributeValue: AttributeValue { .json(.array(map(\.attributeValue.jsonValue))) }

  /// Reads an array whose elements all fit.
  init?(json: JSON) {
    guard case .array(let values) = json else { return nil }
    let reader = ValueReader<Element>()
    self = []
    reserveCapacity(values.count)
    for value in values {
      guard let element = reader.read(value) else { return nil }
      append(element)
    }
  }
}

/// Dictionaries are JSON objects in an attribute of type `json`, their members in the order of their keys' bytes.
extension Dictionary: AttributeConvertible, JSONReadable where Key == String, Value: AttributeConvertible {
  /// `an object`.
  static var nounPhrase: String { "an object" }

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
  init?(json: JSON) {
    guard case .object(let members) = json else { return nil }
    let reader = ValueReader<Value>()
    self.init(minimumCapacity: members.count)
    for (key, member) in members {
      guard let value = reader.read(member) else { return nil }
      self[key] = value
    }
  }
}
