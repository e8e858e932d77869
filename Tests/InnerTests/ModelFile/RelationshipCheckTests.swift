import GraftTestSupport
import Testing

@testable import Graft

// Faulty relationships are in Tests/Fixtures/bad-models/relationships.
@Suite("Checks of relationships") struct RelationshipCheckTests {
  @Test(
    "M6: reflexive inverses are accepted, and so are to-many keys on a to-many",
    arguments: [
      #""friends": {"destination": "A", "toMany": true, "inverse": "friends"}"#,
      #""up": {"destination": "A", "inverse": "down"}, "down": {"destination": "A", "toMany": true, "ordered": true, "inverse": "up", "deleteRule": "cascade"}"#,
      #""r": {"destination": "A", "ordered": false, "mergeRule": "replace"}"#,
      #""r": {"destination": "A", "toMany": true, "ordered": true, "minCount": 1, "maxCount": 1, "mergeRule": "union"}"#,
      #""r": {"destination": "A", "toMany": true, "deleteOrphans": false, "unresolvedRule": "deny"}"#,
    ])
  func legal(relationships: String) {
    #expect(findings(entities: #""A": {"relationships": {\#(relationships)}}"#) == [])
  }

  @Test("M9: if a destination or inverse does not exist, no other fault of the relationship is reported")
  func noEchoes() {
    #expect(
      findings(entities: #""A": {"relationships": {"r": {"destination": 1️⃣"Teem", "inverse": "x"}}}, "Team": {}"#) == [
        "1️⃣ error: the destination 'Teem' of relationship 'A.r' is not an entity; did you mean 'Team'?"
      ])
    let entities =
      #""A": {"relationships": {"r": {"destination": "B", "inverse": 1️⃣"t"}}}, 2️⃣"B": {"relationships": {"s": {"destination": "A", "inverse": "r"}}}"#
    #expect(
      findings(entities: entities) == [
        "1️⃣ error: the inverse 't' of relationship 'A.r' is not a relationship of entity 'B'; expected 's'",
        "  2️⃣ note: 'B' is declared here",
      ])
  }

  @Test("M9: the destination of an inverse must be the entity that declares the other side, not an entity in between")
  func inBetween() {
    let entities =
      #""A": {"relationships": {"r": {"destination": "B", "inverse": 1️⃣"s"}}}, "B": {"relationships": {"s": {"destination": 2️⃣"C", "inverse": 3️⃣"r"}}}, "C": {"relationships": {4️⃣"r": {"destination": "B"}}}"#
    #expect(
      findings(entities: entities) == [
        "1️⃣ error: the inverse 'B.s' of relationship 'A.r' does not point back: its destination is 'C', not 'A'",
        "  2️⃣ note: the destination of 'B.s' is given here",
        "3️⃣ error: the inverse 'C.r' of relationship 'B.s' does not point back: it names no inverse; add \"inverse\": \"s\" there",
        "  4️⃣ note: 'C.r' is declared here",
      ])
  }
}
