import GraftTestSupport
import Testing

@testable import Graft

// Faulty key paths are in Tests/Fixtures/bad-models/key-paths.
@Suite("Checks of key paths") struct KeyPathCheckTests {
  @Test(
    "M7, M9, M11: similar but distinct key paths are accepted, and so are special keys by themselves",
    arguments: [
      "\"A\": {\"attributes\": {\"x\": {\"type\": \"string\", \"JSONKeyPath\": \"\u{E9}\"}, \"y\": {\"type\": \"string\", \"JSONKeyPath\": \"e\u{301}\"}}}",
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": "a.b"}, "y": {"type": "string", "JSONKeyPath": ["a.b"]}}}"#,
      #""A": {"entityMapper": {"JSONKeyPath": "t", "entities": {"a": "A"}}, "attributes": {"x": {"type": "string", "JSONKeyPath": "t"}}}"#,
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": "a", "JSONKeyPathAliases": ["b", ["c.d"]]}}}"#,
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": [""]}}, "relationships": {"r": {"destination": "A", "JSONKeyPath": null}}}"#,
      #""A": {"attributes": {"x": {"type": "uuid", "JSONKeyPath": "id", "JSONKeyPathAliases": ["@key"]}}}"#,
      #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": ["@key"]}, "y": {"type": "string", "JSONKeyPath": ["@value", "@key"]}}}"#,
      #""A": {"attributes": {"x": {"type": "date", "JSONKeyPath": "@key", "JSONTransformerName": "DateFormat(yyyy)"}}}"#,
      #""A": {"attributes": {"k": {"type": "string", "JSONKeyPath": "@key"}, "x": {"type": "string", "JSONKeyPath": "@value"}}}"#,
    ])
  func legal(entities: String) {
    #expect(findings(entities: entities) == [])
  }

  @Test("M9: a key path must differ from key paths of ancestors, but not from those of siblings")
  func siblings() {
    let entities =
      #""B": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": 2️⃣"a"}}}, "A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"a"}}}, "C": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": "b"}}}, "D": {"parent": "A", "attributes": {"y": {"type": "string", "JSONKeyPath": "b"}}}"#
    #expect(
      findings(entities: entities) == [
        "2️⃣ error: 'A.x' and 'B.y' have the same key path 'a'", "  1️⃣ note: the key path of 'A.x'",
      ])
  }

  @Test("M11: only one attribute of an entity, which can be inherited, can have the key path '@key'")
  func inheritedKey() {
    let entities =
      #""A": {"attributes": {"k": {"type": "string", "JSONKeyPath": "@key"}}}, "B": {"parent": "A", "relationships": {"r": {"destination": "A", "toMany": true, "JSONKeyPath": "@value"}}}, "C": {"parent": "A", "attributes": {"j": {"type": "string", "JSONKeyPath": 2️⃣"@key"}}}"#
    #expect(
      findings(entities: entities).first
        == "2️⃣ error: '@key' cannot be the key path of 'C.j': 'A.k' already has it")
  }

  @Test("M9: a misspelled key strategy causes no further findings")
  func misspeltStrategy() {
    #expect(
      findings(
        #"{"keyStrategy": 1️⃣"samename", "entities": {"A": {"identityAttributes": "a", "attributes": {"a": "uri", "b": {"type": "uri", "JSONKeyPath": "b"}}}}}"#
      )
        == ["1️⃣ error: unknown 'keyStrategy' 'samename' of the model; did you mean 'sameName'?"])
  }

  @Test("M7: a key path can have at most 100 keys")
  func length() {
    let path = { (count: Int) in
      let keys = Array(repeating: "a", count: count).joined(separator: ".")
      return findings(entities: #""A": {"attributes": {"x": {"type": "string", "JSONKeyPath": 1️⃣"\#(keys)"}}}"#)
    }
    #expect(path(100) == [])
    #expect(path(101) == ["1️⃣ error: malformed key path 'a.a.a.a…' of 'A.x': it has more than 100 keys"])
    #expect(path(10_000).count == 1)
  }
}
