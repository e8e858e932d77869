import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Modification attributes") struct ModificationTests {
  private static let model = """
    "Hero": {
      "identityAttributes": "id", "modificationAttribute": "version",
      "attributes": {
        "id": "integer64", "name": {"type": "string", "optional": true},
        "version": {"type": "integer64", "optional": true, "JSONKeyPath": "meta.version", "JSONKeyPathAliases": ["v"]}
      },
      "relationships": {
        "powers": {"destination": "Power", "toMany": true, "ordered": true},
        "friend": {"destination": "Hero"}
      }
    },
    "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
    """

  private func context() throws -> ManagedObjectContext {
    let context = try Fixture.context(Self.model)
    try context.importJSON(#"{"id": 1, "name": "a", "v": 5, "powers": [{"id": 1}]}"#, ofEntity: "Hero")
    return context
  }

  private func hero(_ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.fetch(ofEntity: "Hero").first { $0["id"] == 1 })
  }

  @Test(
    "M17: a dictionary that is not newer than its object is skipped with its contents",
    arguments: ["\"v\": 5", "\"v\": 4", "\"meta\": {\"version\": 5}", "\"meta\": {\"version\": 4}, \"v\": 9"])
  func skipped(version: String) throws {
    let context = try context()
    let report = try context.importJSON(
      "[{\"id\": 1, \"name\": 7, \(version), \"powers\": [{\"id\": 2}], \"friend\": {\"id\": 3}}]", ofEntity: "Hero")
    #expect(report.skipped == ["Hero": 1] && report.updated.isEmpty && report.inserted.isEmpty)
    #expect(report.description == "Hero: 1 skipped" && report.warnings.isEmpty)
    #expect(try hero(context)["name"] == "a")
    #expect(try context.count(ofEntity: "Power") == 1 && context.count(ofEntity: "Hero") == 1)
  }

  @Test(
    "M17, D13: a newer dictionary is applied, and so is a dictionary if either modification value is null or absent",
    arguments: ["\"v\": 6", "\"v\": null", "\"meta\": null, \"v\": 1", "\"meta\": {}"])
  func applied(version: String) throws {
    let context = try context()
    let report = try context.importJSON("[{\"id\": 1, \"name\": \"b\", \(version)}]", ofEntity: "Hero")
    #expect(report.updated == ["Hero": 1] && report.skipped.isEmpty)
    #expect(try hero(context)["name"] == "b")
    try context.importJSON(#"[{"id": 1, "v": null}]"#, ofEntity: "Hero")
    try context.importJSON(#"[{"id": 1, "v": 1, "name": "c"}]"#, ofEntity: "Hero")
    #expect(try hero(context)["name"] == "c" && hero(context)["version"] == 1)
  }

  @Test("D13: a skipped dictionary is treated as the identifier of its object")
  func standIn() throws {
    let context = try context()
    try context.importJSON(#"[{"id": 2, "friend": {"id": 1, "v": 5, "name": "b"}}]"#, ofEntity: "Hero")
    let friends = try context.fetch(ofEntity: "Hero").map { hero -> ManagedObject? in hero["friend"] }
    #expect(try friends.contains(hero(context)) && hero(context)["name"] == "a")
    let found = try objects(ofEntity: "Hero", fromJSON: #"[{"id": 1, "v": 5}]"#, in: context)
    #expect(try found == [hero(context)])
    let one = try object(ofEntity: "Hero", fromJSON: ["id": 1, "v": 5, "name": "b"], in: context)
    #expect(try one == hero(context) && one["name"] == "a")
    let report = try context.importJSON(
      #"[{"id": 1, "v": 5}]"#, [.objects(ofEntity: "Hero", missing: .delete)])
    #expect(report.deleted == ["Hero": 1] && report.skipped == ["Hero": 1])
    #expect(try context.fetch(ofEntity: "Hero").map { $0["name"] } == ["a"] as [String?])
  }

  @Test(
    "M17: in one payload, dictionaries with equal modification values are merged, and an older dictionary is skipped")
  func onePayload() throws {
    let context = try context()
    let report = try context.importJSON(
      """
      [{"id": 1, "v": 7, "name": "b"}, {"id": 1, "v": 7, "powers": [2]}, {"id": 1, "v": 6, "name": "c"},
       {"id": 2, "v": 1, "name": "d"}, {"id": 2, "v": 1, "powers": [1]}, {"id": 2, "v": 0, "name": "e"}]
      """, ofEntity: "Hero")
    #expect(report.skipped == ["Hero": 2] && report.updated == ["Hero": 1] && report.inserted == ["Hero": 1])
    let heroes = try context.fetch(ofEntity: "Hero")
    #expect(heroes.map { $0["name"] } == ["b", "d"] as [String?])
    #expect(heroes.map { ($0["powers"] as RelatedObjects<ManagedObject>).count } == [1, 1])
    // With a batch size, each batch is a separate payload.
    let lines = #"{"id": 3, "v": 1, "name": "x"}"# + "\n" + #"{"id": 3, "v": 1, "name": "y"}"#
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    try lines.write(to: url, atomically: true, encoding: .utf8)
    let batched = try context.importStream(
      contentsOf: url, ofEntity: "Hero", format: .lines, batches: ImportBatches(size: 1))
    #expect(batched.skipped == ["Hero": 1])
  }

  @Test(
    "M17: modification values that are dates, decimals or floating-point numbers are compared by value",
    arguments: [
      ("date", #""2024-05-01T00:00:00Z""#, #""2024-05-01T02:00:00+02:00""#, #""2024-05-01T00:00:00.000001Z""#),
      ("decimal", "1.10", "1.1", "1.10000000000000000001"), ("double", "1", "1.0", "1.5"), ("float", "-1", "-1.0", "0"),
      ("integer16", "-2", "-2.0", "-1"),
    ])
  func types(type: String, stored: String, same: String, newer: String) throws {
    let context = try Fixture.context(
      """
      "A": {
        "identityAttributes": "id", "modificationAttribute": "v",
        "attributes": {"id": "string", "v": {"type": "\(type)"}, "n": {"type": "integer16", "optional": true}}
      }
      """)
    func importing(_ value: String) throws -> ImportReport {
      try context.importJSON("[{\"v\": \(value), \"n\": 1, \"id\": \"x\"}]", ofEntity: "A")
    }
    #expect(try importing(stored).inserted == ["A": 1])
    #expect(try importing(same).skipped == ["A": 1])
    #expect(try importing(newer).updated == ["A": 1])
    #expect(try importing(stored).skipped == ["A": 1])
  }

  @Test("T3: the transformer of a modification attribute is called once for each value")
  func transformer() throws {
    let calls = Locked(0)
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Count") { (text: String) -> Int? in
      calls.withLock { $0 += 1 }
      return text.count
    }
    let context = try Fixture.context(
      """
      "A": {
        "identityAttributes": "id", "modificationAttribute": "v",
        "attributes": {
          "id": "integer64", "v": {"type": "integer64", "optional": true, "JSONTransformerName": "Count"}
        }
      }
      """, transformers: transformers)
    try context.importJSON(#"[{"id": 1, "v": "xx"}, {"v": "xxx", "id": 2}, {"id": 1, "v": "xxx"}]"#, ofEntity: "A")
    #expect(calls.withLock { $0 } == 3)
    let report = try context.importJSON(#"[{"v": "xxx", "id": 1}, {"id": 2, "v": "xxxx"}]"#, ofEntity: "A")
    #expect(calls.withLock { $0 } == 5 && report.skipped == ["A": 1])
    #expect(try context.fetch(ofEntity: "A").map { $0["v"] } == [3, 4] as [Int?])
  }

  @Test("M17: errors inside a skipped dictionary are not reported, but a wrong modification value is reported")
  func faults() throws {
    let context = try context()
    #expect(refusals(#"[{"id": 1, "v": 5, "name": 7, "powers": 1}]"#, of: "Hero", in: context).isEmpty)
    #expect(
      refusals(#"[{"id": 1, "v": 1️⃣"6"}]"#, of: "Hero", in: context) == [
        "1️⃣ error: expected an integer for 'Hero.version', found the string \"6\" (at $[0].v)"
      ])
  }

  @Test("M17: a sub-entity inherits the modification attribute, keyed collections support it, and hooks are not called")
  func inherited() throws {
    let context = try Fixture.context(
      """
      "Base": {
        "identityAttributes": "id", "modificationAttribute": "v",
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"sub": "Sub"}},
        "attributes": {
          "id": {"type": "string", "JSONKeyPath": "@key"}, "v": {"type": "integer64", "optional": true},
          "n": {"type": "string", "optional": true}
        }
      },
      "Sub": {"parent": "Base"}
      """, classes: [Sub.self])
    try context.importJSON(#"{"a": {"kind": "sub", "v": 1}, "b": {"v": 1}}"#, ofEntity: "Base")
    #expect(Sub.asked.withLock { $0 } == 1)
    let report = try context.importJSON(
      #"{"a": {"kind": "sub", "v": 1, "n": "x"}, "b": {"v": 1, "n": "x"}}"#, ofEntity: "Base")
    #expect(report.skipped == ["Base": 1, "Sub": 1] && Sub.asked.withLock { $0 } == 1)
    // Without a discriminator, the existing object determines the entity.
    #expect(try context.importJSON(#"{"a": {"v": 1, "n": "x"}}"#, ofEntity: "Base").skipped == ["Sub": 1])
    #expect(try context.importJSON(#"{"a": {"v": 2, "n": "x"}}"#, ofEntity: "Base").updated == ["Sub": 1])
    #expect(Sub.asked.withLock { $0 } == 2)
  }

  private final class Sub: ManagedObject, ImportObserving {
    static let asked = Locked(0)

    static func shouldImport(_ payload: JSON, updating stored: ManagedObject?) throws -> Bool {
      asked.withLock { $0 += 1 }
      return true
    }
  }

  @Test("M17, I12: details name the objects whose dictionaries were skipped, also in a dry run")
  func details() throws {
    let context = try context()
    let report = try context.dryRun {
      try context.importJSON(
        #"[{"id": 1, "v": 5, "name": "b"}]"#, ofEntity: "Hero", options: ImportOptions(reportsDetails: true))
    }
    #expect(report.details.map(\.name) == ["Hero(1)"] && report.details.map(\.outcome) == [.skipped])
    #expect(report.details.map(\.path) == ["$[0]"])
  }

  @Test("M17, M26: an older dictionary is skipped, even if a transformer reads the identifier of its owner")
  func transformedOwner() throws {
    let calls = Locked(0)
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Tail") { (text: String) -> String? in
      calls.withLock { $0 += 1 }
      return text.split(separator: "/").last.map(String.init)
    } reverse: { (text: String) -> String? in
      "orders/" + text
    }
    for transformer in ["LastPathSegment", "Tail"] {
      let context = try Fixture.context(
        #"""
        "Order": {"identityAttributes": "id", "attributes": {"id": "string"},
          "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order", "JSONKeyPath": null}}},
        "Line": {"identityAttributes": ["order", "position"], "modificationAttribute": "at",
          "attributes": {"position": "integer64", "at": "integer64", "text": "string"},
          "relationships": {"order": {"destination": "Order", "inverse": "lines", "JSONTransformerName": "\#(transformer)"}}}
        """#, transformers: registry)
      try context.load(#"[{"id": "A"}]"#, "Order")
      try context.load(#"[{"order": "orders/A", "position": 1, "at": 5, "text": "new"}]"#, "Line")
      calls.withLock { $0 = 0 }
      try context.load(#"[{"order": "orders/A", "position": 1, "at": 4, "text": "old"}]"#, "Line")
      #expect(try context.fetch(ofEntity: "Line").map { $0["text"] as String? } == ["new"], "\(transformer)")
      try context.load(#"[{"order": "orders/A", "position": 1, "at": 6, "text": "newer"}]"#, "Line")
      #expect(try context.fetch(ofEntity: "Line").map { $0["text"] as String? } == ["newer"], "\(transformer)")
    }
    #expect(calls.withLock { $0 } == 2)
  }

  @Test("E5: importing an export changes nothing")
  func export() throws {
    let context = try context()
    let before = context.dump()
    let exported = try jsonData(from: context.fetch(ofEntity: "Hero"))
    try context.importJSON(exported, ofEntity: "Hero")
    #expect(context.dump() == before)
    let other = try Fixture.context(Self.model)
    try other.importJSON(exported, ofEntity: "Hero")
    #expect(other.dump() == before)
  }
}
