/// The phrase that describes a found value in a message: `the string "4"`, `the number 1.5`, `true`, `null`, `an array`, `an
/// object`.
///
/// Long values are truncated to 80 bytes. Control characters and characters that change the direction of text are escaped, so
/// that a payload cannot manipulate the terminal that shows the message.
package enum FoundPhrase {
  /// The maximum number of bytes of a value that are shown.
  package static let longest = 80

  /// Describes a value.
  package static func of(_ value: JSON) -> String {
    switch value {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .number(let value): number(value.text.utf8)
    case .string(let value): string(value.utf8)
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Describes a value, given by its JSON text.
  static func value(_ bytes: LentBytes) -> String {
    switch bytes.first {
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "an array"
    case UInt8(ascii: "t"): return "true"
    case UInt8(ascii: "f"): return "false"
    case UInt8(ascii: "n"): return "null"
    case UInt8(ascii: "\""):
      var scanner = JSONScanner(bytes, maxDepth: 1)
      var scratch = ScratchText()
      defer { scratch.free() }
      guard let raw = try? scanner.scanString() else { return "a string" }
      return string(scanner.text(of: raw, in: &scratch))
    default: return number(bytes)
    }
  }

  /// Describes a string, given by its decoded bytes.
  package static func string(_ bytes: some Collection<UInt8>) -> String { "the string \(quoted(bytes))" }

  /// Describes a number, given by its text.
  package static func number(_ bytes: some Collection<UInt8>) -> String {
    "the number \(shown(bytes, quote: nil))"
  }

  /// Returns the text in double quotes, truncated and escaped.
  package static func quoted(_ bytes: some Collection<UInt8>) -> String { "\"\(shown(bytes, quote: "\""))\"" }

  /// Returns the text in the quotes of JSON paths, truncated and escaped.
  package static func singleQuoted(_ bytes: some Collection<UInt8>) -> String { "'\(shown(bytes, quote: "'"))'" }

  /// This method works on scalars, because a combining mark forms one character with whatever precedes it, even a quote.
  private static func shown(_ bytes: some Collection<UInt8>, quote: Unicode.Scalar?) -> String {
    var head = Array(bytes.prefix(longest + 1))
    let isCut = head.count > longest
    if isCut {
      head.removeLast()
      // The text must not end in the middle of a scalar.
      while let last = head.last, last & 0xC0 == 0x80 { head.removeLast() }
      if let last = head.last, last >= 0xC0 { head.removeLast() }
    }
    var text = ""
    for scalar in String(decoding: head, as: UTF8.self).unicodeScalars {
      switch scalar {
      case _ where scalar == quote || scalar == "\\" && quote != nil: text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if isUnsafe(scalar) { text += escape(scalar) } else { text.unicodeScalars.append(scalar) }
      }
    }
    return isCut ? text + "…" : text
  }

  /// Returns whether a scalar is a control character, a line separator, invisible, or changes the direction of text.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    scalar.utf16.map { "\\u" + String(0x10000 + UInt32($0), radix: 16).dropFirst() }.joined()
  }
}

extension JSONScanner {
  /// Skips the value at the scanner's position and describes it.
  ///
  /// - Returns: the words, and the number of bytes of the value.
  mutating func found() throws(JSONSyntaxError) -> (phrase: String, length: Int) {
    let start = position
    try skipValue()
    let bytes = LentBytes(start: start, count: position - start)
    return (FoundPhrase.value(bytes), bytes.count)
  }
}
