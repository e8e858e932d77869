import GraftTestSupport
import Testing

@testable import Graft

@Suite("Models built in Swift") struct BuiltModelTests {
  private func check(_ model: ModelDescription) -> [String] {
    ModelFile.check(model, transformers: .standard).withoutAdvice.flatMap {
      [$0.description] + $0.notes.map { "  " + $0.description }
    }
  }

  @Test("M10: a correct model causes no findings")
  func right() {
    let hero = EntityDescription(
      "Hero", identityAttributes: ["identifier"],
      attributes: [AttributeDescription("identifier", .integer64, keyPath: "id")],
      relationships: [RelationshipDescription("team", to: "Team", inverse: "members", keyPath: "team")])
    let team = EntityDescription(
      "Team", relationships: [RelationshipDescription("members", to: "Hero", isToMany: true, inverse: "team")])
    #expect(check(ModelDescription(entities: [hero, team])) == [])
  }

  @Test("M10: a model built in Swift is validated like a file, in model order and without locations")
  func wrong() {
    var age = AttributeDescription("age", .integer16, keyPath: "a")
    age.defaultValue = .string("old")
    age.transformerName = "Slug"
    var mass = AttributeDescription("mass", .double, keyPath: "a.b")
    mass.defaultValue = .integer(3)
    mass.validation.minimum = .double(.nan)
    let first = EntityDescription(
      "Hero", identityAttributes: ["id"], attributes: [age, mass],
      relationships: [RelationshipDescription("team", to: "Teem", inverse: "members")])
    let second = EntityDescription("Hero")
    let third = EntityDescription(
      "Team", attributes: [AttributeDescription("x", .json), AttributeDescription("x", .uri)])
    #expect(
      check(ModelDescription(entities: [first, second, third])) == [
        "error: the identity attribute 'id' is not an attribute of entity 'Hero'; expected one of 'age', 'mass', 'team'",
        "error: the transformer 'Slug' of attribute 'Hero.age' is neither built in nor registered; expected one of 'Blank', 'Lenient', 'StringToInteger'",
        #"error: expected an integer for 'default' of 'Hero.age', found the string "old""#,
        "error: the key path 'a.b' of 'Hero.mass' leads into the value of 'Hero.age': a value is read either as a whole or by its keys, not both",
        "  note: the key path of 'Hero.age'",
        "error: expected a value of type 'double' for 'default' of 'Hero.mass', found a value of another type",
        "error: expected a number for 'minimum' of 'Hero.mass', found the number nan",
        "error: the destination 'Teem' of relationship 'Hero.team' is not an entity; did you mean 'Team'?",
        "error: entity 'Hero' is declared twice",
        "  note: it is declared here first",
        "error: 'x' is declared twice in entity 'Team'",
        "  note: it is declared here first",
      ])
  }

  @Test("M10: a mapper that lists a value twice causes an error, which a file cannot cause")
  func discriminators() {
    var message = EntityDescription("Message")
    message.entityMapper = .init(keyPath: "type", cases: [.init("text", "Message"), .init("text", "Message")])
    #expect(
      check(ModelDescription(entities: [message])) == ["error: the mapper of entity 'Message' lists 'text' twice"])
  }

  @Test("M10: the properties of a loaded model that is modified keep their locations")
  func changed() throws {
    let text = #"{"entities": {"Hero": {"attributes": {"age": {"type": "integer16", "default": 4}}}}}"#
    let source = SourceText(name: "m.json", bytes: Array(text.utf8))
    var model = try #require(ModelFile.read(source, transformers: .standard).model)
    model.entities[0].attributes[0].validation.maximum = .integer(3)
    #expect(
      check(model) == [
        "m.json:1:79: error: 'default' of 'Hero.age' is the number 4, which violates its 'maximum', 3",
        "  m.json:1:39: note: 'maximum' is given here",
      ])
  }
}
