/// How messages word what was found: `the string "4"`, `the number 1.5`, `true`, `null`, `an array`, `an object`.
///
/// Long values are cut at 80 bytes. Control characters and those that turn the direction of text are escaped, so that
/// a payload cannot play with the terminal that shows the message.
package enum FoundPhrase {
  /// The most bytes of a value that are shown.
  package static let longest = 80

  /// Words a value.
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

  /// Words a string, given by its decoded bytes.
  package static func string(_ bytes: some Collection<UInt8>) -> String { "the string \(quoted(bytes))" }

  /// Words a number, given by its text.
  package static func number(_ bytes: some Collection<UInt8>) -> String {
    "the number \(shown(bytes, quote: nil))"
  }

  /// The text in double quotes, cut and escaped.
  package static func quoted(_ bytes: some Collection<UInt8>) -> String { "\"\(shown(bytes, quote: "\""))\"" }

  /// The text in the quotes of JSON paths, cut and escaped.
  package static func singleQuoted(_ bytes: some Collection<UInt8>) -> String { "'\(shown(bytes, quote: "'"))'" }

  /// By scalars throughout: a combining mark makes one character of itself and whatever stands before it, a quote as well.
  private static func shown(_ bytes: some Collection<UInt8>, quote: Unicode.Scalar?) -> String {
    var head = Array(bytes.prefix(longest + 1))
    let isCut = head.count > longest
    if isCut {
      head.removeLast()
      // Not through the middle of a scalar.
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

  /// Controls, line separators, and what is invisible or turns the direction of text.
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
