import GraftTestSupport
import Testing

@testable import Graft

@Suite("The shape of model files") struct ModelFileShapeTests {
  @Test("M2: only the words of the model file are keys, and the nearest one is named", arguments: unknownKeys)
  func unknownKey(source: String, expected: [String]) {
    #expect(findings(source) == expected)
  }

  static let unknownKeys: [(String, [String])] = [
    (#"{1️⃣"entites": {}, "entities": {}}"#, ["1️⃣ error: unknown key 'entites' in the model; did you mean 'entities'?"]),
    (
      #"{"entities": {"A": {1️⃣"atributes": {}}}}"#,
      ["1️⃣ error: unknown key 'atributes' in entity 'A'; did you mean 'attributes'?"]
    ),
    (
      #"{"entities": {"A": {"attributes": {"n": {"type": "string", 1️⃣"Default": "x"}}}}}"#,
      ["1️⃣ error: unknown key 'Default' in attribute 'A.n'; did you mean 'default'?"]
    ),
    (
      #"{"entities": {"A": {"attributes": {"n": {"type": "string", 1️⃣"toMany": true}}}}}"#,
      ["1️⃣ error: unknown key 'toMany' in attribute 'A.n': it belongs to a relationship"]
    ),
    (
      #"{"entities": {"A": {"relationships": {"r": {"destination": "A", 1️⃣"JSONTransformerName": "x"}}}}}"#,
      ["1️⃣ error: unknown key 'JSONTransformerName' in relationship 'A.r': it belongs to an attribute"]
    ),
    (
      #"{"entities": {"A": {"abstract": true, "entityMapper": {"JSONKeyPath": "t", 1️⃣"entites": {}}}}}"#,
      ["1️⃣ error: unknown key 'entites' in the mapper of entity 'A'; did you mean 'entities'?"]
    ),
  ]

  @Test("M2: a value of another JSON type is an error that says what is expected", arguments: wrongTypes)
  func wrongType(source: String, expected: [String]) {
    #expect(findings(source) == expected)
  }

  static let wrongTypes: [(String, [String])] = [
    ("1️⃣[ ]", ["1️⃣ error: expected an object for the model, found an array"]),
    ("1️⃣{}", ["1️⃣ error: the model has no 'entities'"]),
    (
      #"{"name": 1️⃣5, "version": 2️⃣1.0, "userInfo": 3️⃣[], "entities": {}}"#,
      [
        "1️⃣ error: expected a string for 'name' of the model, found the number 5",
        "2️⃣ error: expected a string for 'version' of the model, found the number 1.0",
        "3️⃣ error: expected an object for 'userInfo' of the model, found an array",
      ]
    ),
    (
      #"{"entities": 1️⃣[]}"#,
      ["1️⃣ error: expected an object of entities by their names for 'entities' of the model, found an array"]
    ),
    (#"{"entities": {"A": 1️⃣null}}"#, ["1️⃣ error: expected an object for entity 'A', found null"]),
    (
      #"{"entities": {"A": {"attributes": 1️⃣[], "relationships": 2️⃣5, "parent": 3️⃣{}, "abstract": 4️⃣"yes"}}}"#,
      [
        "1️⃣ error: expected an object of attributes by their names for 'attributes' of entity 'A', found an array",
        "2️⃣ error: expected an object of relationships by their names for 'relationships' of entity 'A', found the number 5",
        "3️⃣ error: expected a string for 'parent' of entity 'A', found an object",
        #"4️⃣ error: expected true or false for 'abstract' of entity 'A', found the string "yes""#,
      ]
    ),
    (
      #"{"entities": {"A": {"attributes": {"n": 1️⃣5, 2️⃣"m": {}}, "relationships": {"r": 3️⃣"B", 4️⃣"s": {}}}}}"#,
      [
        "1️⃣ error: expected a type or an object for attribute 'A.n', found the number 5",
        "2️⃣ error: attribute 'A.m' has no 'type'",
        #"3️⃣ error: expected an object for relationship 'A.r', found the string "B""#,
        "4️⃣ error: relationship 'A.s' has no 'destination'",
      ]
    ),
    (
      #"{"entities": {"A": {"attributes": {"n": 1️⃣"text"}}}}"#,
      [
        "1️⃣ error: unknown 'type' 'text' of attribute 'A.n': expected one of 'integer16', 'integer32', 'integer64', 'float', 'double', 'decimal', 'boolean', 'string', 'date', 'binary', 'uuid', 'uri', 'json'; did you mean 'string'?"
      ]
    ),
    (
      #"{"entities": {"A": {"attributes": {"n": {"type": 1️⃣"int64", "default": "x"}}}}}"#,
      [
        "1️⃣ error: unknown 'type' 'int64' of attribute 'A.n': expected one of 'integer16', 'integer32', 'integer64', 'float', 'double', 'decimal', 'boolean', 'string', 'date', 'binary', 'uuid', 'uri', 'json'; did you mean 'integer64'?"
      ]
    ),
    (
      #"{"keyStrategy": 1️⃣"camelCase", "entities": {}}"#,
      ["1️⃣ error: unknown 'keyStrategy' 'camelCase' of the model: expected one of 'explicit', 'sameName', 'snakeCase'"]
    ),
    (
      #"{"entities": {"A": {"relationships": {"r": {"destination": "A", "deleteRule": 1️⃣"Cascade", "optional": 2️⃣0}}}}}"#,
      [
        "1️⃣ error: unknown 'deleteRule' 'Cascade' of relationship 'A.r': expected one of 'nullify', 'cascade', 'deny', 'noAction'; did you mean 'cascade'?",
        "2️⃣ error: expected true or false for 'optional' of relationship 'A.r', found the number 0",
      ]
    ),
    (
      #"{"entities": {"A": {"identityAttributes": 1️⃣5}, "B": {"identityAttributes": 2️⃣""}, "C": {"identityAttributes": [3️⃣1]}}}"#,
      [
        "1️⃣ error: expected names of attributes, in an array or between commas, for 'identityAttributes' of entity 'A', found the number 5",
        "2️⃣ error: '' cannot be the name of an identity attribute: it is empty",
        "3️⃣ error: expected the name of an attribute for 'identityAttributes' of entity 'C', found the number 1",
      ]
    ),
    (
      #"{"entities": {"A": {"attributes": {"n": {"type": "string", "enum": 1️⃣"a", "minLength": 2️⃣1.5}}}}}"#,
      [
        #"1️⃣ error: expected an array of values for 'enum' of attribute 'A.n', found the string "a""#,
        "2️⃣ error: expected an integer for 'minLength' of attribute 'A.n', found the number 1.5",
      ]
    ),
    (
      #"{"entities": {"A": {"attributes": {"n": {"type": "string", "enum": [1️⃣null], "default": null}}}}}"#,
      [#"1️⃣ error: expected a value in 'enum' of attribute 'A.n' (null is what "optional": true allows), found null"#]
    ),
    (
      #"{"entities": {"A": {"entityMapper": 1️⃣{"doc": 2️⃣1}}, "B": {"entityMapper": {"JSONKeyPath": "t", "entities": {"x": 3️⃣1}}}}}"#,
      [
        "1️⃣ error: the mapper of entity 'A' has no 'JSONKeyPath'", "1️⃣ error: the mapper of entity 'A' has no 'entities'",
        "2️⃣ error: expected a string for 'doc' of the mapper of entity 'A', found the number 1",
        "3️⃣ error: expected the name of an entity for 'x' of the mapper of entity 'B', found the number 1",
      ]
    ),
  ]

  @Test("M9: duplicate keys are errors, wherever they are", arguments: duplicates)
  func duplicateKey(source: String, expected: [String]) {
    #expect(findings(source) == expected)
  }

  static let duplicates: [(String, [String])] = [
    (
      #"{1️⃣"entities": {}, 2️⃣"entities": {"A": 5}}"#,
      ["2️⃣ error: the key 'entities' is given twice", "  1️⃣ note: it is given here first"]
    ),
    (
      #"{"entities": {1️⃣"A": {}, 2️⃣"\u0041": {}}}"#,
      ["2️⃣ error: the key 'A' is given twice", "  1️⃣ note: it is given here first"]
    ),
    (
      #"{"entities": {}, "userInfo": {"a": {1️⃣"b": 1, "c": 2, 2️⃣"b": 3}}}"#,
      ["2️⃣ error: the key 'b' is given twice", "  1️⃣ note: it is given here first"]
    ),
    (
      #"{"entities": {"A": {"attributes": {"n": {"type": "json", "default": {1️⃣"b": 1, 2️⃣"b": 3}}}}}}"#,
      ["2️⃣ error: the key 'b' is given twice", "  1️⃣ note: it is given here first"]
    ),
  ]

  @Test("M3: identityAttribute is accepted with a warning, and not beside identityAttributes")
  func oldSpelling() {
    let attributes = #""attributes": {"id": {"type": "string"}}"#
    #expect(
      findings(#"{"entities": {"A": {1️⃣"identityAttribute": "id", \#(attributes)}}}"#) == [
        "1️⃣ warning: 'identityAttribute' is the old spelling of 'identityAttributes'"
      ])
    #expect(
      findings(#"{"entities": {"A": {1️⃣"identityAttribute": "id", "identityAttributes": 2️⃣"id", \#(attributes)}}}"#)
        == [
          "1️⃣ error: entity 'A' has both 'identityAttributes' and 'identityAttribute': only one of them counts",
          "  2️⃣ note: 'identityAttributes' is given here",
        ])
  }

  @Test("M7: malformed key paths are errors", arguments: keyPaths)
  func keyPath(path: String, expected: [String]) {
    #expect(
      findings(#"{"entities": {"A": {"attributes": {"n": {"type": "string", "JSONKeyPath": 1️⃣\#(path)}}}}}"#)
        == expected)
  }

  static let keyPaths: [(String, [String])] = [
    (#""a.b""#, []), (#"[""]"#, []), (#"["a.b", "c"]"#, []), ("null", []),
    (#""""#, [#"1️⃣ error: malformed key path '' of attribute 'A.n': it is empty; the empty key is written [""]"#]),
    (#""a..b""#, ["1️⃣ error: malformed key path 'a..b' of attribute 'A.n': it has an empty key"]),
    (#"".a""#, ["1️⃣ error: malformed key path '.a' of attribute 'A.n': it has an empty key"]),
    (#""a.""#, ["1️⃣ error: malformed key path 'a.' of attribute 'A.n': it has an empty key"]),
    ("[]", ["1️⃣ error: malformed key path '[]' of attribute 'A.n': it has no keys"]),
    (
      "5",
      [
        "1️⃣ error: expected a key path (a string, or an array of keys) for 'JSONKeyPath' of attribute 'A.n', found the number 5"
      ]
    ),
    (#"["a", 2️⃣5]"#, ["2️⃣ error: expected a key for 'JSONKeyPath' of attribute 'A.n', found the number 5"]),
  ]

  @Test("M7: aliases are an array of key paths, beside a key path")
  func aliases() {
    let attribute = { (keys: String) in
      findings(#"{"entities": {"A": {"attributes": {"n": {"type": "string", \#(keys)}}}}}"#)
    }
    #expect(attribute(#""JSONKeyPath": "a", "JSONKeyPathAliases": ["b", ["c.d"]]"#) == [])
    #expect(
      attribute(#""JSONKeyPath": "a", "JSONKeyPathAliases": 1️⃣"b""#) == [
        #"1️⃣ error: expected an array of key paths for 'JSONKeyPathAliases' of attribute 'A.n', found the string "b""#
      ])
    #expect(
      attribute(#""JSONKeyPath": "a", "JSONKeyPathAliases": [1️⃣"b..c", "d"]"#) == [
        "1️⃣ error: malformed key path 'b..c' of attribute 'A.n': it has an empty key"
      ])
    #expect(
      attribute(#""JSONKeyPathAliases": 1️⃣["b"]"#) == ["1️⃣ error: 'A.n' has 'JSONKeyPathAliases' but no 'JSONKeyPath'"])
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
        """) == [
          "1️⃣ error: the parent 'Thing' of entity 'Hero' is no entity",
          "2️⃣ error: unknown 'type' 'strng' of attribute 'Hero.name': expected one of 'integer16', 'integer32', 'integer64', 'float', 'double', 'decimal', 'boolean', 'string', 'date', 'binary', 'uuid', 'uri', 'json'; did you mean 'string'?",
          "3️⃣ error: the destination 'Teem' of relationship 'Hero.team' is no entity; did you mean 'Team'?",
          "4️⃣ error: unknown key 'invers' in relationship 'Hero.team'; did you mean 'inverse'?",
          "5️⃣ error: expected an integer from -32768 to 32767 for 'default' of 'Team.size', found the number 70000",
          "6️⃣ error: unknown key 'verson' in the model; did you mean 'version'?",
        ])
  }
}
