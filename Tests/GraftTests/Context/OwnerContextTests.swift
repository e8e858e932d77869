import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Identity inside an owner: contexts") struct OwnerContextTests {
  private static let model = #"""
    {"keyStrategy": "sameName", "entities": {
      "Order": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "lines": {
            "destination": "OrderLine", "toMany": true, "inverse": "order", "deleteOrphans": true, "deleteRule": "cascade"
          }
        }
      },
      "OrderLine": {
        "identityAttributes": ["order", "position"],
        "attributes": {
          "position": {"type": "integer32", "JSONKeyPath": "@index"}, "sku": {"type": "string", "optional": true}
        },
        "relationships": {"order": {"destination": "Order", "inverse": "lines"}, "next": {"destination": "OrderLine"}}
      }
    }}
    """#

  private func context() throws -> ManagedObjectContext {
    ManagedObjectContext(model: try ManagedObjectModel(text: Self.model))
  }

  private func orders(_ numbers: some Sequence<Int>) -> String {
    "[" + numbers.map { #"{"id": \#($0), "lines": [{"sku": "a"}, null, {"sku": "b"}]}"# }.joined(separator: ",") + "]"
  }

  @Test("M12: objects are found after the rows of their owners have moved")
  func gaps() throws {
    let context = try context()
    try context.importJSON(orders(0..<2000), ofEntity: "Order")
    let line = try #require(try context.find(ofEntity: "OrderLine", identity: 1999, 2))
    for order in try context.fetch(ofEntity: "Order") where order["id"] as Int? ?? 0 < 1500 {
      try context.delete(order)
    }
    try context.commit()
    #expect(try context.checkInvariants().isEmpty && context.count(ofEntity: "OrderLine") == 1000)
    let report = try context.importJSON(orders(1500..<2000), ofEntity: "Order")
    #expect(report.unchanged == ["Order": 500, "OrderLine": 1000] && report.inserted.isEmpty)
    #expect(try context.find(ofEntity: "OrderLine", identity: 1999, 2) === line)
  }

  @Test("M12: handles and IDs refer to the same objects after a snapshot is restored")
  func snapshot() throws {
    let context = try context()
    try context.importJSON(orders(0..<3), ofEntity: "Order")
    let other = ManagedObjectContext(model: context.model)
    try other.importJSON(orders([9, 2, 1, 0]), ofEntity: "Order")
    let line = try #require(try other.find(ofEntity: "OrderLine", identity: 1, 2))
    let (lost, id) = (try #require(try other.find(ofEntity: "OrderLine", identity: 9, 2)), line.objectID)
    other.restore(context.snapshot())
    #expect(try line["sku"] == "b" && !line.isDeleted && lost.isDeleted && other.find(id) === line)
    #expect(other.checkInvariants().isEmpty && other.dumpText == context.dumpText)
    let data = try JSONEncoder().encode(id)
    #expect(try JSONDecoder().decode(ManagedObjectID.self, from: data) == id)
  }

  @Test("M12, I21: changes made by another context are applied, and unknown owners become placeholders")
  func merged() async throws {
    let source = try context()
    let target = ManagedObjectContext(model: source.model)
    var updates = source.updates().makeAsyncIterator()
    try source.importJSON(orders([1]), ofEntity: "Order")
    let first = try #require(await updates.next())
    #expect(target.merge(first) == [] && target.dumpText == source.dumpText && target.checkInvariants().isEmpty)
    try source.importJSON(#"{"id": 1, "lines": [{"next": [2, 5]}]}"#, ofEntity: "Order")
    let second = try #require(await updates.next())
    #expect(target.merge(second) == [] && target.dumpText == source.dumpText && target.checkInvariants().isEmpty)
    let third = ManagedObjectContext(model: source.model)
    _ = third.merge(second)
    #expect(try third.find(ofEntity: "OrderLine", identity: 2, 5)?.isPlaceholder == true)
    #expect(third.checkInvariants().isEmpty)
  }

  @Test("I1: dictionaries and streams produce the same objects, including positions")
  func waysIn() async throws {
    let text = #"[{"id": 1, "lines": [null, {"sku": "a"}, [1, 7], {"sku": "b"}]}, {"id": 2, "lines": []}]"#
    let first = try context()
    try first.importJSON(text, ofEntity: "Order")
    #expect(try first.find(ofEntity: "OrderLine", identity: 1, 3)?["sku"] == "b")
    let second = try context()
    let array = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any] ?? []
    try second.importJSON(array, ofEntity: "Order")
    #expect(second.dumpText == first.dumpText)
  }

  @Test("M12: a position that its attribute cannot hold causes an error")
  func longArray() throws {
    let context = try Fixture.context(
      #""A": {"attributes": {"place": {"type": "integer16", "JSONKeyPath": "@index"}}}"#)
    let text = "[" + Array(repeating: "{}", count: 32_768).joined(separator: ",") + ",1️⃣{}]"
    #expect(
      refusals(text, of: "A", in: context)
        == ["1️⃣ error: expected a position from 0 to 32767 for 'A.place', found 32768 (at $[32768])"])
  }

  @Test("M12: outside of an array, an object has no position, and an alias provides the value instead")
  func aliases() throws {
    let context = try Fixture.context(
      #"""
      "A": {
        "identityAttributes": "id", "attributes": {
          "id": "integer64",
          "place": {"type": "integer16", "optional": true, "JSONKeyPath": "@index", "JSONKeyPathAliases": ["place"]},
        },
        "relationships": {"one": {"destination": "B"}}
      },
      "B": {
        "identityAttributes": "id", "attributes": {
          "id": "integer64",
          "place": {"type": "integer16", "optional": true, "JSONKeyPath": "place", "JSONKeyPathAliases": ["@index"]}
        }
      }
      """#)
    try context.importJSON(#"[{"id": 1, "place": 7}, {"id": 2, "one": {"id": 9}}]"#, ofEntity: "A")
    try context.importJSON(#"{"id": 3, "place": 7}"#, ofEntity: "A")
    #expect(try context.fetch(ofEntity: "A").map { $0["place"] as Int? } == [0, 1, 7])
    try context.importJSON(#"[{"id": 1}, {"id": 2, "place": 5}, {"id": 3, "place": null}]"#, ofEntity: "B")
    #expect(try context.fetch(ofEntity: "B").map { $0["place"] as Int? } == [nil, 0, 5, nil])
  }
}
