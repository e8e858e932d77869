import Graft
import GraftTestSupport
import Testing

@Suite("Export: representations for one export") struct ExportRepresentationTests {
  @Test("E1: an export can be limited to the changed properties of an object")
  func patch() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(#"{"id": 1, "name": "Heron", "powers": [4], "publisher": 10}"#, "Hero")[0]
    hero["name"] = "Night Heron"
    let update = try #require(context.changes.updated.first { $0.id == hero.objectID })
    let names = Set(update.properties.map(\.name))
    #expect(try context.text(hero, ExportOptions(properties: ["Hero": names])) == #"{"id":1,"name":"Night Heron"}"#)
  }

  private static let entities = """
    "Hero": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {
        "powers": {"destination": "Power", "toMany": true, "inverse": "heroes"},
        "publisher": {"destination": "Publisher", "JSONRepresentation": "identifier"},
        "secret": {"destination": "Publisher", "JSONRepresentation": "none", "JSONKeyPath": "hidden.secret"},
        "inner": {"destination": "Power", "JSONKeyPath": null}
      }
    },
    "Sidekick": {"parent": "Hero"},
    "Power": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "powers", "JSONKeyPath": null}}
    },
    "Publisher": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
    """

  private func filled() throws -> ManagedObjectContext {
    let context = try Fixture.context(Self.entities)
    for entity in ["Hero", "Sidekick"] {
      let id = entity == "Hero" ? 1 : 2
      try context.load(
        #"[{"id": \#(id), "powers": [{"id": 4}], "publisher": {"id": 5}, "hidden": {"secret": {"id": 6}}}]"#, entity)
    }
    return context
  }

  typealias Representations = [String: [String: RelationshipDescription.JSONRepresentation]]

  @Test(
    "E2: an export can override representations; a sub-entity inherits the override unless the sub-entity has its own",
    arguments: [
      ([:], #"{"id":1,"name":null,"powers":[{"id":4}],"publisher":5}"#, ""),
      (["Hero": ["powers": .identifier]], #"{"id":1,"name":null,"powers":[4],"publisher":5}"#, ""),
      (["Hero": ["powers": .none]], #"{"id":1,"name":null,"publisher":5}"#, ""),
      (["Hero": ["publisher": .object]], #"{"id":1,"name":null,"powers":[{"id":4}],"publisher":{"id":5}}"#, ""),
      (
        ["Hero": ["secret": .object, "powers": .none, "publisher": .none]],
        #"{"id":1,"name":null,"hidden":{"secret":{"id":6}}}"#, ""
      ),
      (
        ["Hero": ["powers": .identifier, "publisher": .none], "Sidekick": ["powers": .none, "secret": .identifier]],
        #"{"id":1,"name":null,"powers":[4]}"#, #"{"id":2,"name":null,"hidden":{"secret":6}}"#
      ),
    ] as [(Representations, String, String)])
  func written(representations: Representations, hero: String, sidekick: String) throws {
    let context = try filled()
    let options = ExportOptions(representations: representations)
    #expect(try context.text(context.find(ofEntity: "Hero", identity: 1), options) == hero)
    let follows = hero.replacing(#""id":1"#, with: #""id":2"#)
    #expect(
      try context.text(context.find(ofEntity: "Hero", identity: 2), options) == (sidekick.isEmpty ? follows : sidekick))
  }

  @Test("E2: representations can be combined with chosen properties and sorted keys")
  func together() throws {
    let context = try filled()
    let options = ExportOptions(
      sortsKeys: true, properties: ["Hero": ["secret", "powers"]],
      representations: ["Hero": ["secret": .identifier, "powers": .identifier]])
    #expect(
      try context.text(context.find(ofEntity: "Hero", identity: 1), options)
        == #"{"hidden":{"secret":6},"id":1,"powers":[4]}"#
    )
  }

  @Test("E2: choosing properties that the model does not have causes an error")
  func unknownProperties() throws {
    let context = try filled()
    let hero = try #require(try context.find(ofEntity: "Hero", identity: 1))
    for (names, message) in [
      (
        ["Heros": ["name"]],
        "'properties' names the entity 'Heros', which the model does not have; did you mean 'Hero'?"
      ),
      (["Hero": ["nam"]], "'properties' names 'Hero.nam', which the model does not have; did you mean 'name'?"),
    ] as [([String: Set<String>], String)] {
      let error = #expect(throws: ExportError.self) { try context.text(hero, ExportOptions(properties: names)) }
      #expect(error?.diagnostics.map(\.description) == ["error: \(message)"])
    }
  }

  @Test(
    "E2: `representations` rejects names that are not in the model and relationships that are not mapped",
    arguments: [
      (
        ["Heros": ["powers": .object]],
        "error: 'representations' names the entity 'Heros', which the model does not have; did you mean 'Hero'?"
      ),
      (
        ["Hero": ["power": .object]],
        "error: 'representations' names 'Hero.power', which is not a relationship of the model; did you mean 'powers'?"
      ),
      (
        ["Hero": ["name": .object]],
        "error: 'representations' names 'Hero.name', which is not a relationship of the model"
      ),
      (
        ["Hero": ["inner": .object]],
        "error: 'representations' names 'Hero.inner', which is not exported: it has no JSONKeyPath"
      ),
    ] as [(Representations, String)])
  func refused(representations: Representations, message: String) throws {
    let context = try filled()
    let error = #expect(throws: ExportError.self) {
      try context.text(context.find(ofEntity: "Hero", identity: 1), ExportOptions(representations: representations))
    }
    #expect(error?.diagnostics.map(\.description) == [message])
    let codes = ["unknown-entity", "unknown-relationship", "unmapped-relationship"]
    #expect(codes.contains(error?.diagnostics.first?.code.rawValue ?? ""))
    // The context can be used again.
    #expect(try context.text(context.find(ofEntity: "Power", identity: 4)) == #"{"id":4}"#)
  }
}
