import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Imports: warnings") struct ImportWarningTests {
  private static let model = """
    "Person": {
      "identityAttributes": "team",
      "attributes": {
        "team": {"type": "integer64", "optional": true}, "name": {"type": "string", "optional": true},
        "age": {"type": "integer64", "optional": true, "default": 7},
        "birthDate": {"type": "string", "optional": true, "JSONKeyPath": "birth_date"}
      },
      "relationships": {"boss": {"destination": "Person"}}
    },
    "Note": {"attributes": {"text": {"type": "string", "optional": true}}},
    "Blank": {"attributes": {"text": {"type": "string", "optional": true, "JSONKeyPath": null}}}
    """

  /// The warnings of an import; markers in the payload show the expected locations.
  private func warnings(
    _ marked: String, of entity: String, at keyPath: JSONKeyPath? = nil, after earlier: String? = nil,
    withNotes: Bool = false
  ) throws -> [String] {
    let context = try Fixture.context(Self.model)
    if let earlier { try context.importJSON(earlier, ofEntity: entity) }
    let marked = MarkedText(marked)
    let report = try context.importJSON(
      marked.text, ofEntity: entity, at: keyPath, options: ImportOptions(sourceName: "p.json"))
    return report.warnings.flatMap { warning in
      [marked.naming(warning.description, file: "p.json") + (warning.path.map { " (at \($0))" } ?? "")]
        + (withNotes ? warning.notes.map { "  \($0.message)" } : [])
    }
  }

  // MARK: Identifiers that mean nothing

  @Test(
    "I19: an identifier such as 0 that creates a placeholder causes a warning, which advises reading it as null",
    arguments: [
      ("integer64", "0"), ("string", #""""#), ("string", #""0""#),
      ("uuid", #""00000000-0000-0000-0000-000000000000""#),
    ])
  func emptyReferences(type: String, identifier: String) throws {
    func context(_ addition: String) throws -> ManagedObjectContext {
      try Fixture.context(
        #""T": {"identityAttributes": "id", "attributes": {"id": "\#(type)"}, "relationships": {"next": {"destination": "T"\#(addition)}}}, "R": {"relationships": {"t": {"destination": "T"\#(addition)}}}"#
      )
    }
    let payload = #"{"t": \#(identifier)}"#
    let first = try context("")
    let report = try first.importJSON(payload, ofEntity: "R")
    #expect(report.warnings.map(\.code) == [.emptyReference])
    let warning = try #require(report.warnings.first)
    #expect(
      warning.path == "$.t" && warning.message.hasPrefix("expected the identifier of an object for 'R.t', found the "))
    let addition = #""JSONNulls": [\#(identifier)]"#
    #expect(warning.notes.first?.message == "if it means that there is no 'T', add \(addition) here")
    let second = try context(", " + addition)
    #expect(try second.importJSON(payload, ofEntity: "R").warnings == [])
    #expect(try second.fetch(ofEntity: "T").isEmpty && second.placeholders.isEmpty)
  }

  @Test("I19: an identifier such as 0 causes no warning if the object exists, before or after the import")
  func usefulZeros() throws {
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"next": {"destination": "T"}}}"#
    )
    #expect(try context.importJSON(#"[{"id": 1, "next": 0}, {"id": 0}]"#, ofEntity: "T").warnings == [])
    #expect(try context.importJSON(#"[{"id": 2, "next": 0}]"#, ofEntity: "T").warnings == [])
    #expect(try context.importJSON(#"[{"id": 3, "next": 5}]"#, ofEntity: "T").warnings == [])
  }

  // MARK: Wrong identity

  @Test("I19: contradictions between dictionaries with the same identity are counted by property")
  func wrongIdentity() throws {
    let people = (1..<3000).map { #"{"team": \#($0 % 3), "name": "N\#($0)"}"# }
    let found = try warnings(
      #"[{"team": 0, "name": "A"}, {"team": 1, "name": "B"}, {"team": 2, "name": "C"}, "#
        + #"{"team": 1, "name": 1️⃣"N1"}, "# + people.dropFirst().joined(separator: ", ") + "]", of: "Person",
      withNotes: true)
    #expect(
      found.prefix(1) == [
        """
        1️⃣ warning: expected dictionaries with the same identity to agree on 'Person.name', \
        found the string "N1" after the string "B" (2999 times) (at $[3].name)
        """
      ])
    #expect(found.contains("  the identity of 'Person' is declared here"))
    #expect(
      found.contains { $0.hasPrefix("  the later value is kept; if the dictionaries describe different objects") })
    #expect(found.count { $0.contains("warning") } == 1)
  }

  @Test(
    "I19: equal values, earlier imports, defaults, and values in only one dictionary are not contradictions",
    arguments: [
      #"[{"team": 1, "name": "A"}, {"team": 1, "name": "A"}]"#,
      #"[{"team": 1, "name": "A"}, {"team": 1}, {"team": 1, "age": 5}]"#,
      #"[{"team": 1, "boss": {"team": 2}}, {"team": 2, "name": "new"}]"#,
      #"[{"team": 1, "name": null}, {"team": 1, "name": "A"}, {"team": 1, "name": null}]"#,
      #"[{"team": 1, "boss": 2}, {"team": 1, "boss": {"team": 2}}]"#,
    ])
  func agreement(payload: String) throws {
    #expect(try warnings(payload, of: "Person") == [])
    #expect(
      try warnings(payload, of: "Person", after: #"[{"team": 1, "name": "x"}, {"team": 2, "name": "old"}]"#) == [])
  }

  @Test("I19: contradicting relationships are reported, also between pieces of a whole stream, but not between batches")
  func contradictions() throws {
    #expect(
      try warnings(#"[{"team": 1, "boss": 2}, {"team": 1, "boss": 1️⃣3}]"#, of: "Person") == [
        """
        1️⃣ warning: expected dictionaries with the same identity to agree on 'Person.boss', \
        found the number 3 after the number 2 (at $[1].boss)
        """
      ])
    for atomicity in ImportBatches.Atomicity.allCases {
      let context = try Fixture.context(Self.model)
      let stream = try ImportStream(
        ofEntity: "Person", in: context, format: .lines, batches: ImportBatches(size: 1, atomicity: atomicity))
      try stream.append(Array("{\"team\": 1, \"name\": \"A\"}\n{\"team\": 1, \"name\": \"B\"}\n".utf8))
      let report = try stream.finish()
      #expect(report.warnings.map(\.code) == (atomicity == .whole ? [.contradiction] : []))
      #expect(report.warnings.first?.location?.line == (atomicity == .whole ? 2 : nil))
    }
  }

  @Test("I19: objects, arrays and long strings are compared by their contents")
  func contradictoryContents() throws {
    let context = try Fixture.context(
      """
      "Card": {"identityAttributes": ["set", "n"], "attributes": {"set": "string", "n": "integer64"}},
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "x": {"type": "json", "optional": true},
        "text": {"type": "string", "optional": true}, "l": {"type": "integer64", "list": true, "optional": true}},
        "relationships": {"card": {"destination": "Card"}}}
      """)
    let long = String(repeating: "a", count: 300)
    for (first, second, found) in [
      (#""card": ["DAW", 1]"#, #""card": ["DAW", 2]"#, "another array after an array"),
      (#""card": {"set": "A", "n": 1}"#, #""card": {"set": "A", "n": 2}"#, "another object after an object"),
      (#""x": {"a": 1}"#, #""x": {"a": 2}"#, "another object after an object"),
      (#""l": [1]"#, #""l": [2]"#, "another array after an array"),
      ("\"text\": \"\(long)b\"", "\"text\": \"\(long)c\"", "another value after"),
      (#""x": {"a": 1}"#, #""x": { "a": 1 }"#, ""), (#""card": ["DAW", 1]"#, #""card": {"set": "DAW", "n": 1}"#, ""),
    ] {
      let report = try context.importJSON("[{\"id\": 1, \(first)}, {\"id\": 1, \(second)}]", ofEntity: "Hero")
      #expect(report.warnings.map(\.code) == (found.isEmpty ? [] : [.contradiction]), "\(second)")
      #expect(found.isEmpty || report.warnings.first?.message.contains(found) == true, "\(report.warnings)")
    }
  }

  @Test(
    "I19: dictionaries with different modification times describe different states, so no contradiction is reported")
  func states() throws {
    let context = try Fixture.context(
      """
      "User": {
        "identityAttributes": "id", "modificationAttribute": "updated",
        "attributes": {"id": {"type": "integer64"}, "name": {"type": "string"}, "updated": {"type": "integer64"}}
      }
      """)
    let report = try context.importJSON(
      #"""
      [{"id": 1, "name": "A", "updated": 1}, {"id": 1, "name": "B", "updated": 2}, {"id": 1, "name": "C", "updated": 2}]
      """#, ofEntity: "User")
    #expect(
      report.warnings.map(\.description) == [
        """
        <payload>:1:96: warning: expected dictionaries with the same identity to agree on 'User.name', \
        found the string "C" after the string "B"
        """
      ])
  }

  @Test("I19: objects without identity are inserted each time, so no contradiction is reported")
  func strangersInside() throws {
    let context = try Fixture.context(
      """
      "User": {
        "identityAttributes": "id", "attributes": {"id": {"type": "integer64"}},
        "relationships": {"home": {"destination": "Place", "optional": true}}
      },
      "Place": {"attributes": {"city": {"type": "string"}}}
      """)
    let report = try context.importJSON(
      #"[{"id": 1, "home": {"city": "Rome"}}, {"id": 1, "home": {"city": "Rome"}}]"#, ofEntity: "User")
    #expect(report.warnings.isEmpty)
  }

  // MARK: Envelopes

  @Test("I19: an envelope around the objects is recognized, and the warning names the key path to them")
  func envelope() throws {
    #expect(
      try warnings(#"1️⃣{"status": "ok", "people": [{"team": 1}]}"#, of: "Person", withNotes: true)
        == [
          #"1️⃣ warning: expected a key that 'Person' maps, found "status", "people" (at $)"#,
          "  'Person' is declared here", #"  if the objects are under "people", read them with at: "people""#,
        ].filter { !$0.isEmpty })
  }

  @Test("I19: objects without mapped keys are counted; empty objects are counted only if they have an identity")
  func strangers() throws {
    #expect(
      try warnings(#"[{"text": "A"}, 1️⃣{"error": 1}, {}, {"error": 2}, {"error": 3}, {"error": 4}]"#, of: "Note") == [
        #"1️⃣ warning: expected a key that 'Note' maps, found "error" (4 times) (at $[1])"#
      ])
    #expect(try warnings(#"{"text": null}"#, of: "Note") == [])
    #expect(try warnings("[{}]", of: "Note") == [])
    #expect(
      try warnings("[1️⃣{}]", of: "Person") == [
        "1️⃣ warning: expected a key that 'Person' maps, found an empty object (at $[0])"
      ])
    let context = try Fixture.context(Self.model)
    let report = try context.importJSON([["error": 1]], ofEntity: "Note")
    #expect(
      report.warnings.map(\.description) == [
        #"<payload>: warning: expected a key that 'Note' maps, found "error" (at $[0])"#
      ])
  }

  @Test("I19: a warning names an entity that has no mapped properties")
  func unmappedEntity() throws {
    #expect(
      try warnings(#"[1️⃣{"text": "A"}]"#, of: "Blank", withNotes: true) == [
        "1️⃣ warning: no value of this object is imported, because 'Blank' has no key paths (at $[0])",
        "  'Blank' is declared here", "  add a \"JSONKeyPath\" to its properties, or a \"keyStrategy\" to the model",
      ])
  }

  // MARK: Keys

  @Test("I19: a warning names an unmapped key that resembles a mapped key if no object has the mapped key")
  func nearKeys() throws {
    #expect(
      try warnings(#"[{"team": 1, "x": 0}, {"team": 2, 1️⃣"birthDate": "2000-01-01"}]"#, of: "Person", withNotes: true)
        == [
          """
          1️⃣ warning: the key "birthDate" is not mapped, and "birth_date", which 'Person.birthDate' maps, is absent; \
          did you mean "birthDate" in the model? (at $[1].birthDate)
          """,
          "  'Person.birthDate' reads \"birth_date\" here",
        ])
    #expect(try warnings(#"[{"team": 1, "birthdate": 0}, {"team": 2, "birth_date": "2000"}]"#, of: "Person") == [])
    let misspelt = try Fixture.context(Self.model).importJSON(#"[{"team": 1, "nmae": "A"}]"#, ofEntity: "Person")
    #expect(misspelt.warnings.map(\.code) == [.nearUnmappedKey] && misspelt.warnings[0].suggestion == "nmae")
    #expect(
      try warnings(#"[{"team": 1, "names": "A", "note": 1, "teams": 2, "ages": 3, "aged": 4}]"#, of: "Person") == [])
  }

  // MARK: Order

  @Test(
    "I19: a warning reports that a relationship loses an array's order, if no attribute has the position",
    arguments: [
      ("", #"[3, 1, 2]"#, true), ("", #"[1, 2, 3]"#, false), ("", #"[2, 1]"#, false),
      (#", "ordered": false"#, "[3, 1, 2]", false),
      (#", "ordered": true"#, "[3, 1, 2]", false),
      ("", #"[{"id": 3, "at": 1}, {"id": 1, "at": 2}, {"id": 2, "at": 5}]"#, false),
      ("", #"[{"id": 3, "at": 1}, {"id": 1, "at": 1}, {"id": 2, "at": 5}]"#, true),
      ("", #"[{"id": 3, "at": 1}, {"id": 1, "at": 2}, 2]"#, true),
    ])
  func order(words: String, array: String, isLost: Bool) throws {
    let context = try Fixture.context(
      """
      "Tour": {"relationships": {"stops": {"destination": "Stop", "toMany": true\(words)}}},
      "Stop": {
        "identityAttributes": "id", "attributes": {"id": "integer64", "at": {"type": "integer64", "optional": true}}
      }
      """)
    let report = try context.importJSON(
      "[{\"stops\": \(array)}]", ofEntity: "Tour", options: ImportOptions(sourceName: "p.json"))
    let lost = ["p.json:1:12: warning: the order of this array is lost, because 'Tour.stops' is not ordered"]
    #expect(report.warnings.map(\.description) == (isLost ? lost : []))
    #expect(
      report.warnings.allSatisfy { $0.code == .lostOrder && $0.notes[0].message.contains(#"add "ordered": true"#) })
  }

  // MARK: Lost links

  private static let albums = """
    "Album": {
      "identityAttributes": "id", "attributes": {"id": "string"},
      "relationships": {
        "genres": {"destination": "Genre", "toMany": true, "ordered": true, "inverse": "album"},
        "cover": {"destination": "Cover", "inverse": "album"}
      }
    },
    "Genre": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"album": {"destination": "Album", "inverse": "genres", "JSONKeyPath": null}}
    },
    "Cover": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"album": {"destination": "Album", "inverse": "cover", "JSONKeyPath": null}}
    }
    """

  private func warnings(_ payload: String, _ entity: String, in context: ManagedObjectContext) throws -> [String] {
    try context.importJSON(payload, ofEntity: entity).warnings.flatMap { warning in
      [warning.message + " (at \(warning.path ?? "?"))"] + warning.notes.map { "  " + $0.message }
    }
  }

  @Test("I22: if the inverse is a to-one, two lists or to-ones that claim the same object cause a warning")
  func lostLinks() throws {
    let context = try Fixture.context(Self.albums)
    let text = #"[{"id": "a1", "genres": [7, {"id": 8}], "cover": 1}, {"id": "a2", "genres": [8], "cover": {"id": 1}}]"#
    let expected = [
      "expected each object in only one 'Album.genres', found the object 'Genre(8)' again (at $[1].genres)",
      "  the inverse 'Genre.album' is a to-one, so the later link replaces the earlier one; if both are right, make it a to-many",
      "  'Album(a1)' had the object before at $[0].genres",
      "expected each object in only one 'Album.cover', found the object 'Cover(1)' again (at $[1].cover)",
      "  the inverse 'Cover.album' is a to-one, so the later link replaces the earlier one; if both are right, make it a to-many",
      "  'Album(a1)' had the object before at $[0].cover",
    ]
    #expect(try warnings(text, "Album", in: context) == expected)
    // The warnings are the same if the objects already exist.
    #expect(try warnings(text, "Album", in: context) == expected)
    #expect(throws: ImportError.self) {
      try context.importJSON(text, ofEntity: "Album", options: ImportOptions(warnings: .error))
    }
    // Moving an object from one list to another is not a lost link.
    #expect(try warnings(#"[{"id": "a2", "genres": []}, {"id": "a1", "genres": [8]}]"#, "Album", in: context) == [])
    #expect(try warnings(#"[{"id": "a1"}, {"id": "a2", "genres": [8, 9]}]"#, "Album", in: context) == [])
    #expect(
      try warnings(
        #"[{"id": "a1", "genres": [5]}, {"id": "a2", "genres": [5]}, {"id": "a1", "genres": [5]}]"#, "Album",
        in: context
      ).count == 3)
  }

  @Test("I22: contradicting lists cause a warning, whether or not their objects are identified by their owner")
  func listsOfParts() throws {
    for identity in [#"["a", "k"]"#, #""k""#] {
      let context = try Fixture.context(
        #"""
        "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"bs": {"destination": "B", "toMany": true, "inverse": "a", "deleteOrphans": true, "ordered": true}}},
        "B": {"identityAttributes": \#(identity), "attributes": {"k": "string"},
          "relationships": {"a": {"destination": "A", "inverse": "bs", "JSONKeyPath": null}}}
        """#)
      let lists: [(second: String, warning: String?)] = [
        (#"[{"k": "b"}]"#, "found a list of 1 object after a list of 1 object"), (#"[{"k": "a"}]"#, nil),
        (#"[{"k": "a"}, {"k": "b"}]"#, "found a list of 2 objects after a list of 1 object"),
        ("[]", "found a list of 0 objects after a list of 1 object"),
      ]
      let more = [
        (#"[{"id": 1, "bs": []}, {"id": 1, "bs": [{"k": "b"}]}]"#, 0),
        (#"[{"id": 1, "bs": [{"k": "b"}, {"k": "a"}]}, {"id": 1, "bs": [{"k": "a"}, {"k": "b"}]}]"#, 1),
        (#"[{"id": 1, "bs": [{"k": "b"}, {"k": "a"}]}, {"id": 1}, {"id": 1, "bs": [{"k": "b"}, {"k": "a"}]}]"#, 0),
      ]
      for (payload, count) in more {
        #expect(try context.importJSON(payload, ofEntity: "A").warnings.count == count, "\(identity) \(payload)")
        context.reset()
      }
      for (second, warning) in lists {
        let report = try context.importJSON(
          #"[{"id": 1, "bs": [{"k": "a"}]}, {"id": 1, "bs": \#(second)}]"#, ofEntity: "A")
        #expect(report.warnings.count == (warning == nil ? 0 : 1), "\(identity) \(second): \(report.warnings)")
        if let warning { #expect(report.warnings.first?.message.contains(warning) == true, "\(report.warnings)") }
        context.reset()
        // A list that the import replaces is not a contradiction.
        try context.importJSON(#"{"id": 1, "bs": [{"k": "a"}]}"#, ofEntity: "A")
        #expect(try context.importJSON(#"[{"id": 1, "bs": \#(second)}]"#, ofEntity: "A").warnings.isEmpty)
        context.reset()
      }
    }
  }

  @Test("I22: lists on key paths through arrays can also lose links")
  func lostLinksThroughArrays() throws {
    let context = try Fixture.context(
      #"""
      "Album": {"identityAttributes": "id", "attributes": {"id": "string"}, "relationships": {
        "genres": {"destination": "Genre", "toMany": true, "inverse": "album", "JSONKeyPath": "data.edges[].node",
          "JSONDirection": "import"}}},
      "Genre": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "album": {"destination": "Album", "inverse": "genres", "JSONKeyPath": null}}}
      """#)
    let text = #"""
      [{"id": "a1", "data": {"edges": [{"node": 7}, {"node": {"id": 8}}]}}, {"id": "a2", "data": {"edges": [{"node": {"id": 8}}]}}]
      """#
    #expect(
      try warnings(text, "Album", in: context) == [
        "expected each object in only one 'Album.genres', found the object 'Genre(8)' again (at $[1].data.edges)",
        "  the inverse 'Genre.album' is a to-one, so the later link replaces the earlier one; if both are right, make it a to-many",
        "  'Album(a1)' had the object before at $[0].data.edges",
      ])
  }

  @Test(
    "I22: if two objects name each other inconsistently, a warning is reported, unless an update explains it",
    arguments: [
      // A list that omits an object which names the list's owner.
      (
        #"{"H": [{"id": 1, "p": 10}], "P": [{"id": 10, "hs": []}]}"#,
        "expected 'H(1)' in 'P.hs', because it has 'P(10)' for 'H.p', found a list without it (at $.P[0].hs) / 'H(1)' has 'P(10)' at $.H[0].p"
      ),
      (
        #"{"P": [{"id": 10, "hs": [1]}, {"id": 11}], "H": [{"id": 1, "p": 11}]}"#,
        "expected 'P(10)' for 'H.p', because it has 'H(1)' in 'P.hs', found another object (at $.H[0].p) / 'P(10)' has 'H(1)' at $.P[0].hs"
      ),
      // One-to-one relationships, one of which is its own inverse.
      (
        #"{"H": [{"id": 1, "q": 1}, {"id": 2}], "Q": [{"id": 1, "h": 2}]}"#,
        "expected 'H(1)' for 'Q.h', because it has 'Q(1)' for 'H.q', found another object (at $.Q[0].h) / 'H(1)' has 'Q(1)' at $.H[0].q"
      ),
      (
        #"{"H": [{"id": 1, "mate": 2}, {"id": 2, "mate": 3}]}"#,
        "expected 'H(1)' for 'H.mate', because it has 'H(2)' for 'H.mate', found another object (at $.H[1].mate) / 'H(1)' has 'H(2)' at $.H[0].mate"
      ),
      // A many-to-many relationship.
      (
        #"{"H": [{"id": 1, "tags": [5, 6]}], "T": [{"id": 5, "on": []}]}"#,
        "expected 'H(1)' in 'T.on', because it has 'T(5)' in 'H.tags', found a list without it (at $.T[0].on) / 'H(1)' has 'T(5)' at $.H[0].tags"
      ),
      // Null contradicts a link as well.
      (
        #"{"H": [{"id": 1, "tags": [5]}], "T": [{"id": 5, "on": null}]}"#,
        "expected 'H(1)' in 'T.on', because it has 'T(5)' in 'H.tags', found null (at $.T[0].on) / 'H(1)' has 'T(5)' at $.H[0].tags"
      ),
      (
        #"{"P": [{"id": 10, "hs": [1]}], "H": [{"id": 1, "p": null}]}"#,
        "expected 'P(10)' for 'H.p', because it has 'H(1)' in 'P.hs', found null (at $.H[0].p) / 'P(10)' has 'H(1)' at $.P[0].hs"
      ),
      // Setting a value that an object already has is not an update.
      (
        #"{"T": [{"id": 5, "on": []}], "H": [{"id": 1, "tags": [5]}], "T2": [{"id": 5, "on": []}]}"#,
        "expected 'H(1)' in 'T.on', because it has 'T(5)' in 'H.tags', found a list without it (at $.T2[0].on) / 'H(1)' has 'T(5)' at $.H[0].tags"
      ),
      (
        #"{"H": [{"id": 1, "p": 11}], "P": [{"id": 10, "hs": [1]}, {"id": 11}], "H2": [{"id": 1, "p": 11}]}"#,
        "expected 'P(10)' for 'H.p', because it has 'H(1)' in 'P.hs', found another object (at $.H2[0].p) / 'P(10)' has 'H(1)' at $.P[0].hs"
      ),
      (
        #"{"T": [{"id": 5, "on": [2]}], "H": [{"id": 1, "tags": [5]}, {"id": 2}], "T2": [{"id": 5, "on": [ 2 ]}]}"#,
        "expected 'H(1)' in 'T.on', because it has 'T(5)' in 'H.tags', found a list without it (at $.T2[0].on) / 'H(1)' has 'T(5)' at $.H[0].tags"
      ),
      // Only the last dictionary of an object contains the contradicting link.
      (
        #"{"H": [{"id": 1, "p": 11}, {"id": 1, "p": 10}], "P": [{"id": 11}, {"id": 10, "hs": []}]}"#,
        "expected 'H(1)' in 'P.hs', because it has 'P(10)' for 'H.p', found a list without it (at $.P[1].hs) / 'H(1)' has 'P(10)' at $.H[1].p"
      ),
      // Payloads that agree, and payloads that update their own links.
      (#"{"H": [{"id": 1, "tags": [5]}], "T": [{"id": 5, "on": [1]}], "H2": [{"id": 1, "tags": []}]}"#, ""),
      (#"{"H": [{"id": 1, "p": 10}], "P": [{"id": 10, "hs": [1, 2]}]}"#, ""),
      (#"{"H": [{"id": 1, "p": 10}, {"id": 1, "p": 11}], "P": [{"id": 10}, {"id": 11}]}"#, ""),
      (#"{"P": [{"id": 10, "hs": [1]}, {"id": 10, "hs": [2]}]}"#, ""),
      (#"{"H": [{"id": 1, "p": 10}], "P": [{"id": 10, "hs": []}, {"id": 10, "hs": [1]}]}"#, ""),
    ])
  func contradictions(payload: String, warning: String) throws {
    let model =
      #"""
      "H": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "p": {"destination": "P", "inverse": "hs"}, "q": {"destination": "Q", "inverse": "h"},
        "mate": {"destination": "H", "inverse": "mate"}, "tags": {"destination": "T", "toMany": true, "inverse": "on"}}},
      "P": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"hs": {"destination": "H", "toMany": true, "inverse": "p"}}},
      "Q": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"h": {"destination": "H", "inverse": "q"}}},
      "T": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"on": {"destination": "H", "toMany": true, "inverse": "tags"}}}
      """#
    let names = ["H", "P", "Q", "T", "H2", "T2"].filter { payload.contains("\"\($0)\"") }
    let order = names.sorted { payload.range(of: "\"\($0)\"")!.lowerBound < payload.range(of: "\"\($1)\"")!.lowerBound }
    // The warnings do not depend on validation rules or on the rule for unresolved identifiers.
    let withRules = model.replacingOccurrences(
      of: #""id": "integer64""#, with: #""id": {"type": "integer64", "minimum": 0}"#)
    let withWaiting = model.replacingOccurrences(
      of: #""inverse": "hs""#, with: #""inverse": "hs", "unresolvedRule": "skip""#)
    for model in [model, withRules, withWaiting] {
      let report = try Fixture.context(model).importJSON(
        payload, order.map { .objects(ofEntity: String($0.prefix(1)), at: JSONKeyPath($0)) })
      let found = report.warnings.filter { $0.code == .lostLink }.map { warning in
        "\(warning.message) (at \(warning.path ?? ""))\(warning.notes.dropFirst().map { " / \($0.message)" }.joined())"
      }
      #expect(found == (warning.isEmpty ? [] : [warning]), "\(model)")
    }
  }

  @Test("I22: lost links are found even after many updates")
  func manyUpdates() throws {
    let context = try Fixture.context(Self.albums.replacingOccurrences(of: #", "JSONKeyPath": null"#, with: ""))
    let payload = { (album: String, extra: String) in
      let genres = (0..<10_001).map { #"{"id": \#($0), "album": "\#(album)"}"# }.joined(separator: ",")
      return #"{"albums": [{"id": "a"}, {"id": "b"}], "genres": [\#(genres)], "lost": [\#(extra)]}"#
    }
    let parts: [ImportPart] = [
      .objects(ofEntity: "Album", at: "albums"), .objects(ofEntity: "Genre", at: "genres"),
      .objects(ofEntity: "Album", at: "lost"),
    ]
    #expect(try context.importJSON(payload("a", ""), parts).warnings.isEmpty)
    let lost = #"{"id": "x", "genres": [90001]}, {"id": "y", "genres": [90001]}"#
    #expect(try context.importJSON(payload("b", lost), parts).warnings.map(\.code) == [.lostLink])
  }

  @Test("I22: many lost links cause a single warning with their number")
  func manyLostLinks() throws {
    let context = try Fixture.context(Self.albums)
    let members = (1...20).map(String.init).joined(separator: ",")
    let text = "[{\"id\": \"a\", \"genres\": [\(members)]}, {\"id\": \"b\", \"genres\": [\(members)]}]"
    let report = try context.importJSON(text, ofEntity: "Album")
    #expect(report.warnings.map(\.count) == [20])
  }

  @Test("I22: lost links that many dictionaries of one object contain are found in linear time")
  func manyClaims() throws {
    // If an entity has validation rules, its objects' dictionaries are kept in memory.
    let context = try Fixture.context(
      Self.albums.replacingOccurrences(
        of: #"{"id": "string"},\#n      "relationships": {\#n        "genres""#,
        with: #"{"id": "string", "t": "string"},\#n      "relationships": {\#n        "genres""#))
    let count = 8000
    let claims = (0..<count).map { #"{"id": "a", "t": "x", "genres": [\#($0)]}"# }
    let members = (0..<count).map(String.init).joined(separator: ",")
    // With quadratic time, this import would take minutes.
    let report = try context.importJSON(
      #"[\#(claims.joined(separator: ",")), {"id": "b", "t": "y", "genres": [\#(members)]}]"#, ofEntity: "Album")
    #expect(report.warnings.map(\.count).contains { $0 > 0 })
  }

  @Test("I22: repeated elements of an ordered list cause a warning, and only the first of these elements is kept")
  func repeats() throws {
    let context = try Fixture.context(
      """
      "Playlist": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "songs": {"destination": "Song", "toMany": true, "ordered": true},
        "tags": {"destination": "Song", "toMany": true, "ordered": false}}},
      "Song": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """)
    #expect(
      try warnings(#"{"id": 1, "songs": [5, 6, {"id": 5}], "tags": [5, 5]}"#, "Playlist", in: context) == [
        "expected each object only once in 'Playlist.songs', which is ordered, found the object 'Song(5)' again (at $.songs)",
        "  a relationship contains an object only once; to keep repeats, give each position its own object, "
          + "identified by its owner and '@index'",
      ])
  }

  @Test("I22: two dictionaries of one object with different lists cause a warning")
  func differentLists() throws {
    let context = try Fixture.context(Self.albums)
    #expect(
      try warnings(#"[{"id": "a1", "genres": [7, 8]}, {"id": "a1", "genres": [7]}]"#, "Album", in: context) == [
        "expected dictionaries with the same identity to agree on 'Album.genres', found a list of 1 object after a list of "
          + "2 objects (at $[1].genres)",
        "  the identity of 'Album' is declared here", "  the earlier list is at $[0].genres",
        "  the later value is kept; if the dictionaries describe different objects, 'identityAttributes' must tell them apart",
      ])
    #expect(
      try warnings(#"[{"id": "a1", "genres": [7, 8]}, {"id": "a1", "genres": [7, 8]}]"#, "Album", in: context) == [])
    #expect(try warnings(#"[{"id": "a1"}, {"id": "a1", "genres": [3]}]"#, "Album", in: context) == [])
  }

  // MARK: Options

  @Test("I19: an option turns warnings into errors, which change nothing, or turns warnings off")
  func options() throws {
    let context = try Fixture.context(Self.model)
    var options = ImportOptions(sourceName: "p.json", warnings: .error)
    #expect {
      try context.importJSON(#"{"people": []}"#, ofEntity: "Person", options: options)
    } throws: { error in
      (error as? ImportError)?.diagnostics.map(\.description) == [
        #"p.json:1:1: error: expected a key that 'Person' maps, found "people""#
      ]
    }
    #expect(throws: ImportError.self) {
      try objects(ofEntity: "Person", fromJSON: #"{"people": []}"#, in: context, options: options)
    }
    #expect(try context.fetch(ofEntity: "Person").isEmpty)
    options.warnings = .ignore
    #expect(try context.importJSON(#"{"people": []}"#, ofEntity: "Person", options: options).warnings == [])
    options.warnings = .report
    let report = try context.dryRun { try context.importJSON(#"{"people": []}"#, ofEntity: "Person", options: options) }
    #expect(report.warnings.count == 1)
  }

  /// The expected warnings of the repository's payloads: one list changes, and one ordered list contains a repeat.
  private static let expectedWarnings = [
    "messages": [
      "expected dictionaries with the same identity to agree on 'Conversation.participants', found a list of 3 objects after a "
        + "list of 2 objects"
    ],
    "cards": [
      "expected each object only once in 'Deck.cards', which is ordered, found the object 'Card(DAW,12)' again"
    ],
  ]

  @Test("I19, I22: the payloads of the repository cause only the expected warnings")
  func repository() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let payloads: [(model: String, objects: [(entity: String, payload: String)], keyPath: JSONKeyPath?)] = [
      ("Comics", [("Hero", "comics"), ("Power", "powers"), ("Hero", "comics-update")], nil),
      ("Posts", [("Post", "posts")], nil), ("Messages", [("Conversation", "messages")], nil),
      ("Twitter", [("Tweet", "tweets"), ("Tweet", "tweets")], "statuses"), ("GitHubEvents", [("Event", "events")], nil),
      ("Timetable", [("Course", "timetable"), ("Course", "timetable-update")], nil),
      ("Cards", [("Deck", "cards")], nil),
      ("Catalog", [("Performance", "catalog")], "performances"), ("Catalog", [("Area", "catalog")], "areaNames"),
    ]
    for (model, objects, keyPath) in payloads {
      let context = ManagedObjectContext(
        model: try ManagedObjectModel(contentsOf: root.appendingPathComponent("Models/\(model).json")))
      for (entity, payload) in objects {
        let url = root.appendingPathComponent("Examples/Payloads/\(payload).json")
        let report = try context.importJSON(url, ofEntity: entity, at: keyPath)
        #expect(report.warnings.map(\.message) == Self.expectedWarnings[payload] ?? [], "\(payload)")
      }
    }
  }
}
