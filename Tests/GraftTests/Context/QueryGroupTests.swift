import Graft
import GraftTestSupport
import Testing

@Suite("Queries: groups") struct QueryGroupTests {
  final class Hero: ManagedObject {
    override class var queryableProperties: [QueryableProperty] { [.init(\Hero.team, "team")] }
    var team: String? { self["team"] }
  }

  @Test("The description of a group contains its key and its value")
  func description() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {
        "class": "Hero",
        "identityAttributes": "id",
        "attributes": {"id": "integer64", "team": {"type": "string", "optional": true}}
      }
      """#, classes: [Hero.self])
    try context.load(#"[{"id": 1, "team": "Birds"}, {"id": 2, "team": "Birds"}, {"id": 3}]"#, "Hero")
    let groups = try context.count(groupedBy: \Hero.team)
    #expect(groups.map(\.description).sorted() == ["Birds: 2", "nil: 1"])
  }
}
