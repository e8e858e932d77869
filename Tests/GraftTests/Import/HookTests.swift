import Foundation
import Graft
import GraftTestSupport
import Testing

/// The recorded calls and the actions of hooks. Hooks run in the isolation of the import; each test has its own context and its own script.
private final class Script: @unchecked Sendable {
  var lines: [String] = []
  var didImport: (ManagedObject, JSON) throws -> Void = { _, _ in }
  var willImport: (ManagedObject, JSON) throws -> Void = { _, _ in }
  var shouldImport: (JSON) throws -> Bool = { $0["skip"]?.booleanValue != true }

  /// The script of the current test.
  @TaskLocal static var current = Script()
}

private class Photo: ManagedObject, ImportObserving {
  static func shouldImport(_ payload: JSON) throws -> Bool {
    Script.current.lines.append("should \(payload["id"]?.description ?? "-")")
    return try Script.current.shouldImport(payload)
  }

  func willImport(_ payload: JSON) throws {
    Script.current.lines.append(
      "will \(self) \(self["name"] as String? ?? "-") -> \(payload["name"]?.description ?? "-")")
    try Script.current.willImport(self, payload)
  }

  func didImport(_ payload: JSON) throws {
    Script.current.lines.append("did \(self) \(self["name"] as String? ?? "-") \(payload["extra"]?.description ?? "-")")
    try Script.current.didImport(self, payload)
  }
}

private final class Portrait: Photo {}

/// A class without hooks of its own: the defaults record nothing.
private final class Album: ManagedObject, ImportObserving {}

@Suite("Hooks") struct HookTests {
  private static let entities = """
    "Photo": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64", "name": {"type": "string", "optional": true},
        "length": {"type": "integer16", "optional": true, "maximum": 9, "JSONKeyPath": null}
      },
      "relationships": {
        "album": {"destination": "Album", "inverse": "photos"},
        "copy": {"destination": "Photo"}
      },
      "entityMapper": {"JSONKeyPath": "kind", "entities": {"portrait": "Portrait", "photo": "Photo"}}
    },
    "Portrait": {"parent": "Photo"},
    "Album": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "count": {"type": "integer64", "optional": true, "JSONKeyPath": null}},
      "relationships": {
        "photos": {"destination": "Photo", "toMany": true, "ordered": true, "inverse": "album"},
        "cover": {"destination": "Photo"}
      }
    }
    """

  private static func observed(_ entities: String = entities, _ registry: TransformerRegistry = .standard) throws
    -> ManagedObjectContext
  {
    try Fixture.context(
      entities, transformers: registry, classes: [Photo.self, Portrait.self, Album.self])
  }

  private func withScript(_ body: (Script) throws -> Void) throws {
    let script = Script()
    try Script.$current.withValue(script) { try body(script) }
  }

  @Test(
    "Hooks: hooks run before a dictionary is read, before an object changes, and after all links are set, in order")
  func order() throws {
    try withScript { script in
      let context = try Self.observed()
      script.didImport = { photo, _ in
        let album: ManagedObject? = photo["album"]
        script.lines.append("  in \(album.map(\.description) ?? "none")")
      }
      try objects(
        ofEntity: "Photo",
        fromJSON: #"[{"id": 1, "name": "a", "copy": {"id": 2, "name": "b", "extra": [1]}}, 3]"#, in: context)
      #expect(
        script.lines == [
          "should 1", "should 2", "did Photo(1) a -", "  in none", "did Photo(2) b [1]", "  in none",
        ])
      script.lines = []
      try objects(
        ofEntity: "Album",
        fromJSON:
          #"[{"id": 7, "photos": [{"id": 1, "name": "c"}, {"id": 3, "kind": "portrait", "name": "p"}, {"id": 1, "name": "d"}, 2]}]"#,
        in: context)
      // The third dictionary fills a placeholder, so willImport is not called for it.
      #expect(
        script.lines == [
          "should 1", "will Photo(1) a -> \"c\"", "should 3", "should 1", "will Photo(1) c -> \"d\"",
          "did Photo(1) d -",
          "  in Album(7)", "did Portrait(3) p -", "  in Album(7)", "did Photo(1) d -", "  in Album(7)",
        ])
    }
  }

  @Test(
    "Hooks: a rejected dictionary is skipped with its contents; links to its object require an existing object")
  func skipped() throws {
    try withScript { script in
      let context = try Self.observed()
      try objects(ofEntity: "Album", fromJSON: #"[{"id": 1, "cover": {"id": 1, "name": "old"}}]"#, in: context)
      let found = try objects(
        ofEntity: "Album",
        fromJSON:
          #"[{"id": 1, "cover": {"id": 5, "skip": true}, "photos": [{"id": 6, "skip": true, "copy": {"id": 7}}, {"id": 8}, {"id": 1, "skip": true, "name": "new"}]}]"#,
        in: context)
      #expect(found.map(\.description) == ["Album(1)"])
      #expect(
        context.drawing == """
          Photo(1) name="old" album=Album(1)
          Photo(8) album=Album(1)
          Album(1) photos=[Photo(8), Photo(1)] cover=Photo(1)
          """)
      #expect(
        script.lines.filter { $0.hasPrefix("should") } == ["should 1", "should 5", "should 6", "should 8", "should 1"])
      let photos = try objects(
        ofEntity: "Photo", fromJSON: #"[{"id": 10, "skip": true}, {"id": 8}, {"id": 11, "skip": true}]"#, in: context)
      #expect(photos.map(\.description) == ["Photo(8)"])
      let error = #expect(throws: ImportError.self) {
        try object(ofEntity: "Photo", fromJSON: #"{"id": 10, "skip": true}"#, in: context)
      }
      #expect(error?.diagnostics.map(\.code) == [.noObject])
    }
  }

  @Test("Hooks: a required to-one whose dictionary was skipped is reported as missing")
  func required() throws {
    try withScript { _ in
      let context = try Self.observed(
        """
        "Photo": {"identityAttributes": "id", "attributes": {"id": "integer64"}}, "Portrait": {"parent": "Photo"},
        "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"cover": {"destination": "Photo", "optional": false}}}
        """)
      #expect(
        refusals(#"[{"id": 1, "cover": 1️⃣{"id": 1, "skip": true}}]"#, of: "Album", in: context) == [
          "1️⃣ error: expected a value for 'Album.cover', which is not optional, found none (no known object has this identifier, or another object later took that object) (at $[0].cover)"
        ])
    }
  }

  @Test("Hooks: everything that didImport sets, links, inserts and deletes is part of the import")
  func writes() throws {
    try withScript { script in
      let context = try Self.observed()
      try objects(ofEntity: "Photo", fromJSON: "[90]", in: context)
      script.didImport = { photo, payload in
        photo["length"] = (photo["name"] as String?)?.count
        if let album: ManagedObject = photo["album"] {
          album["count"] = (album["photos"] as [ManagedObject]).count
        } else {
          let album = photo.context.insert(ofEntity: "Album")
          album["id"] = 100
          photo["album"] = album
        }
        if let old = try photo.context.find(ofEntity: "Photo", identity: 90) { try photo.context.delete(old) }
      }
      let payload = #"[{"id": 1, "name": "abc", "album": 4}, {"id": 2, "name": "abcde"}]"#
      try objects(ofEntity: "Photo", fromJSON: payload, in: context)
      #expect(
        context.drawing
          == """
          Photo(1) name="abc" length=3 album=Album(4)
          Photo(2) name="abcde" length=5 album=Album(100)
          Album(4) photos=[Photo(1)]
          Album(100) photos=[Photo(2)]
          """.replacing("Album(4) photos", with: "Album(4) count=1 photos"))
      #expect(!context.hasChanges)
      #expect(context.checkInvariants() == [])
      // Importing the same payload again changes only what the hook computes.
      let before = context.drawing
      try objects(ofEntity: "Photo", fromJSON: payload, in: context)
      #expect(context.drawing.replacing("count=1 photos=[Photo(2)]", with: "photos=[Photo(2)]") == before)
    }
  }

  @Test("I12: an object that is changed only by didImport is reported as updated")
  func changedByHook() throws {
    try withScript { script in
      let context = try Self.observed()
      try objects(ofEntity: "Photo", fromJSON: #"[{"id": 1, "name": "a"}]"#, in: context)
      script.didImport = { photo, _ in photo["length"] = 1 }
      let text = Array(#"[{"id": 1, "name": "a"}]"#.utf8)
      #expect(try context.importJSON(text, ofEntity: "Photo").updated == ["Photo": 1])
      #expect(try context.importJSON(text, ofEntity: "Photo").unchanged == ["Photo": 1])
    }
  }

  @Test("D7: a fault is reported only once if a hook skipped an earlier element")
  func refusedBehindPassedOver() throws {
    try withScript { _ in
      let context = try Self.observed(
        Self.entities + """
          , "Shelf": {"relationships": {
            "photos": {"destination": "Photo", "toMany": true}, "thing": {"destination": "Thing", "optional": false}}},
          "Thing": {"abstract": true, "entityMapper": {"JSONKeyPath": "kind", "entities": {"book": "Book"}}},
          "Book": {"parent": "Thing"}
          """)
      #expect(
        refusals(#"{"photos": [{"id": 1, "skip": true}], "thing": 1️⃣{}}"#, of: "Shelf", in: context) == [
          "1️⃣ error: cannot tell which sub-entity of the abstract entity 'Thing' this object belongs to (at $.thing)"
        ])
    }
  }

  @Test("I9, I10: changes made in didImport are validated, and rolled back with the import")
  func validated() throws {
    try withScript { script in
      let context = try Self.observed()
      try objects(ofEntity: "Album", fromJSON: #"[{"id": 4}]"#, in: context)
      script.didImport = { photo, _ in
        photo["length"] = (photo["name"] as String?)?.count
        try photo.context.find(ofEntity: "Album", identity: 4)?["count"] = 1
        if photo["name"] == "missing" { photo.context.insert(ofEntity: "Album") }
      }
      #expect(
        refusals(#"[{"id": 1, "name": "abc"}, 1️⃣{"id": 2, "name": "longer than nine"}]"#, of: "Photo", in: context) == [
          "1️⃣ error: expected at most 9 for 'Photo.length', found the number 16 (at $[1])"
        ])
      #expect(
        refusals(#"[{"id": 1}, 1️⃣{"id": 2, "name": "missing"}]"#, of: "Photo", in: context) == [
          "1️⃣ error: expected a value for 'Album.id', which is not optional, found none (Album#1 was changed by 'didImport') (at $[1])"
        ])
      #expect(context.drawing == "Album(4)")
      #expect(context.checkInvariants() == [])
    }
  }

  struct Complaint: Error, Equatable {
    var text: String
  }

  @Test("T3: a hook that throws fails the import at its dictionary and is the cause; other errors are also reported")
  func thrown() throws {
    try withScript { script in
      let context = try Self.observed()
      try objects(ofEntity: "Photo", fromJSON: #"[{"id": 1}, {"id": 2}]"#, in: context)
      script.shouldImport = { if $0["name"] == "should" { throw Complaint(text: "no") } else { true } }
      script.willImport = { _, payload in if payload["name"] == "will" { throw Complaint(text: "never") } }
      script.didImport = { _, payload in if payload["name"] == "did" { throw Complaint(text: "late") } }
      #expect(
        refusals(
          #"[1️⃣{"id": 1, "name": "should"}, 2️⃣{"id": 2, "name": "will"}, {"id": 3, "name": "did"}]"#, of: "Photo",
          in: context, withNotes: true) == [
            "1️⃣ error: 'shouldImport' of 'Photo' failed: Complaint(text: \"no\") (at $[0])",
            "  m.json:2:1: note: 'Photo' is declared here",
            "2️⃣ error: 'willImport' of 'Photo' failed: Complaint(text: \"never\") (at $[1])",
            "  m.json:2:1: note: 'Photo' is declared here",
          ])
      let refused = #expect(throws: ImportError.self) {
        try objects(ofEntity: "Photo", fromJSON: #"[{"id": 1, "name": "should"}]"#, in: context)
      }
      #expect(refused?.diagnostics.map(\.code) == [.hookFailed] && refused?.underlyingError is Complaint)
      let error = #expect(throws: ImportError.self) {
        try objects(
          ofEntity: "Photo", fromJSON: #"[{"id": 1, "name": "x"}, {"id": 3, "name": "did"}, {"id": 4, "name": "did"}]"#,
          in: context)
      }
      #expect(error?.underlyingError as? Complaint == Complaint(text: "late"))
      #expect(error?.diagnostics.map { $0.path ?? "" } == ["$[1]", "$[2]"])
      #expect(context.drawing == "Photo(1)\nPhoto(2)")
    }
  }

  @Test("Hooks: didImport is not called if the import is rejected")
  func refusedImport() throws {
    try withScript { script in
      let context = try Self.observed()
      _ = refusals(#"[{"id": 1, "name": 5}]"#, of: "Photo", in: context)
      #expect(script.lines == ["should 1"])
    }
  }

  @Test("T5: a hook that imports or exports makes the import fail; willImport must not make changes")
  func reentrant() throws {
    try withScript { script in
      let context = try Self.observed()
      try objects(ofEntity: "Photo", fromJSON: #"[{"id": 1, "name": "a"}]"#, in: context)
      var errors: [String] = []
      func attempt(_ body: () throws -> Void) {
        do {
          try body()
          errors.append("accepted")
        } catch {
          errors.append("\(error)")
        }
      }
      func found() -> [String] { refusals(#"[1️⃣{"id": 1}]"#, of: "Photo", in: context) }
      script.willImport = { photo, _ in attempt { try photo.setValue(.string("b"), of: "name") } }
      #expect(
        found() == [
          "1️⃣ error: 'willImport' of 'Photo' must not set a property: the context is in the middle of an import (at $[0])"
        ])
      script.willImport = { _, _ in }
      script.didImport = { photo, _ in
        // After the object is validated, the hook can still write.
        try photo.validate()
        photo["length"] = 1
        attempt { try objects(ofEntity: "Photo", fromJSON: "[9]", in: photo.context) }
        attempt { _ = try jsonData(from: photo) }
      }
      #expect(
        found() == [
          "1️⃣ error: 'didImport' of 'Photo' must not import: the context is in the middle of an import (at $[0])"
        ])
      #expect(errors.count == 3 && errors.allSatisfy { $0.contains("in the middle of an") }, "\(errors)")
      #expect(context.drawing == #"Photo(1) name="a""#)
      script.didImport = { photo, _ in photo["length"] = 1 }
      try objects(ofEntity: "Photo", fromJSON: #"[{"id": 1}]"#, in: context)
      #expect(context.drawing == #"Photo(1) name="a" length=1"#)
    }
  }

  @Test(
    "I7: hooks receive the transformed dictionary, even inside a transformer's result")
  func transformed() throws {
    try withScript { script in
      var registry = TransformerRegistry.standard
      registry.registerDictionaryTransformer(named: "Unwrap") { $0["inner"] as? [String: Any] }
      let context = try Self.observed(
        """
        "Photo": {"identityAttributes": "id", "JSONDictionaryTransformerName": "Unwrap",
          "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
          "relationships": {"copy": {"destination": "Photo"}}
        },
        "Portrait": {"parent": "Photo"}, "Album": {"attributes": {}}
        """, registry)
      try objects(
        ofEntity: "Photo",
        fromJSON:
          #"[{"inner": {"id": 1, "name": "a", "extra": 1, "copy": {"id": 2, "extra": 2}}}, {"id": 3, "extra": 3}]"#,
        in: context)
      #expect(
        script.lines == [
          "should 1", "should 2", "should 3", "did Photo(2) - 2", "did Photo(1) a 1", "did Photo(3) - 3",
        ])
    }
  }

  @Test("I1: hooks receive complete dictionaries, including unmapped keys")
  func dictionaries() throws {
    try withScript { script in
      let context = try Self.observed()
      try objects(
        ofEntity: "Album",
        fromJSON: [
          ["id": 1, "photos": [["id": 1, "name": "a", "extra": "x"], ["id": 2, "skip": true]]] as [String: Any]
        ],
        in: context)
      #expect(script.lines == ["should 1", "should 2", "did Photo(1) a \"x\""])
      #expect(context.drawing == "Photo(1) name=\"a\" album=Album(1)\nAlbum(1) photos=[Photo(1)]")
    }
  }

  @Test("T3: a transformer is not called twice if a hook needs the object first")
  func once() throws {
    try withScript { script in
      var registry = TransformerRegistry.standard
      registry.registerValueTransformer(named: "Count") { (text: String) -> Int? in
        Script.current.lines.append("transform \(text)")
        return Int(text)
      }
      let context = try Self.observed(
        """
        "Photo": {"identityAttributes": "id",
          "attributes": {"id": {"type": "integer64", "JSONTransformerName": "Count"}, "name": {"type": "string", "optional": true}}
        },
        "Portrait": {"parent": "Photo"}, "Album": {"attributes": {}}
        """, registry)
      for _ in 0..<2 { try objects(ofEntity: "Photo", fromJSON: #"[{"id": "1", "name": "a"}]"#, in: context) }
      #expect(
        script.lines == [
          "transform 1", "should \"1\"", "did Photo(1) a -", "transform 1", "should \"1\"", "will Photo(1) a -> \"a\"",
          "did Photo(1) a -",
        ])
    }
  }

  @Test("M11: hooks run for keyed objects, and for elements that are not objects")
  func keyed() throws {
    try withScript { script in
      let context = try Self.observed(
        """
        "Photo": {"identityAttributes": "id", "attributes": {
          "id": {"type": "integer64", "JSONKeyPath": "@key"}, "name": {"type": "string", "optional": true, "JSONKeyPath": "@value"}}
        },
        "Portrait": {"parent": "Photo"}, "Album": {"attributes": {}}
        """)
      script.shouldImport = { $0 != "unwanted" }
      try objects(ofEntity: "Photo", fromJSON: #"{"1": "a", "2": "unwanted", "3": {}}"#, in: context)
      #expect(script.lines == ["should -", "should -", "should -", "did Photo(1) a -", "did Photo(3) - -"])
    }
  }
}
