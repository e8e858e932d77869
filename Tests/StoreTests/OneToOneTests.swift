import Graft
import GraftTestSupport
import Testing

/// One-to-one relationships that two contexts change at the same time. In the end, both sides agree in the contexts and in the store.
@Suite("One-to-one relationships in several contexts") struct OneToOneTests {
  /// Two contexts that share a store or a parent.
  private struct Pair {
    let source: ContextSource
    let mine: ManagedObjectContext
    let theirs: ManagedObjectContext

    init(_ kind: ContextSource.Kind, _ policy: ConflictPolicy) throws {
      source = try ContextSource(kind, try ManagedObjectModel(text: Fixture.nodes, name: "m.json"))
      (mine, theirs) = (try source.context(), try source.context())
      mine.conflictPolicy = policy
    }

    /// Returns the identity of a one-to-one's destination in the store.
    func stored(_ id: Int, _ property: String) throws -> Int? {
      (try node(id, source.context())[property] as ManagedObject?)?["id"]
    }

    /// Expects both sides of every link to agree before other contexts' changes are merged, and all contexts to have one graph afterwards.
    func expectAgreement(sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
      #expect(mine.checkInvariants() == [], sourceLocation: sourceLocation)
      try source.expectAgreement(of: mine, theirs, sourceLocation: sourceLocation)
    }
  }

  @Test(
    "S5: contextWins: an object that was not loaded loses another context's link if this context changed the link",
    arguments: ContextSource.Kind.allCases)
  func notLoaded(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .contextWins)
    try pair.theirs.load(#"{"id": 2, "next": 1}"#, "Node")
    try pair.mine.merge()
    try pair.mine.load(#"{"id": 1, "n": 1}"#, "Node")
    try pair.theirs.load(#"{"id": 2, "next": 4}"#, "Node")
    let two = try node(2, pair.mine)
    two["previous"] = two
    try pair.mine.commit()
    #expect(pair.mine.checkInvariants() == [])
    #expect(try pair.stored(2, "next") == 2)
    #expect(try pair.stored(4, "previous") == nil)
    try pair.expectAgreement()
  }

  @Test(
    "S5: a context takes over another context's links after its own deletion was refused and rolled back",
    arguments: ContextSource.Kind.allCases)
  func refusedDeletion(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .refuse)
    try pair.theirs.load(#"{"id": 2, "partner": 1}"#, "Node")
    try pair.mine.merge()
    #expect(try node(1, pair.mine)["partner"] as ManagedObject? != nil)
    try pair.theirs.load(#"{"id": 2, "partner": 2}"#, "Node")
    try pair.mine.delete(try node(2, pair.mine))
    #expect(throws: ConflictError.self) { try pair.mine.commit() }
    pair.mine.rollBack()
    try pair.expectAgreement()
    #expect(try node(2, pair.mine)["partner"] as ManagedObject? == node(2, pair.mine))
  }

  @Test(
    "S5: if another context inserts an object again and links it, the object keeps the link that this context made",
    arguments: ContextSource.Kind.allCases)
  func insertedAnew(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .contextWins)
    try pair.theirs.load(#"[{"id": 3}, {"id": 2}, {"id": 4}]"#, "Node")
    try pair.mine.merge()
    try pair.theirs.delete(try node(3, pair.theirs))
    try node(3, pair.mine)["partner"] = node(2, pair.mine)
    try node(4, pair.mine)["n"] = 1
    try pair.theirs.load(#"{"id": 3, "partner": 4}"#, "Node")
    try pair.theirs.commit()
    try pair.mine.commit()
    try pair.expectAgreement()
    #expect(try pair.stored(3, "partner") == 2)
    #expect(try pair.stored(4, "partner") == nil)
  }

  @Test(
    "S8: a merge takes over another context's links to an object that the merge loads",
    arguments: ContextSource.Kind.allCases)
  func loadedByMerge(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .contextWins)
    try pair.theirs.load(#"[{"id": 1, "previous": 3, "partner": 3}, {"id": 4}]"#, "Node")
    try pair.mine.merge()
    #expect(try pair.mine.find(ofEntity: "Node", identity: 1) != nil)
    try pair.theirs.load(#"{"id": 4, "partner": 3}"#, "Node")
    try pair.expectAgreement()
    #expect(try node(3, pair.mine)["partner"] as ManagedObject? == node(4, pair.mine))
  }

  @Test(
    "S8: a merge takes over a link that replaces a link to a deleted object",
    arguments: ContextSource.Kind.allCases)
  func loadedBesideDeletion(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .contextWins)
    try pair.theirs.load(#"[{"id": 4}, {"id": 3, "next": 1}]"#, "Node")
    try pair.mine.merge()
    #expect(try pair.mine.find(ofEntity: "Node", identity: 3) != nil)
    #expect(try pair.mine.find(ofEntity: "Node", identity: 4) != nil)
    try pair.theirs.load(#"[{"id": 2, "next": 1}, {"id": 4, "next": 2}]"#, "Node")
    try pair.theirs.delete(try node(3, pair.theirs))
    try pair.theirs.commit()
    try pair.expectAgreement()
    #expect(try node(1, pair.mine)["previous"] as ManagedObject? == node(2, pair.mine))
  }

  @Test(
    "S5: the destination of a restored object keeps its values, although the destination was not loaded",
    arguments: ContextSource.Kind.allCases)
  func restoredBesideFault(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .contextWins)
    try pair.theirs.load(#"{"id": 3, "n": 7, "next": 1}"#, "Node")
    try pair.mine.merge()
    try node(1, pair.mine)["n"] = 1
    try pair.theirs.delete(try node(1, pair.theirs))
    try pair.theirs.commit()
    try pair.mine.commit()
    try pair.expectAgreement()
    #expect(try node(3, pair.mine)["n"] == 7)
    #expect(try pair.stored(1, "previous") == 3)
  }

  @Test(
    "S5: after a rollback, both sides agree on a link that another context moved and this context loaded with changes",
    arguments: ContextSource.Kind.allCases)
  func rolledBack(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .refuse)
    try pair.theirs.load(#"{"id": 2, "previous": 1}"#, "Node")
    try pair.mine.merge()
    try node(1, pair.mine)["next"] = nil as ManagedObject?
    try pair.theirs.load(#"{"id": 4, "next": 2}"#, "Node")
    #expect(throws: ConflictError.self) { try pair.mine.commit() }
    pair.mine.rollBack()
    try pair.expectAgreement()
    #expect(try node(2, pair.mine)["previous"] as ManagedObject? == node(4, pair.mine))
  }

  @Test(
    "S5: after a rollback, both sides agree on another context's link from an object to itself",
    arguments: ContextSource.Kind.allCases)
  func linkedToItself(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .refuse)
    try pair.mine.load(#"{"id": 3, "previous": 1}"#, "Node")
    try pair.theirs.load(#"{"id": 2, "previous": 4}"#, "Node")
    try pair.mine.merge()
    try node(3, pair.mine)["next"] = node(2, pair.mine)
    try pair.theirs.load(#"{"id": 4, "previous": 4}"#, "Node")
    #expect(throws: ConflictError.self) { try pair.mine.commit() }
    pair.mine.rollBack()
    try pair.expectAgreement()
    #expect(try node(4, pair.mine)["previous"] as ManagedObject? == node(4, pair.mine))
  }

  @Test(
    "S5: an object loaded while its current destination is deleted keeps its former destination until the merge",
    arguments: ContextSource.Kind.allCases)
  func loadedAfterDeletion(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .contextWins)
    try pair.theirs.load(#"[{"id": 4, "previous": 1}, {"id": 2, "next": 1}]"#, "Node")
    try pair.mine.load(#"{"id": 4, "next": 3}"#, "Node")
    try pair.mine.delete(node(2, pair.mine))
    try pair.theirs.load(#"{"id": 2, "previous": 1}"#, "Node")
    try pair.mine.commit()
    try pair.expectAgreement()
    #expect(try pair.stored(1, "next") == nil)
  }

  @Test(
    "S5: a conflict that a commit has resolved is not treated as this context's change in further conflicts",
    arguments: ContextSource.Kind.allCases)
  func settledTwice(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .contextWins)
    try pair.mine.load(#"{"id": 3, "next": 2}"#, "Node")
    // A change to object 2, and a new object, both uncommitted.
    try pair.mine.makeChild().load(#"{"id": 2, "partner": 4}"#, "Node")
    try pair.theirs.load(#"{"id": 4, "next": 2}"#, "Node")
    try pair.mine.load(#"{"id": 4, "previous": 4}"#, "Node")
    try pair.expectAgreement()
    #expect(try pair.stored(4, "next") == 4)
    #expect(try pair.stored(2, "previous") == nil)
    #expect(try pair.stored(2, "partner") == 4)
  }

  @Test(
    "S5: a new object that another context also inserted does not take over a link that this context changed",
    arguments: ContextSource.Kind.allCases)
  func insertedByBoth(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .contextWins)
    try pair.mine.load(#"[{"id": 3, "next": 4}, {"id": 2}]"#, "Node")
    #expect(try pair.mine.find(ofEntity: "Node", identity: 1) == nil)
    try pair.theirs.load(#"{"id": 1, "partner": 4}"#, "Node")
    try node(4, pair.mine)["partner"] = node(2, pair.mine)
    try pair.mine.load(#"{"id": 1, "next": 2}"#, "Node")
    try pair.expectAgreement()
    #expect(try pair.stored(4, "partner") == 2)
    #expect(try pair.stored(1, "partner") == nil)
  }

  @Test(
    "S5: storeWins: a new object that another context also inserted takes over a link that this context changed",
    arguments: ContextSource.Kind.allCases)
  func storeWins(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .storeWins)
    try pair.mine.load(#"{"id": 3, "partner": 1}"#, "Node")
    try node(3, pair.mine)["next"] = node(1, pair.mine)
    try pair.theirs.load(#"{"id": 3, "previous": 2}"#, "Node")
    try pair.mine.load(#"{"id": 3, "previous": 2}"#, "Node")
    try pair.expectAgreement()
    #expect(try pair.stored(3, "previous") == 2)
    #expect(try pair.stored(2, "next") == 3)
  }

  @Test(
    "S5: an import after pending deletions finds the object that another context inserted again",
    arguments: ContextSource.Kind.allCases)
  func pendingDeletion(kind: ContextSource.Kind) throws {
    let pair = try Pair(kind, .storeWins)
    pair.theirs.conflictPolicy = .storeWins
    try pair.mine.load(#"{"id": 4, "previous": 4}"#, "Node")
    try pair.theirs.load(#"{"id": 1, "next": 4}"#, "Node")
    try pair.mine.load(#"{"id": 3, "partner": 2}"#, "Node")
    try pair.theirs.load(#"{"id": 1, "next": null}"#, "Node")
    for context in [pair.mine, pair.theirs] { try context.delete(node(3, context)) }
    try pair.theirs.load(#"{"id": 3, "partner": 4}"#, "Node")
    try pair.mine.load(#"{"id": 3, "partner": 1}"#, "Node")
    try pair.expectAgreement()
    #expect(try pair.stored(3, "partner") == 1)
    #expect(try pair.stored(4, "partner") == nil)
  }
}

private func node(_ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
  try #require(try context.find(ofEntity: "Node", identity: id))
}
