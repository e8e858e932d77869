import Graft
import GraftTestSupport
import Testing

/// Placeholders that became objects of a sub-entity in a context, in the store, or in both (D5).
@Suite("Narrowed rows") struct NarrowedRowTests {
  private static let model = """
    {"keyStrategy": "sameName", "entities": {
      "Place": {"identityAttributes": "id", "attributes": {
        "id": {"type": "integer64"}, "name": {"type": "string", "optional": true}}, "relationships": {
        "host": {"destination": "Keeper", "inverse": "home"}}},
      "Garden": {"parent": "Place", "attributes": {"size": {"type": "integer64", "optional": true}}, "relationships": {
        "trees": {"destination": "Tree", "toMany": true, "ordered": true, "inverse": "garden"},
        "shed": {"destination": "Tree"},
        "bushes": {"destination": "Tree", "toMany": true, "inverse": "hedge"},
        "guard": {"destination": "Keeper", "inverse": "guarded"},
        "keepers": {"destination": "Keeper", "toMany": true, "inverse": "gardens"}}},
      "Pond": {"parent": "Place", "attributes": {"depth": {"type": "integer64", "optional": true}}},
      "Tree": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64"}}, "relationships": {
        "garden": {"destination": "Garden", "inverse": "trees"},
        "hedge": {"destination": "Garden", "inverse": "bushes"}}},
      "Keeper": {"identityAttributes": "id", "attributes": {
        "id": {"type": "integer64"}, "name": {"type": "string", "optional": true}}, "relationships": {
        "home": {"destination": "Place", "inverse": "host"},
        "guarded": {"destination": "Garden", "toMany": true, "inverse": "guard"},
        "gardens": {"destination": "Garden", "toMany": true, "inverse": "keepers"}}}}}
    """
  private static let policies: [ConflictPolicy] = [.storeWins, .mergeByProperty, .contextWins]

  /// Two contexts, both with the placeholder Place(7) in memory, which is the home of Keeper(1). The first context has a pending change, so
  /// it does not merge automatically.
  private struct Pair {
    let source: ContextSource
    let one: ManagedObjectContext
    let other: ManagedObjectContext
    let place: ManagedObject

    init(_ kind: ContextSource.Kind, _ policy: ConflictPolicy = .refuse) throws {
      source = try ContextSource(kind, try ManagedObjectModel(text: NarrowedRowTests.model, name: "m.json"))
      other = try source.context()
      try other.load(#"[{"id": 1, "home": 7}, {"id": 2}, {"id": 3}]"#, "Keeper")
      one = try source.context()
      one.conflictPolicy = policy
      place = try #require(try one.find(ofEntity: "Place", identity: 7))
      try keeper(3)["name"] = "Mine"
    }

    func keeper(_ id: Int) throws -> ManagedObject { try #require(try one.find(ofEntity: "Keeper", identity: id)) }

    /// The initial change is rolled back; then all contexts must agree.
    func expectAgreement() throws { try source.expectAgreement(of: one, other) }

    func home(_ id: Int) throws -> ManagedObject? { try keeper(id)["home"] }
  }

  @Test(
    "S5, D5: an object that this context narrowed stays narrowed after a conflict, and keeps references to it",
    arguments: ContextSource.Kind.allCases, policies)
  func narrowedHere(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let pair = try Pair(kind, policy)
    try pair.other.load(#"[{"id": 2, "home": 7}]"#, "Keeper")
    try pair.one.load(#"[{"id": 7, "size": 3, "trees": [1]}]"#, "Garden")
    try pair.expectAgreement()
    let home = try #require(try pair.home(2))
    #expect(home.entity.name == "Garden")
    #expect(!home.isPlaceholder)
    #expect(home["size"] == 3)
    #expect((home["trees"] as [ManagedObject]?)?.count == 1)
    #expect(try pair.home(1) == nil)
  }

  @Test(
    "S5, D5: no policy resolves the conflict if an object has contradicting entities in the context and in the store",
    arguments: ContextSource.Kind.allCases, policies)
  func contradiction(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    for (entity, payload) in [("Pond", #"[{"id": 7, "depth": 2}]"#), ("Place", #"[{"id": 7, "name": "New"}]"#)] {
      let pair = try Pair(kind, policy)
      // A child's commits become uncommitted changes of its parent.
      try pair.one.makeChild().load(#"[{"id": 7, "size": 3}]"#, "Garden")
      try pair.other.load(payload, entity)
      for call in [{ try pair.one.commit() }, { _ = try pair.one.merge() }] {
        let error = #expect(throws: ConflictError.self, performing: call)
        #expect(
          error?.description.contains("now belongs to entity '\(entity)'") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("No conflict policy resolves this: roll back and merge") == true)
      }
      #expect(pair.place.entity.name == "Garden")
      #expect(try pair.keeper(3)["name"] == "Mine")
      pair.one.rollBack()
      try pair.expectAgreement()
      #expect(try pair.home(1)?.entity.name == entity)
    }
  }

  @Test(
    "S5: a failed import does not undo another context's narrowing of the same object",
    arguments: ContextSource.Kind.allCases)
  func failedImport(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind)
    try pair.other.load(#"[{"id": 1, "garden": {"id": 7, "size": 3}}]"#, "Tree")
    #expect(throws: ImportError.self) {
      try pair.one.load(#"[{"id": 7, "size": 4, "trees": [1, {"id": "wrong"}]}]"#, "Garden")
    }
    #expect(pair.one.checkInvariants() == [])
    #expect(try pair.keeper(3)["name"] == "Mine")
    pair.one.rollBack()
    try pair.expectAgreement()
    #expect(try pair.home(1)?["size"] == 3)
  }

  @Test(
    "S8, D5: an object that no longer belongs to a sub-entity when it is loaded has no properties of the sub-entity",
    arguments: ContextSource.Kind.allCases.filter(\.isOfChildren))
  func widenedFault(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, try ManagedObjectModel(text: NarrowedRowTests.model, name: "m.json"))
    let parent = try #require(source.parents.last)
    try parent.load(#"[{"id": 1, "home": 7}]"#, "Keeper")
    let (mine, theirs) = (try source.context(), try source.context())
    try theirs.load(#"[{"id": 7, "bushes": [{"id": 1}]}]"#, "Garden")
    #expect(try mine.find(ofEntity: "Tree", identity: 1) != nil)
    parent.rollBack()
    try mine.merge()
    #expect(try mine.find(ofEntity: "Place", identity: 7)?.entity.name == "Place")
    #expect(mine.checkInvariants() == [])
    try source.expectAgreement(of: mine, theirs)
  }
}

/// Identities that other contexts also use.
@Suite("Identities and hidden rows") struct IdentityBesideHiddenTests {
  @Test(
    "S5: an identity that is set to the same value again is kept if another context has inserted the same identity",
    arguments: ContextSource.Kind.allCases)
  func sameIdentity(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let mine = try comics.context()
    let hero = mine.insert(ofEntity: "Hero")
    try hero.setValue(77, of: "id")
    try comics.context().load(#"{"id": 77, "name": "Theirs"}"#, "Hero")
    #expect(try mine.fetch(ofEntity: "Hero").filter { $0["id"] == 77 }.count == 1)
    try hero.setValue(77, of: "id")
    #expect(try mine.fetch(ofEntity: "Hero").filter { $0["id"] == 77 } == [hero])
    #expect(mine.checkInvariants() == [])
  }
}
