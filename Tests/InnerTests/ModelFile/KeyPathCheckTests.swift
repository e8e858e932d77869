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
      ["?"]
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"a"}, "y": {"type": "string", "JSONKeyPath": 2️⃣"a.b"}}}"#,
      ["?"]
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"a.b.c"}, "y": {"type": "string", "JSONKeyPath": 2️⃣"a.b"}}}"#,
      ["?"]
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": "b", "JSONKeyPathAliases": [1️⃣"c"]}}, "relationships": {"y": {"destination": "A", "JSONKeyPath": "a", "JSONKeyPathAliases": ["d", 2️⃣"c"]}}}"#,
      ["?"]
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"b", "JSONKeyPathAliases": [2️⃣"b", 3️⃣"b.c"]}}}"#,
      ["?"]
    ),
    (
      #""B": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": 2️⃣"a"}}}, "A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"a"}}}, "C": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": "b"}}}, "D": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": "b"}}}"#,
      ["?"]
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
      ["?"]
    ),
  ]

  @Test("M9: collisions are also found where a strategy gives the key paths")
  func strategy() {
    #expect(
      findings(
        #"{"keyStrategy": "snakeCase", "entities": {"A": {"attributes": {1️⃣"imageURL": "uri", 2️⃣"imageUrl": "uri"}}}}"#)
        == ["?"])
  }

  @Test("M9: a misspelt strategy gives no further findings")
  func misspeltStrategy() {
    #expect(
      findings(
        #"{"keyStrategy": 1️⃣"samename", "entities": {"A": {"identityAttributes": "a", "attributes": {"a": "uri", "b": {"type": "uri", "JSONKeyPath": "b"}}}}}"#
      )
        == ["?"])
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
    (#""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"a.@key"}}}"#, ["?"]),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": ["@key"]}, "y": {"type": "string", "JSONKeyPath": ["@value", "@key"]}}}"#,
      []
    ),
    (#""A": {"attributes": {"x": {"type": "date", "JSONKeyPath": 1️⃣"@key"}}}"#, ["?"]),
    (
      #""A": {"attributes": {"x": {"type": "date", "JSONKeyPath": "@key", "JSONTransformerName": "DateFormat(yyyy)"}}}"#,
      []
    ),
    (
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"@key"}}}, "B": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": "y", "JSONKeyPathAliases": [2️⃣"@key"]}}}"#,
      ["?"]
    ),
    (#""A": {"relationships": {"r": {"destination": "A", "toMany": true, "JSONKeyPath": 1️⃣"@key"}}}"#, ["?"]),
    (#""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"@value"}}}"#, ["?"]),
    (
      #""A": {"attributes": {"k": {"type": "string", "JSONKeyPath": "@key"}, "x": {"type": "string", "JSONKeyPath": "@value"}}}"#,
      []
    ),
    (
      #""A": {"attributes": {"k": {"type": "string", "JSONKeyPath": "@key"}}}, "B": {"parent": "A", "relationships": {"r": {"destination": "A", "toMany": true, "JSONKeyPath": "@value"}}}, "C": {"parent": "A", "relationships": {"r": {"destination": "A", "JSONKeyPath": 1️⃣"@value"}}}"#,
      ["?"]
    ),
  ]
}
