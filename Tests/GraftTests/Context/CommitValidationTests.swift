import Graft
import GraftTestSupport
import Testing

@Suite("Context: validation on commit") struct CommitValidationTests {
  private static let heroes = #"""
    "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string",
      "level": {"type": "integer16", "optional": true, "maximum": 9}},
      "relationships": {"home": {"destination": "City", "optional": false},
        "haunts": {"destination": "City", "toMany": true, "minCount": 2}, "boss": {"destination": "Hero"}}},
    "City": {"identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"owner": {"destination": "Owner", "inverse": "cities"}}},
    "Owner": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "cities": {"destination": "City", "toMany": true, "inverse": "owner", "deleteOrphans": true}}}
    """#

  private func hero() throws -> (ManagedObjectContext, ManagedObject) {
    let context = try Fixture.context(Self.heroes)
    let hero = try context.load(
      #"{"id": 1, "name": "A", "home": {"id": 1}, "haunts": [{"id": 2}, {"id": 3}], "boss": 7}"#, "Hero")[0]
    return (context, hero)
  }

  @Test("C2: a commit reports every violation of the model, with the object and the line of the model")
  func refusal() throws {
    let (context, hero) = try hero()
    hero["name"] = nil as String?
    hero["level"] = 10
    let other = context.insert(ofEntity: "Hero")
    other["id"] = 2
    let edited = context.dumpText
    let error = try #require(throws: ValidationError.self) { try context.commit() }
    #expect(
      error.diagnostics.map(\.description) == [
        "error: expected a value for 'Hero.name', which is not optional, found none (Hero(1))",
        "error: expected at most 9 for 'Hero.level', found the number 10 (Hero(1))",
        "error: expected a value for 'Hero.name', which is not optional, found none (Hero(2))",
        "error: expected a value for 'Hero.home', which is not optional, found none (Hero(2))",
        "error: expected at least 2 objects in 'Hero.haunts', found 0 (Hero(2))",
      ])
    #expect(error.diagnostics[0].notes.map(\.description) == ["m.json:2:72: note: 'name' is declared here"])
    #expect(context.dumpText == edited && context.hasChanges)
    hero["name"] = "B"
    hero["level"] = 9
    try context.delete(other)
    try context.commit()
    #expect(!context.hasChanges && context.checkInvariants() == [])
  }

  @Test("C2: a new or linked placeholder is exempt from validation, as in an import")
  func placeholders() throws {
    let (context, hero) = try hero()
    let boss: ManagedObject? = hero["boss"]
    hero["boss"] = nil as ManagedObject?
    #expect(boss?.isPlaceholder == true)
    try context.commit()
    #expect(context.checkInvariants() == [])
  }

  @Test("C2: a commit reports an object whose required destination was deleted, even without an inverse")
  func dangling() throws {
    let (context, hero) = try hero()
    let before = context.dumpText
    try context.delete(try #require(try context.find(ofEntity: "City", identity: 1)))
    try context.delete(try #require(try context.find(ofEntity: "City", identity: 3)))
    let error = try #require(throws: ValidationError.self) { try context.commit() }
    #expect(
      error.diagnostics.map(\.message) == [
        "expected a value for 'Hero.home', which is not optional, found none (Hero(1))",
        "expected at least 2 objects in 'Hero.haunts', found 1 (Hero(1))",
      ])
    #expect(context.checkInvariants() == [])
    context.rollBack()
    #expect(context.dumpText == before && (hero["haunts"] as [ManagedObject]).count == 2)
    #expect(context.checkInvariants() == [])
  }

  @Test(
    "I9: an import that deletes objects which other objects require fails and leaves no trace, even without an inverse")
  func danglingImport() throws {
    let (context, _) = try hero()
    try context.load(#"{"id": 5, "cities": [{"id": 1}, {"id": 8}]}"#, "Owner")
    #expect(
      refusals(#"[1️⃣{"id": 5, "cities": [{"id": 8}]}]"#, of: "Owner", in: context, withNotes: true).first
        == "1️⃣ error: expected a value for 'Hero.home', which is not optional, found none (Hero(1) was changed through an inverse) (at $[0])"
    )
    #expect(context.checkInvariants() == [])
    try context.load(#"{"id": 5, "cities": [{"id": 1}]}"#, "Owner")
    #expect(try context.find(ofEntity: "City", identity: 8) == nil && context.checkInvariants() == [])
  }

  @Test("C2: validate() reports the same errors without committing")
  func validate() throws {
    let (context, hero) = try hero()
    try context.validate()
    hero["level"] = 99
    #expect(throws: ValidationError.self) { try context.validate() }
    #expect(context.hasChanges)
    hero["level"] = 1
    try context.validate()
    context.rollBack()
    #expect(hero["level"] as Int? == nil)
  }

  @Test("E4, I9: a discriminator that selects another entity than the object's is refused if it was set in code")
  func contradictoryKind() throws {
    let context = try Fixture.context(
      #"""
      "Item": {"abstract": true, "identityAttributes": "id",
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"books": "Book", "songs": "Song", "4": "Song", "hymns": "Hymn"}},
        "attributes": {"id": "integer64", "kind": {"type": "string", "optional": true, "JSONKeyPathAliases": ["sort"]},
          "note": {"type": "string", "optional": true}}},
      "Book": {"parent": "Item"}, "Song": {"parent": "Item"}, "Single": {"parent": "Song"}, "Hymn": {"parent": "Song"}
      """#)
    try context.load(#"[{"kind": "books", "id": 1}, {"kind": "hymns", "id": 3}]"#, "Item")
    func refuses(_ object: ManagedObject, _ kind: String, _ words: String) throws {
      let before = object["kind"] as String?
      object["kind"] = kind
      #expect { try context.commit() } throws: { error in
        "\(error)".contains(words) && (error as? ValidationError)?.diagnostics.first?.code == .invalidValue
      }
      object["kind"] = before
      try context.commit()
    }
    let book = try #require(try context.find(ofEntity: "Book", id: 1))
    let words =
      "expected a value for 'Book.kind' that selects 'Book', the entity of the object, instead of 'Song', found"
    try refuses(book, "songs", "\(words) the string \"songs\"")
    try refuses(book, "4", words)
    // The key "songs" selects the parent entity 'Song', but the object is a 'Hymn'.
    try refuses(try #require(try context.find(ofEntity: "Hymn", id: 3)), "songs", "selects 'Hymn'")
    for kind in ["books", "tapes", nil] {
      book["kind"] = kind
      try context.commit()
    }
    // No discriminator selects 'Single'.
    let single = context.insert(ofEntity: "Single")
    single["id"] = 2
    single["kind"] = "songs"
    try context.commit()
    // A discriminator that an import has read from an alias is accepted.
    try context.load(#"[{"sort": "songs", "id": 5}]"#, "Book")
    let other = try #require(try context.find(ofEntity: "Book", id: 5))
    other["note"] = "x"
    try context.commit()
  }

  @Test(
    "E4, I9: a discriminator that no entity lists selects the entity declared by 'otherwise'",
    arguments: ["\"Other\"", "null"])
  func otherwise(entity: String) throws {
    let context = try Fixture.context(
      """
      "Item": {"identityAttributes": "id", "abstract": true,
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"1": "Book"}, "otherwise": \(entity)},
        "attributes": {"id": "integer64", "kind": {"type": "integer64", "optional": true, "JSONTransformerName": "StringToInteger"}}},
      "Book": {"parent": "Item"}, "Other": {"parent": "Item"}
      """)
    try context.load(#"[{"kind": "1", "id": 1}]"#, "Item")
    let book = try #require(try context.find(ofEntity: "Book", id: 1))
    book["kind"] = 9
    #expect { try context.commit() } throws: { error in
      "\(error)".contains("instead of \(entity == "null" ? "no entity" : "'Other'"), found the number 9")
    }
    let other = context.insert(ofEntity: "Other")
    other["id"] = 2
    other["kind"] = 1
    book["kind"] = 1
    #expect { try context.commit() } throws: { "\($0)".contains("that selects 'Other', the entity of the object") }
    other["kind"] = entity == "null" ? nil : 8
    try context.commit()
  }

  @Test("E4, I9: a discriminator is accepted if the object has several mappers")
  func nestedMappers() throws {
    let context = try Fixture.context(
      #"""
      "Message": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "type", "entities": {"1": "Photo", "2": "Text"}},
        "attributes": {"id": "integer64", "note": {"type": "string", "optional": true}}},
      "Photo": {"parent": "Message", "entityMapper": {"JSONKeyPath": "format", "entities": {"1": "Raw"}},
        "attributes": {"format": {"type": "integer64", "optional": true}}},
      "Text": {"parent": "Message"}, "Raw": {"parent": "Photo"}
      """#)
    try context.load(#"[{"id": 1, "type": 1, "format": 1}]"#, "Message")
    let photo = try #require(try context.find(ofEntity: "Photo", id: 1))
    photo["note"] = "x"
    photo["format"] = 1
    try context.commit()
  }
}
