import Graft
import GraftTestSupport
import Testing

/// Stores that temporarily cannot be read.
@Suite("Reads that fail") struct FailingReadTests {
  private static let model = """
    {"keyStrategy": "sameName", "entities": {"Node": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}},
      "relationships": {
        "next": {"destination": "Node", "inverse": "previous"},
        "previous": {"destination": "Node", "inverse": "next"},
        "parent": {"destination": "Node", "inverse": "nodes"},
        "nodes": {"destination": "Node", "toMany": true, "ordered": true, "inverse": "parent"},
        "friends": {"destination": "Node", "toMany": true, "ordered": true, "inverse": "admirers"},
        "admirers": {"destination": "Node", "toMany": true, "inverse": "friends"}}}}}
    """

  private static func node(_ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.find(ofEntity: "Node", identity: id))
  }

  /// A context, and the store of its objects. Another context has since changed, deleted and added objects.
  private func contexts() throws -> (store: CountingStore, mine: ManagedObjectContext) {
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    let store = CountingStore(model)
    let theirs = try ManagedObjectContext(model: model, store: store)
    try theirs.load(
      #"""
      [{"id": 1, "n": 1, "next": 2, "nodes": [3, 4], "friends": [5, 6]}, {"id": 2, "n": 2, "parent": 7, "friends": [8]},
       {"id": 9, "next": 10, "n": 1}]
      """#, "Node")
    let mine = try ManagedObjectContext(model: model, store: store)
    for id in [1, 2, 5, 9] { _ = try? Self.node(id, mine).propertyValue(of: "friends") }
    try theirs.load(
      #"""
      [{"id": 1, "n": 11, "next": 3, "nodes": [4, 12], "friends": [8, 5, 13]}, {"id": 2, "n": 12, "friends": [1]},
       {"id": 14, "next": 10}]
      """#, "Node")
    try theirs.delete(Self.node(9, theirs))
    try theirs.delete(Self.node(6, theirs))
    try theirs.commit()
    return (store, mine)
  }

  @Test("T24: a merge changes nothing if the store cannot be read, and can be repeated later")
  func merges() throws {
    try expectRetries {
      let (store, mine) = try contexts()
      return (store, mine, try ManagedObjectContext(model: mine.model, store: store))
    }
  }

  @Test(
    "T24: if the store cannot be read during a merge with pending changes, none of them are lost",
    arguments: [ConflictPolicy.contextWins, .storeWins, .mergeByProperty])
  func pendingChanges(policy: ConflictPolicy) throws {
    func edited() throws -> (store: CountingStore, mine: ManagedObjectContext) {
      let (store, mine) = try contexts()
      mine.conflictPolicy = policy
      let node = try Self.node(2, mine)
      node["n"] = 22
      node["friends"] = [try Self.node(1, mine), try Self.node(8, mine)]
      try Self.node(1, mine)["nodes"] = [try Self.node(4, mine), try Self.node(3, mine)]
      try Self.node(9, mine)["n"] = 9
      let new = mine.insert(ofEntity: "Node")
      new["id"] = 14
      new["friends"] = [node]
      try mine.delete(Self.node(5, mine))
      return (store, mine)
    }
    let expected = try edited().mine
    #expect(try expected.merge())
    var failures = 0
    var isWhole = false
    for read in 1..<200 where !isWhole {
      let (store, mine) = try edited()
      store.fail(at: read)
      do {
        try mine.merge()
        isWhole = true
      } catch {
        #expect("\(error)".contains("the store fails"))
        failures += 1
      }
      store.fail(at: 0)
      if !isWhole {
        #expect(mine.checkInvariants() == [] && mine.hasChanges, "read \(read)")
        try mine.merge()
      }
      #expect(mine.dumpText == expected.dumpText, "read \(read)")
      #expect(mine.checkInvariants() == [], "read \(read)")
      try mine.commit()
    }
    #expect(isWhole && failures > 0)
  }

  /// Merges a context repeatedly. Each time, the store fails at a later read.
  ///
  /// - Parameter make: creates a context, and a context with the contents that the first context should have after the merge.
  private func expectRetries(
    _ make: () throws -> (store: CountingStore, mine: ManagedObjectContext, expected: ManagedObjectContext)
  ) throws {
    var failures = 0
    var isWhole = false
    for read in 1..<100 where !isWhole {
      let (store, mine, expected) = try make()
      store.fail(at: read)
      do {
        try mine.merge()
        isWhole = true
      } catch {
        #expect("\(error)".contains("the store fails"))
        failures += 1
      }
      store.fail(at: 0)
      if !isWhole {
        #expect(mine.checkInvariants() == [] && !mine.hasChanges, "read \(read)")
        #expect(try mine.merge())
      }
      #expect(mine.dumpText == expected.dumpText, "read \(read)")
      #expect(mine.checkInvariants() == [], "read \(read)")
    }
    #expect(isWhole && failures > 0)
  }

  private static let places = """
    {"keyStrategy": "sameName", "entities": {
      "Place": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "host": {"destination": "Warden", "inverse": "home"}}},
      "Garden": {"parent": "Place", "attributes": {"size": {"type": "integer64", "optional": true}}, "relationships": {
        "trees": {"destination": "Tree", "toMany": true, "ordered": true, "inverse": "garden"},
        "wardens": {"destination": "Warden", "toMany": true, "ordered": true, "inverse": "gardens"}}},
      "Tree": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "garden": {"destination": "Garden", "inverse": "trees"}}},
      "Warden": {"identityAttributes": "id", "attributes": {
        "id": "integer64", "n": {"type": "integer64", "optional": true}}, "relationships": {
        "home": {"destination": "Place", "inverse": "host"},
        "gardens": {"destination": "Garden", "toMany": true, "inverse": "wardens"}}}}}
    """

  @Test(
    "T24: a merge that narrows an object, or returns it to the parent entity, can fail and be repeated",
    arguments: [false, true])
  func narrowed(isWidened: Bool) throws {
    let model = try ManagedObjectModel(text: Self.places, name: "m.json")
    try expectRetries {
      let store = CountingStore(model)
      let first = try ManagedObjectContext(model: model, store: store)
      try first.load(#"[{"id": 1, "home": 7}, {"id": 2, "n": 2}]"#, "Warden")
      let parent = try ManagedObjectContext(model: model, store: store)
      let child = parent.makeChild()
      let mine = isWidened ? child : try ManagedObjectContext(model: model, store: store)
      let narrowing = #"[{"id": 7, "size": 3, "trees": [1, 2], "wardens": [2, 1]}]"#
      if isWidened { try parent.makeChild().load(narrowing, "Garden") }
      let home = try #require(try mine.find(ofEntity: "Warden", identity: 1)?["home"] as ManagedObject?)
      #expect(home.entity.name == (isWidened ? "Garden" : "Place"))
      _ = mine.dump()
      if isWidened {
        parent.rollBack()
        // The objects that the parent has in memory are older than the store.
        try first.load(#"[{"id": 2, "n": 3, "home": null}, {"id": 1, "n": 1}]"#, "Warden")
        try parent.merge()
      } else {
        try first.load(narrowing, "Garden")
      }
      return (store, mine, isWidened ? parent.makeChild() : first)
    }
  }

  @Test(
    "T24: a commit writes nothing if the store cannot be read, and can be repeated later",
    arguments: [ConflictPolicy.contextWins, .storeWins, .mergeByProperty])
  func commits(policy: ConflictPolicy) throws {
    var isWhole = false
    for read in 1..<100 where !isWhole {
      let (store, mine) = try contexts()
      mine.conflictPolicy = policy
      try Self.node(1, mine)["n"] = 21
      try Self.node(2, mine)["next"] = Self.node(1, mine)
      try Self.node(9, mine)["n"] = 29
      let before = try store.latestCommit()
      store.fail(at: read)
      do {
        try mine.commit()
        isWhole = true
      } catch let error as StoreError { #expect("\(error)".contains("the store fails")) }
      store.fail(at: 0)
      #expect(try isWhole || store.latestCommit() == before, "read \(read)")
      #expect(mine.checkInvariants() == [], "read \(read)")
      if !isWhole, read % 2 == 0 {
        try mine.commit()
      } else if !isWhole {
        mine.rollBack()
      }
      try mine.merge()
      #expect(mine.dumpText == (try ManagedObjectContext(model: mine.model, store: store)).dumpText, "read \(read)")
      #expect(mine.checkInvariants() == [], "read \(read)")
    }
    #expect(isWhole)
  }
}
