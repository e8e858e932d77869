/// A `pattern` of the model: a regular expression that must match somewhere in a string (M4).
///
///     let code = try TextPattern("^[A-Z]{2,4}-[0-9]{3}$")
///     code.matches("AB-234")                              // true
///
/// The dialect is the subset that JSON Schema recommends, with the semantics of ECMA-262: characters, `.`, classes, `\d \w \s` (ASCII
/// except for `\s`), `\b`, `\p{L}` and other general categories, repetitions, `^ $`, groups and alternatives. One character is one Unicode
/// scalar, as for `minLength` (D9).
///
/// Matching reads each string once, in O(text x pattern). Look-around and back-references, which would require reading a string again,
/// are not supported.
package struct TextPattern: Sendable {
  /// The reason why a pattern is malformed.
  package struct Fault: Error, Hashable, Sendable {
    /// The reason in lower case, without a full stop: `expected ']'`.
    package var reason: String
    /// The bytes of the pattern that are at fault, or nil for the whole pattern.
    package var range: Range<Int>?
    /// Whether other dialects support the construct.
    package var isUnsupported = false
  }

  /// The maximum length of a pattern, in bytes.
  package static let longest = 10_000
  /// The maximum nesting depth of groups.
  package static let deepest = 50

  /// The pattern as given.
  package let text: String
  /// The syntax tree, for inspection.
  package let root: PatternNode
  private let program: PatternProgram
  private var table: PatternTable?

  /// Compiles a pattern.
  package init(_ text: String) throws(Fault) {
    guard text.utf8.count <= Self.longest else { throw Fault(reason: "it is longer than \(Self.longest) bytes") }
    self.text = text
    root = try PatternParser.parse(text)
    program = try PatternProgram(root)
  }

  /// Returns the pattern prepared for many strings: O(text) if the pattern is small and the text is ASCII.
  package func prepared() -> TextPattern {
    var pattern = self
    pattern.table = PatternTable(program)
    return pattern
  }

  /// Returns whether a string contains a match.
  package func matches(_ text: String) -> Bool { LentBytes.with(text) { matches($0) } }

  /// Returns whether text in UTF-8 contains a match.
  package func matches(_ text: LentBytes) -> Bool { table?.matches(text) ?? program.matches(text) }
}
