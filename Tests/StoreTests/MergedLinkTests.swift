import Foundation
import Graft
import GraftTestSupport
import Testing

/// Changes of two contexts that affect the same links, and deletions of linked objects (S5).
@Suite("Links and deletions merged with other commits") struct MergedLinkTests {
  private static let kinds = StoreKind.allCases.map(\.source) + [.childOfMemory, .childOfSQLite]
  private static let policies: [ConflictPolicy] = [.refuse, .storeWins, .contextWins, .mergeByProperty]

  private static let model = """
    {"keyStrategy": "sameName", "entities": {
      "Box": {"identityAttributes": "id",
        "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {
          "parts": {"destination": "Box", "toMany": true, "inverse": "whole", "deleteRule": "cascade"},
          "whole": {"destination": "Box", "inverse": "parts"},
          "users": {"destination": "Box", "toMany": true, "inverse": "uses", "deleteRule": "deny"},
          "uses": {"destination": "Box", "inverse": "users"},
          "tags": {"destination": "Tag", "toMany": true, "inverse": "boxes", "deleteRule": "cascade"},
          "next": {"destination": "Box", "inverse": "previous"},
          "previous": {"destination": "Box", "inverse": "next"}}},
      "Tag": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"boxes": {"destination": "Box", "toMany": true, "inverse": "tags"}}}}}
    """

  private func source(_ kind: ContextSource.Kind, _ payload: String, _ text: String = model) throws -> ContextSource {
    let source = try ContextSource(kind, try ManagedObjectModel(text: text, name: "m.json"))
    try source.context().load(payload, "Box")
    return source
  }

  private func box(_ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.find(ofEntity: "Box", identity: id))
  }

  private func ids(_ context: ManagedObjectContext) throws -> [Int] {
    try context.fetch(ofEntity: "Box").compactMap { $0["id"] as Int? }.sorted()
  }

  /// Returns the boxes that remain after box 1 is deleted under a policy; nil if the commit is refused.
  private func deletion(
    _ policy: ConflictPolicy, of payload: String, in source: ContextSource,
    whileOthers body: (ManagedObjectContext) throws -> Void
  ) throws -> [Int]? {
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = policy
    try mine.delete(box(1, mine))
    try body(theirs)
    try theirs.commit()
    do { try mine.commit() } catch is ConflictError {
      #expect(try mine.hasChanges && mine.find(ofEntity: "Box", identity: 1) == nil)
      mine.rollBack()
      return nil
    }
    try source.expectAgreement(of: mine)
    return try ids(mine)
  }

  @Test(
    "S5: 'cascade' deletes objects that another context added to a deleted object",
    arguments: kinds, policies)
  func cascade(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let payload = #"[{"id": 1, "parts": [2]}, {"id": 3, "parts": [4]}, {"id": 5}]"#
    let source = try source(kind, payload)
    let left = try deletion(policy, of: payload, in: source) { theirs in
      // Box 3 has parts of its own.
      try box(3, theirs)["whole"] = box(1, theirs)
    }
    switch policy {
    case .refuse: #expect(left == nil)
    // The deletion of the other context's part is discarded; the deletion of unchanged parts is not.
    case .storeWins: #expect(left == [1, 3, 4, 5])
    case .contextWins, .mergeByProperty: #expect(left == [5])
    }
  }

  @Test(
    "S5: 'deny' prevents a deletion if another context added objects to the deleted object",
    arguments: kinds, policies)
  func deny(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let source = try source(kind, #"[{"id": 1}, {"id": 2}]"#)
    let left = try deletion(policy, of: "", in: source) { theirs in try box(2, theirs)["uses"] = box(1, theirs) }
    #expect(left == (policy == .storeWins ? [1, 2] : nil))
  }

  @Test("S5: 'deny' also applies to an object that this context changed", arguments: kinds)
  func changedAndDenied(kind: ContextSource.Kind) throws {
    let source = try source(kind, #"[{"id": 1}, {"id": 2}]"#)
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .mergeByProperty
    try mine.delete(box(1, mine))
    try box(2, mine)["name"] = "changed here"
    try box(2, theirs)["uses"] = box(1, theirs)
    try theirs.commit()
    #expect(throws: ConflictError.self) { try mine.commit() }
    mine.conflictPolicy = .storeWins
    try mine.commit()
    #expect(try ids(mine) == [1, 2])
    try source.expectAgreement(of: mine)
  }

  @Test("S5: members that were moved away before a deletion are kept", arguments: kinds)
  func movedAway(kind: ContextSource.Kind) throws {
    let source = try source(kind, #"[{"id": 1, "parts": [2, 3], "tags": [1]}, {"id": 4}]"#)
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .contextWins
    try box(2, mine)["whole"] = box(4, mine)
    try mine.delete(box(1, mine))
    let tag = try #require(try theirs.find(ofEntity: "Tag", identity: 1))
    tag["boxes"] = [try box(1, theirs), try box(4, theirs)]
    try box(1, theirs)["name"] = "changed"
    try theirs.commit()
    try mine.commit()
    #expect(try ids(mine) == [2, 4] && mine.count(ofEntity: "Tag") == 0)
    #expect(try box(2, mine)["whole"] == box(4, mine))
    try source.expectAgreement(of: mine)
  }

  @Test("S5: storeWins: a one-to-one link has the store's state at both ends", arguments: kinds)
  func pairs(kind: ContextSource.Kind) throws {
    let source = try source(kind, #"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": 5, "next": 1}]"#)
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .storeWins
    // 5 -> 1 becomes 5 -> 4 and 2 -> 1 in this context, and 3 -> 1 in the other context.
    try box(2, mine)["next"] = box(1, mine)
    try box(5, mine)["next"] = box(4, mine)
    try box(5, mine)["name"] = "mine"
    try box(3, theirs)["next"] = box(1, theirs)
    try theirs.commit()
    try mine.commit()
    #expect(try box(1, mine)["previous"] == box(3, mine) && box(3, mine)["next"] == box(1, mine))
    #expect(try box(2, mine)["next"] as ManagedObject? == nil)
    try source.expectAgreement(of: mine)
  }

  @Test(
    "S5: storeWins: an object inserted in place of an object that another context changed is discarded with its values",
    arguments: kinds)
  func replaced(kind: ContextSource.Kind) throws {
    let source = try source(
      kind, #"[{"id": 1, "tags": [1], "next": 2}, {"id": 2}, {"id": 3, "next": 4}, {"id": 4}, {"id": 5, "uses": 1}]"#)
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .storeWins
    try box(5, mine)["uses"] = nil
    try mine.delete(box(1, mine))
    let new = mine.insert(ofEntity: "Box")
    new["id"] = 1
    new["name"] = "mine"
    try box(5, mine)["whole"] = new
    try box(3, mine)["next"] = new
    try box(1, theirs)["name"] = "theirs"
    try theirs.commit()
    try mine.commit()
    #expect(try ids(mine) == [1, 2, 3, 4, 5] && new == box(1, mine) && new["name"] == "theirs")
    #expect(try box(5, mine)["whole"] == new && new["next"] == box(2, mine) && box(3, mine)["next"] == box(4, mine))
    #expect(mine.checkInvariants() == [])
    try source.expectAgreement(of: mine)
  }

  @Test(
    "S5: no policy resolves a conflict in which both contexts gave an owner a new object that the owner identifies",
    arguments: kinds)
  func takenOwner(kind: ContextSource.Kind) throws {
    let source = try source(
      kind, #"[{"id": 1, "lid": {"text": "a"}}, {"id": 2, "lid": {"text": "b"}}, {"id": 3}]"#,
      """
      {"keyStrategy": "sameName", "entities": {
        "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"lid": {"destination": "Lid", "inverse": "box"}}},
        "Lid": {"identityAttributes": ["box"], "attributes": {"text": "string"},
          "relationships": {"box": {"destination": "Box", "inverse": "lid"}}}}}
      """)
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .mergeByProperty
    let lid = try #require(box(1, mine)["lid"] as ManagedObject?)
    try box(3, mine)["lid"] = lid
    try theirs.load(#"[{"id": 3, "lid": {"text": "c"}}]"#, "Box")
    #expect(throws: ConflictError.self) { try mine.merge() }
    #expect(try box(3, mine)["lid"] == lid)
    #expect(mine.checkInvariants().isEmpty)
    mine.rollBack()
    try mine.merge()
    #expect(try box(1, mine)["lid"] == lid)
    try mine.load(#"[{"id": 2, "lid": {"text": "d"}}, {"id": 1, "lid": {"text": "e"}}]"#, "Box")
    #expect(try lid["text"] == "e" && mine.count(ofEntity: "Lid") == 3)
    // The object that this context deleted stays deleted, although another context has inserted it again.
    try theirs.merge()
    for context in [mine, theirs] {
      try context.delete(try #require(box(2, context)["lid"] as ManagedObject?))
    }
    try box(2, mine)["lid"] = lid
    try theirs.load(#"[{"id": 2, "lid": {"text": "f"}}]"#, "Box")
    try mine.commit()
    #expect(try box(2, mine)["lid"] == lid && lid["text"] == "e" && mine.count(ofEntity: "Lid") == 2)
    #expect(mine.checkInvariants().isEmpty)
    try source.expectAgreement(of: mine)
  }

  @Test("S5: merging takes time proportional to the number of changes")
  func cost() throws {
    func time(_ count: Int) throws -> Duration {
      let model = try ManagedObjectModel(text: Self.model, name: "m.json")
      let store = SnapshotStore.inMemory(model: model)
      let boxes = (0..<count).map { "{\"id\": \($0), \"tags\": [\($0)]}" }.joined(separator: ",")
      try ManagedObjectContext(store: store).load("[\(boxes)]", "Box")
      let (mine, theirs) = (ManagedObjectContext(store: store), ManagedObjectContext(store: store))
      mine.conflictPolicy = .mergeByProperty
      for context in [mine, theirs] {
        let tag = context.insert(ofEntity: "Tag")
        tag["id"] = context === mine ? -1 : -2
        for box in try context.fetch(ofEntity: "Box") { box["tags"] = [tag] }
      }
      try theirs.commit()
      return try ContinuousClock().measure { try mine.commit() }
    }
    _ = try time(50)
    let (few, many) = (try time(400), try time(3200))
    // Eight times as many changes. Quadratic work would take 64 times as long.
    #expect(many < few * 32, "\(few), \(many)")
  }

  @Test(
    "S15: a deletion is not committed if other objects have started to require the object in the meantime",
    arguments: kinds, [true, false])
  func required(kind: ContextSource.Kind, isList: Bool) throws {
    let source = try source(
      kind, #"[{"id": 1}, {"id": 2}]"#,
      """
      {"keyStrategy": "sameName", "entities": {
        "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
        "Label": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"box": {"destination": "Box", "optional": \(isList), "toMany": \(isList)\(isList ? ", \"minCount\": 1" : "")}}}}}
      """)
    let (mine, theirs) = (try source.context(), try source.context())
    try mine.delete(box(1, mine))
    try theirs.load(isList ? #"{"id": 1, "box": [1]}"# : #"{"id": 1, "box": 1}"#, "Label")
    try theirs.commit()
    #expect(throws: (any Error).self) { try mine.commit() }
    mine.rollBack()
    try mine.merge()
    #expect(try ids(mine) == [1, 2])
    try source.expectAgreement(of: mine)
  }

  @Test("S5: storeWins: a one-to-one link is kept if another context deleted the new partner", arguments: kinds)
  func deletedPartner(kind: ContextSource.Kind) throws {
    let source = try source(kind, #"[{"id": 1, "next": 2}, {"id": 3}]"#)
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .storeWins
    try box(1, mine)["next"] = box(3, mine)
    try theirs.delete(box(3, theirs))
    try theirs.commit()
    try mine.commit()
    #expect(try box(1, mine)["next"] == box(2, mine) && ids(mine) == [1, 2])
    try source.expectAgreement(of: mine)
  }

  @Test(
    "S5: if each context changes one part of an object's identity, the object does not get a new object's identity",
    arguments: kinds)
  func sharedIdentity(kind: ContextSource.Kind) throws {
    let source = try source(
      kind, #"[{"row": 0, "column": 0}, {"row": 5, "column": 5}]"#,
      """
      {"keyStrategy": "sameName", "entities": {
        "Box": {"identityAttributes": ["row", "column"], "attributes": {"row": "integer64", "column": "integer64"}}}}
      """)
    func field(_ context: ManagedObjectContext) throws -> ManagedObject {
      try #require(try context.find(ofEntity: "Box", identity: 0, 0))
    }
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .mergeByProperty
    try field(mine)["column"] = 1
    let new = mine.insert(ofEntity: "Box")
    (new["row"], new["column"]) = (1, 1)
    try field(theirs)["row"] = 1
    try theirs.commit()
    #expect(throws: ConflictError.self) { try mine.commit() }
    mine.conflictPolicy = .storeWins
    try mine.commit()
    #expect(try mine.count(ofEntity: "Box") == 3 && mine.find(ofEntity: "Box", identity: 1, 0) != nil)
    try source.expectAgreement(of: mine)
  }

  @Test(
    "S5: storeWins: a list that is its own inverse has the store's members", arguments: ContextSource.Kind.allCases,
    [[2, 3], [], [3]])
  func ownInverse(kind: ContextSource.Kind, mine friends: [Int]) throws {
    let model = try ManagedObjectModel(
      entities: #"""
        "Person": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"friends": {"destination": "Person", "toMany": true, "inverse": "friends"}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(
      #"[{"id": 1, "friends": [2]}, {"id": 2}, {"id": 3}, {"id": 4}]"#, ofEntity: "Person")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .storeWins
    try mine.object("Person", 1)["friends"] = friends.map { try mine.object("Person", $0) }
    try theirs.object("Person", 1)["friends"] = [2, 4].map { try theirs.object("Person", $0) }
    try theirs.commit()
    try mine.commit()
    let found = try source.context()
    #expect(try found.list("friends", of: "Person", 1).sorted() == [2, 4])
    #expect(try found.list("friends", of: "Person", 2) == [1])
    #expect(try found.list("friends", of: "Person", 3) == [])
    try source.expectAgreement(of: mine, theirs)
  }
}
