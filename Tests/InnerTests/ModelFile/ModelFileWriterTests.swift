import Foundation
import GraftTestSupport
import Testing

@testable import Graft

@Suite("Writing model files") struct ModelFileWriterTests {
  /// Reads a model whose structure is valid, even if the model does not pass the checks.
  private func read(_ text: String) throws -> ModelDescription {
    let source = SourceText(name: "m.json", bytes: Array(text.utf8))
    let findings = ModelFindings()
    var reader = ModelFileReader(source, findings)
    let model = reader.model(try ModelFile.tree(of: source).root)
    #expect(findings.diagnostics().filter { $0.code != .oldSpelling }.map(\.description) == [])
    return model
  }

  @Test("S9: former names are written, and reading the file restores them")
  func formerNames() throws {
    var attribute = AttributeDescription("name", .string)
    attribute.renamedFrom = ["title"]
    var relationship = RelationshipDescription("team", to: "Hero")
    relationship.renamedFrom = ["group"]
    var hero = EntityDescription("Hero", attributes: [attribute], relationships: [relationship])
    hero.renamedFrom = ["Character"]
    let text = ModelFileWriter().text(of: ModelDescription(entities: [hero]))
    #expect(
      text == """
        {
          "entities": {
            "Hero": {
              "renamedFrom": "Character",
              "attributes": {
                "name": { "renamedFrom": "title", "type": "string" },
              },
              "relationships": {
                "team": { "renamedFrom": "group", "destination": "Hero" },
              },
            },
          },
        }

        """)
    let entity = try read(text).entities[0]
    #expect(entity.renamedFrom == ["Character"])
    #expect(entity.attributes[0].renamedFrom == ["title"] && entity.relationships[0].renamedFrom == ["group"])
  }

  @Test("M10: a model that was built in Swift is written in canonical layout")
  func built() throws {
    var identifier = AttributeDescription("identifier", .integer64, keyPath: "id")
    identifier.keyPathAliases = ["@key", ["a.b"]]
    var rank = AttributeDescription("rank", .decimal, isOptional: true, keyPath: "rank")
    rank.documentation = "From \"first\" to last"
    rank.defaultValue = .decimal(1.5)
    rank.validation.minimum = .decimal(0)
    var team = RelationshipDescription("team", to: "Team", inverse: "members")
    team.isOptional = false
    team.deleteRule = .deny
    var hero = EntityDescription(
      "Hero", identityAttributes: ["identifier"],
      attributes: [identifier, rank, AttributeDescription("secret", .json), AttributeDescription("realName", .string)],
      relationships: [team])
    hero.attributes[3].keyPath = ["real_name"]
    hero.entityMapper = .init(keyPath: ["@key"], cases: [.init("h", "Hero")])
    hero.userInfo = ["b": ["x": 1], "a": nil]
    var model = ModelDescription(name: "Comics", entities: [hero, EntityDescription("Team")])
    model.keyStrategy = .snakeCase
    let text = ModelFileWriter(schema: "model.schema.json").text(of: model)
    #expect(
      text == #"""
        {
          "$schema": "model.schema.json",
          "name": "Comics",
          "keyStrategy": "snakeCase",

          "entities": {
            "Hero": {
              "identityAttributes": "identifier",
              "entityMapper": { "JSONKeyPath": ["@key"], "entities": { "h": "Hero" } },
              "attributes": {
                "identifier": { "type": "integer64", "JSONKeyPath": "id", "JSONKeyPathAliases": ["@key", ["a.b"]] },
                "rank": { "doc": "From \"first\" to last", "type": "decimal", "optional": true, "default": 1.5, "minimum": 0 },
                "secret": { "type": "json", "JSONKeyPath": null },
                "realName": "string",
              },
              "relationships": {
                "team": {
                  "destination": "Team",
                  "inverse": "members",
                  "optional": false,
                  "deleteRule": "deny",
                  "JSONKeyPath": null,
                },
              },
              "userInfo": { "a": null, "b": { "x": 1 } },
            },

            "Team": {},
          },
        }

        """#)
    #expect(try ModelFileFormatter.format(text) == text)
    #expect(facts(try read(text)) == facts(model))
  }

  @Test("M10: a model without entities is a valid model file")
  func empty() throws {
    #expect(ModelFileWriter().text(of: ModelDescription()) == "{\n  \"entities\": {},\n}\n")
  }

  @Test("M10: every model in the repository round-trips")
  func repository() throws {
    for (name, text) in try RepositoryModels.texts() + [("every word", everyWordOfTheModelFile)] {
      let model = try read(text)
      let written = ModelFileWriter().text(of: model)
      #expect(try ModelFileFormatter.format(written) == written, "\(name)")
      #expect(facts(try read(written)) == facts(model), "\(name)")
    }
  }

  @Test("M10: any random model round-trips", arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = RandomModel(seed: seed)
    for _ in 0..<10 {
      let model = random.model()
      let written = ModelFileWriter().text(of: model)
      #expect(try ModelFileFormatter.format(written) == written, "seed \(seed)")
      #expect(facts(try read(written)) == facts(model), "seed \(seed)")
    }
  }

  @Test("M10: a model that no file can represent is still written")
  func strange() throws {
    var attribute = AttributeDescription("a", .double)
    attribute.defaultValue = .double(.nan)
    attribute.validation.minimum = .double(.infinity)
    var deep = AttributeDescription("b", .json)
    deep.defaultValue = .json((0..<200).reduce(JSON.null) { value, _ in .array([value]) })
    let entity = EntityDescription("A", attributes: [attribute, attribute, deep])
    let text = ModelFileWriter().text(of: ModelDescription(entities: [entity, entity]))
    #expect(text.components(separatedBy: #""a": { "type": "double", "minimum": null },"#).count == 5)
    #expect(text.contains(String(repeating: "[", count: 100)))
  }
}
