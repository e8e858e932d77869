import GraftTestSupport
import Testing

@testable import Graft

// Faulty attributes are in Tests/Fixtures/bad-models/values and transformers.
@Suite("Checks of attributes") struct AttributeCheckTests {
  private func check(_ attribute: String) -> [String] {
    findings(entities: #""A": {"attributes": {"x": {\#(attribute)}}}"#)
  }

  @Test(
    "D5, D11: values of the attribute's type in stored form are accepted, and so are keywords that fit the type",
    arguments: [
      #""type": "integer64", "default": 1e2"#, #""type": "json", "default": {"a": [1, null]}"#,
      #""type": "string", "default": null"#, #""type": "string", "pattern": "o", "default": "Bob""#,
      #""type": "string", "pattern": "^[A-Z]{2,3}$""#,
      #""type": "integer16", "JSONTransformerName": "StringToInteger""#,
      #""type": "date", "JSONTransformerName": "DateFormat(dd.MM.yyyy)""#,
    ])
  func legal(attribute: String) {
    #expect(check(attribute) == [])
  }

  @Test(
    "D11: impossible bounds, keywords that do not fit the type, and an empty enum cause errors",
    arguments: [
      (#""type": "integer16", "minimum": 2, "maximum": 1"#, "impossible-bounds"),
      (#""type": "string", "minLength": 3, "maxLength": 2"#, "impossible-bounds"),
      (#""type": "string", "minimum": 1"#, "unfit-validation"),
      (#""type": "integer64", "pattern": "a""#, "unfit-validation"),
      (#""type": "string", "enum": []"#, "empty-enum"),
    ])
  func unmeetable(attribute: String, code: String) {
    #expect(codes(#""A": {"attributes": {"x": {\#(attribute)}}}"#) == [code])
  }

  @Test("D11: a mapped relationship to an abstract entity requires a mapper, but an unmapped relationship does not")
  func abstract() {
    let entities = { (keyPath: String) in
      #""A": {"abstract": true}, "B": {"relationships": {"a": {"destination": "A"\#(keyPath)}}}"#
    }
    #expect(codes(entities(#", "JSONKeyPath": "a""#)) == ["abstract-destination"])
    #expect(codes(entities("")) == [])
    #expect(codes(#""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": [""]}}}"#) == [])
  }

  /// The codes of the findings.
  private func codes(_ entities: String) -> [String] {
    ModelFile.read(
      SourceText(name: "m.json", bytes: Array("{\"entities\": {\(entities)}}".utf8)), transformers: .standard
    )
    .diagnostics.withoutAdvice.map(\.code.rawValue)
  }

  @Test("M9: a malformed pattern causes an error at the location inside the pattern", arguments: patterns)
  func pattern(pattern: String, reason: String) {
    let marked = MarkedText(pattern).text.replacing(#"\\"#, with: #"\"#)
      .replacing(#"\u00e9"#, with: "é")
    let expected = reason.isEmpty ? [] : ["1️⃣ error: malformed pattern '\(marked)' of 'A.x': \(reason)"]
    #expect(check(#""type": "string", "pattern": "\#(pattern)""#) == expected)
  }

  static let patterns: [(String, String)] = [
    ("^[A-Z]{2,3}$", ""), (#"^\\d+(?:\\.\\d\\d?)?$"#, ""), ("(?<year>[0-9]{4})-", ""), ("", ""),
    ("ab1️⃣[a-z", "the class is not closed: expected ']'"), ("x1️⃣(a", "the group is not closed: expected ')'"),
    ("a1️⃣)", #"')' has nothing to close; write \) for the character itself"#),
    ("1️⃣*", #"'*' has nothing before it to repeat; write \* for the character itself"#),
    (#"\u00e9\\.1️⃣]"#, #"']' has nothing to close; write \] for the character itself"#),
    ("é😀a{2}1️⃣{3}", "'{' repeats a repetition: put the inner repetition in a group"),
    ("a1️⃣{x}", #"expected '{2}', '{2,}' or '{2,3}'; write \{ for the character itself"#),
    ("a1️⃣{3,2}", "the minimum 3 is greater than the maximum 2"),
    ("^1️⃣+", "it repeats a position between characters, not a character"),
    ("[a1️⃣z-a]", "the range ends before it begins"),
    (#"[1️⃣\\w-.]"#, #"a range needs a character on each side; write \- for '-' itself"#),
    ("1️⃣[]", #"the class is empty: write \] for the character ']' itself"#),
    (#"\\t1️⃣\\q"#, #"\q is not a known escape"#), (#"a1️⃣\\z"#, #"\z is not supported: use '$' for the end"#),
    (#"1️⃣\\uD83D"#, "half of a surrogate pair is not a character"), (#"1️⃣\\x4"#, "expected 2 hexadecimal digits"),
    (#"1️⃣\\pL"#, #"expected a general category in braces: \p{L}"#),
    ("a{1️⃣20000}", "its repetitions expand to more than 10000 states"),
  ]

  @Test(
    "M4: the error for a pattern that cannot be matched in one pass explains the reason", arguments: foreignPatterns)
  func foreignPattern(pattern: String, reason: String) {
    let marked = MarkedText(pattern).text.replacing(#"\\"#, with: #"\"#)
    #expect(
      check(#""type": "string", "pattern": "\#(pattern)""#) == [
        "1️⃣ error: the pattern '\(marked)' of 'A.x' cannot be used: \(reason)"
      ])
  }

  static let foreignPatterns: [(String, String)] = [
    ("^1️⃣(?=b)[a-c]$", "look-ahead is not supported: patterns are matched in one pass over the text"),
    ("1️⃣(?<!a)b", "look-behind is not supported: patterns are matched in one pass over the text"),
    (#"(.)1️⃣\\1"#, "back-references are not supported: patterns are matched in one pass over the text"),
    (#"(?<a>.)1️⃣\\k<a>"#, "back-references are not supported: patterns are matched in one pass over the text"),
    ("1️⃣(?i)abc", "flags are not supported in a pattern, as in JSON Schema: write [aA] to match both cases"),
    ("1️⃣(?>a+)b", "this kind of group is not supported: expected '(' or '(?:'"),
    ("a1️⃣++b", "possessive repetitions are not supported, nor needed: matching never backtracks"),
    ("[1️⃣[:alpha:]]", #"named classes are not supported: use \p{L} for letters, \d for digits"#),
    (
      #"1️⃣\\p{Greek}"#,
      "'Greek' is not a Unicode general category, such as L, Lu or Nd; other properties are not supported"
    ),
  ]

  @Test("M9: the length and depth of a pattern are limited, so compiling a pattern always ends")
  func hugePatterns() {
    func fault(_ pattern: String) -> String {
      String(check(#""type": "string", "pattern": 1️⃣"\#(pattern)""#).joined().split(separator: ": ").last ?? "")
    }
    #expect(fault(String(repeating: "(", count: 100_000)) == "it is longer than 10000 bytes")
    let nested = String(repeating: "(", count: 60) + "a" + String(repeating: ")", count: 60)
    #expect(fault(nested) == "its groups are nested deeper than 50")
    #expect(
      fault("((a{100}){100}){100}")
        == "its repetitions expand to more than 10000 states")
    #expect(fault("(((){9999}){9999}){9999}") == "")
  }

  @Test("M9: a one-way transformer is accepted if its property is not exported")
  func oneWay() {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    let attribute = #""A": {"attributes": {"x": {"type": "string", "JSONTransformerName": "Slug"}}}"#
    #expect(findings(entities: attribute, transformers: transformers) == [])
  }
}
