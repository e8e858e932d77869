/// The error thrown by the strict scanner (RFC 8259), with its location.
package struct JSONSyntaxError: Error {
  /// Byte offset in the text.
  package var offset: Int
  /// The problem.
  package var problem: Problem
  /// The key that was probably intended, which is underlined instead of the value.
  package var shown: (offset: Int, length: Int)?

  package enum Problem: Sendable, Hashable {
    case unexpectedEnd(String)
    case expected(String)
    /// A missing key: the expectation, and the key that was probably intended.
    case absentKey(String, near: String?)
    /// A value of another type where an object with a key was expected.
    case blockedPath(String)
    case trailingComma
    case unterminatedString
    case controlCharacter(UInt8)
    case badEscape
    case loneSurrogate
    case invalidUTF8
    case badNumber(String)
    case badLiteral
    /// Recognized text that is not JSON, in place of a value.
    case foreign(ForeignText)
    case comment
    case textAfterEnd
    case wrongEncoding(String)
    case tooDeep(Int)
    case duplicateKey(String)
    case empty
    /// A quantity that exceeds a limit.
    case limit(Limit, Int)
    /// Copies of values that objects read from outside (M19) take more bytes than the limit of a payload.
    case tooManyCopies(Int)
    /// The caller stopped the scanner. This is not an error in the text.
    case stopped
  }

  /// A limited quantity, by its name in the options.
  package enum Limit: String, Sendable {
    case bytes, objects, stringBytes, numberBytes
  }
}
