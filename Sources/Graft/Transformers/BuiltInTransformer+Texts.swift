#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension BuiltInTransformer {
  /// The transformers for URIs, UUIDs, lower case and paths.
  var textTransformer: ValueTransformer {
    switch self {
    case .lastPathSegment:
      // The rest of the path is lost. Exports write only the segment, and imports read it unchanged.
      make(
        input: "a string", output: .string,
        expected: "a string with a path or URL, such as \"https://example.org/planets/1/\""
      ) { json in
        json.stringValue.flatMap(BuiltInTransformer.lastSegment).map { .string($0) }
      } reverse: { value in
        guard case .string(let text) = value, let segment = BuiltInTransformer.lastSegment(of: text),
          UTF8Key(segment) == UTF8Key(text)
        else { return nil }
        return value.jsonValue
      }
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

  /// Returns the last segment of a path or URL that is not empty, without a query and fragment; nil if there is no such
  /// segment, as in `https://example.org`.
  private static func lastSegment(of text: String) -> String? {
    let bytes = text.utf8
    var path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    var segments = path.split(separator: UInt8(ascii: "/"))
    // A scheme and the host that follows it are not segments.
    if segments.first?.last == UInt8(ascii: ":"), path.dropFirst(segments[0].count).starts(with: "//".utf8) {
      segments.removeFirst(min(2, segments.count))
    }
    path = segments.last ?? bytes.prefix(0)
    return path.isEmpty ? nil : String(path)
  }

  /// The transformers between booleans and 0 and 1, or the strings `true` and `false`. They do not accept any other values.
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

  /// Returns a transformer for dates in any of several patterns. Exports use the first pattern.
  func dateTransformer(_ formats: [DateFormat]) -> ValueTransformer {
    let patterns = formats.map { "'\($0.pattern)'" }.joined(separator: " or ")
    return make(
      input: "a string", output: .date, expected: "a string with a date in the format \(patterns)"
    ) { json in
      guard let text = json.stringValue else { return nil }
      return formats.lazy.compactMap { $0.microseconds(text) }.first.map { .date(Date(microsecondsSince1970: $0)) }
    } reverse: { value in
      guard case .date(let date) = value else { return nil }
      return .string(formats[0].text(date.microsecondsSince1970))
    }
  }

  /// Returns a transformer between a string and the list of its parts. An empty string is an empty list.
  func splitTransformer(_ separator: String) -> ValueTransformer {
    make(input: "a string", output: .string, expected: "a string with parts separated by '\(separator)'") { json in
      json.stringValue.map { .list(BuiltInTransformer.parts(of: $0, separator).map { .string($0) }) }
    } reverse: { value in
      guard case .list(let elements) = value else { return nil }
      return BuiltInTransformer.joined(elements.map(\.jsonValue), separator).map { .string($0) }
    }
  }

  /// Returns the parts of a string between separators.
  static func parts(of text: String, _ separator: String) -> [String] {
    // Compare bytes, because a combining mark after a separator would hide it.
    let (bytes, mark) = (Array(text.utf8), Array(separator.utf8))
    var parts: [String] = []
    var start = 0
    var place = 0
    while place + mark.count <= bytes.count {
      if bytes[place..<place + mark.count].elementsEqual(mark) {
        parts.append(String(decoding: bytes[start..<place], as: UTF8.self))
        place += mark.count
        start = place
      } else {
        place += 1
      }
    }
    if !bytes.isEmpty { parts.append(String(decoding: bytes[start...], as: UTF8.self)) }
    return parts
  }

  /// Returns the text whose parts are the given strings, numbers and booleans. Returns nil if there is no such text, because a part
  /// contains the separator or the only part is empty.
  static func joined(_ parts: [JSON], _ separator: String) -> String? {
    let texts = parts.map { $0.stringValue ?? $0.description }
    let text = texts.joined(separator: separator)
    let back = self.parts(of: text, separator)
    return back.elementsEqual(texts) { UTF8Key($0) == UTF8Key($1) } ? text : nil
  }

  /// Returns a transformer, for attributes of a type, that reads text consisting only of white space as null.
  func blankTransformer(for type: AttributeType) -> ValueTransformer {
    ValueTransformer(
      name: name, builtIn: self, input: "\(type.nounPhrase), or a blank string", output: type.nounPhrase,
      forward: { json in
        if let text = json.stringValue, text.unicodeScalars.allSatisfy(\.properties.isWhitespace) { return nil }
        do { return try AttributeValue(json: json, type: type) } catch {
          throw TransformerInputError(expected: "\(type.nounPhrase), or a blank string")
        }
      },
      reverse: { $0.jsonValue })
  }
}
