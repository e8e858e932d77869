// The values that depend on whether an attribute holds a list (M13).
extension AttributeDescription {
  /// The type in messages: `string`, `a list of string`.
  package var typeText: String { isList ? "a list of \(type.rawValue)" : type.rawValue }

  /// The value in JSON with an article, for messages: `a string`, `an array`.
  package var nounPhrase: String { isList ? "an array" : type.nounPhrase }

  /// The type of the value in a row. A list is stored as JSON.
  package var storedType: AttributeType { isList ? .json : type }

  /// Reads a JSON value in the form that the type accepts without a transformer.
  package func value(from json: JSON) throws(AttributeValueError) -> AttributeValue {
    isList ? try AttributeValue(json: json, listOf: type) : try AttributeValue(json: json, type: type)
  }

  /// Returns a value as the attribute stores it.
  package func converted(_ value: AttributeValue) throws(AttributeValueError) -> AttributeValue {
    isList ? try value.converted(toListOf: type) : try value.converted(to: type)
  }
}
