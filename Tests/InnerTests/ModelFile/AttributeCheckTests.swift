import GraftTestSupport
import Testing

@testable import Graft

@Suite("Checks of attributes") struct AttributeCheckTests {
  private func check(_ attribute: String) -> [String] {
    findings(entities: #""A": {"attributes": {"x": {\#(attribute)}}}"#)
  }

  @Test("D5: defaults are of the attribute's type, in stored form", arguments: defaults)
  func defaultValue(attribute: String, expected: [String]) {
    #expect(check(attribute) == expected)
  }

  static let defaults: [(String, [String])] = [
    (
      #""type": "integer16", "default": 1️⃣70000"#,
      ["1️⃣ error: expected an integer from -32768 to 32767 for 'default' of 'A.x', found the number 70000"]
    ),
    (
      #""type": "integer64", "default": 1️⃣"4""#,
      [#"1️⃣ error: expected an integer for 'default' of 'A.x', found the string "4""#]
    ),
    (#""type": "integer64", "default": 1e2"#, []),
    (
      #""type": "double", "default": 1️⃣1e999"#,
      [
        "1️⃣ error: expected a number that a double can hold (up to 1.8e308) for 'default' of 'A.x', found the number 1e999"
      ]
    ),
    (
      #""type": "boolean", "default": 1️⃣1"#,
      ["1️⃣ error: expected true or false for 'default' of 'A.x', found the number 1"]
    ),
    (
      #""type": "date", "default": 1️⃣"yesterday""#,
      [#"1️⃣ error: expected a date (RFC 3339 text) for 'default' of 'A.x', found the string "yesterday""#]
    ),
    (
      #""type": "binary", "default": 1️⃣"a""#,
      [#"1️⃣ error: expected base64 text for 'default' of 'A.x', found the string "a""#]
    ),
    (#""type": "uuid", "default": 1️⃣"a""#, [#"1️⃣ error: expected a UUID for 'default' of 'A.x', found the string "a""#]),
    (
      #""type": "uri", "default": 1️⃣"a b""#, [#"1️⃣ error: expected a URI for 'default' of 'A.x', found the string "a b""#]
    ),
    (#""type": "json", "default": {"a": [1, null]}"#, []),
    (#""type": "string", "default": null"#, []),
  ]

  @Test("M9: defaults and listed values meet the attribute's own validation", arguments: validations)
  func validation(attribute: String, expected: [String]) {
    #expect(check(attribute) == expected)
  }

  static let validations: [(String, [String])] = [
    (
      #""type": "integer16", "minimum": 2️⃣3, "default": 1️⃣2"#,
      [
        "1️⃣ error: 'default' of 'A.x' is the number 2, which breaks its own 'minimum' 3",
        "  2️⃣ note: 'minimum' is given here",
      ]
    ),
    (
      #""type": "decimal", "maximum": 2️⃣0.1, "default": 1️⃣0.11"#,
      [
        "1️⃣ error: 'default' of 'A.x' is the number 0.11, which breaks its own 'maximum' 0.1",
        "  2️⃣ note: 'maximum' is given here",
      ]
    ),
    (
      #""type": "string", "minLength": 2️⃣3, "default": 1️⃣"ab""#,
      [
        #"1️⃣ error: 'default' of 'A.x' is the string "ab", which breaks its own 'minLength' 3"#,
        "  2️⃣ note: 'minLength' is given here",
      ]
    ),
    (
      #""type": "binary", "maxLength": 2️⃣1, "default": 1️⃣"AAEC""#,
      [
        "1️⃣ error: 'default' of 'A.x' is data of 3 bytes, which breaks its own 'maxLength' 1",
        "  2️⃣ note: 'maxLength' is given here",
      ]
    ),
    (
      #""type": "string", "pattern": 2️⃣"^[a-z]+$", "default": 1️⃣"Bob""#,
      [
        #"1️⃣ error: 'default' of 'A.x' is the string "Bob", which breaks its own 'pattern' '^[a-z]+$'"#,
        "  2️⃣ note: 'pattern' is given here",
      ]
    ),
    (#""type": "string", "pattern": "o", "default": "Bob""#, []),
    (
      #""type": "string", "enum": 2️⃣["low", "high"], "default": 1️⃣"mid""#,
      [
        #"1️⃣ error: 'default' of 'A.x' is the string "mid", which its own 'enum' does not list"#,
        "  2️⃣ note: 'enum' is given here",
      ]
    ),
    (
      #""type": "integer16", "maximum": 2️⃣2, "enum": [1, 2, 1️⃣3], "default": 1"#,
      [
        "1️⃣ error: 'enum' of 'A.x' is the number 3, which breaks its own 'maximum' 2",
        "  2️⃣ note: 'maximum' is given here",
      ]
    ),
  ]

  @Test("D11: bounds can be met, and validation words fit the type", arguments: bounds)
  func checkBounds(attribute: String, expected: [String]) {
    #expect(check(attribute) == expected)
  }

  static let bounds: [(String, [String])] = [
    (
      #""type": "float", "minimum": 1️⃣2, "maximum": 2️⃣1.5"#,
      ["1️⃣ error: nothing can meet 'minimum' 2 and 'maximum' 1.5 of 'A.x'", "  2️⃣ note: 'maximum' is given here"]
    ),
    (
      #""type": "string", "minLength": 1️⃣3, "maxLength": 2️⃣2"#,
      ["1️⃣ error: nothing can meet 'minLength' 3 and 'maxLength' 2 of 'A.x'", "  2️⃣ note: 'maxLength' is given here"]
    ),
    (#""type": "string", "minLength": 1️⃣-1"#, ["1️⃣ error: 'minLength' of 'A.x' is -1: expected 0 or more"]),
    (
      #""type": "integer16", "minimum": 1️⃣1.5"#,
      ["1️⃣ error: expected an integer for 'minimum' of 'A.x', found the number 1.5"]
    ),
    (
      #""type": "string", "minimum": 1️⃣1"#,
      ["1️⃣ error: 'minimum' does not fit 'A.x', which is of type 'string': it is for numbers"]
    ),
    (
      #""type": "date", "maximum": 1️⃣"2014""#,
      ["1️⃣ error: 'maximum' does not fit 'A.x', which is of type 'date': it is for numbers"]
    ),
    (
      #""type": "integer16", "maxLength": 1️⃣3"#,
      ["1️⃣ error: 'maxLength' does not fit 'A.x', which is of type 'integer16': it is for strings and binary data"]
    ),
    (
      #""type": "uri", "pattern": 1️⃣"^https""#,
      ["1️⃣ error: 'pattern' does not fit 'A.x', which is of type 'uri': it is for strings"]
    ),
    (#""type": "string", "enum": 1️⃣[]"#, ["1️⃣ error: 'enum' of 'A.x' is empty: no value could be set"]),
    (
      #""type": "string", "enum": [2️⃣"a", "b", 1️⃣"a"]"#,
      [#"1️⃣ error: 'enum' of 'A.x' lists the string "a" twice"#, "  2️⃣ note: it stands here first"]
    ),
    (
      #""type": "decimal", "enum": [2️⃣1.0, 1️⃣1]"#,
      ["1️⃣ error: 'enum' of 'A.x' lists the number 1 twice", "  2️⃣ note: it stands here first"]
    ),
    (
      #""type": "integer16", "enum": [1, 1️⃣"2"]"#,
      [#"1️⃣ error: expected an integer for 'enum' of 'A.x', found the string "2""#]
    ),
  ]

  @Test("M9: a malformed pattern is an error at its place inside the text", arguments: patterns)
  func pattern(pattern: String, reason: String) {
    let marked = MarkedText(pattern).text.replacing(#"\\"#, with: #"\"#)
      .replacing(#"\u00e9"#, with: "é")
    let expected = reason.isEmpty ? [] : ["1️⃣ error: malformed pattern '\(marked)' of 'A.x': \(reason)"]
    #expect(check(#""type": "string", "pattern": "\#(pattern)""#) == expected)
  }

  static let patterns: [(String, String)] = [
    ("^[A-Z]{2,3}$", ""), (#"^\\d+(?:\\.\\d\\d?)?$"#, ""), ("(?<year>[0-9]{4})-", ""), ("", ""),
    ("ab1️⃣[a-z", "the class is not closed: expected ']'"), ("x1️⃣(a", "the group is not closed: expected ')'"),
    ("a1️⃣)", #"')' closes nothing; the character itself is written \)"#),
    ("1️⃣*", #"'*' repeats nothing: it stands behind what it repeats; the character itself is written \*"#),
    (#"\u00e9\\.1️⃣]"#, #"']' closes nothing; the character itself is written \]"#),
    ("é😀a{2}1️⃣{3}", "'{' repeats a repetition: put that into a group"),
    ("a1️⃣{x}", #"expected '{2}', '{2,}' or '{2,3}'; the character itself is written \{"#),
    ("a1️⃣{3,2}", "nothing is repeated at least 3 and at most 2 times"),
    ("^1️⃣+", "it repeats a place between characters, not a character"),
    ("[a1️⃣z-a]", "the range ends before it begins"),
    (#"[1️⃣\\w-.]"#, #"a range is between two characters; '-' itself is written \-"#),
    ("1️⃣[]", #"the class is empty: the character ']' itself is written \]"#),
    (#"\\t1️⃣\\q"#, #"\q means nothing here"#), (#"a1️⃣\\z"#, #"\z means nothing here: the end is '$'"#),
    (#"1️⃣\\uD83D"#, "half a surrogate pair is no character"), (#"1️⃣\\x4"#, "expected 2 hexadecimal digits"),
    (#"1️⃣\\pL"#, #"expected a general category in braces: \p{L}"#),
    ("a{1️⃣20000}", "its repetitions come to more than 10000 states in all"),
  ]

  @Test("M4: what would need more than one pass over a text is refused, and says why", arguments: foreignPatterns)
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
    ("1️⃣(?i)abc", "flags inside a pattern are not supported, as in JSON Schema: write [aA] for both cases"),
    ("1️⃣(?>a+)b", "this kind of group is not supported: expected '(' or '(?:'"),
    ("a1️⃣++b", "possessive repetitions are not supported: nothing is tried twice anyway"),
    ("[1️⃣[:alpha:]]", #"named classes are not supported: \p{L} stands for letters, \d for digits"#),
    (
      #"1️⃣\\p{Greek}"#,
      "'Greek' is no general category of Unicode, such as L, Lu or Nd; other properties are not supported"
    ),
  ]

  @Test("M9: a pattern is neither very long nor very deep, so that compiling it ends")
  func hugePatterns() {
    func fault(_ pattern: String) -> String {
      String(check(#""type": "string", "pattern": 1️⃣"\#(pattern)""#).joined().split(separator: ": ").last ?? "")
    }
    #expect(fault(String(repeating: "(", count: 100_000)) == "it is longer than 10000 bytes")
    let nested = String(repeating: "(", count: 60) + "a" + String(repeating: ")", count: 60)
    #expect(fault(nested) == "its groups are nested deeper than 50")
    #expect(
      fault("((a{100}){100}){100}")
        == "its repetitions come to more than 10000 states in all")
    #expect(fault("(((){9999}){9999}){9999}") == "")
  }

  @Test("M9: transformers are known and fit; a one-way transformer is a warning", arguments: transformers)
  func transformer(attribute: String, expected: [String]) {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    #expect(findings(entities: #""A": {"attributes": {"x": {\#(attribute)}}}"#, transformers: transformers) == expected)
  }

  static let transformers: [(String, [String])] = [
    (#""type": "integer16", "JSONTransformerName": "StringToInteger""#, []),
    (
      #""type": 2️⃣"string", "JSONTransformerName": 1️⃣"StringToInteger""#,
      [
        "1️⃣ error: the transformer 'StringToInteger' fits type 'integer16', 'integer32', 'integer64', 'decimal', 'double', 'float', and 'A.x' is of type 'string'",
        "  2️⃣ note: the type is given here",
      ]
    ),
    (
      #""type": 2️⃣"string", "JSONTransformerName": 1️⃣"UnixTime""#,
      [
        "1️⃣ error: the transformer 'UnixTime' fits type 'date', and 'A.x' is of type 'string'",
        "  2️⃣ note: the type is given here",
      ]
    ),
    (#""type": "date", "JSONTransformerName": "DateFormat(dd.MM.yyyy)""#, []),
    (
      #""type": "date", "JSONTransformerName": 1️⃣"DateFormat""#,
      [
        "1️⃣ error: the transformer 'DateFormat' of attribute 'A.x' is malformed: a date pattern stands in brackets: DateFormat(yyyy-MM-dd)"
      ]
    ),
    (
      #""type": "date", "JSONTransformerName": 1️⃣"DateFormat()""#,
      ["1️⃣ error: the transformer 'DateFormat()' of attribute 'A.x' is malformed: the pattern has no date field"]
    ),
    (
      #""type": "date", "JSONTransformerName": 1️⃣"UnxTime""#,
      [
        "1️⃣ error: the transformer 'UnxTime' of attribute 'A.x' is neither built in nor registered; did you mean 'UnixTime'?"
      ]
    ),
    (#""type": "string", "JSONTransformerName": "Slug""#, []),
    (
      #""type": "string", "JSONTransformerName": 1️⃣"Slug", "JSONKeyPath": "x""#,
      ["1️⃣ warning: the transformer 'Slug' of 'A.x' has no reverse: export writes the stored value"]
    ),
    (
      #""type": "string", "JSONTransformerName": 1️⃣"slug""#,
      ["1️⃣ error: the transformer 'slug' of attribute 'A.x' is neither built in nor registered; did you mean 'Slug'?"]
    ),
  ]
}
