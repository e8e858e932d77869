import Graft
import GraftTestSupport
import Testing

@Suite("Import: rejected objects") struct RefusedAbstractTests {
  @Test("I7: if an object of an abstract entity is rejected, the next object does not get its identity")
  func identityReadAhead() throws {
    let context = try Fixture.context(
      #"""
      "Place": {"abstract": true, "identityAttributes": "since", "attributes": {"since": "date"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"city": "City"}}},
      "City": {"parent": "Place"},
      "Being": {"identityAttributes": "name", "attributes": {"name": "string"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"hero": "Hero"}},
        "relationships": {"place": {"destination": "Place"}, "friend": {"destination": "Being"}}},
      "Hero": {"parent": "Being"}
      """#)
    try context.load(#"[{"kind": "city", "since": "2014-08-31T00:00:00Z"}]"#, "Place")
    let before = context.dumpText
    let error = try #require(throws: ImportError.self) {
      try context.load(
        #"[{"kind": "hero", "name": "a", "place": {"since": "2015-08-31T00:00:00Z"}, "friend": {"kind": "hero", "name": "b"}}]"#,
        "Being")
    }
    #expect(
      error.diagnostics.map(\.message) == [
        "cannot tell which sub-entity of the abstract entity 'Place' this object belongs to"
      ]
    )
    #expect(context.dumpText == before)
    #expect(context.checkInvariants() == [])
  }

  @Test("I7: no object of an abstract entity can be imported, even if the entity has no sub-entities")
  func alone() throws {
    let context = try Fixture.context(
      #""Place": {"abstract": true, "identityAttributes": "id", "attributes": {"id": "integer64"}}"#)
    func expectRefusal(_ payload: some JSONPayload) throws {
      let error = #expect(throws: ImportError.self) { try context.importJSON(payload, ofEntity: "Place") }
      let text = "\(try #require(error))"
      #expect(text.contains("cannot tell which sub-entity of the abstract entity 'Place' this object belongs to"))
      #expect(text.contains("it has no sub-entity yet: declare one, or remove \"abstract\""))
    }
    try expectRefusal(#"{"id": 1}"#)
    try expectRefusal(#"[{"id": 1}]"#)
    try expectRefusal(["id": 1] as JSON)
    try expectRefusal([["id": 1], ["id": 2]] as [[String: Any]])
    #expect(try context.count(ofEntity: "Place") == 0)
    #expect(context.checkInvariants() == [])
  }
}
