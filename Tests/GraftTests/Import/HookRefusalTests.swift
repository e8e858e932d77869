import Graft
import GraftTestSupport
import Testing

/// The actions that hooks perform in a test.
private final class Script: @unchecked Sendable {
  @TaskLocal static var current = Script()

  var lines: [String] = []
  var didImport: (ManagedObject, JSON) throws -> Void = { _, _ in }
  var shouldImport: (JSON, ManagedObject?) throws -> Bool = { payload, _ in payload["skip"] == nil }
}

private final class Photo: ManagedObject, ImportObserving {
  static func shouldImport(_ payload: JSON, updating stored: ManagedObject?) throws -> Bool {
    Script.current.lines.append("\(payload["id"] ?? .null) \(stored?.description ?? "-")")
    return try Script.current.shouldImport(payload, stored)
  }

  func didImport(_ payload: JSON) throws { try Script.current.didImport(self, payload) }
}

private func observed(_ album: String = "") throws -> ManagedObjectContext {
  try Fixture.context(
    """
    "Photo": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64", "name": {"type": "string", "optional": true},
        "rank": {"type": "integer16", "optional": true, "maximum": 9, "JSONKeyPath": null}
      },
      "relationships": {
        "album": {"destination": "Album", "inverse": "photos"}, "copy": {"destination": "Photo"}
      }
    },
    "Album": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "photos": {"destination": "Photo", "toMany": true, "ordered": true, "inverse": "album"\(album)},
        "cover": {"destination": "Photo"\(album)}
      }
    }
    """, classes: [Photo.self])
}

private func withScript(_ body: (Script) throws -> Void) throws {
  let script = Script()
  try Script.$current.withValue(script) { try body(script) }
}

@Suite("Refused changes in hooks") struct HookRefusalTests {
  @Test("I20: a value that a setter refuses in didImport makes the dictionary of that object faulty")
  func refused() throws {
    try withScript { script in
      let context = try observed()
      try objects(ofEntity: "Photo", fromJSON: #"[{"id": 7}]"#, in: context)
      let doomed = try context.find(ofEntity: "Photo", identity: 7)
      script.didImport = { photo, payload in
        switch payload["name"]?.stringValue {
        case "same": photo["id"] = 1
        case "large": photo["rank"] = 70_000
        case "two":
          photo["rank"] = 40_000
          photo["id"] = 1
        case "gone":
          if let doomed { try photo.context.delete(doomed) }
          photo["copy"] = doomed
        case "caught": try? photo.setValue(.integer(70_000), of: "rank")
        default: photo["rank"] = 1
        }
      }
      #expect(
        refusals(
          #"[{"id": 1}, 1️⃣{"id": 2, "name": "same"}, 2️⃣{"id": 3, "name": "large"}, 3️⃣{"id": 4, "name": "two"}, 4️⃣{"id": 5, "name": "gone"}]"#,
          of: "Photo", in: context) == [
            "1️⃣ error: 'didImport' of 'Photo' failed: there is already another object 'Photo(1)' (at $[1])",
            "2️⃣ error: 'didImport' of 'Photo' failed: 'Photo.rank' is declared integer16: it cannot hold the number 70000 (at $[2])",
            "3️⃣ error: 'didImport' of 'Photo' failed: 'Photo.rank' is declared integer16: it cannot hold the number 40000 (at $[3])",
            "3️⃣ error: 'didImport' of 'Photo' failed: there is already another object 'Photo(1)' (at $[3])",
            "4️⃣ error: 'didImport' of 'Photo' failed: 'Photo(7)' was deleted: it cannot be linked (at $[4])",
          ])
      #expect(context.drawing == "Photo(7)" && context.checkInvariants() == [] && doomed?.isDeleted == false)
      // If a hook catches the error itself, the import continues.
      try objects(ofEntity: "Photo", fromJSON: #"[{"id": 1, "name": "caught"}, {"id": 2}]"#, in: context)
      #expect(context.drawing == "Photo(1) name=\"caught\"\nPhoto(2) rank=1\nPhoto(7)")
    }
  }

  @Test("T5: everything that a hook decodes or changes in a transaction is validated as part of the import")
  func nested() throws {
    try withScript { script in
      let context = try observed()
      let before = context.dumpText
      let transactions: [(ManagedObjectContext, () throws -> Void) throws -> Void] = [
        { try $0.decoding($1) }, { try $0.atomically($1) },
        { context, body in
          try? context.atomically { () throws in
            try body()
            context.insert(ofEntity: "Album")
            throw CancellationError()
          }
        },
      ]
      for (number, transaction) in transactions.enumerated() {
        script.didImport = { photo, _ in
          try transaction(photo.context) {
            photo["rank"] = 3
            photo["copy"] = photo
          }
        }
        // The first object is changed before the hook of the second object opens its own transaction.
        script.lines = []
        #expect(
          refusals(#"[{"id": 1, "album": {"id": 4}}, {"id": 2}, 1️⃣{"id": 3, "name": 5}]"#, of: "Photo", in: context)
            .count == 1)
        let report = try context.dryRun {
          let report = try context.importJSON(
            #"[{"id": 1, "album": {"id": 4}}, {"id": 2}, {"id": 1}]"#, ofEntity: "Photo")
          #expect(context.drawing.contains("rank=3 album=Album(4) copy=Photo(1)") == (number < 2), "\(context.drawing)")
          #expect(context.checkInvariants() == [])
          return report
        }
        #expect(report.inserted == ["Photo": 2, "Album": 1] && report.updated == [:])
        let hook = script.didImport
        script.didImport = { photo, payload in
          try hook(photo, payload)
          if payload["id"] == 2 { photo["rank"] = 10 }
        }
        #expect(
          refusals(#"[{"id": 1, "album": {"id": 4}}, 1️⃣{"id": 2}]"#, of: "Photo", in: context) == [
            "1️⃣ error: expected at most 9 for 'Photo.rank', found the number 10 (at $[1])"
          ])
        #expect(context.dumpText == before && context.checkInvariants() == [])
      }
    }
  }
}

@Suite("Hooks that skip dictionaries") struct SkippedDictionaryTests {
  @Test("D13, I20: a skipped dictionary still mentions its object, so a complete list does not delete it")
  func wholeLists() throws {
    try withScript { script in
      let context = try observed()
      try objects(ofEntity: "Photo", fromJSON: #"[{"id": 1, "name": "old"}, {"id": 2}, {"id": 3}, 4]"#, in: context)
      let report = try context.importJSON(
        #"[{"id": 1, "skip": 1, "name": "new"}, {"id": 3}, {"id": 4, "skip": 1}, {"id": 5, "skip": 1}]"#,
        [.objects(ofEntity: "Photo", missing: .delete)])
      #expect(context.drawing == "Photo(1) name=\"old\"\nPhoto(3)\nPhoto(4) placeholder", "\(context.drawing)")
      #expect(report.deleted == ["Photo": 1] && report.skipped == ["Photo": 3])
    }
  }

  @Test(
    "D13: a skipped dictionary is treated as its object's identifier, or as absent if no such object exists at the end",
    arguments: ["", #", "unresolvedRule": "skip""#, #", "unresolvedRule": "deny""#])
  func links(_ rule: String) throws {
    let skipped = #"{"id": 1, "skip": 1, "name": "new"}"#
    let unknown = #"{"id": 8, "skip": 1}"#
    let cases: [(payload: String, stored: String, drawing: String)] = [
      (#"{"id": 9, "cover": \#(skipped)}"#, "[]", "Album(9) cover=Photo(1)"),
      (#"{"id": 9, "cover": \#(unknown)}"#, "[]", "Album(9)"),
      (#"{"id": 9, "cover": \#(unknown)}"#, #"{"id": 9, "cover": {"id": 1}}"#, "Album(9) cover=Photo(1)"),
      (
        #"{"id": 9, "photos": [\#(unknown), {"id": 2}, \#(skipped), \#(skipped)]}"#,
        #"{"id": 9, "photos": [{"id": 1}]}"#, "Album(9) photos=[Photo(2), Photo(1)]"
      ),
      // Order does not matter: objects that come later in the payload also exist.
      (
        #"[{"id": 9, "cover": \#(unknown), "photos": [\#(unknown), {"id": 2}]}, {"id": 10, "cover": {"id": 8}}]"#, "[]",
        "Album(9) photos=[Photo(8), Photo(2)] cover=Photo(8)"
      ),
      (
        #"[{"id": 10, "cover": {"id": 8}}, {"id": 9, "cover": \#(unknown), "photos": [\#(unknown), {"id": 2}]}]"#, "[]",
        "Album(9) photos=[Photo(8), Photo(2)] cover=Photo(8)"
      ),
      // The later mention wins, from either side, even if a link is still unresolved.
      (
        #"[{"id": 9, "photos": [\#(unknown)]}, {"id": 11, "photos": [\#(unknown)]}, {"id": 9, "photos": [{"id": 8}]}]"#,
        "[]", "Album(9) photos=[Photo(8)]"
      ),
    ]
    try withScript { _ in
      for (payload, stored, drawing) in cases {
        let context = try observed(rule)
        try context.load(#"[{"id": 1, "name": "one"}, {"id": 2}]"#, "Photo")
        try context.load(stored, "Album")
        try context.load(payload, "Album")
        let found = context.drawing.split(separator: "\n").filter { $0.hasPrefix("Album(9)") }.joined()
        #expect(found == drawing, "\(payload)")
        #expect(context.checkInvariants() == [])
      }
    }
  }

  @Test("D13: a skipped dictionary can refer to a placeholder, unless the relationship rejects unknown identifiers")
  func placeholders() throws {
    try withScript { _ in
      for (rule, drawing) in [("", "Album(9) cover=Photo(5)"), (#", "unresolvedRule": "skip""#, "Album(9)")] {
        let context = try observed(rule)
        try context.load("[5]", "Photo")
        try context.load(#"{"id": 9, "cover": {"id": 5, "skip": 1}}"#, "Album")
        #expect(context.drawing.contains(drawing + "\n") || context.drawing.hasSuffix(drawing), "\(context.drawing)")
      }
    }
  }

  @Test("I1, D13: an import returns the object of a skipped dictionary at the top of the payload if the object exists")
  func roots() throws {
    try withScript { script in
      let context = try observed()
      try context.load(#"[{"id": 1}]"#, "Photo")
      let found = try context.load(
        #"[{"id": 8, "skip": 1}, {"id": 1, "skip": 1}, {"id": 7, "skip": 1}, {"id": 8}]"#, "Photo")
      #expect(found.map(\.description) == ["Photo(8)", "Photo(1)", "Photo(8)"])
      let one = try object(ofEntity: "Photo", fromJSON: #"{"id": 1, "skip": 1}"#, in: context)
      #expect(one === found[1])
    }
  }

  @Test("I20: nothing in a skipped dictionary causes a fault, not even its identity")
  func faults() throws {
    try withScript { script in
      let context = try observed()
      var options = ImportOptions(sourceName: "p.json")
      options.limits.errors = 1
      #expect(
        refusals(
          #"[{"id": "x", "skip": 1}, {"id": null, "skip": 1}, {"skip": 1, "album": 7}, {"id": 1.5, "skip": 1}]"#,
          of: "Photo", in: context, options: options) == [])
      #expect(
        refusals(#"[{"id": 1️⃣"x"}, {"id": "y", "skip": 1}]"#, of: "Photo", in: context).count == 1)
      #expect(context.drawing == "")
    }
  }

  @Test("I20: shouldImport receives the stored object once per dictionary, and nil for a placeholder")
  func stored() throws {
    try withScript { script in
      let context = try observed()
      script.shouldImport = { payload, stored in
        guard let name = stored?["name"] as String? else { return true }
        return payload["name"]?.stringValue ?? "" > name
      }
      try context.load(
        #"[{"id": 1, "name": "b"}, 2, {"name": "none"}]"#.replacing(#", {"name": "none"}"#, with: ""), "Photo")
      try context.load(
        #"[{"id": 1, "name": "a"}, {"id": 1, "name": "c"}, {"id": 2}, {"id": 1, "name": "b"}, {"id": 3}, {"id": 3}]"#,
        "Photo")
      #expect(
        script.lines == ["1 -", "1 Photo(1)", "1 Photo(1)", "2 -", "1 Photo(1)", "3 -", "3 Photo(3)"])
      #expect(context.drawing == "Photo(1) name=\"c\"\nPhoto(2)\nPhoto(3)")
    }
  }
}
