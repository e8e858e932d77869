/// A `pattern` of the model: a regular expression that a text must contain a match of (M4).
///
///     let code = try TextPattern("^[A-Z]{2,4}-[0-9]{3}$")
///     code.matches("AB-234")                              // true
///
/// The dialect is the one that JSON Schema recommends, with the meanings of ECMA-262: characters, `.`, classes, `\d \w \s`
/// (ASCII, but for `\s`), `\b`, `\p{L}` and other general categories, repetitions, `^ $`, groups and alternatives. One
/// character is one Unicode scalar, as for `minLength` (D9).
///
/// Matching takes one pass: O(text x pattern), whatever the text is. That is why look-around and back-references, which
/// need more than one pass, are no part of the dialect.
package struct TextPattern: Sendable {
  /// Why a text is no pattern.
  package struct Fault: Error, Hashable, Sendable {
    /// In lower case, without a full stop: `expected ']'`.
    package var reason: String
    /// The bytes of the pattern that are at fault; nil: all of it.
    package var range: Range<Int>?
    /// Other dialects know it, this one does not.
    package var isUnsupported = false
  }

  /// The longest pattern, in bytes.
  package static let longest = 10_000
  /// The most groups that may stand inside each other.
  package static let deepest = 50

  /// The pattern as it was given.
  package let text: String
  /// What it means, for those who want to look at it.
  package let root: PatternNode
  private let program: PatternProgram
  private var table: PatternTable?

  /// Takes a pattern.
  package init(_ text: String) throws(Fault) {
    guard text.utf8.count <= Self.longest else { throw Fault(reason: "it is longer than \(Self.longest) bytes") }
    self.text = text
    root = try PatternParser.parse(text)
    program = try PatternProgram(root)
  }

  /// The same, made ready for many texts: O(text) where the pattern is small and the text ASCII.
  package func prepared() -> TextPattern {
    var pattern = self
    pattern.table = PatternTable(program)
    return pattern
  }

  /// Whether a text contains a match.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8(matches)
  }

  /// Whether a text, in UTF-8, contains a match.
  package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool { table?.matches(text) ?? program.matches(text) }
}
