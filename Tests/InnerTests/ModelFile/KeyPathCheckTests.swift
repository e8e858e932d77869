import GraftTestSupport
import Testing

@testable import Graft

@Suite("Checks of key paths") struct KeyPathCheckTests {
  @Test("M9: key paths of one entity neither collide nor nest", arguments: collisions)
  func collision(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let collisions: [(String, [String])] = [
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"a"}, "y": {"type": "string", "JSONKeyPath": 2️⃣"a"}}}"#,
      ["2️⃣ error: 'A.x' and 'A.y' have the same key path 'a'", "  1️⃣ note: the key path of 'A.x'"]
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"a"}, "y": {"type": "string", "JSONKeyPath": 2️⃣"a.b"}}}"#,
      ["2️⃣ error: the key path 'a.b' of 'A.y' leads into the value of 'A.x'", "  1️⃣ note: the key path of 'A.x'"]
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"a.b.c"}, "y": {"type": "string", "JSONKeyPath": 2️⃣"a.b"}}}"#,
      ["2️⃣ error: the key path 'a.b' of 'A.y' encloses the value of 'A.x'", "  1️⃣ note: the key path of 'A.x'"]
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": "b", "JSONKeyPathAliases": [1️⃣"c"]}}, "relationships": {"y": {"destination": "A", "JSONKeyPath": "a", "JSONKeyPathAliases": ["d", 2️⃣"c"]}}}"#,
      ["2️⃣ error: 'A.x' and 'A.y' have the same key path 'c'", "  1️⃣ note: the key path of 'A.x'"]
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"b", "JSONKeyPathAliases": [2️⃣"b", 3️⃣"b.c"]}}}"#,
      [
        "2️⃣ error: 'A.x' has the key path 'b' twice", "  1️⃣ note: the key path of 'A.x'",
        "3️⃣ error: the key path 'b.c' of 'A.x' leads into another one of its key paths",
        "  1️⃣ note: the key path of 'A.x'",
      ]
    ),
    (
      #""B": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": 2️⃣"a"}}}, "A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"a"}}}, "C": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": "b"}}}, "D": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": "b"}}}"#,
      ["2️⃣ error: 'A.x' and 'B.y' have the same key path 'a'", "  1️⃣ note: the key path of 'A.x'"]
    ),
    (
      "\"A\": {\"attributes\": {\"x\": {\"type\": \"string\", \"JSONKeyPath\": \"\u{E9}\"}, \"y\": {\"type\": \"string\", \"JSONKeyPath\": \"e\u{301}\"}}}",
      []
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": "a.b"}, "y": {"type": "string", "JSONKeyPath": ["a.b"]}}}"#,
      []
    ),
    (
      #""A": {"entityMapper": {"JSONKeyPath": "t", "entities": {"a": "A"}}, "attributes": {"x": {"type": "string", "JSONKeyPath": "t"}}}"#,
      []
    ),
    (
      #""A": {"entityMapper": {"JSONKeyPath": 2️⃣"t", "entities": {"a": "A"}}, "attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"t.u"}}}"#,
      ["2️⃣ error: the key path 't' of the mapper of 'A' encloses the value of 'A.x'", "  1️⃣ note: the key path of 'A.x'"]
    ),
  ]

  @Test("M9: collisions are also found where a strategy gives the key paths")
  func strategy() {
    #expect(
      findings(
        #"{"keyStrategy": "snakeCase", "entities": {"A": {"attributes": {1️⃣"imageURL": "uri", 2️⃣"imageUrl": "uri"}}}}"#)
        == [
          "2️⃣ error: 'A.imageURL' and 'A.imageUrl' have the same key path 'image_url'",
          "  1️⃣ note: the key path of 'A.imageURL'",
        ])
  }

  @Test("M9: a misspelt strategy gives no further findings")
  func misspeltStrategy() {
    #expect(
      findings(
        #"{"keyStrategy": 1️⃣"samename", "entities": {"A": {"identityAttributes": "a", "attributes": {"a": "uri", "b": {"type": "uri", "JSONKeyPath": "b"}}}}}"#
      )
        == [
          "1️⃣ error: unknown 'keyStrategy' 'samename' of the model: expected one of 'explicit', 'sameName', 'snakeCase'; did you mean 'sameName'?"
        ])
  }

  @Test("M7: a key path has at most 100 keys")
  func length() {
    let path = { (count: Int) in
      let keys = Array(repeating: "a", count: count).joined(separator: ".")
      return findings(entities: #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"\#(keys)"}}}"#)
    }
    #expect(path(100) == [])
    #expect(path(101) == ["1️⃣ error: malformed key path 'a.a.a.a…' of 'A.x': it has more than 100 keys"])
    #expect(path(10_000).count == 1)
  }

  @Test("M11: @key and @value stand alone, where they can be read", arguments: keyWords)
  func keyWord(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let keyWords: [(String, [String])] = [
    (#""A": {"attributes": {"x": {"type": "uuid", "JSONKeyPath": "id", "JSONKeyPathAliases": ["@key"]}}}"#, []),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"a.@key"}}}"#,
      ["1️⃣ error: '@key' cannot be the key path of 'A.x': it stands alone, without other keys"]
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": ["@key"]}, "y": {"type": "string", "JSONKeyPath": ["@value", "@key"]}}}"#,
      []
    ),
    (
      #""A": {"attributes": {"x": {"type": "date", "JSONKeyPath": 1️⃣"@key"}}}"#,
      [
        "1️⃣ error: '@key' cannot be the key path of 'A.x': a key is text, which type 'date' does not read without a transformer"
      ]
    ),
    (
      #""A": {"attributes": {"x": {"type": "date", "JSONKeyPath": "@key", "JSONTransformerName": "DateFormat(yyyy)"}}}"#,
      []
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"@key"}}}, "B": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": "y", "JSONKeyPathAliases": [2️⃣"@key"]}}}"#,
      ["2️⃣ error: '@key' cannot be the key path of 'B.y': 'A.x' has it already", "  1️⃣ note: 'A.x' has it here"]
    ),
    (
      #""A": {"relationships": {"r": {"destination": "A", "toMany": true, "JSONKeyPath": 1️⃣"@key"}}}"#,
      ["1️⃣ error: '@key' cannot be the key path of 'A.r': a key is text, which only an attribute can hold"]
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"@value"}}}"#,
      ["1️⃣ error: '@value' cannot be the key path of 'A.x': its entity has no attribute with the key path '@key'"]
    ),
    (
      #""A": {"attributes": {"k": {"type": "string", "JSONKeyPath": "@key"}, "x": {"type": "string", "JSONKeyPath": "@value"}}}"#,
      []
    ),
    (
      #""A": {"attributes": {"k": {"type": "string", "JSONKeyPath": "@key"}}}, "B": {"parent": "A", "relationships": {"r": {"destination": "A", "toMany": true, "JSONKeyPath": "@value"}}}, "C": {"parent": "A", "relationships": {"r": {"destination": "A", "JSONKeyPath": 1️⃣"@value"}}}"#,
      ["1️⃣ error: '@value' cannot be the key path of 'C.r': it is for attributes and to-many relationships"]
    ),
  ]
}
