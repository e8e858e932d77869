import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// A context evicts objects that the program does not hold. This only affects the context's use of memory (S3).
@Suite("Eviction of objects") struct EvictionTests {
  private let store: CountingStore

  private static let model = """
    {"keyStrategy": "sameName", "entities": {
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {
          "friend": {"destination": "Hero", "inverse": "friends"},
          "friends": {"destination": "Hero", "toMany": true, "inverse": "friend"}}},
      "Note": {"attributes": {"text": "string"}}}}
    """

  init() throws {
    let model = try ManagedObjectModel(text: Self.model, name: "m.json")
    store = CountingStore(try SQLiteStore.inMemory(model: model))
    let heroes = (0..<100).map { #"{"id": \#($0), "name": "\#($0)", "friend": \#(($0 + 1) % 100)}"# }
    try ManagedObjectContext(store: store).load("[\(heroes.joined(separator: ","))]", "Hero")
  }

  private func context(limit: Int = 10) -> ManagedObjectContext {
    let context = ManagedObjectContext(store: store)
    context.loadedObjectLimit = limit
    return context
  }

  private func hero(_ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.find(ofEntity: "Hero", identity: id))
  }

  /// Returns the number of objects that are read to fetch all heroes: the heroes that are not in memory.
  private func missing(_ context: ManagedObjectContext) throws -> Int {
    try store.rowsRead { _ = try context.fetch(ofEntity: "Hero") }
  }

  @Test("S3: evicted objects are loaded again when they are needed")
  func loadsAgain() throws {
    let context = context()
    #expect(try missing(context) == 100)
    #expect(try missing(context) == 100)
    let generous = self.context(limit: 1_000)
    #expect(try missing(generous) == 100)
    #expect(try missing(generous) == 0)
  }

  @Test("S3: objects that the program holds keep their values and relationships")
  func held() throws {
    let context = context()
    let held = try hero(5, context)
    _ = try context.fetch(ofEntity: "Hero")
    let count = try context.count(ofEntity: "Hero")
    #expect(count == 100)
    var name: String?
    let reads = store.rowsRead { name = held["name"] }
    #expect(name == "5" && reads == 0)
    #expect((held["friend"] as ManagedObject?)?["name"] == "6")
    #expect((held["friends"] as [ManagedObject]).map { $0["id"] as Int? } == [4])
    #expect(context.checkInvariants() == [])
    #expect(try hero(5, context) === held)
  }

  @Test("S3: nothing is evicted while there are pending changes, children or observers")
  func needed() throws {
    let context = context()
    _ = try context.fetch(ofEntity: "Hero")
    try hero(5, context)["name"] = "changed"
    _ = try context.fetch(ofEntity: "Hero")
    #expect(try missing(context) == 0)
    context.rollBack()
    let child = context.makeChild()
    _ = try child.count(ofEntity: "Hero")
    _ = try context.fetch(ofEntity: "Hero")
    #expect(try missing(context) == 0)
    let observed = self.context()
    _ = try observed.fetch(ofEntity: "Hero")
    let updates = observed.updates()
    #expect(try missing(observed) == 0)
    _ = updates
    _ = child
  }

  @Test("S3: an evicted object without an identity is found by its ID")
  func withoutIdentity() throws {
    let context = context(limit: 0)
    let id = try {
      let note = context.insert(ofEntity: "Note")
      note["text"] = "text"
      try context.commit()
      return note.objectID
    }()
    _ = try context.fetch(ofEntity: "Hero")
    _ = try context.fetch(ofEntity: "Hero")
    #expect(try context.find(id)?["text"] == "text")
  }

  @Test("S3: the memory of a context that imports for a long time does not grow")
  func imports() throws {
    let context = context(limit: 1_000)
    var sizes: [Int] = []
    for round in 0..<60 {
      let heroes = (0..<300).map { #"{"id": \#(1_000 + round * 300 + $0), "name": "\#($0)"}"# }
      try context.load("[\(heroes.joined(separator: ","))]", "Hero")
      sizes.append(context.storageSizes.rows)
    }
    #expect(try hero(18_999, context)["name"] == "299")
    #expect(sizes.max() ?? 0 <= 4_096, "\(sizes)")
  }

  @Test("S1: the error for a store with a different model names the call to use")
  func otherModel() throws {
    let other = try ManagedObjectModel(text: Self.model, name: "m.json")
    let error = #expect(throws: StoreError.self) { try ManagedObjectContext(model: other, store: store) }
    #expect(error?.description.contains("ManagedObjectContext(store:)") == true)
  }

  @Test(
    "S3: an object identified by a number inside its owner survives two evictions",
    arguments: ContextSource.Kind.allCases)
  func numberedPart(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "Customer": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "orders": {"destination": "Order", "toMany": true, "inverse": "customer"}}},
          "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "customer": {"destination": "Customer", "inverse": "orders"},
            "lines": {"destination": "Line", "toMany": true, "inverse": "order"}}},
          "Line": {"identityAttributes": ["order", "position"], "attributes": {"position": "integer64"},
            "relationships": {"order": {"destination": "Order", "inverse": "lines"}}},
          "Note": {"identityAttributes": "id", "attributes": {"id": "integer64"}}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(
      #"{"id": 1, "customer": {"id": 7}, "lines": [{"position": 0}, {"position": 1}]}"#, ofEntity: "Order")
    let notes = (0..<100).map { #"{"id": \#($0)}"# }.joined(separator: ",")
    try source.context().importJSON("[\(notes)]", ofEntity: "Note")
    let context = try source.context()
    context.loadedObjectLimit = 5
    let line = try #require(try context.find(ofEntity: "Line", identity: 1, 0))
    // This numbers all objects.
    #expect(context.snapshot().count == 104)
    for _ in 0..<3 { #expect(try context.fetch(ofEntity: "Note").count == 100) }
    let order = try #require(line["order"] as ManagedObject?)
    #expect((order["customer"] as ManagedObject?)?["id"] == 7)
    #expect(context.checkInvariants() == [])
  }
}
