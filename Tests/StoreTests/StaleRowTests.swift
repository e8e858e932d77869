import Graft
import GraftTestSupport
import Testing

/// Rows that a context loads, or takes over in a conflict, and that refer to outdated rows in memory.
@Suite("Rows next to outdated rows") struct StaleRowTests {
  private static let model = """
    {"keyStrategy": "sameName", "entities": {
      "Place": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64"}}},
      "Garden": {"parent": "Place", "attributes": {"size": {"type": "integer64", "optional": true}}, "relationships": {
        "trees": {"destination": "Tree", "toMany": true, "ordered": true, "inverse": "garden"},
        "keeper": {"destination": "Keeper", "inverse": "garden"}}},
      "Tree": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64"}}, "relationships": {
        "garden": {"destination": "Garden", "inverse": "trees"}}},
      "Keeper": {"identityAttributes": "id",
        "attributes": {"id": {"type": "integer64"}, "name": {"type": "string", "optional": true}}, "relationships": {
        "garden": {"destination": "Garden", "inverse": "keeper"},
        "places": {"destination": "Place", "toMany": true}}}}}
    """

  /// Two contexts that share a store or a parent.
  private struct Pair {
    let source: ContextSource
    let one: ManagedObjectContext
    let other: ManagedObjectContext

    /// - Parameter payload: the keepers that exist from the beginning.
    init(_ kind: ContextSource.Kind, _ payload: String) throws {
      source = try ContextSource(kind, try ManagedObjectModel(text: StaleRowTests.model, name: "m.json"))
      other = try source.context()
      try other.load(payload, "Keeper")
      one = try source.context()
    }

    /// Expects memory to be consistent and, after a merge, equal to the other context's.
    func expectAgreement() throws {
      #expect(one.checkInvariants() == [])
      try one.merge()
      try other.merge()
      #expect(one.dumpText == other.dumpText)
      #expect(one.checkInvariants() == [])
    }
  }

  @Test(
    "S5: references to a placeholder that another context narrowed lead to an object of the narrower entity",
    arguments: ContextSource.Kind.allCases)
  func narrowed(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, #"[{"id": 1, "places": [7]}]"#)
    #expect(try pair.one.find(ofEntity: "Place", identity: 7)?.entity.name == "Place")
    try pair.other.load(#"[{"id": 1, "garden": {"id": 7, "size": 3}}]"#, "Tree")
    #expect(try pair.one.find(ofEntity: "Tree", identity: 1) == nil)
    try pair.one.merge()
    let tree = try #require(try pair.one.find(ofEntity: "Tree", identity: 1))
    #expect((tree["garden"] as ManagedObject?)?.entity.name == "Garden")
    pair.one.rollBack()
    #expect((tree["garden"] as ManagedObject?)?.entity.name == "Garden")
    try pair.expectAgreement()
  }

  @Test(
    "S6: a conflict can be resolved with a link to a placeholder that another context narrowed",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.storeWins, .mergeByProperty])
  func narrowedInConflict(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let pair = try Pair(kind, #"[{"id": 1, "places": [7]}]"#)
    let place = try #require(try pair.one.find(ofEntity: "Place", identity: 7))
    let keeper = try #require(try pair.one.find(ofEntity: "Keeper", identity: 1))
    keeper["name"] = "Mole"
    try pair.other.load(#"[{"id": 1, "garden": {"id": 7, "size": 3}}]"#, "Keeper")
    pair.one.conflictPolicy = policy
    try pair.one.commit()
    #expect(keeper["garden"] as ManagedObject? == place)
    #expect(keeper["name"] == (policy == .storeWins ? nil : "Mole"))
    try pair.expectAgreement()
    #expect(place["size"] == 3)
  }

  @Test(
    "S5: an empty list in memory gets a member when a row that refers to the list's object is loaded",
    arguments: ContextSource.Kind.allCases)
  func emptyList(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, #"[{"id": 1, "garden": {"id": 7}}]"#)
    let garden = try #require(try pair.one.find(ofEntity: "Garden", identity: 7))
    #expect((garden["trees"] as [ManagedObject]?) ?? [] == [])
    try pair.other.load(#"[{"id": 1, "garden": 7}]"#, "Tree")
    try pair.one.merge()
    let tree = try #require(try pair.one.find(ofEntity: "Tree", identity: 1))
    #expect(tree["garden"] as ManagedObject? == garden)
    try pair.expectAgreement()
    #expect(garden["trees"] as [ManagedObject]? == [tree])
  }

  @Test(
    "S6: if both contexts change a link, the commit succeeds even if this context's target was deleted",
    arguments: ContextSource.Kind.allCases)
  func changeIsGone(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, #"[{"id": 1}]"#)
    try pair.other.load(#"[{"id": 7}, {"id": 8}]"#, "Garden")
    let keeper = try #require(try pair.one.find(ofEntity: "Keeper", identity: 1))
    keeper["garden"] = try pair.one.find(ofEntity: "Garden", identity: 8)
    let others = try #require(try pair.other.find(ofEntity: "Keeper", identity: 1))
    others["garden"] = try pair.other.find(ofEntity: "Garden", identity: 7)
    try pair.other.delete(try #require(try pair.other.find(ofEntity: "Garden", identity: 8)))
    try pair.other.commit()
    pair.one.conflictPolicy = .mergeByProperty
    try pair.one.commit()
    try pair.expectAgreement()
  }

  @Test(
    "S5: a new object takes the place of an object with the same identity and a one-to-one link",
    arguments: ContextSource.Kind.allCases)
  func identityOfLinked(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, #"[{"id": 1}]"#)
    #expect(try pair.one.fetch(ofEntity: "Keeper").count == 1)
    try pair.other.load(#"[{"id": 2, "garden": {"id": 7}}]"#, "Keeper")
    let keeper = pair.one.insert(ofEntity: "Keeper")
    try keeper.setValue(2, of: "id")
    keeper["garden"] = try pair.one.find(ofEntity: "Garden", identity: 7)
    try pair.one.commit()
    try pair.expectAgreement()
    let keepers = try pair.other.fetch(ofEntity: "Keeper").count
    #expect(try pair.one.count(ofEntity: "Keeper") == 2 && keepers == 2)
    #expect(try keeper["garden"] as ManagedObject? == pair.one.find(ofEntity: "Garden", identity: 7))
  }

  @Test(
    "S8: objects that a merge has not loaded have the right position among all objects",
    arguments: ContextSource.Kind.allCases)
  func mergedFault(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {"Node": {
          "identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {
            "parent": {"destination": "Node", "inverse": "nodes"},
            "nodes": {"destination": "Node", "toMany": true, "inverse": "parent"}
          }}}}
        """#)
    let source = try ContextSource(kind, model)
    let mine = try source.context()
    try mine.load(#"[{"id": 1}, {"id": 3}]"#, "Node")
    let third = try #require(try mine.find(ofEntity: "Node", identity: 3))
    third["parent"] = third
    try source.context().load(#"[{"id": 3, "parent": 2}]"#, "Node")
    // After the commit, the context has a link to an object of which it knows only the number.
    mine.conflictPolicy = .storeWins
    try mine.commit()
    try mine.merge()
    #expect(mine.dumpText == (try source.context()).dumpText)
    #expect(try mine.fetch(ofEntity: "Node").map { $0["id"] as Int? } == [1, 3, 2])
  }

  @Test(
    "S5: a conflict can be resolved even if another context moved links and identities of the same objects",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.storeWins, .mergeByProperty, .contextWins])
  func identityOfOutdated(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let pair = try Pair(kind, #"[{"id": 1, "garden": {"id": 7}}, {"id": 2}, {"id": 3}]"#)
    let keepers = try pair.one.fetch(ofEntity: "Keeper")
    let garden = try #require(keepers[0]["garden"] as ManagedObject?)
    // Another context gives the garden to the second keeper, and changes the ID of the first keeper to 3.
    let others = try pair.other.fetch(ofEntity: "Keeper")
    others[1]["garden"] = others[0]["garden"] as ManagedObject?
    try others[2].setValue(4, of: "id")
    try others[0].setValue(3, of: "id")
    try pair.other.commit()
    garden["size"] = 3
    pair.one.conflictPolicy = policy
    try pair.one.commit()
    #expect(pair.one.checkInvariants() == [])
    try pair.expectAgreement()
  }
}
