/// Any JSON value, kept unchanged: numbers keep every digit, objects keep the order of their members.
///
///     let point: JSON = ["x": 1, "y": 2.5, "tags": ["a", nil]]
///     print(point["tags"]?[0]?.stringValue ?? "none")     // a
///
/// Two values are equal if they represent the same JSON. The order of members does not matter, `1.0` equals `1`, and
/// strings are compared by their bytes, without Unicode normalization.
public enum JSON: Sendable {
  case null
  case boolean(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

extension JSON {
  /// Whether the value is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The boolean, or nil if the value is of another type. A number is never a boolean.
  public var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The number, or nil if the value is of another type. A string or boolean is never a number.
  public var numberValue: JSONNumber? { if case .number(let value) = self { value } else { nil } }

  /// The string, or nil if the value is of another type.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements of an array, or nil if the value is of another type.
  public var arrayValue: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// The members of an object, or nil if the value is of another type.
  public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The member with a key, or nil if it does not exist or the value is not an object.
  public subscript(key: String) -> JSON? { objectValue?[key] }

  /// The element at an index, or nil if it does not exist or the value is not an array.
  public subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact JSON text.
  public var description: String { JSONWriter.text(of: self) }
}
