/// What the strict scanner (RFC 8259) refuses, and where.
package struct JSONSyntaxError: Error {
  /// Byte offset in the text.
  package var offset: Int
  /// What is wrong there.
  package var problem: Problem
  /// What is underlined in place of what is there: the key that was probably meant.
  package var shown: (offset: Int, length: Int)?

  package enum Problem: Sendable, Hashable {
    case unexpectedEnd(String)
    case expected(String)
    /// A key that is not there: what was expected, and the key that was probably meant.
    case absentKey(String, near: String?)
    /// Where an object with a key was expected is another value.
    case blockedPath(String)
    case trailingComma
    case unterminatedString
    case controlCharacter(UInt8)
    case badEscape
    case loneSurrogate
    case invalidUTF8
    case badNumber(String)
    case badLiteral
    case comment
    case textAfterEnd
    case wrongEncoding(String)
    case tooDeep(Int)
    case duplicateKey(String)
    case empty
    /// More of something than a limit allows.
    case limit(Limit, Int)
    /// Copies of values that objects read from outside (M19) take more bytes than the limit of a payload.
    case tooManyCopies(Int)
    /// No fault of the text: whoever drives the scanner has seen enough.
    case stopped
  }

  /// What is limited, by its name in the options.
  package enum Limit: String, Sendable {
    case bytes, objects, stringBytes, numberBytes
  }
}
