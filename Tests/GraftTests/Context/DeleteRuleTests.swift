import Graft
import GraftTestSupport
import Testing

@Suite("Context: delete rules") struct DeleteRuleTests {
  enum Shape: String, CaseIterable { case toOne, toMany }

  /// An owner that inherits its relationship, and a destination whose objects can also be of a sub-entity.
  private func graph(_ rule: String, _ shape: Shape, inverse: Bool) throws -> (ManagedObjectContext, ManagedObject) {
    let back = #", "relationships": {"owner": {"destination": "Base", "inverse": "targets", "JSONKeyPath": null}}"#
    let context = try Fixture.context(
      #"""
      "Base": {"identityAttributes": "id", "abstract": true, "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"owner": "Owner"}},
        "relationships": {"targets": {"destination": "Target", "toMany": \#(shape == .toMany), "deleteRule": "\#(rule)"\#(inverse ? #", "inverse": "owner""# : "")}}},
      "Owner": {"parent": "Base"},
      "Target": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"sub": "SubTarget"}}\#(inverse ? back : "")},
      "SubTarget": {"parent": "Target"}
      """#)
    let targets = #"{"id": 1, "kind": "sub"}"#
    let owner = try context.load(
      #"{"id": 1, "kind": "owner", "targets": \#(shape == .toMany ? #"[\#(targets), {"id": 2}]"# : targets)}"#, "Base")[
        0]
    return (context, owner)
  }

  @Test(
    "M6: each delete rule applies to to-ones and to-manys, with and without an inverse, and to inherited relationships",
    arguments: ["nullify", "cascade", "deny", "noAction"], Shape.allCases)
  func rules(rule: String, shape: Shape) throws {
    for inverse in [true, false] {
      let (context, owner) = try graph(rule, shape, inverse: inverse)
      let before = context.dumpText
      let targets = try context.count(ofEntity: "Target")
      if rule == "deny" {
        let error = try #require(throws: PropertyError.self) { try context.delete(owner) }
        #expect(
          error.description == #"'Owner(1)' cannot be deleted: 'Owner.targets' still has objects"#)
        #expect(context.dumpText == before && !context.hasChanges)
        for target in try context.fetch(ofEntity: "Target") { try context.delete(target) }
      }
      try context.delete(owner)
      #expect(try owner.isDeleted && context.count(ofEntity: "Base") == 0)
      #expect(try context.count(ofEntity: "Target") == (rule == "cascade" || rule == "deny" ? 0 : targets))
      #expect(context.checkInvariants() == [])
      context.rollBack()
      #expect(context.dumpText == before && !owner.isDeleted && context.checkInvariants() == [])
    }
  }

  @Test("M6: deleting an object applies its own rules, not those of objects that refer to it")
  func otherDirection() throws {
    for rule in ["cascade", "deny"] {
      let (context, owner) = try graph(rule, .toMany, inverse: true)
      try context.delete(try #require(try context.find(ofEntity: "Target", identity: 1)))
      #expect(!owner.isDeleted && (owner["targets"] as [ManagedObject]).map(\.description) == ["Target(2)"])
      #expect(context.checkInvariants() == [])
    }
  }

  @Test("M6: a sub-entity's own relationship applies its rule only to the sub-entity's objects")
  func ownRelationship() throws {
    let context = try Fixture.context(
      #"""
      "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"b": "B"}}},
      "B": {"parent": "A", "relationships": {"parts": {"destination": "A", "toMany": true, "deleteRule": "cascade"}}}
      """#)
    let objects = try context.load(
      #"[{"id": 1, "kind": "b", "parts": [{"id": 2, "kind": "b", "parts": [1, 3]}]}, {"id": 4}]"#, "A")
    try context.delete(objects[1])
    #expect(try context.count(ofEntity: "A") == 3)
    try context.delete(objects[0])
    #expect(try context.count(ofEntity: "A") == 0 && context.checkInvariants() == [])
  }

  @Test(
    "M6: a cascade around a cycle deletes nothing if an object in the cycle has a 'deny' relationship")
  func denyInCycle() throws {
    let context = try Fixture.context(
      #"""
      "N": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "next": {"destination": "N", "deleteRule": "cascade", "inverse": "previous"},
        "previous": {"destination": "N", "inverse": "next", "JSONKeyPath": null},
        "guard": {"destination": "N", "deleteRule": "deny"}}}
      """#)
    let nodes = try context.load(
      #"[{"id": 1, "next": 2}, {"id": 2, "next": 3}, {"id": 3, "next": 1, "guard": 9}, {"id": 9}]"#, "N")
    let before = context.dumpText
    for node in nodes.prefix(3) {
      #expect(throws: PropertyError.self) { try context.delete(node) }
      #expect(context.dumpText == before)
    }
    nodes[2]["guard"] = nodes[0] as ManagedObject?
    try context.delete(nodes[1])
    #expect(context.drawing == "N(9)" && context.checkInvariants() == [])
  }

  @Test("M6: 'deny' has no effect if its relationship contains only deleted objects")
  func denyOfDeleted() throws {
    let (context, owner) = try graph("deny", .toOne, inverse: false)
    try context.delete(try #require(try context.find(ofEntity: "Target", identity: 1)))
    try context.delete(owner)
    #expect(context.dumpText == "{}\n")
  }
}
