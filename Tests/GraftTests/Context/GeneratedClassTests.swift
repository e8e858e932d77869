import Foundation
import Graft
import GraftTestSupport
import Testing

/// A class as `graft generate` writes it.
private final class Hero: ManagedObject {
  enum Side: String, AttributeConvertible, CaseIterable { case good, evil }

  var id: Int {
    get { self[required: 0] }
    set { self[required: 0] = newValue }
  }
  var name: String? {
    get { self[slot: 1] }
    set { self[slot: 1] = newValue }
  }
  var side: Side? {
    get { self[slot: 2] }
    set { self[slot: 2] = newValue }
  }
  var height: Double {
    get { self[required: 3] }
    set { self[required: 3] = newValue }
  }
  var mentor: Hero? {
    get { self[slot: 4] }
    set { self[slot: 4] = newValue }
  }
  var students: RelatedObjects<Hero> {
    get { self[slot: 5] }
    set { self[slot: 5] = newValue }
  }

  override class var generatedProperties: [String] {
    [
      "id: integer", "name: string?", "side: string? [\"good\",\"evil\"]", "height: double", "mentor: Hero",
      "students: [Hero]",
    ]
  }
}

private class Person: ManagedObject {
  override class var generatedProperties: [String] { ["name: string"] }
}

private final class Friend: Person {
  var since: Date? { self[slot: 1] }

  override class var generatedProperties: [String] { super.generatedProperties + ["since: date?"] }
}

@Suite("Generated classes") struct GeneratedClassTests {
  static let heroes = #"""
    "Hero": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64",
        "name": {"type": "string", "optional": true},
        "side": {"type": "string", "optional": true, "enum": ["good", "evil"]},
        "height": "double"
      },
      "relationships": {
        "mentor": {"destination": "Hero", "inverse": "students"},
        "students": {"destination": "Hero", "inverse": "mentor", "toMany": true}
      }
    }
    """#

  @Test("C1: generated properties are read and set by slot, and setting a relationship updates its inverse")
  func slots() throws {
    let context = try Fixture.context(Self.heroes, classes: [Hero.self])
    try context.load(#"{"id": 1, "name": "Batman", "side": "good", "height": 1.88, "students": [2]}"#, "Hero")
    let batman = try #require(try context.find(Hero.self, identity: 1))
    let robin = try #require(try context.find(Hero.self, identity: 2))
    #expect(batman.name == "Batman" && batman.side == .good && batman.height == 1.88 && batman.id == 1)
    #expect(batman.students.map(\.id) == [2] && robin.mentor === batman && robin.isPlaceholder && robin.name == nil)
    batman.name = nil
    batman.side = .evil
    batman.height = 2
    batman.id = 3
    #expect(try context.text(batman) == #"{"id":3,"name":null,"side":"evil","height":2,"mentor":null,"students":[2]}"#)
    #expect(try context.find(Hero.self, identity: 3) === batman)
    let other = context.insert(Hero.self)
    other.students = batman.students
    #expect(robin.mentor === other && batman.students.isEmpty)
    robin.mentor = nil
    #expect(other.students.isEmpty)
    batman.mentor = robin
    #expect(robin.students.map(\.id) == [3])
    #expect(try context.fetch(Hero.self, where: { $0.side == .evil }) == [batman])
  }

  @Test("M9: a class generated from another version of the model is rejected at the property that moved")
  func outdated() throws {
    func message(_ heroes: String) -> String {
      do {
        _ = try Fixture.context(heroes, classes: [Hero.self])
        return "loaded"
      } catch {
        return "\(error)"
      }
    }
    func expected(_ place: String, _ slot: Int, _ generated: String, _ found: String) -> String {
      """
      m.json:\(place): error: the class 'Hero' was generated from another version of the model: \
      its property \(slot) is '\(generated)', but \(found); generate the classes again
      """
    }
    #expect(message(Self.heroes) == "loaded")
    #expect(
      message(Self.heroes.replacing(#""name": "#, with: #""alias": "#))
        == expected("6:5", 1, "name: string?", "the model has 'alias: string?' there"))
    #expect(
      message(Self.heroes.replacing(#""good", "#, with: ""))
        == expected("7:5", 2, #"side: string? ["good","evil"]"#, #"the model has 'side: string? ["evil"]' there"#))
    #expect(
      message(Self.heroes.replacing(#""height": "double""#, with: #""height": "float""#))
        == expected("8:5", 3, "height: double", "the model has 'height: float' there"))
    let alone = #""Hero": {"attributes": {"id": "integer64"}}"#
    #expect(message(alone) == expected("2:1", 1, "name: string?", "the model has no property there"))
    let error = #expect(throws: ModelError.self) { try Fixture.context(alone, classes: [Hero.self]) }
    #expect(error?.diagnostics.map(\.code) == [.outdatedClass])
    // Declarations on which the class does not rely can change.
    let other = Self.heroes.replacing("integer64", with: "integer16")
      .replacing(#""toMany": true"#, with: #""toMany": true, "ordered": true"#)
      .replacing("\n  }\n}", with: "\n    ,\"friend\": {\"destination\": \"Hero\"}\n  }\n}")
    #expect(message(other) == "loaded")
  }

  @Test("M9: a sub-entity's class also has its parent class's slots")
  func outdatedParent() throws {
    let people = #"""
      "Person": {"attributes": {"name": "string"}},
      "Friend": {"parent": "Person", "attributes": {"since": {"type": "date", "optional": true}}}
      """#
    let context = try Fixture.context(people, classes: [Person.self, Friend.self])
    let friend = try context.load(#"{"name": "Ada", "since": "2024-09-22T00:00:00Z"}"#, "Friend")[0]
    #expect((friend as? Friend)?.since == Date(timeIntervalSince1970: 1_726_963_200))
    let aged = people.replacing(#""name": "string""#, with: #""name": "string", "age": "integer16""#)
    #expect {
      try Fixture.context(aged, classes: [Person.self, Friend.self])
    } throws: { error in
      "\(error)" == """
        m.json:2:45: error: the class 'Friend' was generated from another version of the model: \
        its property 1 is 'since: date?', but the model has 'age: integer' there; generate the classes again
        """
    }
  }
}
