import Graft
import GraftTestSupport
import Testing

private let entities = """
  "Hero": {
    "identityAttributes": "id",
    "attributes": {
      "id": "integer64",
      "name": {"type": "string", "default": "nobody", "optional": true},
      "level": {"type": "integer16", "default": 1},
      "born": {"type": "date", "optional": true}
    },
    "relationships": {
      "boss": {"destination": "Hero"},
      "friends": {"destination": "Hero", "toMany": true}
    }
  }
  """

@Suite("Absent and null") struct AbsenceTests {
  @Test("I3: on insert, an absent key sets the default")
  func insert() throws {
    let context = try Fixture.context(entities)
    try object(ofEntity: "Hero", fromJSON: #"{"id": 1}"#, in: context)
    #expect(context.drawing == #"Hero(1) name="nobody" level=1"#)
  }

  @Test("I3: on update, an absent key keeps the property's value")
  func update() throws {
    let context = try Fixture.context(entities)
    try object(
      ofEntity: "Hero",
      fromJSON: #"{"id": 1, "name": "Batman", "level": 7, "born": "1939-03-30T00:00:00Z", "boss": 2, "friends": [3]}"#,
      in: context)
    let before = context.drawing
    try object(ofEntity: "Hero", fromJSON: #"{"id": 1}"#, in: context)
    #expect(context.drawing == before)
    #expect(
      before == """
        Hero(1) name="Batman" level=7 born=1939-03-30T00:00:00Z boss=Hero(2) friends=[Hero(3)]
        Hero(2) placeholder
        Hero(3) placeholder
        """)
  }

  @Test("I3: null sets nil, even on insert and if there is a default")
  func null() throws {
    let context = try Fixture.context(entities)
    try object(ofEntity: "Hero", fromJSON: #"{"id": 1, "name": null}"#, in: context)
    try object(ofEntity: "Hero", fromJSON: #"{"id": 2, "name": "Robin", "boss": 1, "friends": [1]}"#, in: context)
    try object(ofEntity: "Hero", fromJSON: #"{"id": 2, "name": null, "boss": null, "friends": null}"#, in: context)
    #expect(context.drawing == "Hero(1) level=1\nHero(2) level=1")
  }

  @Test("I3: null for a required property is rejected at the location of the null, with or without a default")
  func requiredNull() throws {
    let context = try Fixture.context(entities)
    try object(ofEntity: "Hero", fromJSON: #"{"id": 2}"#, in: context)
    #expect(
      refusals(#"[{"id": 1, "level": 1️⃣null}, {"level": 2️⃣null, "id": 2}]"#, of: "Hero", in: context) == [
        "1️⃣ error: expected a value for 'Hero.level', which is not optional, found none (at $[0].level)",
        "2️⃣ error: expected a value for 'Hero.level', which is not optional, found none (at $[1].level)",
      ])
  }

  @Test("I3: a value that is absent in one mention of an object can be in another mention")
  func laterMention() throws {
    let context = try Fixture.context(
      #""Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string", "age": "integer16"}}"#)
    try objects(ofEntity: "Hero", fromJSON: #"[{"id": 1, "name": "Batman"}, {"id": 1, "age": 40}]"#, in: context)
    #expect(context.drawing == #"Hero(1) name="Batman" age=40"#)
    #expect(
      refusals(#"[1️⃣{"id": 2, "name": "Robin"}, {"id": 2}]"#, of: "Hero", in: context) == [
        "1️⃣ error: expected a value for 'Hero.age', which is not optional, found none (at $[0].age)"
      ])
  }
}
