#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension BuiltInTransformer {
  /// The transformers for URIs, UUIDs and lower case.
  var textTransformer: ValueTransformer {
    switch self {
    case .stringToURL:
      make(input: "a string", output: .uri, expected: "a string with a URI") { json in
        json.stringValue.flatMap(URIText.url).map { .uri($0) }
      } reverse: { value in
        switch value {
        case .uri(let url): .string(url.absoluteString)
        case .string(let text): .string(text)
        default: nil
        }
      }
    case .stringToUUID:
      make(
        input: "a string", output: .uuid,
        expected: "a string with a UUID, such as \"123e4567-e89b-12d3-a456-426614174000\""
      ) { json in
        guard case .string(let text) = json else { return nil }
        return LentBytes.with(text) { UUIDText.parse($0) }.map { .uuid($0) }
      } reverse: { value in
        guard case .uuid(let uuid) = value else { return nil }
        return .string(UUIDText.text(uuid))
      }
    default:
      make(input: "a string", output: .string, expected: "a string") { json in
        json.stringValue.map { .string($0.lowercased()) }
      } reverse: { value in
        guard case .string = value else { return nil }
        return value.jsonValue
      }
    }
  }

  /// The transformers between booleans and 0 and 1, or the strings `true` and `false`. They accept nothing else.
  var booleanTransformer: ValueTransformer {
    if self == .integerToBoolean {
      return make(input: "a number", output: .boolean, expected: "0 or 1") { json in
        guard let value = json.numberValue?.int64, value == 0 || value == 1 else { return nil }
        return .boolean(value == 1)
      } reverse: { value in
        guard case .boolean(let value) = value else { return nil }
        return .number(value ? 1 : 0)
      }
    }
    return make(input: "a string", output: .boolean, expected: "the string \"true\" or \"false\"") { json in
      switch json.stringValue {
      case "true": .boolean(true)
      case "false": .boolean(false)
      default: nil
      }
    } reverse: { value in
      guard case .boolean(let value) = value else { return nil }
      return .string(value ? "true" : "false")
    }
  }

  /// Returns a transformer for dates in a pattern.
  func dateTransformer(_ format: DateFormat) -> ValueTransformer {
    make(
      input: "a string", output: .date, expected: "a string with a date in the format '\(format.pattern)'"
    ) { json in
      json.stringValue.flatMap(format.microseconds).map { .date(Date(microsecondsSince1970: $0)) }
    } reverse: { value in
      guard case .date(let date) = value else { return nil }
      return .string(format.text(date.microsecondsSince1970))
    }
  }
}
