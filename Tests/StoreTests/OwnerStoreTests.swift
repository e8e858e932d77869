import Graft
import GraftSQLite
import GraftTestSupport
import Testing

@Suite("Identity inside an owner, with stores") struct OwnerStoreTests {
  private static let model = #"""
    {"keyStrategy": "sameName", "entities": {
      "Order": {
        "identityAttributes": "id", "attributes": {"id": "string"},
        "relationships": {
          "lines": {"destination": "OrderLine", "toMany": true, "inverse": "order", "deleteOrphans": true}
        }
      },
      "OrderLine": {
        "identityAttributes": ["order", "position"],
        "attributes": {
          "position": {"type": "integer32", "JSONKeyPath": "@index"}, "sku": {"type": "string", "optional": true}
        },
        "relationships": {"order": {"destination": "Order", "inverse": "lines"}}
      }
    }}
    """#

  @Test("M12: lines that only the store has are found in their orders' lists", arguments: ContextSource.Kind.allCases)
  func stored(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, ManagedObjectModel(text: Self.model))
    try source.context().importJSON(
      #"[{"id": "o-1", "lines": [{"sku": "A"}, {"sku": "B"}]}, {"id": "o-2", "lines": [{"sku": "A"}]}]"#,
      ofEntity: "Order")
    let context = try source.context()
    let line = try #require(try context.find(ofEntity: "OrderLine", identity: "o-1", 1))
    #expect(try line["sku"] == "B" && context.find(ofEntity: "OrderLine", identity: "o-2", 1) == nil)
    let report = try context.importJSON(
      #"[{"id": "o-1", "lines": [{"sku": "A"}, {"sku": "C"}, {"sku": "D"}]}, {"id": "o-2", "lines": []}]"#,
      ofEntity: "Order")
    #expect(report.inserted == ["OrderLine": 1] && report.deleted == ["OrderLine": 1])
    #expect(report.updated == ["Order": 2, "OrderLine": 1] && line["sku"] == "C")
    let last = try source.context()
    #expect(try last.fetch(ofEntity: "OrderLine").map { $0["sku"] as String? } == ["A", "C", "D"])
    #expect(try last.find(ofEntity: "OrderLine", identity: "o-1", 2)?["sku"] == "D" && last.checkInvariants().isEmpty)
  }

  @Test("M12: if two contexts insert the same line, the store has one object")
  func conflict() throws {
    let model = try ManagedObjectModel(text: Self.model)
    let store = try SQLiteStore.inMemory(model: model)
    let contexts = try (0..<2).map { _ in try ManagedObjectContext(model: model, store: store) }
    for (number, context) in contexts.enumerated() {
      try context.importJSON(#"{"id": "o-1", "lines": [{"sku": "\#(number)"}]}"#, ofEntity: "Order")
    }
    let context = try ManagedObjectContext(model: model, store: store)
    #expect(try context.fetch(ofEntity: "OrderLine").map { $0["sku"] as String? } == ["1"])
    #expect(try context.count(ofEntity: "Order") == 1)
  }

  @Test(
    "M12, S5: deleting an owner fails if another context has added an object that the owner identifies",
    arguments: ContextSource.Kind.allCases,
    [ConflictPolicy.refuse, .storeWins, .contextWins, .mergeByProperty])
  func ownerOfOthers(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let model = try ManagedObjectModel(
      entities: #"""
        "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}},
        "Line": {"identityAttributes": ["order", "position"], "attributes": {"position": "integer64"},
          "relationships": {"order": {"destination": "Order", "inverse": "lines"}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(#"[{"id": 1}, {"id": 2}]"#, ofEntity: "Order")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = policy
    try mine.delete(mine.object("Order", 1))
    let line = theirs.insert(ofEntity: "Line")
    line["position"] = 0
    line["order"] = try theirs.object("Order", 1)
    try theirs.commit()
    #expect(throws: (any Error).self) { try mine.commit() }
    mine.rollBack()
    try mine.merge()
    let found = try source.context()
    #expect(try found.count(ofEntity: "Line") == 1)
    #expect(try found.find(ofEntity: "Line", identity: 1, 0) != nil)
    try source.expectAgreement(of: mine, theirs)
  }
}
