import Graft
import GraftTestSupport
import Testing

@Suite("Replaced objects in stores") struct ReplacedObjectStoreTests {
  @Test(
    "D10: an object without identity that is replaced with an equal object is counted once, in a store as in memory",
    arguments: StoreKind.allCases)
  func equalObjects(kind: StoreKind) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"photo": {"destination": "Photo", "inverse": "hero", "deleteOrphans": true}}},
          "Photo": {"attributes": {"sizes": {"type": "integer64", "list": true}},
            "relationships": {"hero": {"destination": "Hero", "inverse": "photo", "JSONKeyPath": null}}}}}
        """)
    let source = try ContextSource(kind.source, model)
    let payload = #"[{"id": 1, "photo": {"sizes": [1, 2]}}]"#
    let memory = ManagedObjectContext(model: model)
    _ = try memory.importJSON(payload, ofEntity: "Hero")
    _ = try source.context().importJSON(payload, ofEntity: "Hero")
    for reportsDetails in [false, true] {
      let options = ImportOptions(reportsDetails: reportsDetails)
      for context in [memory, try source.context()] {
        let report = try context.importJSON(payload, ofEntity: "Hero", options: options)
        #expect(report.unchanged == ["Hero": 1] && report.updated == [:])
        #expect(report.inserted == ["Photo": 1] && report.deleted == ["Photo": 1])
      }
    }
  }
}
