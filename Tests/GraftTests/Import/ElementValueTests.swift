import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

@Suite("Element values") struct ElementValueTests {
  private static let playlists = """
    "Playlist": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "entries": {"destination": "Entry", "toMany": true, "ordered": true, "inverse": "playlist", "deleteOrphans": true}}},
    "Entry": {"identityAttributes": ["playlist", "position"],
      "attributes": {"position": {"type": "integer32", "JSONKeyPath": "@index"}, "added": {"type": "string", "optional": true}},
      "relationships": {"playlist": {"destination": "Playlist", "inverse": "entries", "JSONKeyPath": null},
        "song": {"destination": "Song", "JSONKeyPath": "@value"}}},
    "Song": {"identityAttributes": "id", "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}}}
    """

  @Test("M23: a list of identifiers is read into objects with positions, and repeated identifiers are preserved")
  func repeats() throws {
    let context = try Fixture.context(Self.playlists)
    let text = #"{"id":1,"entries":[5,6,5]}"#
    let list = try object(ofEntity: "Playlist", fromJSON: text, in: context)
    #expect(
      context.drawing == """
        Playlist(1) entries=[Entry(1,0), Entry(1,1), Entry(1,2)]
        Entry(1,0) playlist=Playlist(1) song=Song(5)
        Entry(1,1) playlist=Playlist(1) song=Song(6)
        Entry(1,2) playlist=Playlist(1) song=Song(5)
        Song(5) placeholder
        Song(6) placeholder
        """)
    #expect(try jsonString(from: list) == text)
  }

  @Test("M23: an object and its @value are read from the same dictionary, in any order of the keys")
  func shared() throws {
    let context = try Fixture.context(Self.playlists)
    let text =
      #"{"id":1,"entries":[{"title":"Hurt","added":"x","id":5},{"id":6},{"added":"y","id":5,"title":"Hurt"}]}"#
    let list = try object(ofEntity: "Playlist", fromJSON: text, in: context)
    #expect(
      context.drawing == """
        Playlist(1) entries=[Entry(1,0), Entry(1,1), Entry(1,2)]
        Entry(1,0) added="x" playlist=Playlist(1) song=Song(5)
        Entry(1,1) playlist=Playlist(1) song=Song(6)
        Entry(1,2) added="y" playlist=Playlist(1) song=Song(5)
        Song(5) title="Hurt"
        Song(6)
        """)
    #expect(
      try jsonString(from: list)
        == #"{"id":1,"entries":[{"added":"x","id":5,"title":"Hurt"},{"added":null,"id":6,"title":null},{"added":"y","id":5,"title":"Hurt"}]}"#
    )
  }

  @Test("M23: a link object is identified by the objects at its two ends, one of which is in its own dictionary")
  func credits() throws {
    let context = try Fixture.context(
      """
      "Film": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "cast": {"destination": "Credit", "toMany": true, "inverse": "film", "deleteOrphans": true}}},
      "Credit": {"identityAttributes": ["film", "person"], "attributes": {"role": "string"}, "relationships": {
        "film": {"destination": "Film", "inverse": "cast", "JSONKeyPath": null},
        "person": {"destination": "Person", "inverse": "credits", "JSONKeyPath": "@value"}}},
      "Person": {"identityAttributes": "name", "attributes": {"name": "string", "born": {"type": "integer16", "optional": true}},
        "relationships": {"credits": {"destination": "Credit", "toMany": true, "inverse": "person", "JSONKeyPath": null}}}
      """)
    let first =
      #"[{"id": 1, "cast": [{"role": "Tyler", "name": "Brad"}, {"name": "Ed", "role": "N"}]}, {"id": 2, "cast": []}]"#
    try objects(ofEntity: "Film", fromJSON: first, in: context)
    // One link is in both lists, one link changes, and one link is new.
    let second = #"[{"id": 1, "cast": [{"role": "T", "name": "Brad", "born": 1963}, {"name": "Meat", "role": "Bob"}]}]"#
    try objects(ofEntity: "Film", fromJSON: second, in: context)
    #expect(
      context.drawing == """
        Film(1) cast=[Credit(1,Brad), Credit(1,Meat)]
        Film(2)
        Credit(1,Brad) role="T" film=Film(1) person=Person(Brad)
        Credit(1,Meat) role="Bob" film=Film(1) person=Person(Meat)
        Person(Ed)
        Person(Brad) born=1963 credits=[Credit(1,Brad)]
        Person(Meat) credits=[Credit(1,Meat)]
        """)
  }

  @Test("M23: elements can also be lists, strings and lists of objects")
  func others() throws {
    let context = try Fixture.context(
      """
      "Shape": {"attributes": {"id": "integer64"}, "relationships": {
        "points": {"destination": "Point", "toMany": true, "ordered": true}, "center": {"destination": "Point"},
        "tags": {"destination": "Tag", "toMany": true}, "rows": {"destination": "Row", "toMany": true, "ordered": true}}},
      "Point": {"attributes": {"xy": {"type": "double", "list": true, "JSONKeyPath": "@value"}}},
      "Tag": {"identityAttributes": "name", "attributes": {"name": {"type": "string", "maxLength": 3, "JSONKeyPath": "@value"}}},
      "Row": {"relationships": {"tags": {"destination": "Tag", "toMany": true, "ordered": true, "JSONKeyPath": "@value"}}}
      """)
    let text = #"{"id":1,"points":[[1.5,2],[3,4]],"center":[0,0],"tags":["a","b"],"rows":[["a","c"],[],["b"]]}"#
    let shape = try object(ofEntity: "Shape", fromJSON: text, in: context)
    // Each element is a full object, not a placeholder.
    #expect(try context.placeholders.isEmpty)
    #expect(try jsonString(from: shape) == text)
    #expect(
      refusals(#"[{"id": 1, "tags": [1️⃣"long", 2️⃣{}, 3️⃣5]}]"#, of: "Shape", in: context).map { String($0.prefix(64)) } == [
        "1️⃣ error: expected at most 3 characters for 'Tag.name', found 4 (",
        "2️⃣ error: expected a value for 'Tag.name', which is not optional,",
        "3️⃣ error: expected a string for 'Tag.name', found the number 5 (a",
      ])
  }

  @Test("M23, I13: a key is unknown if neither the object nor its @value maps it, and is reported once")
  func keys() throws {
    let context = try Fixture.context(Self.playlists)
    var options = ImportOptions()
    options.unknownKeys = .error
    #expect(
      refusals(
        #"{"id": 1, "entries": [{"id": 5, "added": "x", "title": "t", 1️⃣"titel": 1}, {"id": 6, 2️⃣"id": 7}]}"#,
        of: "Playlist", in: context, options: options) == [
          "1️⃣ error: the key \"titel\" is not mapped by 'Entry' or 'Song'; did you mean 'title'? (at $.entries[0].titel)",
          "2️⃣ error: the key \"id\" occurs twice in one object (at $.entries[1].id)",
        ])
  }

  @Test("M23, I13: the report of an unknown key names the entity with the most similar key")
  func reportedKeys() throws {
    var options = ImportOptions()
    options.unknownKeys = .report
    let report = try Fixture.context(Self.playlists).importJSON(
      #"{"id": 1, "entries": [{"id": 5, "titel": "t", "add": "x", "zzzzz": 1}]}"#, ofEntity: "Playlist",
      options: options)
    #expect(report.unknownKeys.map { "\($0.entityName).\($0.key)" } == ["Song.titel", "Entry.add", "Entry.zzzzz"])
  }

  @Test("M23: an element of an unexpected form causes an error at its location")
  func misfits() throws {
    let context = try Fixture.context(Self.playlists)
    #expect(
      refusals(
        #"{"id": 1, "entries": [1️⃣"a", {"id": 2️⃣"b"}, {"added": 3️⃣1, "id": 7}]}"#, of: "Playlist", in: context) == [
          "1️⃣ error: expected an integer for 'Song.id', found the string \"a\" (at $.entries[0])",
          "2️⃣ error: expected an integer for 'Song.id', found the string \"b\" (at $.entries[1].id)",
          "3️⃣ error: expected a string for 'Entry.added', found the number 1 (at $.entries[2].added)",
        ])
  }

  @Test("M23: an object with other values in addition to an identifier is not exported")
  func exports() throws {
    let context = try Fixture.context(Self.playlists)
    let text = #"{"id": 1, "entries": [5, 6]}"#
    let list = try object(ofEntity: "Playlist", fromJSON: text, in: context)
    let entry = try #require(try context.fetch(ofEntity: "Entry").first)
    try entry.setValue("x", of: "added")
    #expect(try jsonString(from: list) == #"{"id":1}"#)
    var options = ExportOptions()
    options.incompleteRelationships = .error
    let error = #expect(throws: ExportError.self) { try jsonString(from: list, options: options) }
    #expect(
      error?.description
        == "<export>: error: 'Entry(1,0).song' cannot be written completely: 'Song(5)' can only be written as an identifier here, which has no place next to the other values, or omit the relationship with 'incompleteRelationships: .omit' (at $.entries[0].added)"
    )
  }

  @Test("M23: the alias @value reads only elements that are not objects")
  func alias() throws {
    let context = try Fixture.context(
      """
      "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"items": {"destination": "Item", "toMany": true, "ordered": true}}},
      "Item": {"attributes": {"count": {"type": "integer16", "default": 1}},
        "relationships": {"thing": {"destination": "Thing", "JSONKeyPath": "thing", "JSONKeyPathAliases": ["@value"]}}},
      "Thing": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """)
    let text = #"{"id": 1, "items": [7, {"count": 2, "thing": 8}, {"count": 3}]}"#
    let box = try object(ofEntity: "Box", fromJSON: text, in: context)
    #expect(
      try jsonString(from: box)
        == #"{"id":1,"items":[{"count":1,"thing":7},{"count":2,"thing":8},{"count":3,"thing":null}]}"#)
  }

  @Test("M23: an attribute of type json reads any element, in arrays, to-ones and payloads")
  func anything() throws {
    let entities = """
      "Box": {"attributes": {"id": "integer64"}, "relationships": {
        "all": {"destination": "Any", "toMany": true, "ordered": true}, "one": {"destination": "Any"}}},
      "Any": {"attributes": {"raw": {"type": "json", "JSONKeyPath": "@value"}}}
      """
    let box = try Fixture.context(entities)
    let text = #"{"id":1,"all":[{"x":[1]},{},7,"a",[2]],"one":{"y":null}}"#
    #expect(try jsonString(from: object(ofEntity: "Box", fromJSON: text, in: box)) == text)
    let list = #"[{"x":[1]},{},7]"#
    #expect(try jsonString(from: objects(ofEntity: "Any", fromJSON: list, in: Fixture.context(entities))) == list)
    #expect(
      try jsonString(from: object(ofEntity: "Any", fromJSON: #"{"x":1}"#, in: Fixture.context(entities))) == #"{"x":1}"#
    )
  }

  @Test("M23: an object instead of a string or a list causes an error")
  func wrongElements() throws {
    let context = try Fixture.context(
      """
      "Box": {"attributes": {"id": "integer64"}, "relationships": {"tags": {"destination": "Tag", "toMany": true}}},
      "Tag": {"attributes": {"name": {"type": "string", "optional": true, "JSONKeyPath": "@value"}}}
      """)
    #expect(
      refusals(#"[{"id": 1, "tags": [1️⃣{"x": 1}]}]"#, of: "Box", in: context) == [
        "1️⃣ error: expected a string for 'Tag.name', found an object (at $[0].tags[0])"
      ])
  }

  @Test("M23: a model is rejected if an element would be its own element, or if a key would have two meanings")
  func refusedModels() throws {
    func message(_ entities: String) -> String {
      do { _ = try Fixture.context(entities) } catch { return "\(error)" }
      return "none"
    }
    let ring =
      #""A": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"a": {"destination": "A", "JSONKeyPath": "next", "JSONKeyPathAliases": ["@value"]}}}"#
    #expect(message(ring).contains("its element would be read as 'A' again"))
    let song =
      #""Song": {"identityAttributes": "id", "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}}}"#
    let alias =
      #""Entry": {"attributes": {"q": {"type": "string", "optional": true, "JSONKeyPathAliases": ["title"]}}, "relationships": {"song": {"destination": "Song", "JSONKeyPath": "@value"}}}, "#
    #expect(
      message(alias + song).contains(
        "'Entry.q' would read what 'Song.title' writes under the key 'title': remove the alias"))
    let element =
      #""Entry": {"relationships": {"song": {"destination": "Song", "JSONKeyPath": "@value"}}}, "Song": {"attributes": {"v": {"type": "string", "JSONKeyPath": "@value"}}}"#
    #expect(message(element).contains("'Song.v' is also the element itself"))
  }

  @Test("M23: a destination under keys is found by its identifiers, even if the owner's elements have no keys")
  func keyedDestination() throws {
    let context = try Fixture.context(
      """
      "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "all": {"destination": "Item", "toMany": true},
        "slots": {"destination": "Slot", "toMany": true, "ordered": true}}},
      "Slot": {"relationships": {"item": {"destination": "Item", "JSONKeyPath": "@value"}}},
      "Item": {"identityAttributes": "name", "attributes": {"name": {"type": "string", "JSONKeyPath": "@key"},
        "size": {"type": "integer16", "optional": true}}}
      """)
    let text = #"{"id":1,"all":{"a":{"size":1},"b":{"size":2}},"slots":["b","a","b"]}"#
    let box = try object(ofEntity: "Box", fromJSON: text, in: context)
    #expect(try jsonString(from: box) == text)
    #expect(try context.placeholders.isEmpty)
  }

  /// A chain of entities, each of which has the next entity as its `@value`.
  private static func chain(_ count: Int) -> String {
    let entities = (0..<count - 1).map { number in
      #""E\#(number)": {"attributes": {"a\#(number)": {"type": "string", "optional": true}}, "relationships": {"next": {"destination": "E\#(number + 1)", "JSONKeyPath": "@value"}}}"#
    }
    return entities.joined(separator: ",\n")
      + #", "E\#(count - 1)": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#
  }

  @Test("M23: 16 objects can share a dictionary, but not 17", arguments: [16, 17])
  func chainLength(count: Int) throws {
    do {
      let context = try Fixture.context(Self.chain(count))
      let text = #"[7,{"a0":"x","a3":"y","id":8}]"#
      let found = try objects(ofEntity: "E0", fromJSON: text, in: context)
      #expect(found[1]["a0"] == "x")
      var options = ExportOptions()
      options.omitsNil = true
      #expect(try jsonString(from: found, options: options) == text)
      #expect(count == 16)
    } catch let error as ModelError {
      #expect(count == 17)
      #expect(error.diagnostics.map(\.code) == [.misplacedKeyWord])
      #expect(
        error.description.contains(
          "'@value' cannot be the key path of 'E0.next': more than 16 objects would be read from one element: give one of the relationships in between its own key path"
        ))
    }
  }

  @Test(
    "M23: a chain of thousands of entities, or a ring of entities, is rejected with a 512 KB stack",
    arguments: [false, true])
  func longChains(isRing: Bool) throws {
    try onSmallStack {
      let ring = #"{"relationships": {"next": {"destination": "E0", "JSONKeyPath": "@value"}}}"#
      let entities = Self.chain(3000).replacing(
        #""E2999": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#, with: #""E2999": \#(ring)"#,
        maxReplacements: isRing ? 1 : 0)
      let error = #expect(throws: ModelError.self) { try Fixture.context(entities) }
      #expect(error?.diagnostics.first?.code == .misplacedKeyWord)
    }
  }

  @Test(
    "M23: a store loads the objects of the longest chains, nested in each other, with a 512 KB stack",
    arguments: [false, true])
  func nestedChains(isBare: Bool) throws {
    let last =
      #""E15": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"parts": {"destination": "E0", "toMany": true}}}"#
    let entities = Self.chain(16).replacing(
      #""E15": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#, with: last)
    let levels = 200
    let payload =
      (0..<levels).map { #"{"a0":"n","id":\#($0),"parts":["# }.joined() + (isBare ? "1000" : "")
      + String(repeating: "]}", count: levels)
    try onSmallStack {
      let model = try Fixture.context(entities).model
      let store = try SQLiteStore.inMemory(model: model)
      try objects(ofEntity: "E0", fromJSON: payload, in: ManagedObjectContext(store: store))
      let again = ManagedObjectContext(store: store)
      try objects(ofEntity: "E0", fromJSON: payload, in: again)
      #expect(try again.count(ofEntity: "E15") == levels + (isBare ? 1 : 0))
    }
  }

  @Test("M23: an element can represent a chain of objects, including an entity that a mapper can choose")
  func chainsOfElements() throws {
    let context = try Fixture.context(
      """
      "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "slots": {"destination": "Slot", "toMany": true, "ordered": true}}},
      "Slot": {"relationships": {"item": {"destination": "Item", "JSONKeyPath": "@value"}}},
      "Item": {"entityMapper": {"JSONKeyPath": "kind", "entities": {"i": "Item", "r": "Rare"}},
        "attributes": {"note": {"type": "string", "optional": true}},
        "relationships": {"thing": {"destination": "Thing", "JSONKeyPath": "@value"}}},
      "Rare": {"parent": "Item"},
      "Thing": {"identityAttributes": "tid", "attributes": {"tid": "integer64"}}
      """)
    try object(
      ofEntity: "Box", fromJSON: #"{"id": 1, "slots": [7, {"kind": "r", "note": "n", "tid": 8}, 9]}"#, in: context)
    #expect(
      context.drawing == """
        Box(1) slots=[Slot#1, Slot#2, Slot#3]
        Slot#1 item=Item#1
        Slot#2 item=Rare#1
        Slot#3 item=Item#2
        Item#1 thing=Thing(7)
        Item#2 thing=Thing(9)
        Rare#1 note="n" thing=Thing(8)
        Thing(7) placeholder
        Thing(8)
        Thing(9) placeholder
        """)
  }
}
