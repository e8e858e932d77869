/// Text that is not JSON, but is often found in its place. An error identifies such text and explains what to do about it.
package enum ForeignText: Sendable, Hashable {
  /// A number that does not exist in JSON: `NaN`, `-Infinity`.
  case number(String)
  /// A literal of another language, and the JSON equivalent: `None` and `null`.
  case literal(String, json: String)
  case singleQuote
  /// A prefix that keeps browsers from running JSON as a script: `)]}'`.
  case scriptGuard(String)
  /// `HTML` or `XML`.
  case markup(String)
  /// Compressed data.
  case gzip
  /// The path of a file, in place of its contents.
  case path(String)
}

extension ForeignText {
  private static let longestWord = 12
  private static let longestPath = 1024

  /// Returns the path of a JSON file, if the text consists only of that path.
  private static func path(_ bytes: LentBytes) -> String? {
    guard bytes.count <= longestPath, !bytes.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "{") }) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return [".json", ".jsonl", ".ndjson"].contains(where: text.lowercased().hasSuffix) ? text : nil
  }

  /// Recognizes the text at the beginning of bytes, where a JSON value is expected.
  ///
  /// - Parameter isBeginning: whether the bytes are at the beginning of the text.
  init?(at bytes: LentBytes, isBeginning: Bool) {
    func starts(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
    if isBeginning, bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
      return
    }
    if isBeginning, let path = ForeignText.path(bytes) {
      self = .path(path)
      return
    }
    if let text = [")]}'", "while(1);", "for(;;);"].first(where: starts) {
      self = .scriptGuard(text)
      return
    }
    switch bytes.first {
    case UInt8(ascii: "<"): self = .markup(starts("<?xml") ? "XML" : "HTML")
    case UInt8(ascii: "'"): self = .singleQuote
    default:
      let isNegative = bytes.first == UInt8(ascii: "-")
      let letters = bytes.dropFirst(isNegative ? 1 : 0).prefix(ForeignText.longestWord)
        .prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
      let word = String(decoding: letters, as: UTF8.self)
      switch word.lowercased() {
      case "nan", "inf", "infinity": self = .number((isNegative ? "-" : "") + word)
      case "true" where !isNegative && word != "true": self = .literal(word, json: "true")
      case "false" where !isNegative && word != "false": self = .literal(word, json: "false")
      case "none" where !isNegative, "nil" where !isNegative, "undefined" where !isNegative,
        "null" where !isNegative && word != "null":
        self = .literal(word, json: "null")
      default: return nil
      }
    }
  }

  /// The message.
  var message: String {
    switch self {
    case .number(let word):
      "expected a JSON value, found \(word): JSON has no such number; the sender must write null or omit the key"
    case .literal(let word, let json):
      "expected a JSON value, found \(word): JSON has \(json) instead"
        + (["True", "False", "None"].contains(word) ? ", which Python's json.dumps() writes" : "")
    case .singleQuote: "expected a JSON value, found a single quote: JSON strings use double quotes"
    case .scriptGuard(let text):
      "expected JSON, found \(text), which keeps browsers from running the text as a script: remove it before the import"
    case .markup(let name):
      "expected JSON, found \(name): the server probably answered with a page, such as an error message or a login form"
    case .path(let path):
      "expected JSON, found \(FoundPhrase.quoted(path.utf8)): to import a file, pass its URL, such as URL(filePath:)"
    case .gzip: "expected JSON, found data that is compressed with gzip: decompress it before the import"
    }
  }
}
