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

  @Test(
    "M17: objects that only the store has are compared, kept and deleted like objects in memory",
    arguments: ContextSource.Kind.allCases)
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
    #expect(try context.fetch(ofEntity: "Hero").map { $0["name"] } == ["a", "d"] as [String?])
    #expect(try context.count(ofEntity: "Power") == 2)
  }

  @Test(
    "M17: if an object is nested in itself, its newest dictionary is applied, wherever the dictionary is",
    arguments: [true, false])
  func nestedInItself(isFirst: Bool) throws {
    let context = ManagedObjectContext(
      model: try ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "entities": {"E": {
            "identityAttributes": "id", "modificationAttribute": "rev",
            "attributes": {"id": "integer64", "rev": "integer64", "text": "string"},
            "relationships": {"pal": {"destination": "E", "inverse": "palOf"}, "palOf": {"destination": "E", "inverse": "pal", "JSONKeyPath": null}}}}}
          """))
    let own = #""rev": 1, "text": "old""#
    let nested = #""pal": {"id": 2, "rev": 1, "text": "x", "pal": {"id": 1, "rev": 2, "text": "new"}}"#
    try context.importJSON("[{\"id\": 1, \(isFirst ? nested + ", " + own : own + ", " + nested)}]", ofEntity: "E")
    let object = try #require(try context.find(ofEntity: "E", identity: 1 as Int64))
    #expect(object["rev"] == 2 as Int64 && object["text"] == "new")
  }

  @Test("I12: a report names an object that only the store has", arguments: StoreKind.allCases)
  func names(kind: StoreKind) throws {
    let source = try ContextSource(
      kind.source,
      ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "entities": {
            "P": {"identityAttributes": "id", "attributes": {"id": "integer64"},
              "entityMapper": {"JSONKeyPath": "kind", "entities": {"p": "P", "q": "Q"}},
              "relationships": {"pal": {"destination": "P", "inverse": "pals"},
                "pals": {"destination": "P", "toMany": true, "inverse": "pal", "JSONKeyPath": null}}},
            "Q": {"parent": "P"}}}
          """))
    try source.context().importJSON(
      #"[{"kind": "q", "id": 1}, {"kind": "p", "id": 2, "pal": 1}, {"kind": "p", "id": 3}]"#, ofEntity: "P")
    var options = ImportOptions()
    options.reportsDetails = true
    let report = try source.context().importJSON(
      #"[{"kind": "p", "id": 2, "pal": 3}]"#, ofEntity: "P", options: options)
    let change = try #require(report.details.flatMap { $0.changes }.first { $0.name == "pal" })
    #expect(change.old == "Q(1)" && change.new == "P(3)")
    #expect(report.details.contains { $0.name == "Q(1)" && $0.entityName == "Q" })
  }
}
