/// Any JSON value, kept as it is: numbers keep every digit, objects keep the order of their members.
///
///     let point: JSON = ["x": 1, "y": 2.5, "tags": ["a", nil]]
///     print(point["tags"]?[0]?.stringValue ?? "none")     // a
///
/// Two values are equal when they mean the same: the order of members does not matter, `1.0` equals `1`, and strings
/// compare by their bytes, without Unicode normalisation.
public enum JSON: Sendable {
  case null
  case boolean(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

extension JSON {
  /// Whether it is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The truth value, if it is one; never from a number.
  public var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The number, if it is one; never from a string or a truth value.
  public var numberValue: JSONNumber? { if case .number(let value) = self { value } else { nil } }

  /// The string, if it is one.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, if it is an array.
  public var arrayValue: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// The members, if it is an object.
  public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The member of that key; nil if there is none, or if this is no object.
  public subscript(key: String) -> JSON? { objectValue?[key] }

  /// The element at that place; nil if there is none, or if this is no array.
  public subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact JSON text.
  public var description: String { JSONWriter.text(of: self) }
}
