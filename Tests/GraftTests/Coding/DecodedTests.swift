import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Decoding objects into plain values") struct DecodedTests {
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

  @Test("C4: an object is decoded into a plain struct")
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
    struct Wrong: Decodable { var id: Bool }
    #expect(
      complaint { _ = try object.decoded(as: Wrong.self) } == "[id] expected true or false, found the string \"7\"")
    struct Absent: Decodable { var place: Int }
    #expect(complaint { _ = try object.decoded(as: Absent.self) } == "[] there is no value for the key 'place'")
    struct Null: Decodable { var born: Date }
    #expect(
      complaint { _ = try object.decoded(as: Null.self) } == "[born] expected a date (RFC 3339 text), found null")
    struct Powers: Decodable {
      struct Power: Decodable { var name: Int }
      var powers: [Power]
    }
    #expect(
      complaint { _ = try object.decoded(as: Powers.self) }
        == "[powers.Index 0.name] expected an integer, found the string \"Flight\"")
  }

  @Test("C4: a value is decoded as it is stored, or else in the form that its transformer writes")
  func stored() throws {
    class OfferObject: ManagedObject { override class var entityName: String { "Offer" } }
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(
      named: "Euros", { (text: String) in Int(text.dropLast(2)) }, reverse: { (value: Int) in "\(value) €" })
    transformers.registerValueTransformer(
      named: "Shouted", { (text: String) in text.lowercased() }, reverse: { (text: String) in text.uppercased() })
    let context = try Fixture.context(
      #"""
      "Offer": {
        "identityAttributes": "id",
        "attributes": {
          "id": {"type": "integer64", "JSONTransformerName": "StringToInteger"},
          "price": {"type": "decimal", "JSONTransformerName": "StringToDecimal"},
          "weight": {"type": "double", "JSONTransformerName": "StringToDouble"},
          "day": {"type": "date", "JSONTransformerName": "DateFormat(yyyy-MM-dd)"},
          "isNew": {"type": "boolean", "JSONTransformerName": "IntegerToBoolean"},
          "fee": {"type": "integer32", "JSONTransformerName": "Euros"},
          "state": {"type": "string", "JSONTransformerName": "Shouted"}
        },
        "relationships": {"related": {"destination": "Offer", "toMany": true, "ordered": true, "JSONRepresentation": "identifier"}}
      }
      """#, transformers: transformers, classes: [OfferObject.self])
    let text = #"""
      {"id": "7", "price": "12345678901234567890.5", "weight": "0.1", "day": "2024-09-22", "isNew": 1, "fee": "3 €",
       "state": "OPEN", "related": ["8", "9"]}
      """#
    let object = try context.load(text, "Offer")[0]

    enum Stored: String, Decodable { case open }
    enum Exported: String, Decodable { case open = "OPEN" }
    struct Values: Decodable {
      var id: Int16
      var price: Decimal
      var weight: Double
      var day: Date
      var isNew: Bool
      var fee: UInt8?
      var state: Stored
      var related: [Int]
    }
    let values = try object.decoded(as: Values.self)
    #expect(values.id == 7 && values.weight == 0.1 && values.isNew && values.fee == 3 && values.state == .open)
    #expect(values.price == Decimal(string: "12345678901234567890.5"))
    #expect(values.day == Date(timeIntervalSince1970: 1_726_963_200) && values.related == [8, 9])

    struct Texts: Decodable {
      var id: String
      var price: String
      var day: String
      var isNew: Int
      var fee: String
      var state: Exported
      var related: [String]
    }
    let texts = try object.decoded(as: Texts.self)
    #expect(texts.id == "7" && texts.price == "12345678901234567890.5" && texts.day == "2024-09-22")
    #expect(texts.isNew == 1 && texts.fee == "3 €" && texts.state == .open && texts.related == ["8", "9"])

    // A number decodes into any numeric type that can hold it; a `JSON` property receives the exported value.
    struct Others: Decodable {
      var id: Decimal
      var price: JSON
      var fee: Double
    }
    let others = try object.decoded(as: Others.self)
    #expect(others.id == 7 && others.price == "12345678901234567890.5" && others.fee == 3)
    struct Small: Decodable { var price: Int }
    #expect(
      complaint { _ = try object.decoded(as: Small.self) }.hasPrefix("[price] expected an integer, found the string"))
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      struct Wide: Decodable { var id: Int128 }
      #expect(try object.decoded(as: Wide.self).id == 7)
    }
    // The order of keys and the formatting of the export do not matter.
    let options = ExportOptions(omitsNil: true, sortsKeys: true, indents: true)
    #expect(try object.decoded(as: Values.self, options: options).price == values.price)
  }

  @Test("C4: a hand-written init(from:) of a Decodable type can decode an object")
  func byHand() throws {
    struct DynamicKey: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Row: Decodable {
      enum Keys: String, CodingKey { case id, extra, powers, born, other }
      var ids: [String] = []
      var extra: [Int?] = []
      var names: [String] = []
      var keys: Set<String>

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        keys = Set(container.allKeys.map(\.rawValue))
        ids = [try container.decode(String.self, forKey: .id)]
        var list = try container.nestedContainer(keyedBy: DynamicKey.self, forKey: .extra)
          .nestedUnkeyedContainer(forKey: DynamicKey(stringValue: "a"))
        while !list.isAtEnd { extra.append(try list.decodeNil() ? nil : list.decode(Int.self)) }
        var powers = try container.nestedUnkeyedContainer(forKey: .powers)
        while !powers.isAtEnd {
          let power = try powers.superDecoder().container(keyedBy: DynamicKey.self)
          names.append(try power.decode(String.self, forKey: DynamicKey(stringValue: "name")))
        }
        if try container.decodeIfPresent(Date.self, forKey: .born) != nil || container.contains(.other) { names = [] }
      }
    }
    let context = try Self.context()
    let object = try context.load(
      #"{"id": "7", "extra": {"a": [1, null, 3]}, "powers": [{"name": "Flight"}, {"name": "Agility"}]}"#, "Hero")[0]
    let row: Row = try object.decoded()
    #expect(row.ids == ["7"] && row.extra == [1, nil, 3] && row.names == ["Flight", "Agility"])
    #expect(row.keys == ["id", "extra", "powers", "born"])
    struct Dictionaries: Decodable { var extra: [String: [Int?]] }
    #expect(try object.decoded(as: Dictionaries.self).extra == ["a": [1, nil, 3]])
  }

  @Test("C4: a Swift value is encoded into the graph, and decodes unchanged")
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

  @Test(
    "C4, I7: a Swift value is read in the model's order, like a dictionary, not in the order of its encoding")
  func orderOfMembers() throws {
    class BoxObject: ManagedObject { override class var entityName: String { "Box" } }
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "r1": {"destination": "Item"}, "r2": {"destination": "Item"}, "r3": {"destination": "Item"}, "r4": {"destination": "Item"},
            "all": {"destination": "Item", "toMany": true, "ordered": true, "lenient": true}}},
          "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}}}}}
        """, classes: [BoxObject.self])
    struct Item: Encodable { var id: Int, n: String }
    struct Box: Encodable {
      var id = 1
      var (r4, r2) = (Item(id: 5, n: "4"), Item(id: 5, n: "2"))
      var (r3, r1) = (Item(id: 5, n: "3"), Item(id: 5, n: "1"))
      var all = Dictionary(uniqueKeysWithValues: (0..<20).map { ("\($0)", Item(id: 10 + $0, n: "\($0)")) })
    }
    let context = ManagedObjectContext(model: model)
    let box = try object(BoxObject.self, fromEncodable: Box(), in: context)
    #expect((box["r1"] as ManagedObject?)?["n"] == "4")
    #expect((box["all"] as [ManagedObject]).compactMap { $0["id"] as Int? } == Array(10..<30))
    #expect(context.checkInvariants() == [])
  }

  @Test("C4: a Swift value that the model refuses changes nothing")
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
    #expect(try context.count(ofEntity: "Hero") == 0)
  }

  @Test("C4: a custom decoder reads an exported object with its own strategies")
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
    #expect(try object.decoded(as: Event.self) == event)
    #expect(complaint { _ = try object.decoded(as: Event.self, using: JSONDecoder()) } == "nothing")
  }
}
