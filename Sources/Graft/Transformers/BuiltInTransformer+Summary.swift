extension BuiltInTransformer {
  /// A sentence that describes what the transformer reads and returns.
  package var summary: String {
    switch self {
    case .stringToInteger: "An integer from a string of digits: `\"42\"`."
    case .stringToDecimal: "A decimal from a string: `\"12.50\"`."
    case .stringToDouble: "A number from a string: `\"0.5\"`."
    case .unixTime: "A date from the seconds since 1970, also in a string: `1726998000`."
    case .unixTimeMilliseconds: "A date from the milliseconds since 1970, also in a string: `1726998000000`."
    case .referenceTime:
      "A date from the seconds since 2001: `748693800.5`. `JSONEncoder` writes them if no date strategy is set."
    case .dateFormat: "A date from a string, by a pattern. `DateFormat(A|B)` reads several, and writes the first."
    case .stringToURL: "A URI from a string."
    case .stringToUUID: "A UUID from a string."
    case .lowercase: "The string in lower case."
    case .integerToBoolean: "A boolean from `0` or `1`."
    case .stringToBoolean: "A boolean from `\"true\"` or `\"false\"`."
    case .lastPathSegment: "The last segment of a path or URL: `\"7\"` from `\"https://example.org/planets/7/\"`."
    case .split: "The parts of a string between separators: a list from `\"1,2\"`."
    case .lenient: "The type's own form, and every other form that loses nothing: an integer from `\"42\"`."
    case .blank: "The type's own form; a string of only white space is read as `null`."
    }
  }
}
