import Graft
import GraftTestSupport
import Testing

@Suite("Identifiers") struct IdentifierTests {
  private static let heroes = """
    "Hero": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64", "name": "string", "level": {"type": "integer16", "default": 1},
        "nick": {"type": "string", "optional": true, "default": "none"}
      },
      "relationships": {
        "boss": {"destination": "Hero", "inverse": "team"},
        "team": {"destination": "Hero", "toMany": true, "inverse": "boss"}
      }
    }
    """

  @Test("I4: a bare value can identify an object in any position that allows an object")
  func known() throws {
    let context = try Fixture.context(Self.heroes)
    try objects(
      ofEntity: "Hero",
      fromJSON:
        #"[{"id": 1, "name": "Batman"}, {"id": 2, "name": "Robin", "boss": 1}, {"id": 3, "name": "Alfred", "team": [1]}, 1]"#,
      in: context)
    #expect(
      context.drawing == """
        Hero(1) name="Batman" level=1 nick="none" boss=Hero(3) team=[Hero(2)]
        Hero(2) name="Robin" level=1 nick="none" boss=Hero(1)
        Hero(3) name="Alfred" level=1 nick="none" team=[Hero(1)]
        """)
    #expect(try context.placeholders.isEmpty)
  }

  @Test(
    "I4: an unknown identifier creates a placeholder, with its identity only, without defaults or validation")
  func placeholder() throws {
    let context = try Fixture.context(Self.heroes)
    try objects(
      ofEntity: "Hero", fromJSON: #"[{"id": 1, "name": "Batman", "boss": 8, "team": [7, 7]}, 9]"#, in: context)
    #expect(
      context.drawing == """
        Hero(1) name="Batman" level=1 nick="none" boss=Hero(8) team=[Hero(7)]
        Hero(7) placeholder boss=Hero(1)
        Hero(8) placeholder team=[Hero(1)]
        Hero(9) placeholder
        """)
    #expect(try Set(context.placeholders.map(\.description)) == ["Hero(7)", "Hero(8)", "Hero(9)"])
  }

  @Test("D5: a filled placeholder gets the defaults of omitted properties and is validated")
  func filled() throws {
    let context = try Fixture.context(Self.heroes)
    try objects(ofEntity: "Hero", fromJSON: "[1, 2]", in: context)
    #expect(
      refusals(#"[1️⃣{"id": 1}]"#, of: "Hero", in: context) == [
        "1️⃣ error: expected a value for 'Hero.name', which is not optional, found none (at $[0].name)"
      ])
    #expect(context.drawing == "Hero(1) placeholder\nHero(2) placeholder")
    try objects(
      ofEntity: "Hero",
      fromJSON: #"[{"id": 1, "name": "Batman", "level": 3}, {"id": 2, "name": "Robin", "nick": null}]"#, in: context)
    #expect(
      context.drawing == """
        Hero(1) name="Batman" level=3 nick="none"
        Hero(2) name="Robin" level=1
        """)
    #expect(try context.placeholders.isEmpty)
  }

  @Test(
    "I4: a placeholder and its dictionary in the same payload are one object, in either order",
    arguments: [
      #"[{"id": 1, "name": "a", "boss": 2}, {"id": 2, "name": "b"}]"#,
      #"[{"id": 2, "name": "b"}, {"id": 1, "name": "a", "boss": 2}]"#,
      #"[{"id": 1, "name": "a", "boss": {"id": 2, "name": "b", "team": [1]}}]"#,
      #"[{"id": 2, "name": "b", "team": [{"id": 1, "name": "a", "boss": 2}]}]"#,
    ])
  func anyOrder(text: String) throws {
    let context = try Fixture.context(Self.heroes)
    try objects(ofEntity: "Hero", fromJSON: text, in: context)
    #expect(
      context.drawing == """
        Hero(1) name="a" level=1 nick="none" boss=Hero(2)
        Hero(2) name="b" level=1 nick="none" team=[Hero(1)]
        """)
  }

  @Test("I4: a value that cannot be an identifier causes an error that names the expected form")
  func refused() throws {
    let context = try Fixture.context(Self.heroes)
    #expect(
      refusals(
        #"[{"id": 1, "name": "a", "boss": 1️⃣"8", "team": [2️⃣true, 3️⃣[1], 4, null]}, 5️⃣1.5, 6️⃣[]]"#, of: "Hero", in: context)
        == [
          "1️⃣ error: expected an integer for 'Hero.id', found the string \"8\" (at $[0].boss)",
          "2️⃣ error: expected an integer for 'Hero.id', found true (at $[0].team[0])",
          "3️⃣ error: expected an object or an identifier for 'Hero.team', found an array (at $[0].team[1])",
          "5️⃣ error: expected an integer from -9223372036854775808 to 9223372036854775807 for 'Hero.id', found the number 1.5 (at $[1])",
          "6️⃣ error: expected an object or an identifier, found an array (at $[2])",
        ])
  }

  @Test("I4: an entity without identity accepts only dictionaries")
  func noIdentity() throws {
    let context = try Fixture.context(
      #""Note": {"attributes": {"text": "string"}, "relationships": {"next": {"destination": "Note"}, "all": {"destination": "Note", "toMany": true}}}"#
    )
    #expect(
      refusals(#"[1️⃣5, {"text": "a", "next": 2️⃣"x", "all": [3️⃣false]}]"#, of: "Note", in: context, withNotes: true) == [
        "1️⃣ error: expected an object, found the number 5 (at $[0])",
        "  m.json:2:1: note: 'Note' is declared here",
        "  note: 'Note' has no identity attributes, so identifiers cannot refer to its objects",
        "2️⃣ error: expected an object for 'Note.next', found the string \"x\" (at $[1].next)",
        "  m.json:2:86: note: 'next' is a to-one relationship to 'Note' here",
        "  note: 'Note' has no identity attributes, so identifiers cannot refer to its objects",
        "3️⃣ error: expected an object for 'Note.all', found false (at $[1].all[0])",
        "  m.json:2:136: note: 'all' is a to-many relationship to 'Note' here",
        "  note: 'Note' has no identity attributes, so identifiers cannot refer to its objects",
      ])
  }

  private static let cards = """
    "Card": {
      "identityAttributes": ["set", "number"],
      "attributes": {"number": "integer16", "set": "string", "title": "string"}
    },
    "Deck": {
      "identityAttributes": "name",
      "attributes": {"name": "string"},
      "relationships": {
        "cover": {"destination": "Card"}, "cards": {"destination": "Card", "toMany": true, "ordered": true}
      }
    }
    """

  @Test("I4: several identity attributes require an array of values, in the order of `identityAttributes`")
  func composite() throws {
    let context = try Fixture.context(Self.cards)
    try objects(ofEntity: "Card", fromJSON: #"[{"set": "A", "number": 1, "title": "one"}, ["B", 2]]"#, in: context)
    try objects(
      ofEntity: "Deck",
      fromJSON: #"[{"name": "d", "cover": ["A", 1], "cards": [["C", 3], ["A", 1.0], ["B", 2], ["C", 3], null]}]"#,
      in: context)
    #expect(
      context.drawing == """
        Card(A,1) title="one"
        Card(B,2) placeholder
        Card(C,3) placeholder
        Deck(d) cover=Card(A,1) cards=[Card(C,3), Card(A,1), Card(B,2)]
        """)
    #expect(try object(ofEntity: "Card", fromJSON: #"["A", 1]"#, in: context).description == "Card(A,1)")
  }

  @Test("I4: an array with the wrong length or invalid values is rejected as an identifier")
  func wrongComposite() throws {
    let context = try Fixture.context(Self.cards)
    #expect(
      refusals(
        """
        [{"name": "d", "cover": 1️⃣["A"], "cards": [
          2️⃣["A", 1, 2], ["A", 3️⃣"1"], [4️⃣1, 5️⃣"A"], 6️⃣"A", 7️⃣[], ["A", 8️⃣null], ["A", 9️⃣[1]]
        ]}]
        """, of: "Deck", in: context) == [
          "1️⃣ error: expected an array of 2 values ('set', 'number') to identify 'Card', found 1 (at $[0].cover)",
          "2️⃣ error: expected an array of 2 values ('set', 'number') to identify 'Card', found 3 (at $[0].cards[0])",
          "3️⃣ error: expected an integer for 'Card.number', found the string \"1\" (at $[0].cards[1][1])",
          "4️⃣ error: expected a string for 'Card.set', found the number 1 (at $[0].cards[2][0])",
          "5️⃣ error: expected an integer for 'Card.number', found the string \"A\" (at $[0].cards[2][1])",
          "6️⃣ error: expected an object or an array of 2 identity values for 'Deck.cards', found the string \"A\" (at $[0].cards[3])",
          "7️⃣ error: expected an array of 2 values ('set', 'number') to identify 'Card', found 0 (at $[0].cards[4])",
          "8️⃣ error: an identifier of 'Card' cannot be null (at $[0].cards[5][1])",
          "9️⃣ error: expected an integer for 'Card.number', found an array (at $[0].cards[6][1])",
        ])
  }

  private static let animals = """
    "Animal": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "name": {"type": "string", "default": "?"}},
      "entityMapper": {"JSONKeyPath": "kind", "entities": {"dog": "Dog", "puppy": "Puppy", "cat": "Cat"}}
    },
    "Dog": {"parent": "Animal", "attributes": {"tricks": {"type": "integer16", "default": 0}}},
    "Puppy": {"parent": "Dog"},
    "Cat": {"parent": "Animal"},
    "Owner": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "animal": {"destination": "Animal"}, "dog": {"destination": "Dog"}, "cat": {"destination": "Cat"},
        "animals": {"destination": "Animal", "toMany": true}
      }
    }
    """

  @Test(
    "D5: a placeholder belongs to the declared destination, and a later mention narrows it to a sub-entity",
    arguments: [
      (#"[{"id": 1, "animal": 5}]"#, "Animal(5) placeholder"),
      (#"[{"id": 1, "animal": 5}, {"id": 2, "dog": 5}]"#, "Dog(5) placeholder"),
      (#"[{"id": 1, "dog": 5}, {"id": 2, "animal": 5}]"#, "Dog(5) placeholder"),
      (#"[{"id": 1, "animal": 5}, {"id": 2, "animal": {"id": 5, "kind": "dog"}}]"#, #"Dog(5) name="?" tricks=0"#),
      (
        #"[{"id": 1, "animal": 5}, {"id": 2, "dog": 5}, {"id": 3, "animal": {"id": 5, "kind": "puppy", "tricks": 1}}]"#,
        #"Puppy(5) name="?" tricks=1"#
      ),
      (#"[{"id": 1, "dog": 5}, {"id": 2, "animals": [{"id": 5, "name": "Rex"}]}]"#, #"Dog(5) name="Rex" tricks=0"#),
      (#"[{"id": 1, "dog": {"id": 5}}, {"id": 2, "animal": 5}]"#, #"Dog(5) name="?" tricks=0"#),
      (#"[{"id": 1, "animal": 5}, {"id": 2, "animal": {"id": 5}}]"#, #"Animal(5) name="?""#),
    ])
  func narrowed(text: String, animal: String) throws {
    let context = try Fixture.context(Self.animals)
    try objects(ofEntity: "Owner", fromJSON: text, in: context)
    #expect(context.drawing.split(separator: "\n").first { $0.contains("(5)") } == Substring(animal))
  }

  @Test("D5: a sub-entity's placeholder cannot become a sibling's object, nor a full object another entity's object")
  func siblings() throws {
    let context = try Fixture.context(Self.animals)
    #expect(
      refusals(#"[{"id": 1, "dog": 5}, {"id": 2, "cat": 1️⃣5}]"#, of: "Owner", in: context, withNotes: true) == [
        "1️⃣ error: expected an object of 'Cat', but the object with this identity belongs to 'Dog' (at $[1].cat)",
        "  m.json:9:1: note: 'Cat' is declared here",
        "  note: an object never changes its entity, but a placeholder can become an object of a sub-entity",
      ])
    #expect(
      refusals(#"[{"id": 1, "dog": 5}, {"id": 2, "animal": 1️⃣{"id": 5, "kind": "cat"}}]"#, of: "Owner", in: context) == [
        "1️⃣ error: expected an object of 'Cat', but the object with this identity belongs to 'Dog' (at $[1].animal)"
      ])
    #expect(
      refusals(#"[{"id": 1, "animal": {"id": 5}}, {"id": 2, "dog": 1️⃣5}]"#, of: "Owner", in: context) == [
        "1️⃣ error: expected an object of 'Dog', but the object with this identity belongs to 'Animal' (at $[1].dog)"
      ])
    #expect(
      refusals(#"[{"id": 1, "animal": {"id": 5}}, {"id": 2, "dog": 1️⃣{"id": 5}}]"#, of: "Owner", in: context) == [
        "1️⃣ error: expected an object of 'Dog', but the object with this identity belongs to 'Animal' (at $[1].dog)"
      ])
    #expect(context.drawing == "")
  }

  @Test("D5: a failed import restores the former entity of a narrowed placeholder")
  func narrowingTakenBack() throws {
    let context = try Fixture.context(Self.animals)
    try objects(ofEntity: "Owner", fromJSON: #"[{"id": 1, "animal": 5}]"#, in: context)
    #expect(
      refusals(#"[{"id": 1, "animal": {"id": 5, "kind": "dog"}}, 1️⃣"x"]"#, of: "Owner", in: context) == [
        "1️⃣ error: expected an integer for 'Owner.id', found the string \"x\" (at $[1])"
      ])
    #expect(try context.placeholders.map(\.description) == ["Animal(5)"])
    try objects(ofEntity: "Owner", fromJSON: #"[{"id": 1, "animal": {"id": 5, "kind": "cat"}}]"#, in: context)
    #expect(context.drawing == "Cat(5) name=\"?\"\nOwner(1) animal=Cat(5)")
  }

  @Test("I4: a placeholder can belong to an abstract entity until a dictionary determines its sub-entity")
  func abstract() throws {
    let context = try Fixture.context(
      """
      "Shape": {
        "abstract": true, "identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"circle": "Circle"}}
      },
      "Circle": {"parent": "Shape", "attributes": {"radius": "double"}},
      "Page": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"shapes": {"destination": "Shape", "toMany": true}}}
      """)
    try objects(ofEntity: "Page", fromJSON: #"[{"id": 1, "shapes": [7]}]"#, in: context)
    #expect(context.drawing == "Shape(7) placeholder\nPage(1) shapes=[Shape(7)]")
    #expect(
      refusals(#"[1️⃣{"id": 7, "radius": 1}]"#, of: "Shape", in: context) == [
        "1️⃣ error: cannot tell which sub-entity of the abstract entity 'Shape' this object belongs to (at $[0])"
      ])
    try objects(ofEntity: "Shape", fromJSON: #"[{"id": 7, "radius": 1, "kind": "circle"}]"#, in: context)
    #expect(context.drawing == "Circle(7) radius=1\nPage(1) shapes=[Circle(7)]")
  }

  @Test("I4: a value that a transformer turns into nil identifies no object, alone or among other values")
  func nilFromTransformer() throws {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Known") { (text: String) in text == "none" ? nil : text }
    let context = try Fixture.context(
      """
      "Card": {
        "identityAttributes": ["set", "number"],
        "attributes": {"set": {"type": "string", "JSONTransformerName": "Known"}, "number": "integer16"}
      },
      "Tag": {
        "identityAttributes": "name", "attributes": {"name": {"type": "string", "JSONTransformerName": "Known"}}
      }
      """, transformers: registry)
    #expect(
      refusals(#"[["A", 1], [1️⃣"none", 2]]"#, of: "Card", in: context) == [
        "1️⃣ error: an identifier of 'Card' cannot be null (at $[1][0])"
      ])
    #expect(
      refusals(#"["A", 1️⃣"none"]"#, of: "Tag", in: context) == [
        "1️⃣ error: an identifier of 'Tag' cannot be null (at $[1])"
      ])
  }
}
