/// The error and location of a text that the strict scanner (RFC 8259) rejects.
package struct JSONSyntaxError: Error {
  /// The byte offset in the text.
  package var offset: Int
  /// The problem at that offset.
  package var problem: Problem

  package enum Problem: Sendable, Hashable {
    case unexpectedEnd(String)
    case expected(String)
    /// A missing key: what was expected, and the key that was probably meant.
    case absentKey(String, near: String?)
    case trailingComma
    case unterminatedString
    case controlCharacter(UInt8)
    case badEscape
    case loneSurrogate
    case invalidUTF8
    case badNumber(String)
    case badLiteral
    case textAfterEnd
    case wrongEncoding(String)
    case tooDeep(Int)
    case duplicateKey(String)
    case empty
    /// An exceeded limit: its name in the options, and its value.
    case limit(String, Int)
    /// Not an error in the text: the caller stopped the scanner.
    case stopped
  }

  /// The message if something follows the document.
  package static let textAfterEnd = JSONSyntaxError(offset: 0, problem: .textAfterEnd).message

  /// The key that was probably meant. The message contains it.
  package var suggestion: String? {
    if case .absentKey(_, let near) = problem { near } else { nil }
  }

  /// The message of a diagnostic.
  package var message: String { message(in: .library) }

  /// Returns the message with the option names that the caller uses.
  package func message(in words: OptionWords) -> String {
    switch problem {
    case .unexpectedEnd(let what): "the text ends where \(what) was expected"
    case .expected(let what): "expected \(what)"
    case .absentKey(let what, let near): "expected \(what)" + (near.map { "; did you mean '\($0)'?" } ?? "")
    case .trailingComma: "expected another element after the comma: JSON allows no trailing comma"
    case .unterminatedString: "the text ends inside a string: expected '\"'"
    case .controlCharacter(let byte):
      "a control character (\(hexadecimal(byte))) in a string must be escaped as \\u00\(hexadecimal(byte).dropFirst(2))"
    case .badEscape: "expected an escape after '\\': one of \" \\ / b f n r t, or u and four hexadecimal digits"
    case .loneSurrogate: "half of a surrogate pair stands alone: it is no character"
    case .invalidUTF8: "the bytes are not UTF-8"
    case .badNumber(let what): "expected \(what) in a number"
    case .badLiteral: "expected a JSON value: an object, an array, a string, a number, true, false or null"
    case .textAfterEnd: "expected nothing after the end of the JSON value"
    case .wrongEncoding(let name): "the text is \(name), but JSON is exchanged in UTF-8 (RFC 8259, section 8.1)"
    case .tooDeep(let limit):
      "nested deeper than the limit of \(limit) levels" + (words.hasLimits ? " ('depth')" : "")
    case .duplicateKey(let key): "the key \(FoundPhrase.quoted(key.utf8)) occurs twice in one object"
    case .empty: "expected a JSON value, found nothing"
    case .limit(let name, let limit):
      words.hasLimits
        ? "more than the limit '\(name)' of \(limit) allows"
        : "more than the limit of \(limit) \(JSONSyntaxError.unit(ofLimit: name)) allows"
    case .stopped: "the import was stopped"
    }
  }

  /// Returns the unit of a limit, for callers without options of that name.
  private static func unit(ofLimit name: String) -> String {
    switch name {
    case "objects": "new objects"
    case "stringBytes": "bytes in a string"
    case "numberBytes": "bytes in a number"
    default: name
    }
  }

  /// A stable name for programs.
  package var code: String {
    switch problem {
    case .tooDeep: "limit-depth"
    case .limit(let name, _): "limit-" + name
    case .duplicateKey: "duplicate-key"
    default: "syntax"
    }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "U+" + (digits.count == 1 ? "0" : "") + digits
  }
}
