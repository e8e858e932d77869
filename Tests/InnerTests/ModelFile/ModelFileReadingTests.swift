import GraftTestSupport
import Testing

@testable import Graft

@Suite("Reading model files") struct ModelFileReadingTests {
  private static var transformers: TransformerRegistry {
    var transformers = TransformerRegistry.standard
    transformers.registerDictionaryTransformer(named: "Flatten") { $0 }
    transformers.registerEntityMapper(named: "Guess") { _ in nil }
    return transformers
  }

  private func read(_ text: String) throws -> ModelDescription {
    let result = ModelFile.read(
      SourceText(name: "m.json", bytes: Array(text.utf8)), transformers: Self.transformers)
    #expect(result.diagnostics.withoutAdvice.map(\.description) == [])
    return try #require(result.model)
  }

  private func everyWord() throws -> ModelDescription { try read(everyWordOfTheModelFile) }

  @Test("M2: the keys of the model itself are read")
  func model() throws {
    let model = try everyWord()
    #expect(model.name == "Comics" && model.version == "1.0" && model.documentation == "Heroes")
    #expect(model.keyStrategy == .explicit)
    #expect(model.userInfo == ["team": ["a", ["b": 1]]])
    #expect(model.entities.map(\.name) == ["Thing", "Hero", "Villain", "Team", "Entry"])
  }

  @Test("M3: the keys of an entity are read")
  func entity() throws {
    let entities = try everyWord().entities
    let thing = entities[0]
    #expect(thing.isAbstract && thing.className == "ThingObject" && thing.documentation == "What has a name")
    #expect(thing.identityAttributes == ["identifier"])
    #expect(thing.dictionaryTransformerName == "Flatten")
    #expect(thing.modificationAttribute == "version")
    #expect(thing.deletedWhen?.keyPath == ["status", "is_deleted"] && thing.deletedWhen?.value == "yes")
    #expect(thing.alternateIdentities.map(\.properties) == [["kind"], ["version", "kind"]])
    #expect(thing.indexes.map(\.properties) == [["name"], ["kind", "name"]])
    #expect(thing.entityMapper?.keyPath == "type")
    #expect(thing.entityMapper?.cases.map(\.value) == ["hero", "h", "villain"])
    #expect(thing.entityMapper?.cases.map(\.entityName) == ["Hero", "Hero", "Villain"])
    #expect(entities[1].parentName == "Thing" && !entities[1].isAbstract)
    #expect(entities[2].entityMapperName == "Guess")
    #expect(entities[3].identityAttributes == ["league", "title"])
  }

  @Test("M4: the keys of an attribute are read")
  func attribute() throws {
    let entities = try everyWord().entities
    let name = entities[0].attributes[1]
    #expect(name.type == .string && name.isOptional && name.documentation == "In full")
    #expect(name.keyPath == ["a.b", "name"])
    #expect(name.defaultValue == .string("Nobody"))
    #expect(name.validation.minLength == 1 && name.validation.maxLength == 80)
    #expect(name.validation.pattern == "^[A-Z][a-z]+$")
    let identifier = entities[0].attributes[0]
    #expect(identifier.keyPathAliases.map(\.isObjectKey) == [true, false])
    #expect(!identifier.isOptional)
    #expect(entities[0].attributes[2].type == .string && entities[0].attributes[2].keyPath == nil)
    let hero = entities[1].attributes
    #expect(hero[0].validation.maximum == .double(100) && hero[0].defaultValue == .double(1.5))
    #expect(hero[1].validation.allowedValues == [.string("low"), .string("high")])
    #expect(hero[2].transformerName == "DateFormat(yyyy-MM-dd)")
    #expect(hero.map(\.isSensitive) == hero.indices.map { $0 == 2 })
    #expect(hero[3].defaultValue?.description == "12.5" && hero[3].validation.minimum?.description == "0.1")
    #expect(hero[9].defaultValue == .json(["a": [1, 2, nil]]))
  }

  @Test("M6: the keys of a relationship are read")
  func relationship() throws {
    let entities = try everyWord().entities
    let members = entities[3].relationships[0]
    #expect(members.destinationName == "Hero" && members.isToMany && members.isOrdered && members.deletesOrphans)
    #expect(members.inverseName == "team" && !members.isOptional && members.minCount == 1 && members.maxCount == 7)
    #expect(members.keyPath == "members" && members.keyPathAliases == ["heroes"])
    #expect(members.userInfo == ["color": "red"] && members.documentation == "In order")
    let team = entities[1].relationships[0]
    #expect(!team.isToMany && team.isOptional && team.deleteRule == .deny && team.mergeRule == .replace)
    #expect(team.unresolvedRule == .skip && team.representation == .identifier)
    #expect(entities[1].relationships[1].mergeRule == .union)
  }

  @Test("I11: the descriptions in a model have the locations of their declarations in the file")
  func sources() throws {
    let marked = MarkedText(
      """
      {"entities": {
        1️⃣"A": {"identityAttributes": "2️⃣x, y", "attributes": {
          3️⃣"x": {"type": 4️⃣"string", "JSONKeyPath": 5️⃣"a.b", "JSONKeyPathAliases": ["c", 6️⃣"d"]},
          "y": {"type": "date", "JSONKeyPath": "y"}
        }}
      }}
      """)
    let entity = try read(marked.text).entities[0]
    func marker(_ location: Graft.SourceLocation?) -> Character? {
      location.flatMap { marked.marker(line: $0.line, column: $0.column) }
    }
    let x = entity.attributes[0].source
    #expect(marker(entity.source.location()) == "1️⃣")
    #expect(marker(entity.source.location(of: .identityAttributes, element: 0)) == "2️⃣")
    #expect(marker(x.location()) == "3️⃣")
    #expect(marker(x.location(of: .type)) == "4️⃣")
    #expect(marker(x.location(of: .JSONKeyPath)) == "5️⃣")
    #expect(marker(x.location(of: .JSONKeyPathAliases, element: 1)) == "6️⃣")
    #expect(marker(x.location(of: .default)) == "3️⃣")
  }

  @Test("M7: a key strategy determines the keys of properties without a key path; null excludes a property from JSON")
  func strategy() throws {
    let model = try read(
      """
      {"keyStrategy": "snakeCase", "entities": {"A": {"attributes": {
        "realName": "string", "a.b": "string", "own": {"type": "string", "JSONKeyPath": "other.place"},
        "secret": {"type": "string", "JSONKeyPath": null}
      }, "relationships": {"bestFriend": {"destination": "A"}}}}}
      """)
    let entity = model.entities[0]
    #expect(entity.attributes.map(\.keyPath) == ["real_name", ["a.b"], "other.place", nil])
    #expect(entity.relationships[0].keyPath == "best_friend")
  }

  @Test(
    "M7: names are converted to snake case",
    arguments: [
      ("name", "name"), ("realName", "real_name"), ("imageURL", "image_url"), ("ID", "id"), ("userID", "user_id"),
      ("userIDs", "user_ids"), ("URLPath", "url_path"), ("line2", "line2"), ("address2Line", "address2_line"),
      ("HTTP2Server", "http2_server"), ("already_snake", "already_snake"), ("Über", "über"), ("aB", "a_b"), ("", ""),
      ("isA", "is_a"), ("_private", "_private"), ("URLs", "urls"),
    ])
  func snakeCase(name: String, key: String) {
    #expect(ModelDescription.KeyStrategy.snakeCase.keyPath(ofProperty: name)?.keys == [key])
  }

  @Test("M3: identity attributes can be an array, or a string separated by commas and spaces")
  func identity() throws {
    for list in [#""x,y""#, #"" x ,  y,""#, #""x y""#, #"["x", "y"]"#, #""\u0078,y""#] {
      let model = try read(
        #"{"entities": {"A": {"identityAttributes": \#(list), "attributes": {"x": "date", "y": "date"}}}}"#)
      #expect(model.entities[0].identityAttributes == ["x", "y"])
    }
  }
}
