#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AttributeValue {
  /// Returns the value in the form that an attribute of the given type stores. The value may come from a transformer, a default or
  /// a program.
  ///
  /// A number changes its kind if its value stays exactly the same (`Int` for a `double`, 3.0 for an integer), but `double`
  /// to `float` rounds. ``json(_:)`` is read like a payload. Every value converts to `json`. All other conversions throw.
  package func converted(to type: AttributeType) throws(AttributeValueError) -> AttributeValue {
    switch (type, self) {
    case (.json, .json), (.boolean, .boolean), (.string, .string), (.binary, .binary), (.uuid, .uuid): return self
    case (.date, .date(let date)):
      // Dates are stored with microsecond precision (D9).
      guard let microseconds = date.storedMicroseconds else { throw misfit("a date in the years 0000 to 9999") }
      return .date(Date(microsecondsSince1970: microseconds))
    case (.uri, .uri(let url)):
      guard URIText.url(url.absoluteString) != nil else { throw misfit(type.nounPhrase) }
      return self
    case (.double, .double(let value)) where value.isFinite: return self
    case (.float, .float(let value)) where value.isFinite: return self
    case (.decimal, .decimal(let value)) where DecimalText.canonical(value) != nil: return self
    case (_, .json(let value)): return try AttributeValue(json: value, type: type)
    case (_, .integer), (_, .float), (_, .double), (_, .decimal):
      return try number(as: type)
    case (.json, _): return .json(jsonValue)
    default: throw misfit(type.nounPhrase)
    }
  }

  private func number(as type: AttributeType) throws(AttributeValueError) -> AttributeValue {
    // NaN and infinity have no JSON form.
    guard case .number(let number) = jsonValue else { throw misfit(type.nounPhrase) }
    let converted: AttributeValue
    do { converted = try AttributeValue(json: .number(number), type: type) } catch {
      throw misfit(error.expected)
    }
    if type == .double {
      // Above 2^53, not every integer is a double.
      guard number == JSONNumber(number.double ?? .nan) || self.isFloat else {
        throw misfit("a number that a double holds exactly")
      }
      if case .float(let value) = self { return .double(Double(value)) }
    }
    return converted
  }

  private var isFloat: Bool { if case .float = self { true } else { false } }

  private func misfit(_ expected: String) -> AttributeValueError {
    AttributeValueError(expected: expected, found: foundPhrase)
  }

  /// The value in the form used in messages about values that an attribute cannot hold. Values that are not finite have no JSON form.
  package var refusedPhrase: String {
    switch self {
    case .float, .double, .date: foundPhrase
    default: FoundPhrase.of(jsonValue)
    }
  }

  /// The value in the form used in messages: `the date 2014-08-31T00:29:15Z`.
  package var foundPhrase: String {
    switch self {
    case .json(let value): FoundPhrase.of(value)
    case .list: FoundPhrase.of(jsonValue)
    case .integer, .float, .double, .decimal: FoundPhrase.number(description.utf8)
    case .boolean(let value): value ? "true" : "false"
    case .string(let value): FoundPhrase.string(value.utf8)
    case .date: "the date \(description)"
    case .binary: "data of \(description)"
    case .uuid: "the UUID \(description)"
    case .uri(let value): "the URL \(FoundPhrase.quoted(value.absoluteString.utf8))"
    }
  }
}
