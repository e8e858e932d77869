import Foundation
import Graft
import Testing

@Suite("Directions in JSON") struct DirectionTests {
  private static let model = #"""
    {"entities": {"Hero": {
      "identityAttributes": "id",
      "attributes": {
        "id": {"type": "integer64", "JSONKeyPath": "id"},
        "secret": {"type": "string", "optional": true, "JSONKeyPath": "secret", "JSONKeyPathAliases": ["password"],
          "JSONDirection": "import"},
        "origin": {"type": "string", "default": "app", "JSONKeyPath": "meta.origin", "JSONDirection": "export"},
        "rank": {"type": "integer16", "optional": true, "JSONKeyPath": "meta.rank", "JSONDirection": "import"},
      },
      "relationships": {
        "rival": {"destination": "Hero", "JSONKeyPath": "rival", "JSONDirection": "import"},
        "friends": {"destination": "Hero", "toMany": true, "ordered": true, "JSONKeyPath": "friends",
          "JSONRepresentation": "identifier", "JSONDirection": "export"},
      }}}}
    """#

  private func context() throws -> ManagedObjectContext {
    ManagedObjectContext(model: try ManagedObjectModel(text: Self.model))
  }

  private func text(_ object: ManagedObject) throws -> String {
    String(decoding: try jsonData(from: object), as: UTF8.self)
  }

  @Test(
    "M16: imports ignore export-only properties, and exports omit import-only properties",
    arguments: [false, true])
  func directions(asDictionary: Bool) throws {
    let context = try context()
    let payload = """
      {"id": 1, "password": "x", "meta": {"origin": 5, "rank": 3}, "rival": {"id": 2}, "friends": [{"id": "nonsense"}]}
      """
    let hero =
      asDictionary
      ? try object(
        ofEntity: "Hero",
        fromJSON: try #require(JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]), in: context)
      : try object(ofEntity: "Hero", fromJSON: payload, in: context)
    #expect(hero["secret"] == "x" && hero["origin"] == "app" && hero["rank"] == 3)
    #expect(try context.count(ofEntity: "Hero") == 2)
    let friends: RelatedObjects<ManagedObject> = hero["friends"]
    #expect(friends.isEmpty)
    #expect(try text(hero) == #"{"id":1,"meta":{"origin":"app"},"friends":[]}"#)
  }

  @Test("M16, E5: importing an export changes nothing, and the import knows all of the export's keys")
  func roundTrip() throws {
    let context = try context()
    let hero = try object(ofEntity: "Hero", fromJSON: #"{"id": 1, "secret": "x", "meta": {"rank": 3}}"#, in: context)
    try hero.setValue("me", of: "origin")
    let friends: RelatedObjects<ManagedObject> = hero["friends"]
    friends.insert(hero)
    try context.commit()
    #expect(try text(hero) == #"{"id":1,"meta":{"origin":"me"},"friends":[1]}"#)
    let report = try context.importJSON(
      try jsonData(from: [hero]), ofEntity: "Hero", options: ImportOptions(unknownKeys: .error))
    #expect(report.unchanged == ["Hero": 1] && report.updated.isEmpty && report.unknownKeys.isEmpty)
    #expect(hero["secret"] == "x" && hero["rank"] == 3 && hero["origin"] == "me")
  }

  @Test("M16, I13: the key of an export-only property is a known key, so an object must not contain it twice")
  func known() throws {
    let context = try context()
    let error = #expect(throws: ImportError.self) {
      try object(ofEntity: "Hero", fromJSON: #"{"id": 1, "friends": 1, "friends": 2}"#, in: context)
    }
    #expect(error?.diagnostics.map(\.code) == [.duplicateKey])
    #expect(throws: Never.self) {
      try object(ofEntity: "Hero", fromJSON: #"{"id": 1, "friends": null, "meta": null}"#, in: context)
    }
  }

  @Test("M16: an export cannot request an import-only relationship")
  func asked() throws {
    let context = try context()
    let hero = try object(ofEntity: "Hero", fromJSON: #"{"id": 1}"#, in: context)
    var options = ExportOptions()
    options.representations = ["Hero": ["rival": .object]]
    let error = #expect(throws: ExportError.self) { try jsonData(from: hero, options: options) }
    #expect(
      error?.diagnostics.map(\.message) == [
        "'representations' names 'Hero.rival', which is not exported: its JSONDirection is 'import'"
      ])
  }

  @Test("M16: the model writer preserves the directions of properties")
  func written() throws {
    let model = try ManagedObjectModel(text: Self.model)
    let text = ModelFileWriter().text(of: model.contents)
    #expect(text.contains(#""JSONDirection": "import""#) && text.contains(#""JSONDirection": "export""#))
    let again = try ManagedObjectModel(text: text)
    #expect(again.contents.entities[0].attributes.map(\.direction) == [.both, .import, .export, .import])
    #expect(again.contents.entities[0].relationships.map(\.direction) == [.import, .export])
  }
}
