import Foundation
import Graft
import GraftTestSupport
import Testing

/// `context.decode` and `context.decoding`: all or nothing.
@Suite("Decoding as one transaction") struct DecodingUnitTests {
  typealias Hero = Coded.Hero
  typealias Power = Coded.Power

  struct Page: Decodable {
    var heroes: [Hero]
    var powers: ManagedObjectsUpsert<Power>?
    var next: Int
  }

  @Test("C4: context.decode returns a value of the type, commits, and leaves the decoder unchanged")
  func success() throws {
    let context = try Fixture.heroes()
    let decoder = JSONDecoder()
    let text = #"{"heroes": [{"id": 1, "powers": [2]}], "powers": [{"id": 2, "name": "Flight"}], "next": 2}"#
    let page = try context.decode(Page.self, from: Data(text.utf8), using: decoder)
    #expect(page.next == 2 && page.heroes[0].powers.map(\.name) == ["Flight"])
    #expect(!context.hasChanges && decoder.userInfo.isEmpty)
    let again: Page = try context.decode(from: Data(text.utf8))
    #expect(again.heroes[0] === page.heroes[0])
  }

  @Test(
    "I10: if anything fails, the context is restored, including earlier changes made in code",
    arguments: [
      #"{"heroes": [{"id": 1, "name": "x", "powers": [{"id": 9}]}, {"id": 2}], "next": "two"}"#,
      #"{"heroes": [{"id": 1, "name": "x"}, {"id": "2"}], "next": 2}"#,
      #"{"heroes": [{"id": 1, "powers": []}], "powers": [{"id": 3}, {"id": 4, "name": 5}], "next": 2}"#,
      #"{"heroes": [{"id": 1, "publisher": {"id": 4}}], "powers": {}, "next": 2, "x": }"#,
    ])
  func failure(_ text: String) throws {
    let context = try Fixture.heroes()
    try context.load(#"[{"id": 1, "name": "Heron", "powers": [{"id": 3}]}]"#, "Hero")
    let before = context.dumpText
    let hero = try #require(try context.find(Hero.self, identity: 1))
    hero.name = "Changed"
    context.insert(Power.self)
    let changed = context.dumpText
    #expect(complaint { _ = try context.decode(Page.self, from: Data(text.utf8)) } != "nothing")
    #expect(context.dumpText == changed)
    #expect(context.changes.updated.map(\.id) == [hero.objectID] && context.changes.inserted.count == 1)
    #expect(context.checkInvariants() == [])
    context.rollBack()
    #expect(context.dumpText == before && hero.name == "Heron")
  }

  @Test(
    "C4: any decoder works in a `decoding` closure; imports and commits inside the closure take effect when it ends")
  func closure() throws {
    struct Stop: Error {}
    let context = try Fixture.heroes()
    try context.load("[7]", "Hero")
    let before = context.dumpText
    var inserted: Hero?
    #expect(throws: Stop.self) {
      try context.decoding {
        try objects(Hero.self, fromJSON: #"[{"id": 7, "name": "x"}]"#, in: context)
        inserted = try JSONDecoder(context).decode(Hero.self, from: Data(#"{"id": 8}"#.utf8))
        try context.commit()
        #expect(context.hasChanges)
        throw Stop()
      }
    }
    #expect(context.dumpText == before)
    #expect(inserted?.isDeleted == true && !context.hasChanges)

    // A rollback inside the closure restores the state before the decoding, and later changes are still part of the one transaction.
    let hero: Hero = try context.decoding {
      try objects(Hero.self, fromJSON: #"[{"id": 9}]"#, in: context)
      context.rollBack()
      #expect(context.dumpText == before)
      return try context.decoding { try object(Hero.self, fromJSON: #"{"id": 10}"#, in: context) }
    }
    #expect(try hero.id == 10 && context.count(Hero.self) == 2 && !context.hasChanges)
    #expect(context.checkInvariants() == [])
  }

  @Test("C4: an object that fails to decode leaves no trace if its error is ignored")
  func lossy() throws {
    struct Lossy: Decodable {
      var heroes: [Hero] = []
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
          let inner = try container.superDecoder()
          if let hero = try? Hero(from: inner) { heroes.append(hero) }
        }
      }
    }
    let context = try Fixture.heroes()
    let text = #"[{"id": 1}, {"id": 2, "powers": [{"id": 5}], "name": false}, {"id": 3}]"#
    #expect(try context.decode(Lossy.self, from: Data(text.utf8)).heroes.map(\.id) == [1, 3])
    #expect(try context.fetch(Power.self) == [] && context.count(Hero.self) == 2)
  }

  @Test("C4: decoding a property list is atomic")
  func propertyList() throws {
    let context = try Fixture.heroes()
    let list = ["heroes": [["id": 1, "name": "Heron"]], "next": 4] as [String: Any]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    let page = try context.decode(Page.self, from: data, using: PropertyListDecoder())
    #expect(page.heroes.map(\.name) == ["Heron"] && !context.hasChanges)
  }

  @Test("C4: the rows of deleted objects are not reclaimed while a transaction is open")
  func gaps() throws {
    let context = try Fixture.heroes()
    try context.load("[" + (0..<2_000).map { "\($0)" }.joined(separator: ",") + "]", "Hero")
    for id in 0..<1_500 { try context.delete(try #require(try context.find(Hero.self, identity: id))) }
    let left = try #require(try context.find(Hero.self, identity: 1_999))
    context.rollBack()
    for id in 0..<1_500 { try context.delete(try #require(try context.find(Hero.self, identity: id))) }
    try context.decoding {
      try context.commit()
      try context.load("[5000]", "Hero")
    }
    #expect(try context.count(Hero.self) == 501 && left.id == 1_999 && !left.isDeleted)
    #expect(try context.find(Hero.self, identity: 1_999) === left)
    #expect(context.checkInvariants() == [])
  }
}
