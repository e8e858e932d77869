extension JSON: AttributeConvertible, JSONReadable {
  /// `a JSON value`.
  static var nounPhrase: String { AttributeType.json.nounPhrase }

  /// Creates a value from an attribute of type `json`.
  public init?(attributeValue: AttributeValue) {
    guard case .json(let value) = attributeValue else { return nil }
    self = value
  }

  /// The value for an attribute of type `json`.
  public var attributeValue: AttributeValue { .json(self) }

  /// Creates a copy of the value.
  init?(json: JSON) { self = json }
}

/// An array is stored in an attribute with `"list": true` ([M13](doc:Rules#M13)), or as a JSON array in an attribute of type
/// `json`.
extension Array: QueryableValue, AttributeConvertible, JSONReadable where Element: AttributeConvertible {
  /// `an array`.
  static var nounPhrase: String { "an array" }

  /// Creates an array from a list or a JSON array, or returns nil if an element does not fit.
  public init?(attributeValue: AttributeValue) {
    switch attributeValue {
    case .list(let values):
      self = []
      reserveCapacity(values.count)
      for value in values {
        guard let element = Element(attributeValue: value) else { return nil }
        append(element)
      }
    case .json(let value): self.init(json: value)
    default: return nil
    }
  }

  /// The array as a list of its elements' values.
  public var attributeValue: AttributeValue { .list(map(\.attributeValue)) }

  /// Creates an array from a JSON array, or returns nil if an element does not fit.
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

/// A dictionary is stored as a JSON object in an attribute of type `json`, with its keys sorted by their bytes.
extension Dictionary: QueryableValue, AttributeConvertible, JSONReadable
where Key == String, Value: AttributeConvertible {
  /// `an object`.
  static var nounPhrase: String { "an object" }

  /// Creates a dictionary from a JSON object, or returns nil if a member does not fit.
  public init?(attributeValue: AttributeValue) {
    guard case .json(let value) = attributeValue else { return nil }
    self.init(json: value)
  }

  /// The dictionary as a JSON object.
  public var attributeValue: AttributeValue {
    let members = map { (key: $0.key, value: $0.value.attributeValue.jsonValue) }
    return .json(.object(JSONObject(uncheckedMembers: members.sorted { UTF8Key.precedes($0.key, $1.key) })))
  }

  /// Creates a dictionary from a JSON object, or returns nil if a member does not fit.
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
