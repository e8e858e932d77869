import GraftTestSupport
import Testing

@testable import Graft

@Suite("The shape of model files") struct ModelFileShapeTests {
  @Test("M2: only the words of the model file are keys, and the nearest one is named", arguments: unknownKeys)
  func unknownKey(source: String, expected: [String]) {
    #expect(findings(source) == expected)
  }

  static let unknownKeys: [(String, [String])] = [
    (#"{1️⃣"entites": {}, "entities": {}}"#, ["?"]),
    (#"{"entities": {"A": {1️⃣"atributes": {}}}}"#, ["?"]),
    (#"{"entities": {"A": {"attributes": {"n": {"type": "string", 1️⃣"Default": "x"}}}}}"#, ["?"]),
    (#"{"entities": {"A": {"attributes": {"n": {"type": "string", 1️⃣"toMany": true}}}}}"#, ["?"]),
    (
      #"{"entities": {"A": {"relationships": {"r": {"destination": "A", 1️⃣"JSONTransformerName": "x"}}}}}"#, ["?"]
    ),
    (
      #"{"entities": {"A": {"abstract": true, "entityMapper": {"JSONKeyPath": "t", 1️⃣"entites": {}}}}}"#, ["?"]
    ),
  ]

  @Test("M2: a value of another JSON type is an error that says what is expected", arguments: wrongTypes)
  func wrongType(source: String, expected: [String]) {
    #expect(findings(source) == expected)
  }

  static let wrongTypes: [(String, [String])] = [
    ("1️⃣[ ]", ["?"]),
    ("1️⃣{}", ["?"]),
    (#"{"name": 1️⃣5, "version": 2️⃣1.0, "userInfo": 3️⃣[], "entities": {}}"#, ["?"]),
    (#"{"entities": 1️⃣[]}"#, ["?"]),
    (#"{"entities": {"A": 1️⃣null}}"#, ["?"]),
    (#"{"entities": {"A": {"attributes": 1️⃣[], "relationships": 2️⃣5, "parent": 3️⃣{}, "abstract": 4️⃣"yes"}}}"#, ["?"]),
    (#"{"entities": {"A": {"attributes": {"n": 1️⃣5, 2️⃣"m": {}}, "relationships": {"r": 3️⃣"B", 4️⃣"s": {}}}}}"#, ["?"]),
    (#"{"entities": {"A": {"attributes": {"n": 1️⃣"text"}}}}"#, ["?"]),
    (#"{"entities": {"A": {"attributes": {"n": {"type": 1️⃣"int64", "default": "x"}}}}}"#, ["?"]),
    (#"{"keyStrategy": 1️⃣"camelCase", "entities": {}}"#, ["?"]),
    (
      #"{"entities": {"A": {"relationships": {"r": {"destination": "A", "deleteRule": 1️⃣"Cascade", "optional": 2️⃣0}}}}}"#,
      ["?"]
    ),
    (
      #"{"entities": {"A": {"identityAttributes": 1️⃣5}, "B": {"identityAttributes": 2️⃣""}, "C": {"identityAttributes": [3️⃣1]}}}"#,
      ["?"]
    ),
    (#"{"entities": {"A": {"attributes": {"n": {"type": "string", "enum": 1️⃣"a", "minLength": 2️⃣1.5}}}}}"#, ["?"]),
    (#"{"entities": {"A": {"attributes": {"n": {"type": "string", "enum": [1️⃣null], "default": null}}}}}"#, ["?"]),
    (
      #"{"entities": {"A": {"entityMapper": 1️⃣{"doc": 2️⃣1}}, "B": {"entityMapper": {"JSONKeyPath": "t", "entities": {"x": 3️⃣1}}}}}"#,
      ["?"]
    ),
  ]

  @Test("M9: duplicate keys are errors, wherever they are", arguments: duplicates)
  func duplicateKey(source: String, expected: [String]) {
    #expect(findings(source) == expected)
  }

  static let duplicates: [(String, [String])] = [
    (#"{1️⃣"entities": {}, 2️⃣"entities": {"A": 5}}"#, ["?"]),
    (#"{"entities": {1️⃣"A": {}, 2️⃣"\u0041": {}}}"#, ["?"]),
    (#"{"entities": {}, "userInfo": {"a": {1️⃣"b": 1, "c": 2, 2️⃣"b": 3}}}"#, ["?"]),
    (#"{"entities": {"A": {"attributes": {"n": {"type": "json", "default": {1️⃣"b": 1, 2️⃣"b": 3}}}}}}"#, ["?"]),
  ]

  @Test("M3: identityAttribute is accepted with a warning, and not beside identityAttributes")
  func oldSpelling() {
    let attributes = #""attributes": {"id": {"type": "string"}}"#
    #expect(findings(#"{"entities": {"A": {1️⃣"identityAttribute": "id", \#(attributes)}}}"#) == ["?"])
    #expect(
      findings(#"{"entities": {"A": {1️⃣"identityAttribute": "id", "identityAttributes": 2️⃣"id", \#(attributes)}}}"#)
        == ["?"])
  }

  @Test("M7: malformed key paths are errors", arguments: keyPaths)
  func keyPath(path: String, expected: [String]) {
    #expect(
      findings(#"{"entities": {"A": {"attributes": {"n": {"type": "string", "JSONKeyPath": 1️⃣\#(path)}}}}}"#)
        == expected)
  }

  static let keyPaths: [(String, [String])] = [
    (#""a.b""#, []), (#"[""]"#, []), (#"["a.b", "c"]"#, []), ("null", []),
    (#""""#, ["?"]),
    (#""a..b""#, ["?"]),
    (#"".a""#, ["?"]),
    (#""a.""#, ["?"]),
    ("[]", ["?"]),
    ("5", ["?"]),
    (#"["a", 2️⃣5]"#, ["?"]),
  ]

  @Test("M7: aliases are an array of key paths, beside a key path")
  func aliases() {
    let attribute = { (keys: String) in
      findings(#"{"entities": {"A": {"attributes": {"n": {"type": "string", \#(keys)}}}}}"#)
    }
    #expect(attribute(#""JSONKeyPath": "a", "JSONKeyPathAliases": ["b", ["c.d"]]"#) == [])
    #expect(attribute(#""JSONKeyPath": "a", "JSONKeyPathAliases": 1️⃣"b""#) == ["?"])
    #expect(attribute(#""JSONKeyPath": "a", "JSONKeyPathAliases": [1️⃣"b..c", "d"]"#) == ["?"])
    #expect(attribute(#""JSONKeyPathAliases": 1️⃣["b"]"#) == ["?"])
  }

  @Test("M9: all findings at once, in file order")
  func all() {
    #expect(
      findings(
        """
        {
          "entities": {
            "Hero": {
              "parent": 1️⃣"Thing",
              "attributes": {"name": 2️⃣"strng"},
              "relationships": {"team": {"destination": 3️⃣"Teem", 4️⃣"invers": "members"}},
            },
            "Team": {"attributes": {"size": {"type": "integer16", "default": 5️⃣70000}}},
          },
          6️⃣"verson": "1"
        }
        """) == ["?"])
  }
}
