import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Context: changes") struct ContextChangeTests {
  @Test("C2: an inserted object has its defaults in stored form, and is found by its new identity")
  func insert() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {
        "id": {"type": "integer64", "JSONTransformerName": "StringToInteger"},
        "level": {"type": "integer16", "default": 3, "minimum": 1}, "since": {"type": "date", "default": "2014-08-31T00:00:00Z"},
        "name": {"type": "string", "optional": true}}}
      """#)
    let hero = context.insert(ofEntity: "Hero")
    #expect(hero["level"] as Int? == 3 && hero["name"] as String? == nil)
    #expect(hero["since"] as Date? == Date(timeIntervalSince1970: 1_409_443_200))
    #expect(try context.find(ofEntity: "Hero", identity: 7) == nil)
    hero["id"] = 7
    #expect(try context.find(ofEntity: "Hero", identity: 7) === hero)
    let same = try object(ofEntity: "Hero", fromJSON: #"{"id": "7", "name": "Batman"}"#, in: context)
    #expect(same === hero)
    #expect(context.checkInvariants() == [])
  }

  @Test(
    "C2: a look-up compares bytes of strings, includes sub-entities, and requires all identity attributes")
  func find() throws {
    let context = try Fixture.context(
      #"""
      "Word": {"identityAttributes": "text", "attributes": {"text": "string"}},
      "Price": {"identityAttributes": "amount", "attributes": {"amount": "decimal"}},
      "Ratio": {"identityAttributes": "value", "attributes": {"value": "double"}},
      "Card": {"identityAttributes": ["set", "number"], "attributes": {"set": "string", "number": "integer32"}},
      "Message": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"text": "Text"}}},
      "Text": {"parent": "Message"}
      """#)
    try context.load(#"["é", "e\u0301", ""]"#, "Word")
    #expect(try context.count(ofEntity: "Word") == 3)
    #expect(try context.find(ofEntity: "Word", identity: "é") !== context.find(ofEntity: "Word", identity: "e\u{301}"))
    #expect(
      try context.find(ofEntity: "Word", identity: "") != nil && context.find(ofEntity: "Word", identity: "E") == nil)
    try context.load("[1.50, 1.5, 15e-1]", "Price")
    #expect(try context.count(ofEntity: "Price") == 1)
    #expect(try context.find(ofEntity: "Price", identity: Decimal(string: "1.5")!) != nil)
    try context.load("[0, -0.0, 0.5]", "Ratio")
    #expect(try context.count(ofEntity: "Ratio") == 2)
    #expect(try context.find(ofEntity: "Ratio", identity: -0.0) === context.find(ofEntity: "Ratio", identity: 0.0))
    try context.load(#"[["DAW", 12], {"set": "DAW", "number": 12}]"#, "Card")
    #expect(try context.find(ofEntity: "Card", identity: "DAW", 12)?.isPlaceholder == false)
    #expect(try context.find(ofEntity: "Card", identity: "DAW", 13) == nil)
    try context.load(#"[{"id": 1, "type": "text"}, {"id": 2}]"#, "Message")
    #expect(try context.find(ofEntity: "Text", identity: 1) === context.find(ofEntity: "Message", identity: 1))
    #expect(try context.find(ofEntity: "Text", identity: 2) == nil)
    #expect(context.checkInvariants() == [])
  }

  @Test("C2: `changes` lists the objects inserted, updated and deleted since the last commit")
  func changes() throws {
    let context = try Fixture.context(Fixture.comics)
    let heroes = try context.load(#"[{"id": 1, "powers": [4]}, {"id": 2}, {"id": 3}]"#, "Hero")
    #expect(context.changes.isEmpty && !context.hasChanges)
    let robin = context.insert(ofEntity: "Hero")
    heroes[0]["name"] = "Batman"
    try context.delete(heroes[1])
    let doomed = context.insert(ofEntity: "Hero")
    try context.delete(doomed)
    robin["powers"] = [try #require(try context.find(ofEntity: "Power", identity: 4))]
    robin["id"] = 9
    let changes = context.changes
    #expect(changes.inserted == [robin.objectID])
    #expect(
      changes.updated.map(\.description)
        == [#"Hero(1) name: nil -> "Batman""#, "Power(4) heroes: + Hero(9)"])
    #expect(changes.deleted == [heroes[1].objectID])
    #expect(context.hasChanges)
    try context.commit()
    #expect(context.changes.isEmpty && !context.hasChanges)
    #expect(context.checkInvariants() == [])
  }

  @Test("C2: setting an equal value changes nothing")
  func nothingNew() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(#"{"id": 1, "name": "B", "powers": [4, 9], "publisher": 10}"#, "Hero")[0]
    hero["name"] = "B"
    hero["id"] = 1
    hero["publisher"] = try context.find(ofEntity: "Publisher", identity: 10)
    hero["powers"] = Array(hero["powers"] as [ManagedObject])
    #expect(context.changes.isEmpty)
    context.rollBack()
    #expect(context.checkInvariants() == [])
  }

  @Test(
    "C2: a rollback restores values, links, and inserted and deleted objects, and handles reflect the restored state")
  func rollBack() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(#"{"id": 1, "name": "Batman", "powers": [4, 9], "publisher": 10}"#, "Hero")[0]
    let before = context.dumpText
    let robin = context.insert(ofEntity: "Hero")
    robin["id"] = 2
    robin["powers"] = hero["powers"] as [ManagedObject]
    hero["id"] = 100
    hero["name"] = nil as String?
    hero["powers"] = [ManagedObject]()
    hero["publisher"] = nil as ManagedObject?
    try context.delete(try #require(try context.find(ofEntity: "Power", identity: 4)))
    try context.delete(hero)
    #expect(hero.isDeleted)
    context.rollBack()
    #expect(context.dumpText == before)
    #expect(!hero.isDeleted && hero["name"] as String? == "Batman")
    #expect(try context.find(ofEntity: "Hero", identity: 1) === hero)
    #expect(
      try context.find(ofEntity: "Hero", identity: 100) == nil && context.find(ofEntity: "Hero", identity: 2) == nil)
    #expect(robin.isDeleted && robin["id"] as Int? == nil && robin.description == "Hero (removed)")
    #expect((robin["powers"] as [ManagedObject]).isEmpty)
    #expect((robin["powers"] as RelatedObjects<ManagedObject>).isEmpty)
    #expect(context.checkInvariants() == [])
  }

  @Test("I10: a failed import keeps earlier uncommitted changes, and a successful import commits those changes")
  func importsOnTop() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(#"{"id": 1, "powers": [4]}"#, "Hero")[0]
    let before = context.dumpText
    hero["name"] = "Batman"
    hero["powers"] = [ManagedObject]()
    let edited = context.dumpText
    #expect(throws: ImportError.self) {
      try context.load(#"[{"id": 1, "name": "X", "powers": [4, 5]}, {"id": "2"}]"#, "Hero")
    }
    #expect(context.dumpText == edited && context.hasChanges)
    #expect(context.checkInvariants() == [])
    context.rollBack()
    #expect(context.dumpText == before)
    hero["name"] = "Batman"
    try context.load(#"{"id": 2}"#, "Hero")
    #expect(!context.hasChanges)
    context.rollBack()
    #expect(try hero["name"] as String? == "Batman" && context.count(ofEntity: "Hero") == 2)
  }

  // MARK: Identity

  @Test(
    "C2: setting an identity that another object has is refused and changes nothing",
    arguments: [
      ("integer64", "1", "2"), ("string", #""a""#, #""b""#), ("uri", #""https://a.b/é""#, #""https://a.b/ö""#),
      ("decimal", "1.5", "2"), ("date", #""2014-08-31T00:00:00Z""#, #""2015-08-31T00:00:00Z""#),
      ("uuid", #""123e4567-e89b-12d3-a456-42661417400f""#, #""123e4567-e89b-12d3-a456-42661417400e""#),
      ("binary", #""AA==""#, #""Zm9v""#), ("double", "0", "0.5"), ("boolean", "true", "false"),
    ])
  func identityConflicts(type: String, first: String, second: String) throws {
    let context = try Fixture.context(
      #""X": {"identityAttributes": "a,n", "attributes": {"a": "\#(type)", "n": "integer64"}}"#)
    let objects = try context.load(
      #"[{"a": \#(first), "n": 1}, {"a": \#(first), "n": 2}, {"a": \#(second), "n": 1}]"#, "X")
    let before = context.dumpText
    let exported = try context.exported("X")
    #expect(throws: PropertyError.self) { try objects[1].setValue(.integer(1), of: "n") }
    // Reading a URI as a URL normalizes its spelling, and another spelling is a different identity.
    if type != "uri" {
      let taken = try objects[0].value(of: "a", as: AnyValue.self)
      #expect(throws: PropertyError.self) { try objects[2].setValue(taken?.attributeValue, of: "a") }
    }
    #expect(context.dumpText == before)
    #expect(try context.exported("X") == exported)
    #expect(context.checkInvariants() == [])
    try objects[1].setValue(.integer(3), of: "n")
    try context.load(#"[{"a": \#(first), "n": 3}]"#, "X")
    #expect(try context.count(ofEntity: "X") == 3)
    context.rollBack()
    #expect(context.checkInvariants() == [])
  }

  @Test("C2: an identity can be removed from an object, given to another object, and given back")
  func identityMoves() throws {
    let context = try Fixture.context(Fixture.comics)
    let heroes = try context.load(#"[{"id": 1}, {"id": 2}]"#, "Hero")
    try heroes[0].setValue(nil, of: "id")
    try heroes[1].setValue(.integer(1), of: "id")
    #expect(
      try context.find(ofEntity: "Hero", identity: 1) === heroes[1]
        && context.find(ofEntity: "Hero", identity: 2) == nil)
    try heroes[0].setValue(.integer(2), of: "id")
    #expect(try context.find(ofEntity: "Hero", identity: 2) === heroes[0])
    #expect(context.checkInvariants() == [])
    context.rollBack()
    #expect(
      try context.find(ofEntity: "Hero", identity: 1) === heroes[0]
        && context.find(ofEntity: "Hero", identity: 2) === heroes[1])
    #expect(context.checkInvariants() == [])
  }

  @Test("C2: a deleted object's identity can be used again")
  func identityOfDeleted() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(#"{"id": 1, "name": "old"}"#, "Hero")[0]
    try context.delete(hero)
    #expect(try context.find(ofEntity: "Hero", identity: 1) == nil)
    let other = try context.load(#"{"id": 1}"#, "Hero")[0]
    #expect(other !== hero && other["name"] as String? == nil)
    #expect(hero.isDeleted && hero["name"] as String? == "old")
    #expect(context.checkInvariants() == [])
  }

  // MARK: Inverses

  @Test("I6: setters update both sides of a relationship, and remove displaced links")
  func inverses() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "home": {"destination": "City", "inverse": "heroes"}, "mayorOf": {"destination": "City", "inverse": "mayor"},
        "friends": {"destination": "Hero", "toMany": true, "inverse": "friends"},
        "rival": {"destination": "Hero", "inverse": "rival"}}},
      "City": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "heroes": {"destination": "Hero", "toMany": true, "ordered": true, "inverse": "home"},
        "mayor": {"destination": "Hero", "inverse": "mayorOf"}}}
      """#)
    let hero = try context.load("[1, 2, 3]", "Hero")
    let city = try context.load("[1, 2]", "City")
    func ids(_ object: ManagedObject, _ name: String) -> [Int] {
      (object[name] as [ManagedObject]).compactMap { $0["id"] }
    }
    func id(_ object: ManagedObject, _ name: String) -> Int? { (object[name] as ManagedObject?)?["id"] }
    city[0]["heroes"] = [hero[1], hero[0], hero[1]]
    #expect(ids(city[0], "heroes") == [2, 1] && id(hero[0], "home") == 1)
    city[1]["heroes"] = [hero[0]]
    #expect(ids(city[0], "heroes") == [2] && id(hero[0], "home") == 2)
    hero[0]["home"] = city[0]
    #expect(ids(city[0], "heroes") == [2, 1] && ids(city[1], "heroes") == [])
    hero[0]["mayorOf"] = city[0]
    hero[1]["mayorOf"] = city[0]
    #expect(id(hero[0], "mayorOf") == nil && id(city[0], "mayor") == 2)
    city[1]["mayor"] = hero[1]
    #expect(id(city[0], "mayor") == nil && id(hero[1], "mayorOf") == 2)
    hero[0]["friends"] = [hero[0], hero[1], hero[2]]
    #expect(ids(hero[0], "friends") == [1, 2, 3] && ids(hero[2], "friends") == [1])
    hero[2]["friends"] = [ManagedObject]()
    #expect(ids(hero[0], "friends") == [1, 2])
    hero[0]["friends"] = [hero[1]]
    #expect(ids(hero[0], "friends") == [2])
    hero[0]["rival"] = hero[1]
    hero[2]["rival"] = hero[1]
    #expect(id(hero[0], "rival") == nil && id(hero[1], "rival") == 3)
    hero[2]["rival"] = hero[2]
    #expect(id(hero[1], "rival") == nil && id(hero[2], "rival") == 3)
    #expect(context.checkInvariants() == [])
    context.rollBack()
    #expect(context.checkInvariants() == [])
    #expect(ids(city[0], "heroes") == [] && id(hero[2], "rival") == nil)
  }
}

/// A value of any type, for tests that run for all attribute types.
private struct AnyValue: AttributeConvertible {
  let attributeValue: AttributeValue

  init?(attributeValue: AttributeValue) { self.attributeValue = attributeValue }
}
