import Graft
import GraftTestSupport
import Testing

/// Every validation keyword of the contract, for every type to which it applies, at its bounds and just beyond them.
@Suite("Validation keywords") struct ValidationTableTests {
  /// The declaration of an attribute, the values that it accepts, and the values that it refuses, each with the expected value in the
  /// error.
  typealias Row = (String, [String], [String: String])

  private func check(_ rows: [Row]) throws {
    for (words, legal, illegal) in rows {
      let context = try Fixture.context(#""T": {"attributes": {"x": {"optional": true, \#(words)}}}"#)
      for value in legal + ["null"] {
        #expect(refusals(#"[{"x": \#(value)}]"#, of: "T", in: context) == [], "\(words): \(value)")
      }
      for (value, expected) in illegal {
        let lines = refusals(#"[{"x": 1️⃣\#(value)}]"#, of: "T", in: context)
        #expect(
          lines.count == 1 && lines[0].hasPrefix("1️⃣ error: expected \(expected) for 'T.x', found ")
            && lines[0].hasSuffix(" (at $[0].x)"), "\(words): \(value) gives \(lines)")
      }
    }
  }

  @Test("M4: minimum and maximum apply to every number type, exactly at the bound and one step beyond the bound")
  func bounds() throws {
    var rows: [Row] = []
    for type in ["integer16", "integer32", "integer64", "float", "double", "decimal"] {
      rows.append(
        (#""type": "\#(type)", "minimum": 2"#, ["2", "2.0", "20e-1", "3"], ["1": "at least 2", "-2": "at least 2"]))
      rows.append(
        (#""type": "\#(type)", "maximum": -2"#, ["-2", "-2.0", "-3"], ["-1": "at most -2", "0": "at most -2"]))
      rows.append(
        (
          #""type": "\#(type)", "minimum": 0, "maximum": 0"#, ["0", "-0", "0e5"],
          ["1": "at most 0", "-1": "at least 0"]
        ))
      rows.append(
        (#""type": "\#(type)", "minimum": 1, "maximum": 3"#, ["1", "2", "3"], ["0": "at least 1", "4": "at most 3"]))
    }
    rows += [
      (#""type": "integer16", "minimum": -32768, "maximum": 32767"#, ["-32768", "32767"], [:]),
      (#""type": "integer32", "minimum": 2147483647"#, ["2147483647"], ["2147483646": "at least 2147483647"]),
      (
        #""type": "integer64", "minimum": 9223372036854775807"#, ["9223372036854775807"],
        ["9223372036854775806": "at least 9223372036854775807"]
      ),
      (
        #""type": "integer64", "maximum": -9223372036854775808"#, ["-9223372036854775808"],
        ["-9223372036854775807": "at most -9223372036854775808"]
      ),
      // Beyond 2^53, doubles would not distinguish these values.
      (
        #""type": "integer64", "maximum": 9007199254740992"#, ["9007199254740992"],
        ["9007199254740993": "at most 9007199254740992"]
      ),
      (#""type": "float", "minimum": 0.1"#, ["0.1", "0.100000001"], ["0.09999999": "at least 0.1"]),
      (
        #""type": "double", "minimum": 0.1"#, ["0.1", "0.10000000000000000001"], ["0.09999999999999999": "at least 0.1"]
      ),
      (#""type": "double", "maximum": 1e308"#, ["1e308", "-1e308"], ["1.0000000000000002e308": "at most 1e+308"]),
      (#""type": "double", "minimum": 5e-324"#, ["5e-324"], ["0": "at least 5e-324", "-5e-324": "at least 5e-324"]),
      (
        #""type": "decimal", "minimum": 0.1"#, ["0.1", "0.10", "1e-1"],
        ["0.09999999999999999999999999999999999999": "at least 0.1"]
      ),
      (
        #""type": "decimal", "maximum": 99999999999999999999999999999999999998"#,
        ["99999999999999999999999999999999999998", "-99999999999999999999999999999999999999"],
        ["99999999999999999999999999999999999999": "at most 99999999999999999999999999999999999998"]
      ),
      (
        #""type": "decimal", "minimum": 12345678901234567890.123456789"#, ["12345678901234567890.123456789"],
        ["12345678901234567890.123456788": "at least 12345678901234567890.123456789"]
      ),
    ]
    try check(rows)
  }

  @Test("M4, D9: lengths count Unicode scalars, or bytes")
  func lengths() throws {
    func string(_ text: String) -> String { "\"\(text)\"" }
    let two = ["ab", "äö", "e\u{301}", #"e\u0301"#, "😀😀", #"\ud83d\ude00x"#, #"\u0000\n"#, "🇩🇪", "字字"].map(string)
    let three = ["abc", "e\u{301}\u{301}", "👩‍👩", #"\ud83d\ude00\ud83d\ude00\ud83d\ude00"#].map(string)
    let one = ["a", "ä", "😀", #"\ud83d\ude00"#, #"\u0000"#].map(string)
    func refused(_ values: [String], _ expected: String) -> [String: String] {
      Dictionary(uniqueKeysWithValues: values.map { ($0, expected) })
    }
    try check([
      (#""type": "string", "minLength": 2"#, two + three, refused(one + [#""""#], "at least 2 characters")),
      (#""type": "string", "maxLength": 2"#, two + one + [#""""#], refused(three, "at most 2 characters")),
      (#""type": "string", "minLength": 1"#, one, [#""""#: "at least 1 character"]),
      (#""type": "string", "maxLength": 0"#, [#""""#], ["\"a\"": "at most 0 characters"]),
      (#""type": "string", "minLength": 0"#, [#""""#, "\"a\""], [:]),
      (
        #""type": "string", "minLength": 2, "maxLength": 2"#, two,
        refused(one, "at least 2 characters").merging(refused(three, "at most 2 characters")) { $1 }
      ),
      (
        #""type": "binary", "minLength": 1, "maxLength": 2"#, [#""AA==""#, #""AAA=""#],
        [#""""#: "at least 1 byte", #""AAAA""#: "at most 2 bytes"]
      ),
      (#""type": "binary", "maxLength": 0"#, [#""""#], [#""AA==""#: "at most 0 bytes"]),
    ])
  }

  @Test("M4: enum compares values of every type in the same way as identities")
  func enums() throws {
    try check([
      (#""type": "integer16", "enum": [1, -2]"#, ["1", "1.0", "-2"], ["2": "one of 1, -2"]),
      (
        #""type": "integer64", "enum": [9007199254740993]"#, ["9007199254740993"],
        ["9007199254740992": "9007199254740993"]
      ),
      (#""type": "float", "enum": [0.1]"#, ["0.1"], ["0.2": "0.1"]),
      (#""type": "double", "enum": [0, 0.1]"#, ["-0.0", "0", "1e-1"], ["0.10000000000000002": "one of 0, 0.1"]),
      (#""type": "decimal", "enum": [0.1]"#, ["0.1", "0.100"], ["0.1000000000000000000001": "0.1"]),
      (#""type": "boolean", "enum": [true]"#, ["true"], ["false": "true"]),
      (
        #""type": "string", "enum": ["a", "é"]"#, [#""a""#, #""\u0061""#, #""\u00e9""#],
        [#""A""#: #"one of "a", "é""#, #""e\u0301""#: #"one of "a", "é""#, #""""#: #"one of "a", "é""#]
      ),
      (
        #""type": "date", "enum": ["2024-09-22T00:00:00Z"]"#,
        [#""2024-09-22T02:00:00+02:00""#, #""2024-09-22t00:00:00.000z""#],
        [#""2024-09-22T00:00:00.000001Z""#: #""2024-09-22T00:00:00Z""#]
      ),
      (#""type": "binary", "enum": ["AAA="]"#, [#""AAA=""#], [#""AAE=""#: #""AAA=""#]),
      (
        #""type": "uuid", "enum": ["123e4567-e89b-12d3-a456-426614174000"]"#,
        [#""123E4567-E89B-12D3-A456-426614174000""#],
        [#""123e4567-e89b-12d3-a456-426614174001""#: #""123e4567-e89b-12d3-a456-426614174000""#]
      ),
      (
        #""type": "uri", "enum": ["https://a.b/"]"#, [#""https://a.b/""#],
        [#""https://a.b""#: #""https://a.b/""#]
      ),
      (
        #""type": "json", "enum": [{"a": 1, "b": [2]}, 3]"#, [#"{"b": [2.0], "a": 1}"#, "3.0"],
        [#"{"a": 1}"#: #"one of {"a":1,"b":[2]}, 3"#, "4": #"one of {"a":1,"b":[2]}, 3"#]
      ),
    ])
  }

  @Test("M4: a pattern matches anywhere in the string's scalars, unanchored")
  func patterns() throws {
    try check([
      (#""type": "string", "pattern": "b""#, [#""abc""#], [#""""#: "text that matches the pattern b"]),
      (
        #""type": "string", "pattern": "^.{2}$""#, [#""e\u0301""#, #""😀😀""#],
        [#""😀""#: "text that matches the pattern ^.{2}$"]
      ),
      (
        #""type": "string", "pattern": "^\\p{Lu}\\p{Ll}*$""#, [#""Émile""#],
        [#""émile""#: #"text that matches the pattern ^\p{Lu}\p{Ll}*$"#]
      ),
      (
        #""type": "string", "pattern": "^(a+)+$""#, [#""aaaa""#],
        ["\"\(String(repeating: "a", count: 5_000))b\"": "text that matches the pattern ^(a+)+$"]
      ),
    ])
  }

  @Test("M6: relationship counts and `optional` apply at the bound and beyond the bound")
  func counts() throws {
    let rows: [(String, [String], [String: String])] = [
      (#""toMany": true, "minCount": 1"#, ["[1]", "[1, 2]"], ["[]": "at least 1 object in 'T.x', found 0"]),
      (
        #""toMany": true, "minCount": 2"#, ["[1, 2]", "[1, null, 2]"],
        ["[1]": "at least 2 objects in 'T.x', found 1", "[1, 1, {\"id\": 1}]": "at least 2 objects in 'T.x', found 1"]
      ),
      (
        #""toMany": true, "maxCount": 1"#, ["[]", "[1]", "[1, 1]", "null"],
        ["[1, 2]": "at most 1 object in 'T.x', found 2"]
      ),
      (
        #""toMany": true, "minCount": 1, "maxCount": 2"#, ["[1]", "[1, 2]"],
        ["[1, 2, 3]": "at most 2 objects in 'T.x', found 3"]
      ),
      (#""toMany": true, "optional": false"#, ["[1]"], ["[]": "at least one object in 'T.x', found none"]),
      (
        #""optional": false"#, ["1", "{\"id\": 2}"],
        ["null": "a value for 'T.x', which is not optional, found none"]
      ),
    ]
    for (words, legal, illegal) in rows {
      let context = try Fixture.context(
        """
        "T": {"relationships": {"x": {"destination": "D", \(words)}}},
        "D": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
        """)
      for value in legal {
        #expect(refusals(#"[{"x": \#(value)}]"#, of: "T", in: context) == [], "\(words): \(value)")
      }
      for (value, expected) in illegal {
        #expect(
          refusals(#"[{"x": 1️⃣\#(value)}]"#, of: "T", in: context) == ["1️⃣ error: expected \(expected) (at $[0].x)"],
          "\(words): \(value)")
      }
    }
  }

  @Test("M6: union counts existing objects; orphans are deleted before validation")
  func merged() throws {
    let context = try Fixture.context(
      """
      "T": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"x": {"destination": "D", "toMany": true, "mergeRule": "union", "maxCount": 2}}},
      "D": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """)
    #expect(refusals(#"[{"id": 1, "x": [1, 2]}, {"id": 1, "x": [2]}]"#, of: "T", in: context) == [])
    #expect(
      refusals(#"[{"id": 1, "x": 1️⃣[3]}]"#, of: "T", in: context) == [
        "1️⃣ error: expected at most 2 objects in 'T.x', found 3 (at $[0].x)"
      ])
  }
}
