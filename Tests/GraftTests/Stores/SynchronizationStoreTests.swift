import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Synchronization with stores") struct SynchronizationStoreTests {
  private static let model = """
    {"keyStrategy": "sameName", "entities": {
      "Hero": {
        "identityAttributes": "id", "modificationAttribute": "changed",
        "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
        "attributes": {
          "id": "integer64", "changed": {"type": "date", "optional": true}, "name": {"type": "string", "optional": true}
        },
        "relationships": {
          "powers": {"destination": "Power", "toMany": true, "inverse": "hero", "deleteRule": "cascade"}
        }
      },
      "Power": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"hero": {"destination": "Hero", "inverse": "powers"}}
      }
    }}
    """

  @Test("M17: objects that only the store has are compared, kept and deleted", arguments: ContextSource.Kind.allCases)
  func stored(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(text: Self.model)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(
      """
      [{"id": 1, "changed": "2024-05-01T00:00:00Z", "name": "a", "powers": [{"id": 1}, {"id": 2}]},
       {"id": 2, "changed": "2024-05-01T00:00:00Z", "name": "b", "powers": [{"id": 3}]},
       {"id": 3, "name": "c"}]
      """, ofEntity: "Hero")
    let report = try source.context().importJSON(
      """
      [{"id": 1, "changed": "2024-05-01T00:00:00Z", "name": "x", "powers": []},
       {"id": 2, "changed": "2024-06-01T00:00:00Z", "gone": true},
       {"id": 3, "changed": "2024-05-01T00:00:00Z", "name": "d"}, {"id": 4, "gone": true}]
      """, ofEntity: "Hero")
    #expect(report.skipped == ["Hero": 2] && report.updated == ["Hero": 1])
    #expect(report.deleted == ["Hero": 1, "Power": 1])
    let context = try source.context()
    #expect(context.fetch(ofEntity: "Hero").map { $0["name"] } == ["a", "d"] as [String?])
    #expect(context.count(ofEntity: "Power") == 2)
  }
}
