import Foundation
import Graft
import GraftTestSupport
import Testing

private class Message: ManagedObject {
  var id: Int? {
    get { self["id"] }
    set { self["id"] = newValue }
  }
}

private final class Text: Message {
  override class var entityName: String { "TextMessage" }
  var text: String? { self["text"] }
}

private final class Hero: ManagedObject {
  private static let nameSlot = 1

  var name: String? {
    get { self[slot: Self.nameSlot] }
    set { self[slot: Self.nameSlot] = newValue }
  }
  var powers: RelatedObjects<ManagedObject> { self["powers"] }
}

@Suite("Context: objects") struct ContextHandleTests {
  static let messages = #"""
    "Message": {"identityAttributes": "id", "abstract": true, "attributes": {"id": "integer64"},
      "entityMapper": {"JSONKeyPath": "type", "entities": {"text": "TextMessage", "photo": "Photo", "long": "LongText"}}},
    "TextMessage": {"parent": "Message", "attributes": {"text": {"type": "string", "optional": true}}},
    "LongText": {"parent": "TextMessage"},
    "Photo": {"parent": "Message"}
    """#

  @Test("C1: while a handle is referenced, every access to its object returns the same handle")
  func uniqueHandles() throws {
    let context = try Fixture.context(Fixture.comics)
    let heroes = try context.load(#"[{"id": 1, "powers": [4]}, {"id": 2, "powers": [4]}, {"id": 1}]"#, "Hero")
    #expect(heroes[0] === heroes[2])
    #expect(heroes[0] != heroes[1])
    let powers = heroes.map { hero -> ManagedObject? in (hero["powers"] as [ManagedObject]).first }
    #expect(powers[0] === powers[1])
    #expect(try powers[0] === context.find(ofEntity: "Power", identity: 4))
    #expect(try context.fetch(ofEntity: "Hero")[0] === heroes[0])
    #expect(Set(heroes).count == 2)
    #expect((powers[0]?["heroes"] as Set<ManagedObject>?) == Set(heroes))
  }

  @Test("C1: an unreferenced handle is released, and its object remains")
  func forgottenHandles() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"{"id": 1, "name": "Batman"}"#, "Hero")
    weak var weakHero: ManagedObject?
    weakHero = try context.find(ofEntity: "Hero", identity: 1)
    #expect(weakHero == nil)
    #expect(try context.find(ofEntity: "Hero", identity: 1)?["name"] as String? == "Batman")
  }

  @Test(
    "C1: an object has the class of its entity, or else of the nearest parent entity with a class")
  func classes() throws {
    let context = try Fixture.context(Self.messages, classes: [Message.self, Text.self])
    let messages: [Message] = try objects(
      fromJSON: #"[{"type": "text", "id": 1, "text": "hi"}, {"type": "photo", "id": 2}, {"type": "long", "id": 3}]"#,
      in: context)
    #expect(messages.map { String(describing: type(of: $0)) } == ["Text", "Message", "Text"])
    #expect(messages.map(\.entity.name) == ["TextMessage", "Photo", "LongText"])
    #expect((messages[0] as? Text)?.text == "hi")
    #expect(try context.find(Text.self, identity: 1) === messages[0])
    #expect(try context.find(Text.self, identity: 2) == nil)
    #expect(try context.find(Message.self, identity: 2) === messages[1])
    #expect(try context.fetch(Text.self).map(\.id) == [1, 3])
    #expect(try context.fetch(Message.self) { $0.id ?? 0 > 1 }.map(\.id) == [2, 3])
    #expect(try context.count(Message.self) == 3)
  }

  @Test("C1: access by name, by typed property and by slot is equivalent")
  func access() throws {
    let context = try Fixture.context(Fixture.comics, classes: [Hero.self])
    let hero: Hero = try object(fromJSON: #"{"id": 1, "name": "Batman", "powers": [4, 9]}"#, in: context)
    #expect(hero.name == "Batman")
    #expect(hero["name"] as String? == "Batman")
    #expect(hero.attribute(slot: Hero.slot(named: "name", in: context.model)) as String? == "Batman")
    #expect(try hero.value(of: "id", as: Int64.self) == 1)
    #expect(try hero.value(of: "id") as UInt8? == 1)
    hero.name = "Bruce"
    #expect(hero["name"] as String? == "Bruce")
    hero["name"] = nil as String?
    #expect(hero.name == nil)
    #expect(hero["name"] == nil && hero["id"] != nil && hero["powers"]?.description == "[Power(4), Power(9)]")
    #expect((try? hero.propertyValue(of: "name"))?.description == nil)
    #expect((try? hero.propertyValue(of: "id"))?.description == "1")
    #expect((try? hero.propertyValue(of: "powers"))?.description == "[Power(4), Power(9)]")
    #expect(hero.description == "Hero(1)")
  }

  @Test("C1: a value that cannot be read or set throws an error that names both types")
  func propertyErrors() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(#"{"id": 1, "name": "Batman"}"#, "Hero")[0]
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message { _ = try hero.value(of: "nmae", as: String.self) }
        == "'Hero' has no property 'nmae'; did you mean 'name'?")
    #expect(
      message { _ = try hero.value(of: "name", as: Int.self) }
        == #"'Hero.name' is declared string: "Batman" cannot be read as Int"#)
    #expect(
      message { _ = try hero.value(of: "powers", as: Int.self) } == "'Hero.powers' is a relationship, not Int")
    #expect(
      message { try hero.setValue(.string("x"), of: "id") }
        == #"'Hero.id' is declared integer64: it cannot hold the string "x""#)
    #expect(
      message { try hero.setValue(.string("x"), of: "powers") }
        == "'Hero.powers' is a relationship: set objects, not a value")
    #expect(context.checkInvariants() == [])
  }

  @Test("C1: a to-many is a collection that can be changed in place and during iteration")
  func relatedObjects() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(#"{"id": 1, "powers": [4, 9, 2, 7]}"#, "Hero")[0]
    let powers: RelatedObjects<ManagedObject> = hero["powers"]
    #expect(powers.map { $0["id"] as Int? } == [4, 9, 2, 7])
    #expect(powers.count == 4 && powers[1]["id"] as Int? == 9)
    let nine = try #require(try context.find(ofEntity: "Power", identity: 9))
    #expect(powers.contains(nine))
    powers.remove(nine)
    powers.remove(nine)
    #expect(!powers.contains(nine) && powers.count == 3)
    #expect((nine["heroes"] as [ManagedObject]).isEmpty)
    powers.insert(nine)
    powers.insert(nine)
    #expect(powers.map { $0["id"] as Int? } == [4, 2, 7, 9])
    #expect((nine["heroes"] as [ManagedObject]) == [hero])
    for power in powers { powers.remove(power) }
    #expect(powers.isEmpty)
    #expect(context.checkInvariants() == [])
  }

  @Test("C1: a large to-many can be searched, iterated and shrunk in any order", arguments: [true, false])
  func largeToMany(hasInverse: Bool) throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "friends": {"destination": "Friend", "toMany": true\#(hasInverse ? #", "inverse": "heroes""# : "")}}},
      "Friend": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        \#(hasInverse ? #""heroes": {"destination": "Hero", "toMany": true, "inverse": "friends"}"# : "")}}
      """#)
    let count = 2_000
    let hero = try context.load("{\"id\": 1, \"friends\": \(Array(0..<count))}", "Hero")[0]
    let friends: RelatedObjects<ManagedObject> = hero["friends"]
    #expect(friends.count == count)
    var left = Array(friends)
    for step in 0..<300 {
      let friend = left.remove(at: step * 7919 % left.count)
      #expect(friends.contains(friend))
      if hasInverse, step % 2 == 0 {
        friend["heroes"] = [ManagedObject]()
        #expect(!friends.contains(friend))
      } else {
        try context.delete(friend)
      }
    }
    #expect(Array(friends) == left)
    #expect(friends.count == left.count && friends[5] == left[5])
    #expect(context.checkInvariants() == [])
    context.rollBack()
    #expect(friends.compactMap { $0["id"] as Int? } == Array(0..<count))
    #expect(context.checkInvariants() == [])
  }
}
