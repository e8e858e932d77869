import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Importing the value of an existing object's relationship") struct KnownParentTests {
  private static let model = #"""
    "Album": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}},
      "relationships": {
        "photos": {"destination": "Photo", "toMany": true, "ordered": true, "inverse": "album", "JSONKeyPath": null},
        "tags": {"destination": "Tag", "toMany": true, "mergeRule": "union"},
        "cover": {"destination": "Photo"},
        "notes": {"destination": "Note", "toMany": true, "ordered": true, "inverse": "album", "deleteOrphans": true},
        "places": {"destination": "Place", "toMany": true, "ordered": true, "inverse": "album", "deleteOrphans": true}
      }
    },
    "Photo": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "page": {"type": "integer64", "optional": true, "JSONKeyPath": "@root.page"}},
      "relationships": {"album": {"destination": "Album", "inverse": "photos", "optional": false, "JSONKeyPath": null}}
    },
    "Tag": {"identityAttributes": "name", "attributes": {"name": "string"}},
    "Note": {"attributes": {"text": "string"}, "relationships": {"album": {"destination": "Album", "inverse": "notes", "JSONKeyPath": null}}},
    "Place": {
      "identityAttributes": ["album", "n"], "attributes": {"n": {"type": "integer64", "JSONKeyPath": "@index"}, "x": "string"},
      "relationships": {"album": {"destination": "Album", "inverse": "places", "JSONKeyPath": null}}
    }
    """#

  private struct AnyPayload: JSONPayload { let payloadContent: PayloadContent }

  private func album() throws -> (ManagedObjectContext, ManagedObject) {
    let context = try Fixture.context(Self.model)
    return (context, try context.object(ofEntity: "Album", fromJSON: #"{"id": 9}"#))
  }

  @Test("I24: each object gets its parent before it is validated, and the list replaces the previous list")
  func list() throws {
    let (context, album) = try album()
    let report = try context.importJSON(
      #"{"page": 3, "data": [{"id": 2}, {"id": 1}]}"#, into: "photos", of: album, at: "data")
    #expect(report.inserted["Photo"] == 2)
    let photos: [ManagedObject] = album["photos"]
    #expect(photos.map { $0["id"] as Int? } == [2, 1] && photos.allSatisfy { $0["album"] as ManagedObject? === album })
    #expect(photos[0]["page"] == 3)
    try context.importJSON(#"[{"name": "a"}, "b"]"#, into: "tags", of: album)
    try context.importJSON(#"["c"]"#, into: "tags", of: album)
    #expect((album["tags"] as [ManagedObject]).count == 3)
    try context.importJSON(#"[{"text": "x"}, {"text": "y"}]"#, into: "notes", of: album)
    try context.importJSON(#"[{"text": "z"}]"#, into: "notes", of: album)
    #expect(try context.fetch(ofEntity: "Note").map { $0["text"] as String? } == ["z"])
    try context.importJSON(#"[{"x": "p"}, {"x": "q"}]"#, into: "places", of: album)
    try context.importJSON(#"[{"x": "r"}]"#, into: "places", of: album)
    #expect(try context.fetch(ofEntity: "Place").map { $0["x"] as String? } == ["r"])
    try context.importJSON(#"{"id": 1}"#, into: "cover", of: album)
    #expect((album["cover"] as ManagedObject?)?["id"] == 1)
    try context.importJSON("null", into: "cover", of: album)
    #expect(album["cover"] as ManagedObject? == nil)
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("I24: dictionaries and JSON values are read in the same way")
  func forms() throws {
    let (context, album) = try album()
    try context.importJSON([["id": 1]] as [[String: Any]], into: "photos", of: album)
    try context.importJSON(try JSON(text: #"[{"id": 1}, {"id": 2}]"#), into: "photos", of: album)
    let photos: [ManagedObject] = album["photos"]
    #expect(photos.map { $0["id"] as Int? } == [1, 2])
  }

  @Test(
    "I24: a payload in any form is read as if it were under the relationship's key",
    arguments: ["many", "one", "kept"],
    [
      #"{"0": {"id": 1, "n": "a"}, "1": {"id": 2}}"#, #"{"id": 1, "n": "a"}"#, #"[{"id": 1, "n": "a"}]"#, "[]", "{}",
      "null", "4",
      "[3, 4]", #"{"id": 5, "inner": {"n": "a"}}"#, #"{"0": 4}"#, #"{"1": {"id": 1}}"#, #""4""#, #"[[{"id": 1}]]"#,
    ])
  func nested(relationship: String, payload: String) throws {
    for isLenient in [false, true] {
      let model = #"""
        "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "many": {"destination": "Item", "toMany": true, "inverse": "box", "lenient": \#(isLenient), "deleteOrphans": true},
          "one": {"destination": "Item", "lenient": \#(isLenient)}, "kept": {"destination": "Kept"}}},
        "Kept": {"identityAttributes": "id", "attributes": {"id": "integer64",
          "slot": {"type": "string", "optional": true, "JSONKeyPath": "@key"},
          "n": {"type": "string", "optional": true, "JSONKeyPath": "inner.n"}}},
        "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}},
          "relationships": {"box": {"destination": "Box", "inverse": "many"}}}
        """#
      let value = try JSONSerialization.jsonObject(with: Data(payload.utf8), options: .fragmentsAllowed)
      let json = try JSON(parsing: Array(payload.utf8))
      let imports: [(String, (ManagedObjectContext, ManagedObject) throws -> ImportReport)] = [
        (
          "nested",
          { context, _ in try context.importJSON(#"{"id": 1, "\#(relationship)": \#(payload)}"#, ofEntity: "Box") }
        ),
        (
          "nested dictionary",
          { context, _ in try context.importJSON(["id": 1, relationship: value] as [String: Any], ofEntity: "Box") }
        ),
        ("text", { context, box in try context.importJSON(payload, into: relationship, of: box) }),
        (
          "JSON",
          { context, box in try context.importJSON(AnyPayload(payloadContent: .json(json)), into: relationship, of: box)
          }
        ),
        (
          "dictionary",
          { context, box in
            try context.importJSON(AnyPayload(payloadContent: .foundation(value)), into: relationship, of: box)
          }
        ),
      ]
      var results: [String] = []
      for (form, importing) in imports {
        let context = try Fixture.context(model)
        let box = try context.object(ofEntity: "Box", fromJSON: #"{"id": 1, "many": [8, 9], "one": 8}"#)
        do {
          let report = try importing(context, box)
          results.append("\(report)\n\(context.dumpText)")
        } catch let error as ImportError {
          results.append("\(error.diagnostics.map(\.code)) \(context.dumpText)")
        }
        #expect(results.last == results.first, "\(form), lenient: \(isLenient)")
      }
    }
  }

  @Test("I24: a faulty payload changes nothing, and its errors have locations")
  func faults() throws {
    let (context, album) = try album()
    try context.importJSON(#"[{"id": 1}]"#, into: "photos", of: album)
    let before = context.dump()
    for (payload, name, words) in [
      (#"[{"id": 2}, {"id": "x"}]"#, "photos", "$[1].id"), (#"{"id": 2}"#, "photos", "expected an array"),
      (#"[1]"#, "cover", "Album.cover"), ("[]", "photoz", "has no relationship 'photoz'"),
      ("[]", "title", "has no relationship 'title'"),
      (#"[{"id": 2}]"#, "photos", "is not optional"),
    ] {
      let error = #expect(throws: ImportError.self, "\(payload)") {
        try context.importJSON(payload, into: name, of: album)
      }
      let text = (error?.diagnostics ?? []).map { "\($0) \($0.path ?? "")" }.joined()
      #expect(text.contains(words), "\(text)")
      #expect(context.dump() == before)
    }
    try context.delete(album)
    #expect(throws: ImportError.self) { try context.importJSON("[]", into: "photos", of: album) }
  }

  @Test(
    "I24: the payload is the relationship's value, even if the relationship has a key path through arrays or several keys"
  )
  func otherKeyPaths() throws {
    let context = try Fixture.context(
      #"""
      "Album": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "photos": {"destination": "Photo", "toMany": true, "JSONKeyPath": "edges[].node"},
          "cover": {"destination": "Photo", "JSONKeyPath": {"shop": "cover_shop", "n": "cover_n"}}
        }
      },
      "Photo": {"identityAttributes": ["shop", "n"], "attributes": {"shop": "string", "n": "integer64"}}
      """#)
    let album = try context.object(ofEntity: "Album", fromJSON: #"{"id": 9}"#)
    try context.importJSON(#"[{"shop": "a", "n": 1}, ["a", 1]]"#, into: "photos", of: album)
    #expect((album["photos"] as [ManagedObject]).count == 1)
    try context.importJSON(#"["a", 1]"#, into: "cover", of: album)
    #expect((album["cover"] as ManagedObject?)?["n"] == 1)
    let before = context.dump()
    #expect(throws: ImportError.self) { try context.importJSON(#"{"shop": "b"}"#, into: "cover", of: album) }
    #expect(context.dump() == before && context.checkInvariants().isEmpty)
  }

  @Test("I24: the payload's values can be at a path through arrays")
  func spread() throws {
    let (context, album) = try album()
    let payload = #"{"page": 3, "data": [{"photo": {"id": 2}}, null, {"photo": {"id": 1}}, {}]}"#
    try context.importJSON(payload, into: "photos", of: album, at: "data[].photo")
    let photos: [ManagedObject] = album["photos"]
    #expect(photos.map { $0["id"] as Int? } == [2, 1] && photos.allSatisfy { $0["album"] as ManagedObject? === album })
    #expect(photos[0]["page"] == 3)
    let before = context.dump()
    for (name, path) in [("photos", "data[].typo"), ("cover", "data[].photo"), ("photos", "page[].photo")]
      as [(String, JSONKeyPath)]
    {
      #expect(throws: ImportError.self, "\(path)") { try context.importJSON(payload, into: name, of: album, at: path) }
      #expect(context.dump() == before)
    }
    try context.importJSON(#"{"data": [{"n": {"text": "x"}}]}"#, into: "notes", of: album, at: "data[].n")
    #expect((album["notes"] as [ManagedObject]).count == 1)
    try context.importJSON(#"{"data": []}"#, into: "notes", of: album, at: "data[].n")
    #expect((album["notes"] as [ManagedObject]).isEmpty && context.checkInvariants().isEmpty)
  }
}
