import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Dictionaries that delete their objects") struct DeletionMarkTests {
  private static let model = """
    "Order": {
      "identityAttributes": "id", "modificationAttribute": "v",
      "deletedWhen": {"JSONKeyPath": "state.gone", "equals": true},
      "attributes": {
        "id": "integer64", "v": {"type": "integer64", "optional": true}, "name": {"type": "string", "optional": true}
      },
      "relationships": {
        "lines": {"destination": "Line", "toMany": true, "inverse": "order", "deleteRule": "cascade"},
        "next": {"destination": "Order"},
        "known": {"destination": "Order", "toMany": true, "unresolvedRule": "skip"}
      }
    },
    "Line": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"order": {"destination": "Order", "inverse": "lines"}}
    }
    """
  private static let gone = #""state": {"gone": true}"#

  private func context() throws -> ManagedObjectContext {
    let context = try Fixture.context(Self.model)
    try context.importJSON(
      #"[{"id": 1, "v": 5, "name": "a", "lines": [1, 2]}, {"id": 2, "v": 5, "name": "b", "next": 1}]"#,
      ofEntity: "Order")
    try context.importJSON(#"[{"id": 1}, {"id": 2}]"#, ofEntity: "Line")
    return context
  }

  private func names(_ context: ManagedObjectContext) throws -> [String?] {
    try context.fetch(ofEntity: "Order").map { $0["name"] }
  }

  @Test(
    "D8, M24: a mapped key that occurs twice causes an error even if the mapper chooses no entity",
    arguments: [
      #"[{"kind": "z", "kind": "a", "id": 7}]"#, #"[{"kind": "a", "kind": "z", "id": 7}]"#,
      #"[{"kind": "z", "id": 7, "id": 8}]"#, #"[{"kind": "a", "id": 6, "next": {"kind": "z", "id": 7, "id": 8}}]"#,
    ])
  func repeatedKeyOfSkipped(payload: String) throws {
    let context = try Fixture.context(
      #"""
      "Thing": {"abstract": true, "identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"a": "A"}, "otherwise": null},
        "relationships": {"next": {"destination": "Thing", "optional": true}}},
      "A": {"parent": "Thing"}
      """#)
    let error = #expect(throws: ImportError.self) { try context.importJSON(payload, ofEntity: "Thing") }
    #expect(error?.diagnostics.map(\.code) == [.duplicateKey])
    #expect(try context.importJSON(#"[{"kind": "z", "id": 7}]"#, ofEntity: "Thing").inserted.isEmpty)
  }

  @Test(
    "D8, M17: a mapped key that occurs twice causes an error, even if it is a deletion mark or a modification value",
    arguments: [
      #""state": {"gone": true, "gone": false}"#, #""state": {"gone": true}, "state": {"gone": false}"#,
      #""v": 1, "v": 9"#,
      #""v": 1, "id": 1"#, #""state": {"gone": true}, "name": "x", "name": "y""#,
    ])
  func repeatedKeys(members: String) throws {
    let context = try context()
    let before = context.dumpText
    let error = #expect(throws: ImportError.self) {
      try context.importJSON("[{\"id\": 1, \(members)}]", ofEntity: "Order")
    }
    #expect(error?.diagnostics.map(\.code) == [.duplicateKey] && context.dumpText == before)
  }

  @Test("M17: a marked dictionary deletes its object by the delete rules, and its other values are not read")
  func deleted() throws {
    let context = try context()
    let report = try context.importJSON(
      "[{\"id\": 1, \(Self.gone), \"name\": 7, \"lines\": [{\"id\": 9}]}]", ofEntity: "Order")
    #expect(report.deleted == ["Order": 1, "Line": 2] && report.skipped.isEmpty && report.inserted.isEmpty)
    #expect(try names(context) == ["b"] && context.count(ofEntity: "Line") == 0)
    let next: ManagedObject? = try context.fetch(ofEntity: "Order")[0]["next"]
    #expect(next == nil)
  }

  @Test(
    "M17: values other than the mark delete nothing",
    arguments: [#"{"gone": false}"#, #"{"gone": "true"}"#, #"{"gone": 1}"#, "{}", "null", #"{"gone": [true]}"#])
  func other(state: String) throws {
    let context = try context()
    let report = try context.importJSON("[{\"id\": 1, \"name\": \"c\", \"state\": \(state)}]", ofEntity: "Order")
    #expect(try report.deleted.isEmpty && names(context) == ["c", "b"])
  }

  @Test("M17: strings and numbers can also be marks", arguments: [("\"deleted\"", "\"active\""), ("410", "200")])
  func values(mark: String, other: String) throws {
    let context = try Fixture.context(
      """
      "A": {
        "identityAttributes": "id", "deletedWhen": {"JSONKeyPath": "status", "equals": \(mark)},
        "attributes": {"id": "integer64"}
      }
      """)
    try context.importJSON("[{\"id\": 1, \"status\": \(other)}, {\"id\": 2}]", ofEntity: "A")
    #expect(try context.importJSON("[{\"id\": 1, \"status\": \(mark)}]", ofEntity: "A").deleted == ["A": 1])
    #expect(try context.count(ofEntity: "A") == 1)
  }

  @Test("M17: a mark without a matching object deletes, inserts and links nothing")
  func unknown() throws {
    let context = try context()
    let before = context.dump()
    let report = try context.importJSON(
      """
      [{"id": 9, \(Self.gone)}, {\(Self.gone)}, {"id": null, \(Self.gone)},
       {"id": 2, "v": 6, "name": "b", "next": {"id": 8, \(Self.gone)}, "known": [{"id": 8, \(Self.gone)}]}]
      """, ofEntity: "Order")
    #expect(report.skipped == ["Order": 5] && report.deleted.isEmpty && report.placeholders.isEmpty)
    try context.importJSON(#"[{"id": 2, "v": null}]"#, ofEntity: "Order")
    try context.importJSON(#"[{"id": 2, "v": 5}]"#, ofEntity: "Order")
    #expect(context.dump() == before)
  }

  @Test("M17, D14: the resulting objects do not depend on the order of the payload", arguments: [true, false])
  func order(isReversed: Bool) throws {
    func importing(_ elements: [String]) throws -> (ManagedObjectContext, ImportReport) {
      let context = try self.context()
      let payload = "[\((isReversed ? elements.reversed() : elements).joined(separator: ", "))]"
      return try (context, context.importJSON(payload, ofEntity: "Order"))
    }
    // Besides its mark, the payload contains the object's description, or only its identifier.
    var (context, report) = try importing([
      "{\"id\": 1, \(Self.gone)}", #"{"id": 1, "name": "c"}"#, #"{"id": 2, "next": 1}"#,
    ])
    #expect(try names(context) == ["b"] && report.deleted["Order"] == 1 && context.placeholders.isEmpty)
    (context, report) = try importing(["{\"id\": 3, \(Self.gone)}", #"{"id": 3}"#, #"{"id": 2, "next": 3}"#])
    #expect(try names(context) == ["a", "b"] && report.inserted.isEmpty && context.placeholders.isEmpty)
    // The dictionary with the newer version is applied.
    (context, report) = try importing([#"{"id": 1, "v": 7, "name": "c"}"#, "{\"id\": 1, \"v\": 6, \(Self.gone)}"])
    #expect(try names(context) == ["c", "b"] && report.skipped == ["Order": 1] && report.deleted.isEmpty)
    (context, report) = try importing([#"{"id": 1, "v": 6, "name": "c"}"#, "{\"id\": 1, \"v\": 7, \(Self.gone)}"])
    #expect(try names(context) == ["b"] && report.deleted["Order"] == 1)
  }

  @Test("M17: a marked dictionary that is not newer than its object is skipped", arguments: [4, 5])
  func old(version: Int) throws {
    let context = try context()
    let report = try context.importJSON("[{\"id\": 1, \"v\": \(version), \(Self.gone)}]", ofEntity: "Order")
    #expect(try report.skipped == ["Order": 1] && report.deleted.isEmpty && names(context) == ["a", "b"])
  }

  @Test("M17: placeholders are also deleted")
  func placeholder() throws {
    let context = try context()
    try context.importJSON(#"[{"id": 2, "next": 7}]"#, ofEntity: "Order")
    #expect(try context.placeholders.count == 1)
    try context.importJSON("[{\"id\": 7, \(Self.gone)}]", ofEntity: "Order")
    #expect(try context.placeholders.isEmpty && names(context) == ["a", "b"])
  }

  @Test("M17: a nested marked dictionary deletes its object, which is also removed from lists")
  func nested() throws {
    let context = try context()
    try context.importJSON(#"[{"id": 2, "known": [1, 2]}]"#, ofEntity: "Order")
    let report = try context.importJSON(
      "[{\"id\": 2, \"v\": 6, \"known\": [{\"id\": 1, \(Self.gone)}, 2], \"next\": {\"id\": 1, \(Self.gone)}}]",
      ofEntity: "Order")
    #expect(report.deleted == ["Order": 1, "Line": 2])
    let order = try context.fetch(ofEntity: "Order")[0]
    let known: RelatedObjects<ManagedObject> = order["known"]
    let next: ManagedObject? = order["next"]
    #expect(Array(known) == [order] && next == nil)
  }

  @Test("M17: deleted objects are not returned; if a single object was expected, the import fails and deletes nothing")
  func returned() throws {
    let context = try context()
    let found = try objects(
      ofEntity: "Order", fromJSON: [["id": 1, "state": ["gone": true]], ["id": 2]], in: context)
    #expect(found.map { $0["name"] } == ["b"] as [String?])
    let error = #expect(throws: ImportError.self) {
      try object(ofEntity: "Order", fromJSON: ["id": 2, "state": ["gone": true]], in: context)
    }
    #expect(try error?.diagnostics.map(\.code) == [.noObject] && names(context) == ["b"])
  }

  @Test(
    "M17: a mark needs no discriminator, and if the object of an abstract entity does not exist, nothing is deleted")
  func abstract() throws {
    let context = try Fixture.context(
      """
      "Base": {
        "abstract": true, "identityAttributes": "id", "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"sub": "Sub", "other": "Other"}},
        "attributes": {"id": "integer64"}
      },
      "Sub": {"parent": "Base"},
      "Other": {"parent": "Base"}
      """)
    try context.importJSON(#"[{"id": 1, "kind": "sub"}, {"id": 2, "kind": "sub"}]"#, ofEntity: "Base")
    let report = try context.importJSON(#"[{"id": 1, "gone": true}, {"id": 9, "gone": true}]"#, ofEntity: "Base")
    #expect(report.deleted == ["Sub": 1] && report.skipped == ["Base": 1])
    let conflict = refusals(#"[1️⃣{"id": 2, "kind": "other", "gone": true}]"#, of: "Base", in: context)
    #expect(conflict.count == 1 && conflict[0].hasPrefix("1️⃣ error: "), "\(conflict)")
  }

  @Test("I18: if a delete rule denies a deletion, the element with the mark is faulty")
  func tolerant() throws {
    let context = try Fixture.context(
      """
      "A": {
        "identityAttributes": "id", "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
        "attributes": {"id": "integer64"},
        "relationships": {"b": {"destination": "A", "deleteRule": "deny"}}
      }
      """)
    try context.importJSON(#"[{"id": 1, "b": 2}, {"id": 2}, {"id": 3}]"#, ofEntity: "A")
    var options = ImportOptions()
    options.faultyElements = .skip
    let report = try context.importJSON(
      #"[{"id": 1, "gone": true}, {"id": 3, "gone": true}]"#, ofEntity: "A", options: options)
    #expect(report.faultyElements.map(\.path) == ["$[0]"] && report.deleted == ["A": 1])
    // The deletion is accepted if the object that prevents it is also deleted, in any order.
    #expect(
      try context.importJSON(#"[{"id": 1, "gone": true}, {"id": 2, "gone": true}]"#, ofEntity: "A").deleted == ["A": 2])
  }

  @Test(
    "M17: the error for a required link to a marked object explains that the payload deletes the object",
    arguments: [
      #"[{"id": 1, "boss": 1️⃣{"id": 2, "gone": true}}]"#, #"[{"id": 1, "boss": 1️⃣2}, {"id": 2, "gone": true}]"#,
      #"[{"id": 2, "gone": true}, {"id": 1, "boss": 1️⃣2}]"#,
    ])
  func requiredLink(payload: String) throws {
    let context = try Fixture.context(Self.people)
    #expect(
      refusals(payload, of: "Person", in: context) == [
        "1️⃣ error: expected a value for 'Person.boss', which is not optional, found none (the payload marks this object as deleted) (at $[\(payload.hasPrefix("[{\"id\": 2") ? 1 : 0)].boss)"
      ])
  }

  @Test("M17: the error for an object that loses a required link to a deleted object names the object")
  func lostLink() throws {
    let context = try Fixture.context(Self.people)
    try context.importJSON(#"[{"id": 1, "boss": 2}, {"id": 2, "boss": 2}]"#, ofEntity: "Person")
    #expect(
      refusals(#"[1️⃣{"id": 2, "gone": true}]"#, of: "Person", in: context) == [
        "1️⃣ error: expected a value for 'Person.boss', which is not optional, found none (Person(1) requires the object that the payload marks as deleted) (at $[0])"
      ])
  }

  private static let people = """
    "Person": {
      "identityAttributes": "id", "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
      "attributes": {"id": "integer64"},
      "relationships": {
        "boss": {"destination": "Person", "optional": false, "inverse": "staff"},
        "staff": {"destination": "Person", "toMany": true, "inverse": "boss", "JSONKeyPath": null}
      }
    }
    """

  @Test("I12: if an object and its deletion mark are in the same payload, the mark is reported as skipped")
  func cameAndWent() throws {
    let context = try context()
    let report = try context.importJSON(
      "[{\"id\": 8, \"v\": 1}, {\"id\": 8, \"v\": 2, \(Self.gone)}]", ofEntity: "Order",
      options: ImportOptions(reportsDetails: true))
    #expect(report.skipped == ["Order": 1] && report.inserted.isEmpty && report.deleted.isEmpty)
    #expect(report.details.map { "\($0.name) \($0.outcome) \($0.path)" } == ["Order(8) skipped $[1]"])
    #expect(try names(context) == ["a", "b"])
  }

  @Test("I12: details name the deleted object and the location")
  func details() throws {
    let context = try context()
    let report = try context.importJSON(
      "[{\"id\": 1, \(Self.gone)}]", ofEntity: "Order", options: ImportOptions(reportsDetails: true))
    let deleted = report.details.filter { $0.outcome == .deleted }
    #expect(deleted.map(\.name).sorted() == ["Line(1)", "Line(2)", "Order(1)"])
    #expect(Set(deleted.map(\.path)) == ["$[0]"])
  }

  @Test("I17: in a whole stream, an object that comes after its deletion mark is deleted")
  func stream() throws {
    let context = try context()
    let lines = ["{\"id\": 5, \(Self.gone)}", #"{"id": 5, "name": "e"}"#, #"{"id": 6, "name": "f"}"#]
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
    try context.importStream(
      contentsOf: url, ofEntity: "Order", format: .lines, batches: ImportBatches(size: 1, atomicity: .whole))
    #expect(try names(context) == ["a", "b", "f"])
  }

  @Test(
    "M17: a mark that the mapper does not list deletes its object, whether or not the mapper has a fallback",
    arguments: ["", #", "otherwise": null"#, #", "otherwise": "Other""#], [true, false])
  func markOfMapper(otherwise: String, isAbstract: Bool) throws {
    let context = try Fixture.context(
      """
      "Thing": {"abstract": \(isAbstract), "identityAttributes": "id", "deletedWhen": {"JSONKeyPath": "type", "equals": "tombstone"},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"note": "Note", "image": "Image"}\(otherwise)}, "attributes": {"id": "string"}},
      "Note": {"parent": "Thing", "attributes": {"body": {"type": "string", "optional": true}}},
      "Image": {"parent": "Thing", "relationships": {"on": {"destination": "Thing"}}}, "Other": {"parent": "Thing"}
      """)
    try context.load(
      #"[{"id": "1", "type": "note"}, {"id": "2", "type": "image", "on": {"id": "3", "type": "note"}}]"#, "Thing")
    let report = try context.importJSON(
      #"[{"id": "1", "type": "tombstone"}, {"id": "9", "type": "tombstone"}, {"id": "2", "type": "image", "on": {"id": "3", "type": "tombstone"}}]"#,
      ofEntity: "Thing")
    #expect(report.deleted == ["Note": 2])
    #expect(try context.count(ofEntity: "Thing") == 1)
    #expect(context.checkInvariants() == [])
  }

  @Test("M17, M21: a dictionary with a deletion mark is not treated as a mere reference")
  func markNamedLikeDiscriminator() throws {
    let context = try Fixture.context(
      #"""
      "Post": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"author": {"destination": "Person", "JSONReferences": true}}},
      "Person": {"identityAttributes": "id", "attributes": {"id": "string"},
        "entityMapper": {"JSONKeyPath": "meta.status", "entities": {"staff": "Staff"}},
        "deletedWhen": {"JSONKeyPath": "status", "equals": "deleted"}},
      "Staff": {"parent": "Person"}
      """#)
    try context.load(#"[{"id": "x"}]"#, "Person")
    try context.load(#"[{"id": 1, "author": {"id": "x", "status": "deleted"}}]"#, "Post")
    #expect(try context.count(ofEntity: "Person") == 0)
  }
}
