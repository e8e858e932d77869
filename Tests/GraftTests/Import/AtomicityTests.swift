import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Atomicity") struct AtomicityTests {
  private static let entities = """
    "Base": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64", "name": "string", "level": {"type": "integer16", "default": 1, "maximum": 100},
        "tags": {"type": "json", "optional": true}, "price": {"type": "decimal", "optional": true}
      },
      "relationships": {
        "boss": {"destination": "Base", "inverse": "team"},
        "team": {"destination": "Base", "toMany": true, "ordered": true, "inverse": "boss"},
        "friends": {"destination": "Base", "toMany": true, "inverse": "friends"},
        "items": {"destination": "Item", "toMany": true, "inverse": "owner", "deleteOrphans": true}
      },
      "entityMapper": {"JSONKeyPath": "kind", "entities": {"sub": "Sub"}}
    },
    "Sub": {"parent": "Base", "attributes": {"extra": {"type": "string", "optional": true}}},
    "Item": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"owner": {"destination": "Base", "inverse": "items"}}
    }
    """

  /// A context with a hundred objects, each linked to several other objects, and placeholders.
  private static func filled() throws -> ManagedObjectContext {
    let context = try Fixture.context(entities)
    let objects = (1...100).map {
      #"{"id": \#($0), "name": "n\#($0)", "tags": [\#($0)], "price": 0.\#($0), "boss": \#($0 % 10 + 200), "friends": [\#($0 * 3 % 100 + 1), \#($0 + 1)], "items": [\#($0), \#($0 + 500)]}"#
    }
    try Graft.objects(ofEntity: "Base", fromJSON: "[\(objects.joined(separator: ","))]", in: context)
    return context
  }

  /// A payload that changes all of the hundred objects; the 60th element, the argument, can make it invalid.
  private static func changes(_ last: String) -> String {
    let objects = (1...100).map {
      $0 == 60
        ? last
        : #"{"id": \#($0), "name": "changed \#($0)", "tags": {"x": "\#($0)"}, "price": null, "level": 2, "boss": {"id": \#($0 % 7 + 200), "kind": "sub", "name": "boss"}, "friends": [\#($0 + 2)], "items": [\#($0 + 1000)]}"#
    }
    return "[\(objects.joined(separator: ","))]"
  }

  @Test(
    "I10, G1: if the 60th of 100 existing objects is invalid, the context stays unchanged, byte for byte",
    arguments: [
      #"{"id": 60, "name": 5}"#, #"{"id": 60, "level": 101}"#, #"{"id": 60, "name": null}"#, #"{"id": "60"}"#,
      #"{"id": 60, "#,
      #"{"id": 60, "id": 61}"#, #"{"id": 1, "kind": "sub"}"#, #"{"id": 7000}"#, "nul", #""60""#, "[]", "\u{1}",
    ])
  func sixtieth(wrong: String) throws {
    let context = try Self.filled()
    let before = context.dump()
    #expect(throws: ImportError.self) {
      try objects(ofEntity: "Base", fromJSON: Self.changes(wrong), in: context)
    }
    #expect(context.dump() == before)
    #expect(!context.hasChanges && context.changes.isEmpty)
    #expect(try context.find(ofEntity: "Base", identity: 7000) == nil)
    // A valid import then succeeds, so the index and the links are intact.
    try objects(ofEntity: "Base", fromJSON: Self.changes(#"{"id": 60, "name": "sixty"}"#), in: context)
    let fresh = try Self.filled()
    try objects(ofEntity: "Base", fromJSON: Self.changes(#"{"id": 60, "name": "sixty"}"#), in: fresh)
    #expect(context.dump() == fresh.dump())
  }

  @Test("I10: an import that fails at any of its bytes leaves no trace")
  func everyByte() throws {
    let context = try Fixture.context(Self.entities)
    try objects(ofEntity: "Base", fromJSON: #"[{"id": 1, "name": "a", "team": [2, 3], "items": [1, 2]}]"#, in: context)
    let before = context.dump()
    let bytes = Array(
      #"[{"id":1,"name":"b","team":[3,{"id":9,"name":"c"}],"items":[{"id":7}],"friends":[1,8]},{"id":2,"name":"d"}]"#
        .utf8)
    for count in 0..<bytes.count {
      #expect(throws: ImportError.self) { try objects(ofEntity: "Base", fromJSON: Array(bytes[..<count]), in: context) }
      #expect(context.dump() == before, "after \(count) bytes")
    }
    try objects(ofEntity: "Base", fromJSON: bytes, in: context)
    #expect(
      context.drawing == """
        Base(1) name="b" level=1 team=[Base(3), Base(9)] friends=[Base(1), Base(8)] items=[Item(7)]
        Base(2) name="d" level=1
        Base(3) placeholder boss=Base(1)
        Base(8) placeholder friends=[Base(1)]
        Base(9) name="c" level=1 boss=Base(1)
        Item(7) owner=Base(1)
        """)
  }

  @Test("I10: referenced objects keep their values after a failed import, whose own values are discarded")
  func handles() throws {
    let context = try Self.filled()
    let first = try #require(try context.find(ofEntity: "Base", identity: 1))
    #expect(throws: ImportError.self) {
      try objects(ofEntity: "Base", fromJSON: Self.changes(#"{"id": 60, "name": 5}"#), in: context)
    }
    #expect(first["name"] == "n1" && first["level"] == 1 && !first.isDeleted)
    #expect(try context.find(ofEntity: "Base", identity: 1) === first)
    first["name"] = "by hand"
    try object(ofEntity: "Base", fromJSON: #"{"id": 1, "level": 9}"#, in: context)
    #expect(first["name"] == "by hand" && first["level"] == 9)
  }

  @Test("I10: uncommitted changes survive a failed import, and can still be rolled back")
  func uncommitted() throws {
    let context = try Self.filled()
    let committed = context.dump()
    let first = try #require(try context.find(ofEntity: "Base", identity: 1))
    first["name"] = "by hand"
    context.insert(ofEntity: "Item")
    let before = context.dump()
    let changes = (context.changes.inserted.count, context.changes.updated.map(\.description))
    #expect(throws: ImportError.self) {
      try objects(ofEntity: "Base", fromJSON: Self.changes(#"{"id": 60, "name": 5}"#), in: context)
    }
    #expect(context.dump() == before && context.hasChanges)
    #expect((context.changes.inserted.count, context.changes.updated.map(\.description)) == changes)
    context.rollBack()
    #expect(context.dump() == committed)
  }

  @Test("I10: a closure that throws rolls back the whole import")
  func closures() throws {
    struct Failure: Error {}
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Fail") { (text: String) throws -> String? in
      if text == "bad" { throw Failure() }
      return text
    }
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "attributes": {"id": "integer64", "x": {"type": "string", "JSONTransformerName": "Fail"}}}"#,
      transformers: registry)
    try objects(ofEntity: "T", fromJSON: #"[{"id": 1, "x": "a"}]"#, in: context)
    #expect(throws: ImportError.self) {
      try objects(
        ofEntity: "T", fromJSON: #"[{"id": 1, "x": "b"}, {"id": 2, "x": "c"}, {"id": 3, "x": "bad"}]"#, in: context)
    }
    #expect(context.drawing == #"T(1) x="a""#)
  }
}
