import Graft
import GraftTestSupport
import Testing

private func playlists(_ words: String) throws -> ManagedObjectContext {
  try Fixture.context(
    """
    "List": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "songs": {"destination": "Song", "toMany": true, "inverse": "lists"\(words)}, "first": {"destination": "Song"}
      }
    },
    "Song": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {"lists": {"destination": "List", "toMany": true, "inverse": "songs"}}
    }
    """)
}

@Suite("To-many") struct ToManyTests {
  private static let inOrder = #", "ordered": true"#
  private static let union = #", "mergeRule": "union""#

  @Test(
    "I5: an array replaces the contents of a to-many, which are [1, 2, 3]",
    arguments: [
      ("", "[4, 2]", ["Song(2)", "Song(4)"]),
      ("", "[]", []),
      ("", "null", []),
      ("", "[3, 1, 2]", ["Song(1)", "Song(2)", "Song(3)"]),
      ("", "[null, 2, null, 2, 2]", ["Song(2)"]),
      (inOrder, "[3, 1, 2]", ["Song(3)", "Song(1)", "Song(2)"]),
      (inOrder, "[3, 1, 3, 2, 1, 4]", ["Song(3)", "Song(1)", "Song(2)", "Song(4)"]),
      (inOrder, #"[{"id": 4}, 1, {"id": 4, "name": "x"}, null, 2]"#, ["Song(4)", "Song(1)", "Song(2)"]),
      (inOrder, "[1, 2]", ["Song(1)", "Song(2)"]),
      (inOrder, "[1, 2, 3]", ["Song(1)", "Song(2)", "Song(3)"]),
    ] as [(String, String, [String])])
  func merge(words: String, array: String, expected: [String]) throws {
    let context = try playlists(words)
    let list = try object(ofEntity: "List", fromJSON: #"{"id": 1, "songs": [1, 2, 3]}"#, in: context)
    try object(ofEntity: "List", fromJSON: #"{"id": 1, "songs": \#(array)}"#, in: context)
    let songs: [ManagedObject] = list["songs"]
    let names = songs.map(\.description)
    #expect((words.contains("ordered") ? names : names.sorted()) == expected)
    for song in try context.fetch(ofEntity: "Song") {
      #expect((song["lists"] as [ManagedObject]) == (songs.contains(song) ? [list] : []))
    }
  }

  @Test(
    "D2: under `union`, an array adds to [1, 2, 3], at the end if the to-many is ordered; null clears the to-many",
    arguments: [
      (union, "[4, 2]", ["Song(1)", "Song(2)", "Song(3)", "Song(4)"]),
      (union, "[]", ["Song(1)", "Song(2)", "Song(3)"]),
      (union, "null", []),
      (union + inOrder, "[5, 2, 4, 5, 1]", ["Song(1)", "Song(2)", "Song(3)", "Song(5)", "Song(4)"]),
      (union + inOrder, "[3, 2, 1]", ["Song(1)", "Song(2)", "Song(3)"]),
      (union + inOrder, "[]", ["Song(1)", "Song(2)", "Song(3)"]),
      (union + inOrder, "null", []),
    ] as [(String, String, [String])])
  func addition(words: String, array: String, expected: [String]) throws {
    try merge(words: words, array: array, expected: expected)
  }

  @Test(
    "I5: a new object gets the whole array, and only the first of repeated elements is kept",
    arguments: ["", inOrder, union, union + inOrder])
  func new(words: String) throws {
    let context = try playlists(words)
    let list = try object(
      ofEntity: "List", fromJSON: #"{"id": 1, "songs": [3, 1, null, 3, 2, {"id": 1}]}"#, in: context)
    #expect((list["songs"] as [ManagedObject]).map(\.description) == ["Song(3)", "Song(1)", "Song(2)"])
  }

  @Test("I5: long arrays keep their order and the first of repeated elements")
  func long() throws {
    let context = try playlists(Self.inOrder)
    let order = (0..<500).map { $0 * 7 % 250 + 1 }
    let list = try object(
      ofEntity: "List", fromJSON: #"{"id": 1, "songs": [\#(order.map(String.init).joined(separator: ","))]}"#,
      in: context)
    #expect((list["songs"] as [ManagedObject]).map(\.description) == order.prefix(250).map { "Song(\($0))" })
    try object(
      ofEntity: "List",
      fromJSON: #"{"id": 1, "songs": [\#(order.reversed().map(String.init).joined(separator: ","))]}"#, in: context)
    #expect((list["songs"] as [ManagedObject]).map(\.description) == order.suffix(250).reversed().map { "Song(\($0))" })
  }

  @Test("I5: objects that are removed from a relationship stay in the graph")
  func released() throws {
    let context = try playlists("")
    try object(ofEntity: "List", fromJSON: #"{"id": 1, "songs": [{"id": 1, "name": "a"}]}"#, in: context)
    try object(ofEntity: "List", fromJSON: #"{"id": 1, "songs": []}"#, in: context)
    #expect(context.drawing == "List(1)\nSong(1) name=\"a\"")
  }

  @Test("I5: a to-many requires an array, and a to-one an object or identifier; any other form causes an error")
  func shapes() throws {
    let context = try playlists("")
    #expect(
      refusals(
        """
        [
          {"id": 1, "songs": 1️⃣{"id": 1}, "first": 2️⃣[{"id": 1}]},
          {"id": 2, "songs": 3️⃣5, "first": 4️⃣[]},
          {"id": 3, "songs": 5️⃣"5", "first": 6️⃣[[1]]},
          {"id": 4, "songs": 7️⃣true, "first": null},
          {"id": 5, "songs": [8️⃣[1]]}
        ]
        """, of: "List", in: context) == [
          "1️⃣ error: expected an array for the to-many relationship 'List.songs', found an object (at $[0].songs)",
          "2️⃣ error: expected an object or an identifier for 'List.first', found an array (at $[0].first)",
          "3️⃣ error: expected an array for the to-many relationship 'List.songs', found the number 5 (at $[1].songs)",
          "4️⃣ error: expected an object or an identifier for 'List.first', found an array (at $[1].first)",
          "5️⃣ error: expected an array for the to-many relationship 'List.songs', found the string \"5\" (at $[2].songs)",
          "6️⃣ error: expected an object or an identifier for 'List.first', found an array (at $[2].first)",
          "7️⃣ error: expected an array for the to-many relationship 'List.songs', found true (at $[3].songs)",
          "8️⃣ error: expected an object or an identifier for 'List.songs', found an array (at $[4].songs[0])",
        ])
  }

  @Test(
    "I5: an array that contains only nulls or repeated elements changes nothing", arguments: [inOrder, union + inOrder])
  func unchanged(words: String) throws {
    let context = try playlists(words)
    let text = #"{"id": 1, "songs": [{"id": 1}, {"id": 2}]}"#
    try object(ofEntity: "List", fromJSON: text, in: context)
    let report = try context.importJSON(Array(#"{"id": 1, "songs": [1, null, {"id": 2}, 1]}"#.utf8), ofEntity: "List")
    #expect(report.unchanged == ["List": 1, "Song": 1] && report.updated == [:])
  }
}
