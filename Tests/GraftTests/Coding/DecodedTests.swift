import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Plain values of objects") struct DecodedTests {
  struct Hero: Codable, Equatable {
    struct Power: Codable, Equatable { var name: String }
    var id: String
    var name: String?
    var born: Date?
    var site: URL?
    var wealth: Decimal?
    var photo: Data?
    var extra: JSON?
    var powers: [Power] = []

    static func == (left: Self, right: Self) -> Bool {
      (left.id, left.name, left.born, left.site, left.wealth, left.photo) == (
        right.id, right.name, right.born, right.site, right.wealth, right.photo
      ) && left.extra == right.extra && left.powers == right.powers
    }
  }

  private static func context() throws -> ManagedObjectContext {
    try Fixture.context(
      #"""
      "Hero": {
        "identityAttributes": "id",
        "attributes": {
          "id": {"type": "integer64", "JSONTransformerName": "StringToInteger"},
          "name": {"type": "string", "optional": true},
          "born": {"type": "date", "optional": true},
          "site": {"type": "uri", "optional": true},
          "wealth": {"type": "decimal", "optional": true},
          "photo": {"type": "binary", "optional": true},
          "extra": {"type": "json", "optional": true}
        },
        "relationships": {"powers": {"destination": "Power", "toMany": true, "ordered": true}}
      },
      "Power": {"attributes": {"name": "string"}}
      """#, classes: [HeroObject.self])
  }

  private static let hero = Hero(
    id: "7", name: "Heron", born: Date(timeIntervalSince1970: 631_249_445.25),
    site: URL(string: "https://example.org/a"),
    wealth: Decimal(string: "12345678901234567890.123456789012345678"), photo: Data([0, 1, 2]),
    extra: ["a": [1, nil, "x"]], powers: [.init(name: "Flight"), .init(name: "Agility")])

  @Test("C4: an object decoded into a plain struct, whose type says what it wants of it")
  func plain() throws {
    struct Row: Decodable, Equatable {
      var id: String
      var name: String
    }
    let context = try Self.context()
    let object = try context.load(#"{"id": "7", "name": "Heron", "powers": [{"name": "Flight"}]}"#, "Hero")[0]
    #expect(try object.decoded(as: Row.self) == Row(id: "7", name: "Heron"))
    let row: Row = try object.decoded()
    #expect(row.name == "Heron")
    #expect(
      complaint {
        struct Wrong: Decodable { var id: Int }
        _ = try object.decoded(as: Wrong.self)
      }.hasPrefix("[id] "))
  }

  @Test("C4: a value goes into the graph as what it encodes to, and comes out as it was")
  func roundTrip() throws {
    let context = try Self.context()
    let object = try object(HeroObject.self, fromEncodable: Self.hero, in: context)
    #expect(object["id"] as Int? == 7)
    #expect(object["born"] as Date? == Self.hero.born)
    #expect(try object.decoded(as: Hero.self) == Self.hero)
    var changed = Self.hero
    changed.name = "Old Heron"
    let objects = try objects(HeroObject.self, fromEncodable: [changed, changed], in: context)
    #expect(objects == [object, object] && object["name"] == "Old Heron")
    #expect(!context.hasChanges)
  }

  class HeroObject: ManagedObject {
    override class var entityName: String { "Hero" }
  }

  @Test("C4: a value that the model refuses changes nothing")
  func refusal() throws {
    let context = try Self.context()
    struct Wrong: Encodable {
      var id = 7
    }
    #expect(
      complaint { try object(HeroObject.self, fromEncodable: Wrong(), in: context) }
        .hasPrefix("<payload>: error: expected a string for 'Hero.id', found the number 7 (at $.id)"))
    #expect(
      complaint { try object(HeroObject.self, fromEncodable: Int?.none, in: context) }
        == "error: expected an object of 'Hero', found a value that encodes to null")
    #expect(context.count(of: "Hero") == 0)
  }

  @Test("C4: dates in other forms want a decoder and an encoder that know them")
  func otherDates() throws {
    struct Event: Codable, Equatable { var at: Date }
    class EventObject: ManagedObject { override class var entityName: String { "Event" } }
    let context = try Fixture.context(
      #""Event": {"attributes": {"at": {"type": "date", "JSONTransformerName": "UnixTime"}}}"#,
      classes: [EventObject.self])
    let event = Event(at: Date(timeIntervalSince1970: 1_000))
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    let object: EventObject = try object(fromEncodable: event, in: context, using: encoder)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    #expect(try object.decoded(as: Event.self, using: decoder) == event)
    #expect(complaint { _ = try object.decoded(as: Event.self) }.hasPrefix("[at] "))
  }
}
