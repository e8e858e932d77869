import Foundation
import Graft
import GraftTestSupport
import Testing

/// Objects that another context deletes and inserts again, or inserts with the same identity.
@Suite("Objects that two contexts insert") struct InsertedByOthersTests {
  private static let model = #"""
    {"keyStrategy": "sameName", "entities": {
      "A": {"identityAttributes": "id",
        "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}, "m": {"type": "string", "optional": true}},
        "relationships": {
          "bs": {"destination": "B", "toMany": true, "inverse": "a"}, "o": {"destination": "B", "inverse": "p"}}},
      "B": {"identityAttributes": "id",
        "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}},
        "relationships": {"a": {"destination": "A", "inverse": "bs"}, "p": {"destination": "A", "inverse": "o"}}}}}
    """#

  @Test(
    "S5: a changed object is the same object after another context deletes and reinserts it in the store",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .mergeByProperty, .storeWins, .refuse])
  func insertedAnew(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let source = try ContextSource(kind, try ManagedObjectModel(text: Self.model))
    let (mine, theirs) = (try source.context(), try source.context())
    try theirs.load(#"[{"id": 1, "n": "old", "m": "old"}, {"id": 2}]"#, "A")
    try mine.merge()
    mine.conflictPolicy = policy
    let hero = try #require(try mine.find(ofEntity: "A", identity: 1))
    hero["n"] = "mine"
    try theirs.delete(#require(try theirs.find(ofEntity: "A", identity: 1)))
    try theirs.commit()
    try theirs.load(#"{"id": 1, "n": "new", "m": "new"}"#, "A")
    if policy == .refuse {
      #expect(throws: ConflictError.self) { try mine.commit() }
      mine.rollBack()
    } else {
      try mine.commit()
    }
    try source.expectAgreement(of: mine, theirs)
    let stored = try #require(try source.context().find(ofEntity: "A", identity: 1))
    // Changes the object as if another context had changed it.
    let isOurs = policy == .contextWins || policy == .mergeByProperty
    #expect(stored["n"] == (isOurs ? "mine" : "new") && stored["m"] == (policy == .contextWins ? "old" : "new"))
    #expect(try source.context().count(ofEntity: "A") == 2)
  }

  @Test(
    "S5: an object that contextWins restores has its one-to-one links on both sides",
    arguments: ContextSource.Kind.allCases)
  func restored(kind: ContextSource.Kind) throws {
    for isOther in [false, true] {
      let source = try ContextSource(kind, try ManagedObjectModel(text: Self.model))
      let (mine, theirs) = (try source.context(), try source.context())
      try theirs.load(#"{"id": 3, "o": {"id": 5}, "bs": [{"id": 6}]}"#, "A")
      try mine.merge()
      mine.conflictPolicy = .contextWins
      let name = isOther ? "B" : "A"
      let changed = try #require(try mine.find(ofEntity: name, identity: isOther ? 5 : 3))
      _ = mine.dumpText
      changed["n"] = "mine"
      try theirs.delete(#require(try theirs.find(ofEntity: name, identity: isOther ? 5 : 3)))
      try theirs.commit()
      try mine.commit()
      try source.expectAgreement(of: mine, theirs)
      let stored = try #require(try source.context().find(ofEntity: name, identity: isOther ? 5 : 3))
      #expect(stored["n"] == "mine")
    }
  }

  @Test(
    "S5: if this context deletes an object to which another context added a link, the store also loses the link",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.mergeByProperty, .storeWins, .contextWins])
  func linkedMeanwhile(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let source = try ContextSource(kind, try ManagedObjectModel(text: Self.model))
    let (mine, theirs) = (try source.context(), try source.context())
    try theirs.load(#"{"id": 2, "o": {"id": 1}}"#, "A")
    try mine.merge()
    _ = mine.dumpText
    mine.conflictPolicy = policy
    try theirs.load(#"{"id": 1, "a": 2, "n": "theirs"}"#, "B")
    try mine.delete(#require(try mine.find(ofEntity: "A", identity: 2)))
    try mine.commit()
    try source.expectAgreement(of: mine, theirs)
    #expect(try source.context().find(ofEntity: "B", identity: 1) != nil)
  }

  @Test(
    "S8: after a merge, a one-to-one that another context moved while one side was loaded is as that context left it",
    arguments: ContextSource.Kind.allCases)
  func movedMeanwhile(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, try ManagedObjectModel(text: Self.model))
    let theirs = try source.context()
    try theirs.load(#"[{"id": 1, "o": {"id": 1}}, {"id": 2, "o": {"id": 2}}]"#, "A")
    let mine = try source.context()
    _ = try mine.find(ofEntity: "B", identity: 1)
    try theirs.load(#"[{"id": 1, "o": {"id": 3}}]"#, "A")
    try mine.delete(#require(try mine.find(ofEntity: "A", identity: 1)))
    mine.rollBack()
    try source.expectAgreement(of: mine, theirs)
    #expect(try (mine.find(ofEntity: "A", identity: 1)?["o"] as ManagedObject?)?["id"] == 3)
  }
}
