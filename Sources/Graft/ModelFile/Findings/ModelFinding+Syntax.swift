// Findings about the syntax of a model file, before its structure is known (M1, D8).
extension ModelFinding {
  private static func syntax(_ message: String) -> Self { Self(.syntaxError, message) }

  // MARK: The file

  static func encoding(_ name: String) -> Self {
    Self(.wrongEncoding, "expected UTF-8, found \(name): save the file as UTF-8")
  }

  static func notUTF8(_ byte: UInt8) -> Self {
    let digits = String(byte, radix: 16, uppercase: true)
    return Self(
      .wrongEncoding,
      "expected UTF-8, found the byte 0x\(digits), which is not part of a character: save the file as UTF-8")
  }

  static let emptyFile = syntax(#"expected a model, found an empty file; the smallest model is {"entities": {}}"#)

  static func noModel(found: String) -> Self { syntax("expected '{' at the start of the model, found \(found)") }

  static func behindTheEnd(found: String) -> Self { syntax("expected the end of the file, found \(found)") }

  static func tooDeep(_ limit: Int) -> Self {
    Self(.tooDeep, "objects and arrays are nested deeper than \(limit) levels")
  }

  static func tooManySyntaxErrors(_ limit: Int) -> Self {
    Self(.tooManyFindings, "reading stopped after the first \(limit) errors: is this a model file?")
  }

  // MARK: Members and elements

  static func bareKey(_ key: String) -> Self {
    syntax("expected a key in double quotes: write \"\(key.shortened)\"").proposing("\"\(key)\"")
  }

  static func missingColon(_ key: String, found: String) -> Self {
    syntax("expected ':' after the key \(key.quoted), found \(found)")
  }

  static func twoColons(_ key: String) -> Self {
    syntax("expected a value for the key \(key.quoted), found a second ':': one is enough")
  }

  static func keyAlone(_ key: String, found: String) -> Self {
    syntax("expected ':' and a value after the key \(key.quoted), found \(found)")
  }

  static func missingValue(_ key: String, found: String) -> Self {
    syntax("expected a value for the key \(key.quoted), found \(found)")
  }

  static func missingOpening(_ key: String) -> Self {
    syntax("expected a value or '{' for the key \(key.quoted), found the next key")
  }

  static func missingComma(_ owner: String, found: String) -> Self {
    syntax("expected ',' after \(owner), found \(found)")
  }

  static func extraComma(expected: String) -> Self { syntax("expected \(expected), found ',': one comma is enough") }

  static func stray(_ found: String, expected: String) -> Self { syntax("expected \(expected), found \(found)") }

  // MARK: Brackets

  static func wrongBracket(_ list: String, expected: String, found: String) -> Self {
    syntax("expected '\(expected)' at the end of the \(list), found \(found)")
  }

  static let keyInArray = syntax(
    "expected a value in the array, found a key: keys and values must be in braces, { }")

  static func fileEndsInside(_ list: String, expected: String) -> Self {
    syntax("expected '\(expected)' at the end of the \(list), found the end of the file")
  }

  // MARK: Comments and spaces

  static let hashComment = syntax("expected a comment to begin with '//', found '#'").proposing("//")

  static let loneSlash = syntax(
    "expected a comment, found '/': write // for a comment to the end of the line, or /* */")

  static let openComment = syntax("the comment is not closed: expected '*/' before the end of the file")

  static func foreignSpace(_ scalar: Unicode.Scalar) -> Self {
    syntax("expected a plain space, found the character \(scalar.codePoint), which only looks like one")
  }

  // MARK: Words and numbers

  static func foreignWord(_ word: String, legal: String) -> Self {
    syntax("expected a value, found \(word.quoted): write \(legal)").proposing(legal)
  }

  static func bareText(_ text: String) -> Self {
    syntax("expected a value, found \(text.quoted): write text in double quotes, \"\(text.shortened)\"")
      .proposing("\"\(text)\"")
  }

  static func badNumber(_ text: String, legal: String?) -> Self {
    syntax(
      "\(text.quoted) is not a JSON number: "
        + (legal.map { "write \($0)" } ?? "write text in double quotes")
    ).proposing(legal)
  }

  // MARK: Strings

  static func foreignQuotes(_ text: String?) -> Self {
    syntax("expected a string in double quotes, found other quotes" + (text.map { ": write \"\($0)\"" } ?? ""))
      .proposing(text.map { "\"\($0)\"" })
  }

  static let openForeignString = syntax(
    "expected a string in double quotes, found one in other quotes that is not closed on its line")

  static let openString = syntax("the string is not closed: expected '\"' at its end, on the same line")

  static func quoteInString(found: String) -> Self {
    syntax("expected the end of the string, found \(found): write a quote inside a string as \\\"")
  }

  static func controlCharacter(escape: String) -> Self {
    syntax("a control character in a string must be escaped: \(escape)").proposing(escape)
  }

  static func unknownEscape(_ name: String) -> Self {
    syntax("\(name.quoted) is not an escape: write a backslash as \\\\")
  }

  static let badHexDigits = syntax(#"expected four hexadecimal digits after '\u', as in \u00E9"#)

  static let loneSurrogate = syntax(
    #"half of a surrogate pair is not a character: expected both halves, as in \uD83D\uDE00"#)
}
