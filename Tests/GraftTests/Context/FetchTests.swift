import Foundation
import Graft
import GraftTestSupport
import Testing

private final class Hero: ManagedObject {
  var name: String? { self["name"] }
  var level: Int? { self["level"] }
  var team: Team? { self["team"] }
}

private final class Team: ManagedObject {
  var name: String? { self["name"] }
}

@Suite("Context: fetching") struct FetchTests {
  private func heroes() throws -> ManagedObjectContext {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true},
        "level": {"type": "integer16", "optional": true}, "born": {"type": "date", "optional": true},
        "price": {"type": "decimal", "optional": true}, "extra": {"type": "json", "optional": true}},
        "relationships": {"team": {"destination": "Team", "inverse": "members"}}},
      "Sidekick": {"parent": "Hero"},
      "Team": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {"members": {"destination": "Hero", "toMany": true, "inverse": "team", "JSONKeyPath": null}}}
      """#, classes: [Hero.self, Team.self])
    try context.load(
      #"""
      [{"id": 1, "name": "b", "level": 2, "price": 10, "born": "2001-01-01T00:00:00Z", "team": {"id": 1, "name": "Z"}},
       {"id": 2, "name": "Z", "level": 1, "price": 9.5, "team": {"id": 2, "name": "A"}},
       {"id": 3, "level": 2, "price": 9.50, "born": "1999-01-01T00:00:00Z"},
       {"id": 4, "name": "é", "price": -1, "team": 2},
       {"id": 5, "name": "a", "level": 1, "born": "2000-01-01T00:00:00Z", "team": 3}]
      """#, "Hero")
    try context.load(#"{"id": 6, "name": "zz", "level": 9}"#, "Sidekick")
    return context
  }

  private func ids(_ objects: [ManagedObject]) -> [Int] { objects.compactMap { $0["id"] } }

  @Test(
    "C2: a fetch returns an entity's objects, including those of sub-entities, in insertion order, in pages on request")
  func parts() throws {
    let context = try heroes()
    #expect(try ids(context.fetch(ofEntity: "Hero")) == [1, 2, 3, 4, 5, 6])
    #expect(try ids(context.fetch(Hero.self, limit: 2)) == [1, 2])
    #expect(try ids(context.fetch(Hero.self, limit: 2, offset: 3)) == [4, 5])
    #expect(try ids(context.fetch(Hero.self, offset: 4)) == [5, 6])
    #expect(try ids(context.fetch(Hero.self, limit: 0)) == [] && ids(context.fetch(Hero.self, offset: 99)) == [])
    #expect(try ids(context.fetch(Hero.self, limit: .max, offset: 5)) == [6])
    #expect(try ids(context.fetch(ofEntity: "Sidekick", limit: 5)) == [6])
    #expect(try ids(context.fetch(Hero.self, limit: 2, offset: 1) { $0.level != nil }) == [2, 3])
    #expect(try context.count(Hero.self) { $0.level == 2 } == 2 && context.count(Hero.self) == 6)
    #expect(try context.exists(Hero.self) { $0.level == 2 } && !context.exists(Hero.self) { $0.level == 77 })
    #expect(try context.fetchOne(Hero.self, sortedBy: .descending("id")) { $0.level == 2 }?.level == 2)
    #expect(try context.delete(Hero.self) { $0.level == 2 } == 2 && context.count(Hero.self) == 4)
  }

  @Test("C2: a fetch with a filter and a limit examines no more objects than necessary")
  func shortFilter() throws {
    let context = try heroes()
    var looked = 0
    let found = try context.fetch(Hero.self, limit: 1) { hero in
      looked += 1
      return hero.name == "Z"
    }
    #expect(ids(found) == [2] && looked == 2)
    struct Stop: Error {}
    #expect(throws: Stop.self) { try context.fetch(Hero.self) { _ in throw Stop() } }
  }

  @Test("C2: a single sort key needs no brackets")
  func singleKey() throws {
    let context = try heroes()
    #expect(try ids(context.fetch(Hero.self, sortedBy: .descending(\.level), limit: 1)) == [6])
    #expect(try ids(context.fetch(Hero.self, sortedBy: .ascending(\.level, nils: .first), limit: 2)) == [4, 2])
    #expect(try ids(context.fetch(Hero.self, sortedBy: .ascending { $0.team?.name }, limit: 2)) == [2, 4])
    #expect(try ids(context.fetch(Hero.self, sortedBy: .descending { $0.name })) == [4, 6, 1, 5, 2, 3])
    #expect(try ids(context.fetch(ofEntity: "Hero", sortedBy: .descending("level"), limit: 2)) == [6, 1])
    #expect(
      try ids(context.fetch(ofEntity: "Hero", sortedBy: .ascending("team.name", nils: .first))) == [3, 5, 6, 2, 4, 1])
    #expect(try ids(context.fetch(ofEntity: "Hero", sortedBy: .ascending("name")) { $0["level"] == 1 }) == [2, 5])
    #expect(ids(try context.fetch(ofEntity: "Hero", where: "level = 1", sortedBy: .descending("name"))) == [5, 2])
    let keys: [SortKey<Hero>] = .descending(\.level) + .descending("id")
    #expect(try ids(context.fetch(Hero.self, sortedBy: keys)) == [6, 3, 1, 5, 2, 4])
  }

  @Test("C2: sort keys, by property and by name, apply in order; ties keep insertion order")
  func severalKeys() throws {
    let context = try heroes()
    #expect(
      try ids(context.fetch(Hero.self, sortedBy: [.descending(\.level), .ascending(\.name)])) == [6, 1, 3, 2, 5, 4])
    #expect(
      try ids(context.fetch(Hero.self, sortedBy: [.descending("level"), .ascending("name")])) == [6, 1, 3, 2, 5, 4])
    #expect(
      try ids(context.fetch(Hero.self, sortedBy: [.descending("level"), .descending(\.name)])) == [6, 1, 3, 5, 2, 4])
    #expect(try ids(context.fetch(Hero.self, sortedBy: [.descending("level")])) == [6, 1, 3, 2, 5, 4])
    #expect(try ids(context.fetch(ofEntity: "Hero", sortedBy: [.descending("level")], limit: 2, offset: 1)) == [1, 3])
    #expect(try ids(context.fetch(Hero.self, sortedBy: [.ascending("level")], limit: 2) { $0.team != nil }) == [2, 5])
  }

  @Test("C2: strings sort by Unicode scalar in every locale, whether the sort key is a key path or a name")
  func text() throws {
    let context = try heroes()
    let expected = [2, 5, 1, 6, 4, 3]
    #expect(try ids(context.fetch(Hero.self, sortedBy: [.ascending("name")])) == expected)
    #expect(try ids(context.fetch(Hero.self, sortedBy: [.ascending(\.name)])) == expected)
    try context.load(#"[{"id": 7, "name": "e\u0301"}, {"id": 8, "name": "f"}]"#, "Hero")
    for key in [SortKey<Hero>.ascending("name"), .ascending(\.name)] {
      #expect(try ids(context.fetch(Hero.self, sortedBy: [key])) == [2, 5, 1, 7, 8, 6, 4, 3])
    }
  }

  @Test("C2: nil sorts last or first, in either direction", arguments: [true, false])
  func nils(byName: Bool) throws {
    let context = try heroes()
    func key(_ isDescending: Bool, _ nils: SortKey<Hero>.NilPlacement) -> SortKey<Hero> {
      switch (byName, isDescending) {
      case (true, false): .ascending("level", nils: nils)
      case (true, true): .descending("level", nils: nils)
      case (false, false): .ascending(\.level, nils: nils)
      case (false, true): .descending(\.level, nils: nils)
      }
    }
    #expect(try ids(context.fetch(Hero.self, sortedBy: [key(false, .last)])) == [2, 5, 1, 3, 6, 4])
    #expect(try ids(context.fetch(Hero.self, sortedBy: [key(false, .first)])) == [4, 2, 5, 1, 3, 6])
    #expect(try ids(context.fetch(Hero.self, sortedBy: [key(true, .last)])) == [6, 1, 3, 2, 5, 4])
    #expect(try ids(context.fetch(Hero.self, sortedBy: [key(true, .first)])) == [4, 6, 1, 3, 2, 5])
  }

  @Test("C2: dates and decimals sort by value, and a sort key path can lead through to-one relationships")
  func typesAndPaths() throws {
    let context = try heroes()
    #expect(try ids(context.fetch(Hero.self, sortedBy: [.ascending("born")], limit: 3)) == [3, 5, 1])
    #expect(try ids(context.fetch(Hero.self, sortedBy: [.ascending("price")], limit: 4)) == [4, 2, 3, 1])
    #expect(
      try ids(context.fetch(Hero.self, sortedBy: [.ascending("price"), .descending("id")], limit: 4)) == [4, 3, 2, 1])
    #expect(try ids(context.fetch(Hero.self, sortedBy: [.ascending("team.name")])) == [2, 4, 1, 3, 5, 6])
    #expect(try ids(context.fetch(Hero.self, sortedBy: [.ascending(\.team?.name)])) == [2, 4, 1, 3, 5, 6])
    #expect(
      try ids(context.fetch(Hero.self, sortedBy: [.descending("team.id"), .descending("id")])) == [5, 4, 2, 1, 6, 3])
  }

  @Test("C2: a sorted fetch of many objects returns the same order as sorting an array, for all keys")
  func agreement() throws {
    let context = try heroes()
    var random = SeededRandom(seed: 4)
    let rows = (0..<500).map { _ in
      let level = Int.random(in: -3...3, using: &random)
      return #"{"id": \#(Int.random(in: 10...9999, using: &random)), "level": \#(level == 0 ? "null" : "\(level)")}"#
    }
    try context.load("[\(rows.joined(separator: ","))]", "Hero")
    let all = try context.fetch(Hero.self)
    for (offset, limit) in [(0, 10), (7, 100), (0, 2_000)] {
      let expected = all.enumerated().sorted {
        ($0.element.level ?? .min, -$0.offset) > ($1.element.level ?? .min, -$1.offset)
      }
      #expect(
        try context.fetch(Hero.self, sortedBy: [.descending("level")], limit: limit, offset: offset)
          == Array(expected.map(\.element).dropFirst(offset).prefix(limit)))
    }
  }

  @Test("C2: a fetch does not return deleted objects or objects inserted during the fetch")
  func meanwhile() throws {
    let context = try heroes()
    let hero = try #require(try context.find(Hero.self, identity: 3))
    try context.delete(hero)
    #expect(try ids(context.fetch(Hero.self)) == [1, 2, 4, 5, 6] && context.count(Hero.self) == 5)
    let found = try context.fetch(Hero.self) { _ in
      context.insert(Hero.self)
      return true
    }
    #expect(try found.count == 5 && context.count(Hero.self) == 10)
  }

  @Test("Decimals are sorted exactly, even if they are equal as doubles")
  func decimals() throws {
    let context = try Fixture.context(
      #""Price": {"attributes": {"amount": {"type": "decimal", "optional": true}}}"#)
    let texts = [
      "0", "-0.1", "0.1", "12345678901234567890.1", "12345678901234567890.2", "-12345678901234567890.2", "1e100",
      "-1e100",
      "1e-100", "0.10000000000000000000001", "2", "10", "9.99", "-9.99", "-1e-100",
    ]
    let amounts = try texts.map { try #require(Decimal(string: $0)) }
    for amount in amounts.shuffled() { context.insert(ofEntity: "Price")["amount"] = amount }
    _ = context.insert(ofEntity: "Price")
    let ascending = try context.fetch(ofEntity: "Price", sortedBy: .ascending("amount"))
    #expect(
      ascending.compactMap { $0["amount"] as Decimal? } == amounts.sorted()
        && ascending.last?["amount"] as Decimal? == nil)
    let descending = try context.fetch(ofEntity: "Price", sortedBy: .descending("amount"), limit: 3)
    #expect(descending.map { $0["amount"] as Decimal? } == Array(amounts.sorted().reversed().prefix(3)))
  }
}
