import Graft
import GraftTestSupport
import Testing

/// Stores that cannot be read at one moment, and can be a moment later.
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
    try #require(context.find(ofEntity: "Node", identity: id))
  }

  /// Two contexts of a store. Others have changed what the first has in memory, deleted some of it, and added to it.
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
    for id in [1, 2, 5, 9] { _ = try Self.node(id, mine)["friends"] as PropertyValue? }
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

  @Test("T24: a merge during which the store cannot be read changes nothing, and can be made again")
  func merges() throws {
    var isWhole = false
    for read in 1..<100 where !isWhole {
      let (store, mine) = try contexts()
      store.fail(at: read)
      do {
        try mine.merge()
        isWhole = true
      } catch { #expect(error.description.contains("the store fails")) }
      store.fail(at: 0)
      if !isWhole {
        #expect(mine.checkInvariants() == [] && !mine.hasChanges, "read \(read)")
        #expect(try mine.merge())
      }
      #expect(mine.dumpText == (try ManagedObjectContext(model: mine.model, store: store)).dumpText, "read \(read)")
      #expect(mine.checkInvariants() == [], "read \(read)")
    }
    #expect(isWhole)
  }

  @Test(
    "T24: a commit during which the store cannot be read writes nothing, and can be made again",
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
      } catch let error as StoreError { #expect(error.description.contains("the store fails")) }
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
