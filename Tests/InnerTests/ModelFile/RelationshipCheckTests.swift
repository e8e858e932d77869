import GraftTestSupport
import Testing

@testable import Graft

@Suite("Checks of relationships") struct RelationshipCheckTests {
  @Test("M9: destinations exist and inverses point back", arguments: inverses)
  func inverse(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let inverses: [(String, [String])] = [
    (#""A": {"relationships": {"r": {"destination": 1️⃣"Teem", "inverse": "x"}}}, "Team": {}"#, ["?"]),
    (
      #""A": {"relationships": {"r": {"destination": "B", "inverse": 1️⃣"boss"}}}, 2️⃣"B": {"relationships": {"bos": {"destination": "A"}}}"#,
      ["?"]
    ),
    (
      #""A": {"relationships": {"r": {"destination": "B", "inverse": 1️⃣"x"}}}, "B": {"attributes": {2️⃣"x": "string"}}"#,
      ["?"]
    ),
    (
      #""A": {"relationships": {"r": {"destination": "B", "inverse": 1️⃣"s"}}}, "B": {"relationships": {2️⃣"s": {"destination": "A"}}}"#,
      ["?"]
    ),
    (
      #""A": {"relationships": {"q": {"destination": "B", "inverse": "s"}, "r": {"destination": "B", "inverse": 1️⃣"s"}}}, "B": {"relationships": {"s": {"destination": "A", "inverse": 2️⃣"q"}}}"#,
      ["?"]
    ),
    (
      #""A": {"relationships": {"r": {"destination": "B", "inverse": 1️⃣"s"}}}, "B": {"relationships": {"s": {"destination": 2️⃣"C", "inverse": 3️⃣"r"}}}, "C": {"relationships": {4️⃣"r": {"destination": "B"}}}"#,
      ["?"]
    ),
    (
      #""P": {"relationships": {2️⃣"s": {"destination": "A", "inverse": 3️⃣"r"}}}, "A": {"relationships": {"r": {"destination": 4️⃣"B", "inverse": 1️⃣"s"}}}, "B": {"parent": "P"}"#,
      ["?"]
    ),
    (#""A": {"relationships": {"friends": {"destination": "A", "toMany": true, "inverse": "friends"}}}"#, []),
    (
      #""A": {"relationships": {"up": {"destination": "A", "inverse": "down"}, "down": {"destination": "A", "toMany": true, "ordered": true, "inverse": "up", "deleteRule": "cascade"}}}"#,
      []
    ),
  ]

  @Test("M6: words for many stand where there are many, and counts can be met", arguments: words)
  func checkWords(relationship: String, expected: [String]) {
    #expect(findings(entities: #""A": {"relationships": {"r": {"destination": "A", \#(relationship)}}}"#) == expected)
  }

  static let words: [(String, [String])] = [
    (#""ordered": 1️⃣true, "minCount": 2️⃣1, "maxCount": 3️⃣2, "mergeRule": 4️⃣"union""#, ["?"]),
    (#""ordered": false, "mergeRule": "replace""#, []),
    (#""toMany": true, "ordered": true, "minCount": 1, "maxCount": 1, "mergeRule": "union""#, []),
    (#""toMany": true, "minCount": 1️⃣3, "maxCount": 2️⃣2"#, ["?"]),
    (#""toMany": true, "minCount": 1️⃣-1, "maxCount": 2️⃣0"#, ["?"]),
    (#""toMany": true, "deleteOrphans": 1️⃣true"#, ["?"]),
    (#""toMany": true, "deleteOrphans": false, "unresolvedRule": "deny""#, []),
  ]
}
