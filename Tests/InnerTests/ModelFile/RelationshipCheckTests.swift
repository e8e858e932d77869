import GraftTestSupport
import Testing

@testable import Graft

@Suite("Checks of relationships") struct RelationshipCheckTests {
  @Test("M9: destinations exist and inverses point back", arguments: inverses)
  func inverse(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let inverses: [(String, [String])] = [
    (
      #""A": {"relationships": {"r": {"destination": 1️⃣"Teem", "inverse": "x"}}}, "Team": {}"#,
      ["1️⃣ error: the destination 'Teem' of relationship 'A.r' is no entity; did you mean 'Team'?"]
    ),
    (
      #""A": {"relationships": {"r": {"destination": "B", "inverse": 1️⃣"boss"}}}, 2️⃣"B": {"relationships": {"bos": {"destination": "A"}}}"#,
      [
        "1️⃣ error: the inverse 'boss' of relationship 'A.r' is no relationship of entity 'B'; did you mean 'bos'?",
        "  2️⃣ note: 'B' is declared here",
      ]
    ),
    (
      #""A": {"relationships": {"r": {"destination": "B", "inverse": 1️⃣"x"}}}, "B": {"attributes": {2️⃣"x": "string"}}"#,
      ["1️⃣ error: the inverse of relationship 'A.r' is 'B.x', which is an attribute", "  2️⃣ note: it is declared here"]
    ),
    (
      #""A": {"relationships": {"r": {"destination": "B", "inverse": 1️⃣"s"}}}, "B": {"relationships": {2️⃣"s": {"destination": "A"}}}"#,
      [
        "1️⃣ error: the inverse 'B.s' of relationship 'A.r' does not point back: it has no inverse",
        "  2️⃣ note: 'B.s' is declared here",
      ]
    ),
    (
      #""A": {"relationships": {"q": {"destination": "B", "inverse": "s"}, "r": {"destination": "B", "inverse": 1️⃣"s"}}}, "B": {"relationships": {"s": {"destination": "A", "inverse": 2️⃣"q"}}}"#,
      [
        "1️⃣ error: the inverse 'B.s' of relationship 'A.r' does not point back: it has the inverse 'q'",
        "  2️⃣ note: 'B.s' is declared here",
      ]
    ),
    (
      #""A": {"relationships": {"r": {"destination": "B", "inverse": 1️⃣"s"}}}, "B": {"relationships": {"s": {"destination": 2️⃣"C", "inverse": 3️⃣"r"}}}, "C": {"relationships": {4️⃣"r": {"destination": "B"}}}"#,
      [
        "1️⃣ error: the inverse 'B.s' of relationship 'A.r' does not point back: it leads to 'C', not to 'A'",
        "  2️⃣ note: the destination of 'B.s' is given here",
        "3️⃣ error: the inverse 'C.r' of relationship 'B.s' does not point back: it has no inverse",
        "  4️⃣ note: 'C.r' is declared here",
      ]
    ),
    (
      #""P": {"relationships": {2️⃣"s": {"destination": "A", "inverse": 3️⃣"r"}}}, "A": {"relationships": {"r": {"destination": 4️⃣"B", "inverse": 1️⃣"s"}}}, "B": {"parent": "P"}"#,
      [
        "3️⃣ error: the inverse 'A.r' of relationship 'P.s' does not point back: it leads to 'B', not to 'P'",
        "  4️⃣ note: the destination of 'A.r' is given here",
        "1️⃣ error: the inverse 'P.s' of relationship 'A.r' is declared in 'P': the destination itself has to declare it",
        "  2️⃣ note: 'P.s' is declared here",
      ]
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
    (
      #""ordered": 1️⃣true, "minCount": 2️⃣1, "maxCount": 3️⃣2, "mergeRule": 4️⃣"union""#,
      [
        "1️⃣ error: 'ordered' is for to-many relationships, and 'A.r' is to-one",
        "2️⃣ error: 'minCount' is for to-many relationships, and 'A.r' is to-one",
        "3️⃣ error: 'maxCount' is for to-many relationships, and 'A.r' is to-one",
        "4️⃣ error: 'mergeRule' is for to-many relationships, and 'A.r' is to-one",
      ]
    ),
    (#""ordered": false, "mergeRule": "replace""#, []),
    (#""toMany": true, "ordered": true, "minCount": 1, "maxCount": 1, "mergeRule": "union""#, []),
    (
      #""toMany": true, "minCount": 1️⃣3, "maxCount": 2️⃣2"#,
      ["1️⃣ error: nothing can meet 'minCount' 3 and 'maxCount' 2 of 'A.r'", "  2️⃣ note: 'maxCount' is given here"]
    ),
    (
      #""toMany": true, "minCount": 1️⃣-1, "maxCount": 2️⃣0"#,
      [
        "1️⃣ error: 'minCount' of 'A.r' is -1: expected 0 or more",
        "2️⃣ error: 'maxCount' of 'A.r' is 0: expected 1 or more; without it there is no limit",
      ]
    ),
    (
      #""toMany": true, "deleteOrphans": 1️⃣true"#,
      ["1️⃣ error: 'deleteOrphans' of 'A.r' needs an inverse, which tells who still refers to an object"]
    ),
    (#""toMany": true, "deleteOrphans": false, "unresolvedRule": "deny""#, []),
  ]
}
