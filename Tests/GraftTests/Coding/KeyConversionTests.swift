import Foundation
import Graft
import GraftTestSupport
import Testing

/// Foundation's coders can convert keys to and from snake case.
@Suite("Codable: key conversion") struct KeyConversionTests {
  final class Hero: ManagedObject, Decodable {
    var realName: String? { self["realName"] }
    var firstIssue: Int? { self["firstIssue"] }
    var sideKick: Hero? { self["sideKick"] }
  }

  static let model = #"""
    "Hero": {
      "class": "Hero",
      "identityAttributes": "heroID",
      "attributes": {
        "heroID": {"type": "integer64", "JSONKeyPath": "hero_id"},
        "realName": {"type": "string", "optional": true, "JSONKeyPath": "real_name", "JSONKeyPathAliases": ["civil_name"]},
        "firstIssue": {"type": "integer64", "optional": true, "JSONKeyPath": "first_seen.issue_number"}
      },
      "relationships": {"sideKick": {"destination": "Hero", "JSONKeyPath": "side_kick"}}
    }
    """#

  static func context() throws -> ManagedObjectContext { try Fixture.context(model, classes: [Hero.self]) }

  static func decoder(_ context: ManagedObjectContext) -> JSONDecoder {
    let decoder = JSONDecoder(context)
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }

  @Test("C4: a decoder that converts keys from snake case finds every key path")
  func found() throws {
    let context = try Self.context()
    let text = #"""
      [
        {"hero_id": 1, "real_name": "Ann", "first_seen": {"issue_number": 12}, "side_kick": {"hero_id": 2, "civil_name": "Bo"}},
        {"hero_id": 3, "real_name": null, "side_kick": 1}
      ]
      """#
    let heroes = try Self.decoder(context).decode([Hero].self, from: Data(text.utf8))
    let plain = try Self.context()
    try plain.load(text, "Hero")
    #expect(heroes[0].realName == "Ann" && heroes[0].firstIssue == 12 && heroes[0].sideKick?.realName == "Bo")
    #expect(context.dumpText == plain.dumpText)
    _ = try Self.decoder(context).decode(Hero.self, from: Data(#"{"hero_id": 1, "real_name": "Eve"}"#.utf8))
    #expect(heroes[0].realName == "Eve")
  }

  @Test("C4: a key spelled as in the model takes precedence over a converted key")
  func exact() throws {
    let context = try Self.context()
    let text =
      #"[{"hero_id": 1, "realName": "no", "real_name": "yes"}, {"hero_id": 2, "realName": "no", "real_name": null}]"#
    let heroes = try JSONDecoder(context).decode([Hero].self, from: Data(text.utf8))
    #expect(heroes.map(\.realName) == ["yes", nil])
  }

  @Test("C4: a decoder that converts keys still reports a misspelled key")
  func missing() throws {
    let context = try Fixture.context(
      #""Hero": {"class": "Hero", "attributes": {"realName": {"type": "string", "JSONKeyPath": "real_name"}}}"#,
      classes: [Hero.self])
    let decoder = Self.decoder(context)
    #expect(
      complaint { _ = try decoder.decode(Hero.self, from: Data(#"{"real_nam": "Ann"}"#.utf8)) }.contains("realNam"))
  }

  @Test("C4: entity mappers, deletion marks and containing objects see converted keys in the model's spelling")
  func preparation() throws {
    let model = #"""
      "Page": {
        "abstract": true,
        "class": "Page",
        "entityMapper": {"JSONKeyPath": "page_kind", "entities": {"plain": "Plain"}},
        "identityAttributes": "id",
        "attributes": {"id": "integer64"}
      },
      "Plain": {
        "parent": "Page",
        "deletedWhen": {"JSONKeyPath": "is_deleted", "equals": true},
        "attributes": {"fullTitle": {"type": "string", "optional": true, "JSONKeyPath": "full_title"}},
        "relationships": {"notes": {"destination": "Note", "toMany": true, "JSONKeyPath": "page_notes"}}
      },
      "Note": {
        "attributes": {"title": {"type": "string", "JSONKeyPath": "@parent.full_title"}, "text": "string"}
      }
      """#
    let text = #"""
      [
        {"id": 1, "page_kind": "plain", "full_title": "One", "page_notes": [{"text": "a"}]},
        {"id": 2, "page_kind": "plain", "is_deleted": true}
      ]
      """#
    let context = try Fixture.context(model, classes: [Page.self])
    let plain = try Fixture.context(model, classes: [Page.self])
    for context in [context, plain] { try context.load(#"{"id": 2, "page_kind": "plain"}"#, "Plain") }
    _ = try Self.decoder(context).decode(ManagedObjectsUpsert<Page>.self, from: Data(text.utf8))
    try plain.load(text, "Page")
    #expect(context.dumpText == plain.dumpText)
    #expect(context.dumpText.contains(#""title": "One""#))
  }

  final class Page: ManagedObject {}

  @Test("C4: JSON that an encoder converts to snake case is imported by the model's key paths")
  func encoder() throws {
    struct Row: Encodable {
      var id = 1
      var imageURL = "a.png"
      var imageURLText = "A"
      var realName = "Ann"
    }
    let context = try Fixture.context(
      #"""
      "Hero": {
        "class": "Hero",
        "identityAttributes": "id",
        "attributes": {
          "id": "integer64", "imageURL": {"type": "string", "optional": true},
          "imageURLText": {"type": "string", "optional": true}, "realName": "string"
        }
      }
      """#, classes: [Hero.self])
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let heroes = try objects(Hero.self, fromEncodable: [Row()], in: context, using: encoder)
    #expect(heroes.map(\.realName) == ["Ann"])
    #expect(heroes[0]["imageURL"] == "a.png" && heroes[0]["imageURLText"] == "A")
  }

  @Test("C4: an object that an encoder converts to snake case decodes with the opposite strategy")
  func roundTrip() throws {
    let model = #"""
      "Hero": {
        "class": "Hero",
        "identityAttributes": "id",
        "attributes": {"id": "integer64", "realName": {"type": "string", "optional": true, "JSONKeyPath": "nameInURL"}}
      }
      """#
    let context = try Fixture.context(model, classes: [Hero.self])
    try context.load(#"{"id": 1, "nameInURL": "Ann"}"#, "Hero")
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let data = try encoder.encode(context.fetch(Hero.self))
    #expect(String(decoding: data, as: UTF8.self).contains("name_in_url"))
    let other = try Fixture.context(model, classes: [Hero.self])
    #expect(try Self.decoder(other).decode([Hero].self, from: data).map(\.realName) == ["Ann"])
  }

  @Test("C4: random keys match the model after a decoder or encoder converts them")
  func randomKeys() throws {
    var random = SeededRandom(seed: 15)
    let pieces = ["_", "_", "__", "a", "b2", "Q", "URL", "é", "É", "-x", ".", "name", "ß", "9"]
    for _ in 0..<400 {
      let key = (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      let path = JSON.array([.string(key)]).description
      let context = try Fixture.context(
        #""Hero": {"class": "Hero", "attributes": {"realName": {"type": "string", "JSONKeyPath": \#(path)}}}"#,
        classes: [Hero.self])
      let text = JSON.object(JSONObject(uncheckedMembers: [(key, .string("found"))])).description
      let hero = try? Self.decoder(context).decode(Hero.self, from: Data(text.utf8))
      #expect(hero?.realName == "found", "\(key)")
    }
  }
}
