#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The error for a value that does not fit a type: `expected an integer, found the string "4"`.
package struct AttributeValueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The expected value, as a noun phrase.
  package var expected: String
  /// The value found, as a noun phrase.
  package var found: String

  package init(expected: String, found: String) {
    self.expected = expected
    self.found = found
  }

  package var description: String { "expected \(expected), found \(found)" }
}

extension AttributeValue {
  /// Reads a JSON value as the given type, by rules M5 and D9. Values are never coerced.
  ///
  /// This is the reference implementation. The importer does the same with the bytes of a payload.
  package init(json: JSON, type: AttributeType) throws(AttributeValueError) {
    guard let value = try AttributeValue.read(json, type) else {
      throw AttributeValueError(expected: type.nounPhrase, found: FoundPhrase.of(json))
    }
    self = value
  }

  /// Returns nil if the value is of another kind. Throws if it is of the right kind but does not fit.
  private static func read(_ json: JSON, _ type: AttributeType) throws(AttributeValueError) -> AttributeValue? {
    func misfit(_ expected: String) -> AttributeValueError {
      AttributeValueError(expected: expected, found: FoundPhrase.of(json))
    }
    switch (type, json) {
    case (.json, _): return .json(json)
    case (.integer16, .number(let number)), (.integer32, .number(let number)), (.integer64, .number(let number)):
      guard let value = number.int64, let range = type.integerRange, range.contains(value) else {
        guard number.isIntegral else { return nil }
        throw misfit(type.rangePhrase)
      }
      return .integer(value)
    case (.double, .number(let number)):
      guard let value = number.double else { throw misfit(type.rangePhrase) }
      return .double(value)
    case (.float, .number(let number)):
      guard let value = Float(number.text), value.isFinite else { throw misfit(type.rangePhrase) }
      return .float(value)
    case (.decimal, .number(let number)):
      guard let value = number.decimal else { throw misfit(type.rangePhrase) }
      return .decimal(value)
    case (.boolean, .boolean(let value)): return .boolean(value)
    case (.string, .string(let text)): return .string(text)
    case (.date, .string(let text)):
      return LentBytes.with(text) { DateText.microseconds($0) }.map { .date(Date(microsecondsSince1970: $0)) }
    case (.binary, .string(let text)): return LentBytes.with(text) { Base64Text.decode($0) }.map { .binary(Data($0)) }
    case (.uuid, .string(let text)): return LentBytes.with(text) { UUIDText.parse($0) }.map { .uuid($0) }
    case (.uri, .string(let text)): return URIText.url(text).map { .uri($0) }
    default: return nil
    }
  }
}

extension JSONNumber {
  /// Whether the value has no fraction, at any magnitude.
  var isIntegral: Bool {
    switch canonical.exponent {
    case .small(let exponent): exponent >= 0
    case .huge(let isNegative, digits: _): !isNegative
    }
  }
}

extension AttributeType {
  /// The range of the type's numbers, for messages about numbers that are out of range.
  package var rangePhrase: String {
    switch self {
    case .integer16, .integer32, .integer64:
      integerRange.map { "an integer from \($0.lowerBound) to \($0.upperBound)" } ?? nounPhrase
    case .float: "a number that a float can hold (up to 3.4e38)"
    case .double: "a number that a double can hold (up to 1.8e308)"
    case .decimal: "a decimal number of at most 38 digits and an exponent from -128 to 127"
    default: nounPhrase
    }
  }
}
