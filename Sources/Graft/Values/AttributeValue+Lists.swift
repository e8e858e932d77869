extension AttributeValue {
  /// Reads a JSON array as a list of a type (M13). Each element is read like a single value, and must not be null.
  package init(json: JSON, listOf type: AttributeType) throws(AttributeValueError) {
    guard case .array(let elements) = json else {
      throw AttributeValueError(expected: "an array", found: FoundPhrase.of(json))
    }
    var values: [AttributeValue] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      if element.isNull { throw AttributeValueError(expected: type.nounPhrase, found: "null in an array") }
      values.append(try AttributeValue(json: element, type: type))
    }
    self = .list(values)
  }

  /// Returns the value in the form that an attribute with a list of the given type stores. Each element is converted like a single value. A
  /// JSON array is read like a payload. All other values throw.
  package func converted(toListOf type: AttributeType) throws(AttributeValueError) -> AttributeValue {
    switch self {
    case .list(let values):
      var converted: [AttributeValue] = []
      converted.reserveCapacity(values.count)
      for value in values {
        if case .json(.null) = value {
          throw AttributeValueError(expected: type.nounPhrase, found: "null in an array")
        }
        converted.append(try value.converted(to: type))
      }
      return .list(converted)
    case .json(let json): return try AttributeValue(json: json, listOf: type)
    default: throw AttributeValueError(expected: "an array", found: foundPhrase)
    }
  }

  /// The elements of a list; for any other value, the value alone.
  package var elements: [AttributeValue] { if case .list(let values) = self { values } else { [self] } }
}
