import Graft
import GraftTestSupport
import Testing

private func songs(_ rule: String, mergeRule: String = "replace") throws -> ManagedObjectContext {
  try Fixture.context(
    """
    "Song": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}},
      "relationships": {
        "artist": {"destination": "Artist", "inverse": "songs", "unresolvedRule": "\(rule)"},
        "fans": {
          "destination": "Artist", "toMany": true, "ordered": true, "unresolvedRule": "\(rule)", "mergeRule": "\(mergeRule)"
        },
        "maker": {"destination": "Artist"}
      }
    },
    "Artist": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"songs": {"destination": "Song", "toMany": true, "inverse": "artist"}}
    },
    "Album": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "songs": {"destination": "Song", "toMany": true}, "artists": {"destination": "Artist", "toMany": true}
      }
    }
    """)
}

@Suite("Unresolved identifiers") struct UnresolvedIdentifierTests {
  @Test("D1: `placeholder` creates a placeholder for an unknown identifier")
  func placeholder() throws {
    let context = try songs("placeholder")
    try objects(ofEntity: "Song", fromJSON: #"[{"id": 1, "artist": 8, "fans": [9, 8]}]"#, in: context)
    #expect(
      context.drawing == """
        Song(1) artist=Artist(8) fans=[Artist(9), Artist(8)]
        Artist(8) placeholder songs=[Song(1)]
        Artist(9) placeholder
        """)
  }

  @Test("D1: `skip` leaves a to-one unchanged and omits the element from a to-many")
  func skip() throws {
    let context = try songs("skip")
    try objects(ofEntity: "Artist", fromJSON: #"[{"id": 1}, {"id": 2}]"#, in: context)
    try objects(
      ofEntity: "Song", fromJSON: #"[{"id": 1, "artist": 1, "fans": [2]}, {"id": 2, "artist": 8}]"#, in: context)
    try objects(ofEntity: "Song", fromJSON: #"[{"id": 1, "artist": 9, "fans": [9, 2, 8, 1, 9]}]"#, in: context)
    #expect(
      context.drawing == """
        Song(1) artist=Artist(1) fans=[Artist(2), Artist(1)]
        Song(2)
        Artist(1) songs=[Song(1)]
        Artist(2)
        """)
    try objects(ofEntity: "Song", fromJSON: #"[{"id": 1, "fans": [9]}]"#, in: context)
    #expect(context.drawing.hasPrefix("Song(1) artist=Artist(1)\n"))
  }

  @Test("D1: an identifier can refer to an object later in the payload, and to-manys keep the payload's order")
  func forward() throws {
    for rule in ["skip", "deny"] {
      let context = try songs(rule)
      try objects(
        ofEntity: "Album",
        fromJSON:
          #"[{"id": 1, "songs": [{"id": 1, "artist": 8, "fans": [9, 8, 9, 7]}], "artists": [{"id": 7}, {"id": 8}, {"id": 9}]}]"#,
        in: context)
      #expect(
        context.drawing == """
          Song(1) artist=Artist(8) fans=[Artist(9), Artist(8), Artist(7)]
          Artist(7)
          Artist(8) songs=[Song(1)]
          Artist(9)
          Album(1) songs=[Song(1)] artists=[Artist(7), Artist(8), Artist(9)]
          """)
    }
  }

  @Test("D1: placeholders are not known objects, whether they are old or from the same payload")
  func placeholdersAreUnknown() throws {
    let context = try songs("skip")
    try objects(ofEntity: "Artist", fromJSON: "[8]", in: context)
    try objects(ofEntity: "Song", fromJSON: #"[{"id": 1, "artist": 8, "maker": 9, "fans": [8, 9]}]"#, in: context)
    #expect(
      context.drawing == """
        Song(1) maker=Artist(9)
        Artist(8) placeholder
        Artist(9) placeholder
        """)
  }

  @Test("D1: `deny` causes an error at each unknown identifier")
  func deny() throws {
    let context = try songs("deny")
    try objects(ofEntity: "Artist", fromJSON: #"[{"id": 1}, 2]"#, in: context)
    #expect(
      refusals(#"[{"id": 1, "artist": 1️⃣8, "fans": [1, 2️⃣2, 3️⃣9]}]"#, of: "Song", in: context, withNotes: true) == [
        "1️⃣ error: no 'Artist' has this identifier, and 'Song.artist' accepts existing objects only (at $[0].artist)",
        "  m.json:5:79: note: 'artist' declares \"unresolvedRule\": \"deny\" here",
        "2️⃣ error: no 'Artist' has this identifier, and 'Song.fans' accepts existing objects only (at $[0].fans[1])",
        "  m.json:7:83: note: 'fans' declares \"unresolvedRule\": \"deny\" here",
        "3️⃣ error: no 'Artist' has this identifier, and 'Song.fans' accepts existing objects only (at $[0].fans[2])",
        "  m.json:7:83: note: 'fans' declares \"unresolvedRule\": \"deny\" here",
      ])
  }

  @Test("D1: later mentions win, even over identifiers whose resolution is deferred")
  func laterMentions() throws {
    for rule in ["skip", "deny"] {
      let context = try songs(rule)
      try objects(ofEntity: "Artist", fromJSON: #"[{"id": 1}]"#, in: context)
      try objects(
        ofEntity: "Album",
        fromJSON:
          #"[{"id": 1, "songs": [{"id": 1, "artist": 8, "fans": [8]}, {"id": 1, "artist": 1, "fans": [1]}], "artists": [{"id": 8}]}]"#,
        in: context)
      #expect(context.drawing.hasPrefix("Song(1) artist=Artist(1) fans=[Artist(1)]\n"))
      try objects(
        ofEntity: "Album",
        fromJSON:
          #"[{"id": 1, "songs": [{"id": 1, "artist": 9, "fans": [9]}, {"id": 1, "artist": null, "fans": []}], "artists": [{"id": 9}]}]"#,
        in: context)
      #expect(context.drawing.hasPrefix("Song(1)\n"))
      try objects(
        ofEntity: "Album",
        fromJSON:
          #"[{"id": 1, "songs": [{"id": 1, "artist": 1, "fans": [1]}, {"id": 1, "artist": 7, "fans": [7]}], "artists": [{"id": 7}]}]"#,
        in: context)
      #expect(context.drawing.hasPrefix("Song(1) artist=Artist(7) fans=[Artist(7)]\n"))
    }
  }

  @Test("D1: under `union`, every mention adds its identifiers that are known at the end of the payload")
  func union() throws {
    let context = try songs("skip", mergeRule: "union")
    try objects(ofEntity: "Artist", fromJSON: #"[{"id": 1}]"#, in: context)
    try objects(
      ofEntity: "Album",
      fromJSON:
        #"[{"id": 1, "songs": [{"id": 1, "fans": [8]}, {"id": 1, "fans": [1, 6]}, {"id": 1, "fans": [7, 8]}], "artists": [{"id": 8}, {"id": 7}]}]"#,
      in: context)
    #expect(context.drawing.hasPrefix("Song(1) fans=[Artist(8), Artist(1), Artist(7)]\n"))
    try objects(
      ofEntity: "Album",
      fromJSON:
        #"[{"id": 1, "songs": [{"id": 1, "fans": [5]}, {"id": 1, "fans": null}, {"id": 1, "fans": [4]}], "artists": [{"id": 4}, {"id": 5}]}]"#,
      in: context)
    #expect(context.drawing.hasPrefix("Song(1) fans=[Artist(4)]\n"))
  }

  @Test("I12: a link whose resolution is deferred is reported as a change to its object")
  func report() throws {
    let context = try songs("skip")
    try context.importJSON(Array(#"[{"id": 1}]"#.utf8), ofEntity: "Song")
    let report = try context.importJSON(
      Array(#"[{"id": 1, "songs": [{"id": 1, "artist": 8}], "artists": [{"id": 8}]}]"#.utf8), ofEntity: "Album")
    #expect(report.updated == ["Song": 1] && report.inserted == ["Album": 1, "Artist": 1] && report.unchanged == [:])
  }

  @Test("D1: a required to-one whose identifier is skipped is reported as missing")
  func required() throws {
    let context = try Fixture.context(
      """
      "Song": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"artist": {"destination": "Artist", "optional": false, "unresolvedRule": "skip"}}
      },
      "Artist": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """)
    #expect(
      refusals(#"[{"id": 1, "artist": 1️⃣8}]"#, of: "Song", in: context) == [
        "1️⃣ error: expected a value for 'Song.artist', which is not optional, found none (no known object has this identifier, or another object later took that object) (at $[0].artist)"
      ])
  }

  @Test("D1: a denied identifier causes a single error and leaves no other trace")
  func denyRequired() throws {
    let context = try Fixture.context(
      """
      "Song": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"artist": {"destination": "Artist", "optional": false, "unresolvedRule": "deny"}}
      },
      "Artist": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """)
    #expect(
      refusals(#"[{"id": 1, "artist": 1️⃣8}]"#, of: "Song", in: context) == [
        "1️⃣ error: no 'Artist' has this identifier, and 'Song.artist' accepts existing objects only (at $[0].artist)"
      ])
  }

  @Test("D1: the resolution of composite identifiers is also deferred")
  func composite() throws {
    let context = try Fixture.context(
      """
      "Deck": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"cards": {"destination": "Card", "toMany": true, "ordered": true, "unresolvedRule": "skip"}}
      },
      "Card": {
        "identityAttributes": ["set", "number"], "attributes": {"set": "string", "number": "integer16"},
        "relationships": {"deck": {"destination": "Deck"}}
      }
      """)
    try objects(
      ofEntity: "Card",
      fromJSON:
        #"[{"set": "A", "number": 1, "deck": {"id": 1, "cards": [["A", 2], ["B", 1], ["A", 1]]}}, {"set": "A", "number": 2}]"#,
      in: context)
    #expect(context.drawing == "Deck(1) cards=[Card(A,2), Card(A,1)]\nCard(A,1) deck=Deck(1)\nCard(A,2)")
  }

  @Test("D1: a later mention from the other side wins over a deferred identifier", arguments: ["skip", "deny"])
  func inverse(rule: String) throws {
    let context = try songs(rule)
    // Song 1 names artist 8, which comes later; after that, artist 9 names song 1.
    try objects(
      ofEntity: "Album",
      fromJSON: #"[{"songs": [{"id": 1, "artist": 8}], "artists": [{"id": 8}, {"id": 9, "songs": [1]}], "id": 1}]"#,
      in: context)
    #expect(context.drawing.hasPrefix("Song(1) artist=Artist(9)\nArtist(8)\nArtist(9) songs=[Song(1)]\n"))
    try objects(
      ofEntity: "Album",
      fromJSON: #"[{"songs": [{"id": 2, "artist": 7}], "artists": [{"id": 7, "songs": []}], "id": 1}]"#, in: context)
    #expect(context.drawing.contains("Song(2)\nArtist(7)\n"))
  }

  @Test("D1: a denied identifier causes an error even if a later mention replaces the identifier")
  func deniedForGood() throws {
    let context = try songs("deny")
    try objects(ofEntity: "Artist", fromJSON: #"[{"id": 1}]"#, in: context)
    #expect(
      refusals(#"[{"id": 1, "artist": 1️⃣8}, {"id": 1, "artist": 1}]"#, of: "Song", in: context) == [
        "1️⃣ error: no 'Artist' has this identifier, and 'Song.artist' accepts existing objects only (at $[0].artist)"
      ])
  }

  @Test("D1: a forward reference to an object of another entity causes a single error")
  func forwardConflict() throws {
    let context = try Fixture.context(
      """
      "Zoo": {"attributes": {}, "relationships": {
        "star": {"destination": "Cat", "unresolvedRule": "deny"}, "pets": {"destination": "Pet", "toMany": true}}},
      "Pet": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Cat": {"parent": "Pet"}
      """)
    #expect(
      refusals(#"{"star": 1️⃣1, "pets": [{"id": 1}]}"#, of: "Zoo", in: context) == [
        "1️⃣ error: expected an object of 'Cat', but the object with this identity belongs to 'Pet' (at $.star)"
      ])
  }

  @Test("D1: a placeholder with several identity attributes is not a known object")
  func compositePlaceholder() throws {
    let context = try Fixture.context(
      """
      "Seat": {"identityAttributes": ["row", "number"], "attributes": {"row": "string", "number": "integer16"}},
      "Room": {"relationships": {"seats": {"destination": "Seat", "toMany": true}}},
      "Show": {"relationships": {"seats": {"destination": "Seat", "toMany": true, "unresolvedRule": "skip"}}}
      """)
    try objects(ofEntity: "Room", fromJSON: #"{"seats": [["A", 1]]}"#, in: context)
    let report = try context.importJSON(Array(#"{"seats": [["A", 1]]}"#.utf8), ofEntity: "Show")
    #expect(report.skipped == ["Seat": 1])
    try objects(ofEntity: "Seat", fromJSON: #"{"row": "A", "number": 1}"#, in: context)
    #expect(try context.importJSON(Array(#"{"seats": [["A", 1]]}"#.utf8), ofEntity: "Show").skipped.isEmpty)
  }
}
