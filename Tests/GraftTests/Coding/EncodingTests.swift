import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Encoding managed objects") struct EncodingTests {
  private static func context() throws -> ManagedObjectContext {
    let context = try Fixture.context(
      #"""
      "Hero": {
        "identityAttributes": "id",
        "attributes": {
          "id": {"type": "integer64", "JSONKeyPath": "id", "JSONTransformerName": "StringToInteger"},
          "name": {"type": "string", "optional": true, "JSONKeyPath": "profile.name"},
          "born": {"type": "date", "optional": true, "JSONKeyPath": "profile.born"},
          "wealth": {"type": "decimal", "optional": true, "JSONKeyPath": "wealth"},
          "secret": {"type": "string", "optional": true}
        },
        "relationships": {
          "friends": {"destination": "Hero", "toMany": true, "inverse": "friends", "JSONKeyPath": "friends"},
          "rival": {"destination": "Hero", "JSONKeyPath": "rival"}
        }
      }
      """#, keyStrategy: "explicit")
    try context.load(
      #"""
      [{"id": "1", "profile": {"name": "Heron", "born": "1990-01-02T03:04:05.5Z"},
        "wealth": 12345678901234567890.123456789012345678,
        "friends": [{"id": "2", "profile": {"name": "Egret"}, "friends": ["1"]}, "3"], "rival": "1"}]
      """#, "Hero")
    return context
  }

  private static func encoded(_ value: some Encodable, _ options: ExportOptions? = nil) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.userInfo[.managedObjectExportOptions] = options
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("C4: every managed object is Encodable: an encoder writes the same JSON as an export, even for cycles")
  func likeExport() throws {
    let context = try Self.context()
    let heroes = try context.fetch(ofEntity: "Hero")
    for hero in heroes where !hero.isPlaceholder {
      #expect(try Self.encoded(hero) == context.text(hero, ExportOptions(sortsKeys: true)))
    }
    #expect(
      try Self.encoded(["best": heroes[0]])
        == #"{"best":{"friends":[{"id":"2","profile":{"born":null,"name":"Egret"},"rival":null,"wealth":null},"3"],"#
        + #""id":"1","profile":{"born":"1990-01-02T03:04:05.5Z","name":"Heron"},"rival":"1","#
        + #""wealth":12345678901234567890.123456789012345678}}"#)
  }

  @Test("C4: an encoder omits nil on request, and supports all other export options")
  func options() throws {
    let hero = try #require(try Self.context().find(ofEntity: "Hero", identity: 2))
    #expect(
      try Self.encoded(hero, ExportOptions(omitsNil: true))
        == #"{"friends":[{"id":"1","profile":{"born":"1990-01-02T03:04:05.5Z","name":"Heron"},"rival":"1","#
        + #""wealth":12345678901234567890.123456789012345678}],"id":"2","profile":{"name":"Egret"}}"#)
    #expect(
      try Self.encoded(hero, ExportOptions(omitsNil: true, identifiersOnly: true))
        == #"{"friends":["1"],"id":"2","profile":{"name":"Egret"}}"#)
    #expect(
      try Self.encoded(hero, ExportOptions(omitsNil: true, properties: ["Hero": ["name"]]))
        == #"{"id":"2","profile":{"name":"Egret"}}"#)
  }

  @Test("C4: a placeholder is encoded as its identifier, and decodes to a placeholder (E4)")
  func placeholders() throws {
    let context = try Self.context()
    #expect(try Self.encoded(context.placeholders) == #"["3"]"#)
    let cards = try Fixture.context(
      #""Card": {"identityAttributes": ["set", "number"], "attributes": {"set": "string", "number": "integer16"}}"#)
    try cards.load(#"[["DAW", 3]]"#, "Card")
    #expect(try Self.encoded(["card": cards.placeholders[0]]) == #"{"card":["DAW",3]}"#)
  }

  @Test("C4: objects can be encoded to property lists and decoded from them")
  func propertyList() throws {
    let context = try Self.context()
    let before = try context.exported("Hero")
    let objects = try context.fetch(ofEntity: "Hero").filter { !$0.isPlaceholder }
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format
      let data = try encoder.encode(objects)
      let other = ManagedObjectContext(model: context.model)
      let json = try PropertyListDecoder().decode(JSON.self, from: data)
      try Graft.objects(ofEntity: "Hero", fromJSON: json, in: other)
      #expect(try other.exported("Hero") == before)
    }
  }

  @Test("C4: to-many relationships are encoded as arrays in order; a placeholder is encoded as its identifier")
  func toMany() throws {
    let context = try Fixture.context(
      #"""
      "List": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"items": {"destination": "List", "toMany": true, "ordered": true}}
      }
      """#)
    let list = try context.load(#"{"id": 1, "items": [3, {"id": 2, "items": []}, 1]}"#, "List")[0]
    #expect(try Self.encoded(list) == #"{"id":1,"items":[3,{"id":2,"items":[]},1]}"#)
  }

  @Test("C4: encoding a deleted object or exceeding a limit causes an encoding error")
  func failures() throws {
    let context = try Self.context()
    let hero = try #require(try context.find(ofEntity: "Hero", identity: 2))
    #expect(
      complaint { _ = try Self.encoded(["x": hero], ExportOptions(maxObjects: 1)) }
        .hasPrefix("[x] error: more than 1 objects would be written"))
    try context.delete(hero)
    #expect(complaint { _ = try Self.encoded([hero]) } == "[Index 0] error: 'Hero(2)' was deleted")
  }

  @Test("C4: decoding an encoded graph changes nothing (E4)")
  func roundTrip() throws {
    let context = try Self.context()
    let before = context.dumpText
    let text = try Self.encoded(context.fetch(ofEntity: "Hero"))
    try context.load(text, "Hero")
    #expect(context.dumpText == before)
  }
}
