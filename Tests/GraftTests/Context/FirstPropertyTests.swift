import Graft
import GraftTestSupport
import Testing

/// Relationships of entities without attributes: the first relationship is the property with the number 0.
@Suite("Objects: a relationship is the first property") struct FirstPropertyTests {
  private static let model = #"""
    "Crew": {"relationships": {"members": {"destination": "Person", "toMany": true, "ordered": true, "inverse": "crew"}}},
    "Seat": {"relationships": {"person": {"destination": "Person", "inverse": "seats"}}},
    "Person": {"identityAttributes": "id",
      "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {
        "crew": {"destination": "Crew", "inverse": "members"},
        "seats": {"destination": "Seat", "toMany": true, "inverse": "person"}}}
    """#

  private func crew() throws -> ManagedObjectContext {
    let context = try Fixture.context(Self.model)
    try context.load(#"[{"id": 1, "name": "Ann"}, {"id": 2}, {"id": 3}]"#, "Person")
    try context.load(#"[{"members": [3, 1, 2]}]"#, "Crew")
    try context.load(#"[{"person": 1}]"#, "Seat")
    return context
  }

  private static func ids(_ crew: ManagedObject) -> [Int?] { (crew["members"] as [ManagedObject]).map { $0["id"] } }

  @Test("Setting a to-one updates its inverse")
  func inverse() throws {
    let context = try crew()
    let other = context.insert(ofEntity: "Crew")
    try #require(try context.find(ofEntity: "Person", identity: 1))["crew"] = other
    #expect(try context.fetch(ofEntity: "Crew").map(Self.ids) == [[3, 2], [1]])
    #expect(context.checkInvariants() == [])
  }

  @Test("A child context reads a list in the parent's order")
  func child() throws {
    let child = try crew().makeChild()
    #expect(try child.fetch(ofEntity: "Crew").map(Self.ids) == [[3, 1, 2]])
  }

  @Test("A live list is updated when an object reached by a to-one changes")
  func liveList() throws {
    let context = try crew()
    let results = try context.results(ofEntity: "Seat", where: "person.name = 'Eve'")
    #expect(results.isEmpty)
    try #require(try context.find(ofEntity: "Person", identity: 1))["name"] = "Eve"
    #expect(results.count == 1)
  }

  @Test("A relationship whose object is rejected is not also reported as missing")
  func rejected() throws {
    let context = try Fixture.context(
      #"""
      "Seat": {"relationships": {"place": {"destination": "Place", "optional": false}}},
      "Place": {"abstract": true, "attributes": {"name": "string"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"city": "City"}}},
      "City": {"parent": "Place"}
      """#)
    #expect(
      refusals(#"[{"place": 1️⃣{"name": "x"}}]"#, of: "Seat", in: context) == [
        "1️⃣ error: cannot tell which sub-entity of the abstract entity 'Place' this object belongs to (at $[0].place)"
      ])
  }
}
