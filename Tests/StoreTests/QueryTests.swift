import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// Predicates, evaluated without a store and by each store.
@Suite("S6: queries") struct QueryTests {
  class Person: ManagedObject {
    override class var entityName: String { "Person" }
    override class var queryableProperties: [QueryableProperty] {
      [.init(\Person.name, "name"), .init(\Person.age, "age"), .init(\Person.team, "team")]
    }
    var name: String? {
      get { self["name"] }
      set { self["name"] = newValue }
    }
    var age: Int? {
      get { self["age"] }
      set { self["age"] = newValue }
    }
    var team: Team? {
      get { self["team"] }
      set { self["team"] = newValue }
    }
  }

  final class Villain: Person {
    override class var entityName: String { "Villain" }
    override class var queryableProperties: [QueryableProperty] {
      [
        .init(\Villain.name, "name"), .init(\Villain.age, "age"), .init(\Villain.team, "team"),
        .init(\Villain.evil, "evil"), .init(\Villain.bounty, "bounty"), .init(\Villain.hideouts, "hideouts"),
      ]
    }
    var evil: Double? {
      get { self["evil"] }
      set { self["evil"] = newValue }
    }
    var bounty: Decimal? {
      get { self["bounty"] }
      set { self["bounty"] = newValue }
    }
    var hideouts: RelatedObjects<Team> { self["hideouts"] }
    var shout: String { (name ?? "") + "!" }
  }

  final class Team: ManagedObject {
    override class var entityName: String { "Team" }
    override class var queryableProperties: [QueryableProperty] {
      [.init(\Team.title, "title"), .init(\Team.isActive, "isActive"), .init(\Team.members, "members")]
    }
    var title: String? {
      get { self["title"] }
      set { self["title"] = newValue }
    }
    var isActive: Bool? {
      get { self["isActive"] }
      set { self["isActive"] = newValue }
    }
    var members: RelatedObjects<Person> { self["members"] }
  }

  static let model = """
    {"entities": {
      "Team": {"identityAttributes": ["title"], "attributes": {"title": {"type": "string"}, "isActive": {"type": "boolean", "optional": true}},
        "relationships": {"members": {"destination": "Person", "toMany": true, "inverse": "team", "optional": true}}},
      "Person": {"identityAttributes": ["name"], "attributes": {"name": {"type": "string"}, "age": {"type": "integer64", "optional": true}},
        "relationships": {"team": {"destination": "Team", "inverse": "members", "optional": true}}},
      "Villain": {"parent": "Person", "attributes": {"evil": {"type": "double", "optional": true}, "bounty": {"type": "decimal", "optional": true}},
        "relationships": {"hideouts": {"destination": "Team", "toMany": true, "optional": true}}}
    }}
    """

  enum Kind: CaseIterable {
    case memory, snapshot, sqlite, childOfMemory, childOfSQLite

    /// Creates contexts that share commits, or nil without a store or parent.
    func source(_ model: ManagedObjectModel) throws -> ContextSource? {
      switch self {
      case .memory: nil
      case .snapshot: try ContextSource(.snapshot, model)
      case .sqlite: try ContextSource(.sqlite, model)
      case .childOfMemory: try ContextSource(.childOfMemory, model)
      case .childOfSQLite: try ContextSource(.childOfSQLite, model)
      }
    }
  }

  static func context(_ kind: Kind) throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(text: model, classes: [Person.self, Villain.self, Team.self])
    let source = try kind.source(model)
    let context = try source?.context() ?? ManagedObjectContext(model: model)
    func team(_ title: String, _ isActive: Bool?) -> Team {
      let team = context.insert(Team.self)
      (team.title, team.isActive) = (title, isActive)
      return team
    }
    let (dc, marvel) = (team("DC", true), team("Marvel", nil))
    for (name, age, team) in [("Ann", 30, dc), ("Ben", nil, marvel), ("Cid", 9, nil), ("Älf", 30, dc)]
      as [(String, Int?, Team?)]
    {
      let person = context.insert(Person.self)
      (person.name, person.age, person.team) = (name, age, team)
    }
    for (name, evil, bounty) in [("Doc", 2.5, 9), ("Eve", nil, 12)] as [(String, Double?, Decimal)] {
      let villain = context.insert(Villain.self)
      (villain.name, villain.evil, villain.bounty) = (name, evil, bounty)
      if evil != nil { villain["hideouts"] = [dc, marvel] }
    }
    try context.commit()
    return try source?.context() ?? context
  }

  static func names(_ people: [Person]) -> String { people.map { $0.name ?? "?" }.joined(separator: " ") }

  static func fetch(_ context: ManagedObjectContext, _ predicate: Predicate<Person>) throws -> String {
    names(try context.fetch(Person.self, where: predicate))
  }

  @Test("S6: expressions have the same meaning in memory and in stores", arguments: Kind.allCases)
  func expressions(_ kind: Kind) throws {
    let context = try Self.context(kind)
    let (name, dc, none, young) = ("Ann", "DC", nil as String?, 10)
    let list = ["Ann", "Eve"], ages = 9...30
    let (until, from, through, upTo) = (9..<30, 10..., ...9, ..<30)
    let id = try #require(try context.find(Team.self, identity: "DC")).objectID
    let cases: [(Predicate<Person>, String)] = [
      (#Predicate { $0.name == name && $0.team?.title == dc }, "Ann"),
      (#Predicate { $0.team?.title != dc }, "Ben Cid Doc Eve"),
      (#Predicate { $0.age == nil }, "Ben Doc Eve"),
      (#Predicate { $0.name == none }, ""),
      (#Predicate { $0.team == nil }, "Cid Doc Eve"),
      (#Predicate { $0.team?.objectID == id }, "Ann Älf"),
      (#Predicate { true == $0.team?.isActive }, "Ann Älf"),
      (#Predicate { ($0.age ?? 0) < young }, "Ben Cid Doc Eve"),
      (#Predicate { !(($0.age ?? young) < young) }, "Ann Ben Älf Doc Eve"),
      (#Predicate { $0.age! < young }, "Cid"),
      (#Predicate { !($0.age! < young) }, "Ann Ben Älf Doc Eve"),
      (#Predicate { $0.age.flatMap { $0 > young } ?? true }, "Ann Ben Älf Doc Eve"),
      (#Predicate { list.contains($0.name!) }, "Ann Eve"),
      (#Predicate { ages.contains($0.age!) }, "Ann Cid Älf"),
      (#Predicate { until.contains($0.age!) }, "Cid"),
      (#Predicate { from.contains($0.age!) }, "Ann Älf"),
      (#Predicate { through.contains($0.age!) }, "Cid"),
      (#Predicate { upTo.contains($0.age!) }, "Cid"),
      (#Predicate { (9..<young).contains($0.age!) }, "Cid"),
      (#Predicate { (young...30).contains($0.age!) }, "Ann Älf"),
      (#Predicate { $0.name!.contains("i") || $0.name!.starts(with: "Be") }, "Ben Cid"),
      (#Predicate { ($0.age ?? 0) * 2 - 1 == 17 }, "Cid"),
      (#Predicate { ($0.age ?? 0) % 7 == 2 && ($0.age ?? 0) / 7 == 4 }, "Ann Älf"),
      (#Predicate { -($0.age ?? 0) < -10 }, "Ann Älf"),
      (#Predicate { (($0 as? Villain)?.evil ?? 1.0) / 2 == 1.25 }, "Doc"),
      (#Predicate { $0.team?.isActive == true }, "Ann Älf"),
      (#Predicate { $0.team?.members.contains { $0.age == nil } == true }, "Ben"),
      (#Predicate { $0.team?.members.isEmpty == false }, "Ann Ben Älf"),
      (#Predicate { ($0.team?.members.count ?? 0) > 1 }, "Ann Älf"),
      (#Predicate { $0 is Villain }, "Doc Eve"),
      (#Predicate { ($0 as? Villain)?.evil == 2.5 }, "Doc"),
      (#Predicate { ($0 as? Villain)?.hideouts.contains { $0.title == dc } ?? false }, "Doc"),
      (#Predicate { if $0.age == nil { $0.team == nil } else { $0.age! < 10 } }, "Cid Doc Eve"),
    ]
    for (number, (predicate, expected)) in cases.enumerated() {
      #expect(try Self.fetch(context, predicate) == expected, "case \(number)")
      #expect(
        try context.count(Person.self, where: predicate) == expected.split(separator: " ").count, "case \(number)")
    }
    #expect(
      try context.fetch(Villain.self, where: #Predicate { $0.bounty! < 10 && $0.name == "Doc" }).map(\.shout) == [
        "Doc!"
      ])
    #expect(
      try context.fetch(Team.self, where: #Predicate { $0.members.allSatisfy { $0.age != nil } }).map(\.title) == ["DC"]
    )
    #expect(
      try context.fetch(Team.self, where: #Predicate { $0.members.filter { $0.age == 30 }.count == 2 }).map(\.title)
        == ["DC"])
    let exists = try context.exists(Person.self, where: #Predicate { $0.name == name }, #Predicate { $0.age == nil })
    #expect(!exists)
  }

  @Test("S6: pages are sorted correctly with pending changes", arguments: Kind.allCases)
  func pages(_ kind: Kind) throws {
    let context = try Self.context(kind)
    func page(_ offset: Int) throws -> String {
      Self.names(
        try context.fetch(
          Person.self, where: #Predicate { $0.name != "Ben" }, sortedBy: [.descending(\.age), .ascending(\.name)],
          limit: 3, offset: offset))
    }
    #expect(try (page(0), page(3)) == ("Ann Älf Cid", "Doc Eve"))
    #expect(
      try Self.names(context.fetch(Person.self, sortedBy: [.ascending("name")], limit: 2, offset: 1)) == "Ben Cid")
    let cid = try #require(try context.find(Person.self, identity: "Cid"))
    cid.age = 99
    context.insert(Person.self).name = "Zoe"
    try context.delete(#require(try context.find(Person.self, identity: "Ann")))
    #expect(try (page(0), page(3)) == ("Cid Älf Doc", "Eve Zoe"))
    // Another table that the predicate reads has changed.
    try context.find(Team.self, identity: "DC")?.isActive = false
    #expect(try Self.fetch(context, #Predicate { $0.team?.isActive == false }) == "Älf")
    context.rollBack()
    #expect(try page(0) == "Ann Älf Cid")
    #expect(
      try Self.names(context.fetch(Person.self, sortedBy: [.ascending(\.name)], limit: 2, offset: 1)) == "Ben Cid")
  }

  @Test(
    "S6: batch deletions, aggregates and groups have the same results in memory and in stores",
    arguments: Kind.allCases)
  func values(_ kind: Kind) throws {
    let context = try Self.context(kind)
    #expect(try context.sum(\Person.age) == 69)
    #expect(try context.sum(\Villain.bounty) == 21)
    #expect(try context.maximum(\Villain.bounty) == 12)
    #expect(try context.minimum(\Person.age, where: #Predicate { $0.team != nil }) == 30)
    #expect(try context.average(\Person.age) == 23)
    #expect(try context.maximum(\Person.name) == "Älf")
    let groups = try context.count(groupedBy: \Person.age)
    #expect(groups.map(\.key) == [nil, 9, 30] && groups.map(\.value) == [3, 1, 2])
    #expect(try context.minimum(\Person.name, groupedBy: \Person.age).map(\.value) == ["Ben", "Cid", "Ann"])
    try expectSame(context)
    try context.find(Person.self, identity: "Ben")?.age = 1000
    try expectSame(context)
    context.rollBack()
    #expect(try context.delete(Person.self, where: #Predicate { $0.age == 30 }) == 2)
    #expect(try context.sum(\Person.age) == 9)
    try context.commit()
    #expect(try context.count(Person.self, where: #Predicate { $0.age != nil }) == 1)
  }

  /// Returns whether aggregates over a condition are the same for a predicate and for text.
  private func expectSame(_ context: ManagedObjectContext) throws {
    let (age, text): (Int, ObjectCondition) = (9, "age >= \(9)")
    let predicate = #Predicate<Person> { ($0.age ?? 0) >= age }
    #expect(try context.sum(\Person.age, where: text) == context.sum(\Person.age, where: predicate))
    #expect(try context.minimum(\Person.name, where: text) == context.minimum(\Person.name, where: predicate))
    #expect(try context.maximum(\Person.name, where: text) == context.maximum(\Person.name, where: predicate))
    #expect(try context.average(\Person.age, where: text) == context.average(\Person.age, where: predicate))
    #expect(
      try context.count(groupedBy: \Person.name, where: text)
        == context.count(groupedBy: \Person.name, where: predicate))
    #expect(
      try context.sum(\Person.age, groupedBy: \Person.name, where: text)
        == context.sum(\Person.age, groupedBy: \Person.name, where: predicate))
    #expect(
      try context.minimum(\Person.age, groupedBy: \Person.name, where: text)
        == context.minimum(\Person.age, groupedBy: \Person.name, where: predicate))
    #expect(
      try context.maximum(\Person.age, groupedBy: \Person.name, where: text)
        == context.maximum(\Person.age, groupedBy: \Person.name, where: predicate))
    #expect(
      try context.average(\Person.age, groupedBy: \Person.name, where: text)
        == context.average(\Person.age, groupedBy: \Person.name, where: predicate))
    #expect(try context.sum(\Person.age, where: text) > 0)
    #expect(throws: StoreError.self) { try context.sum(\Person.age, where: "size > 3") }
  }

  @Test("S6: overflows and expressions that cannot be translated cause errors", arguments: Kind.allCases)
  func errors(_ kind: Kind) throws {
    let context = try Self.context(kind)
    let large = Int.max
    func message(_ predicate: Predicate<Villain>) throws -> String? {
      do {
        _ = try context.fetch(Villain.self, where: predicate)
        return nil
      } catch {
        return error.diagnostics.first?.message
      }
    }
    #expect(
      try message(#Predicate { $0.shout == "Doc!" })
        == "the predicate reads a property of type 'String' that 'Villain.queryableProperties' does not list; add it to the list with its name in the model, even if it is inherited, or filter with a closure"
    )
    #expect(
      try message(#Predicate { $0.name!.count > 2 })
        == "the predicate reads a property of type 'Int' of 'String', which has no translation; compare the value itself, or filter with a closure"
    )
    for villain in try context.fetch(Villain.self) { villain.age = 2 }
    #expect(try message(#Predicate { $0.age! * large > 0 }) != nil)
    for villain in try context.fetch(Villain.self) { villain.age = large }
    #expect(throws: StoreError.self) { try context.sum(\Villain.age) }
    if kind != .memory { try context.commit() }
    let error = #expect(throws: StoreError.self) {
      try context.fetch(Villain.self, where: #Predicate { $0.age! * large > 0 })
    }
    #expect(error?.diagnostics.first?.code == .untranslatablePredicate)
    #expect(throws: StoreError.self) { try context.sum(\Villain.age) }
  }

  @Test("S6: a wrong name in the list of properties is reported when the model is loaded")
  func wrongName() throws {
    final class Cat: ManagedObject {
      override class var entityName: String { "Cat" }
      override class var queryableProperties: [QueryableProperty] { [.init(\Cat.name, "nam")] }
      var name: String? { self["name"] }
    }
    let text = #"{"entities": {"Cat": {"attributes": {"name": {"type": "string"}}}}}"#
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(text: text, classes: [Cat.self]) }
    #expect(error?.diagnostics.first?.code == .unknownQueryableProperty)
    #expect(
      error?.diagnostics.first?.message
        == "'Cat.queryableProperties' lists 'nam', which is not a property of 'Cat'")
  }

  @Test("S8: a child can fetch an object that its parent committed after the child loaded the object")
  func committedMeanwhile() throws {
    let source = try ContextSource(.childOfSQLite, Self.context(.memory).model)
    let parent = source.parents[0]
    let team = parent.insert(Team.self)
    team.title = "Late"
    let child = try source.context()
    let late = try #require(try child.find(Team.self, identity: "Late"))
    try parent.commit()
    let person = parent.insert(Person.self)
    (person.name, person.team) = ("Fay", team)
    try parent.commit()
    let id = late.objectID
    try child.merge()
    #expect(Self.names(try child.fetch(Person.self, where: #Predicate { $0.team?.objectID == id })) == "Fay")
    #expect(try child.count(Person.self, where: #Predicate { $0.team?.objectID == id }) == 1)
  }

  final class Level: ManagedObject {
    override class var queryableProperties: [QueryableProperty] {
      [
        .init(\Level.height, "height"), .init(\Level.link, "link"), .init(\Level.part, "part"),
        .init(\Level.weight, "weight"), .init(\Level.mass, "mass"), .init(\Level.price, "price"),
      ]
    }
    var height: Int16? { self["height"] }
    var link: URL? { self["link"] }
    var part: Float? { self["part"] }
    var weight: Double? { self["weight"] }
    var mass: Int64? { self["mass"] }
    var price: Decimal? { self["price"] }
  }

  private func levels(_ kind: ContextSource.Kind) throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {"Level": {"identityAttributes": "id", "attributes": {
          "id": "integer64", "height": {"type": "integer16", "optional": true}, "link": {"type": "uri", "optional": true},
          "part": {"type": "float", "optional": true}, "weight": {"type": "double", "optional": true},
          "mass": {"type": "integer64", "optional": true}, "price": {"type": "decimal", "optional": true}}}}}
        """, classes: [Level.self])
    return try ContextSource(kind, model).context()
  }

  @Test(
    "S12: a sum that the property's type cannot hold causes an error instead of returning 0",
    arguments: ContextSource.Kind.allCases)
  func sumOfSmallIntegers(kind: ContextSource.Kind) throws {
    let context = try levels(kind)
    try context.load(#"[{"id": 1, "height": 20000}, {"id": 2, "height": 12767}]"#, "Level")
    try context.commit()
    #expect(try context.sum(\Level.height) == 32_767)
    let value = try context.liveSum(\Level.height)
    try context.load(#"[{"id": 3, "height": 1}]"#, "Level")
    let error = #expect(throws: StoreError.self) { try context.sum(\Level.height) }
    #expect("\(try #require(error))".contains("32768 is not a value of Int16"))
    #expect(value.error != nil && value.value == 32_767)
  }

  @Test(
    "S12: sums of integers and decimals are exact in any order, and averages have as many digits as possible",
    arguments: ContextSource.Kind.allCases)
  func exactSums(kind: ContextSource.Kind) throws {
    let context = try levels(kind)
    let (most, least) = (Int64.max, Int64.min)
    for (masses, sum) in [
      ([9, most, -most], 9), ([most, 1, least], 0), ([least, -5, 5], least), ([5, 0, -7], -2), ([most, 0, 0], most),
    ] as [([Int64], Int64)] {
      for isPending in [false, true] {
        for (index, mass) in masses.enumerated() {
          try context.load("{\"id\": \(index), \"mass\": \(mass), \"height\": 1}", "Level")
        }
        try context.commit()
        if isPending { try context.find(ofEntity: "Level", id: 0)?.setValue(2, of: "height") }
        #expect(try context.sum(\Level.mass) == sum)
        #expect(try context.average(\Level.mass) == Double(sum) / 3)
        if !isPending { #expect(try context.sum(\Level.mass, groupedBy: \Level.height).map(\.value) == [sum]) }
        context.rollBack()
      }
    }
    try context.load(#"[{"id": 1, "mass": 9223372036854775807}, {"id": 2, "mass": 3}, {"id": 0, "mass": 2}]"#, "Level")
    try context.commit()
    #expect(throws: StoreError.self) { try context.sum(\Level.mass) }
    #expect(try context.average(\Level.mass) == 9223372036854775812.0 / 3)
    for (prices, average) in [("1,1,2", 4.0 / 3), ("1,2,4", 7.0 / 3), ("10,0,0", 10.0 / 3), ("-2,-2,0.1", -1.3)] {
      for (index, price) in prices.split(separator: ",").enumerated() {
        try context.load("{\"id\": \(index), \"price\": \(price)}", "Level")
      }
      try context.commit()
      #expect(try context.average(\Level.price) == average)
    }
  }

  @Test("S12: floats are added as doubles", arguments: ContextSource.Kind.allCases)
  func sumOfFloats(kind: ContextSource.Kind) throws {
    let context = try levels(kind)
    try context.load(#"[{"id": 1, "part": 16777216}, {"id": 2, "part": 1}, {"id": 3, "part": 1}]"#, "Level")
    try context.commit()
    #expect(try context.average(\Level.part) == 16_777_218.0 / 3)
  }

  @Test("S12: a sum of floats that is too large for its type causes an error", arguments: ContextSource.Kind.allCases)
  func infiniteSum(kind: ContextSource.Kind) throws {
    let context = try levels(kind)
    try context.load(#"[{"id": 1, "part": 3e38}, {"id": 2, "part": 3e38}]"#, "Level")
    try context.commit()
    let error = #expect(throws: StoreError.self) { try context.sum(\Level.part) }
    #expect("\(try #require(error))".contains("a sum is too large for the type 'float'"))
    // The average of floats is computed in doubles.
    #expect(try context.average(\Level.part).map { $0 > 2.9e38 } == true)
    try context.load(#"[{"id": 1, "weight": 1.7e308}, {"id": 2, "weight": 1.7e308}]"#, "Level")
    try context.commit()
    #expect(throws: StoreError.self) { try context.average(\Level.weight) }
    #expect(throws: StoreError.self) { try context.average(\Level.weight, groupedBy: \Level.height) }
  }

  @Test(
    "S6: URIs are ordered by their stored text, with and without pending changes",
    arguments: ContextSource.Kind.allCases)
  func orderOfURIs(kind: ContextSource.Kind) throws {
    let context = try levels(kind)
    try context.load(#"[{"id": 1, "link": "http://a.org/Ö"}, {"id": 2, "link": "http://a.org/Z"}]"#, "Level")
    try context.commit()
    func order() throws -> [Int] {
      try context.fetch(ofEntity: "Level", sortedBy: [.ascending("link")]).map { ($0["id"] as Int?) ?? 0 }
    }
    #expect(try order() == [2, 1])
    context.insert(ofEntity: "Level")["id"] = 3
    #expect(try order() == [2, 1, 3])
  }
}
