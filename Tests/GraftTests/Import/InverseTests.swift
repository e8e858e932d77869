import Graft
import GraftTestSupport
import Testing

@Suite("Inverses") struct InverseTests {
  /// Persons and cars; the arguments declare whether each side of the relationship is a to-many.
  private static func cars(_ mine: String, _ back: String) throws -> ManagedObjectContext {
    try Fixture.context(
      """
      "Person": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"car": {"destination": "Car", "inverse": "owner"\(mine)}}
      },
      "Car": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"owner": {"destination": "Person", "inverse": "car"\(back)}}
      }
      """)
  }

  private static let toMany = #", "toMany": true"#
  private static let inOrder = #", "toMany": true, "ordered": true"#

  @Test(
    "I6: one to one: both sides agree regardless of which side is set, and a new partner replaces the old partner",
    arguments: [
      ("Person", #"[{"id": 1, "car": {"id": 1}}]"#, "Person(1) car=Car(1)|Car(1) owner=Person(1)"),
      ("Car", #"[{"id": 1, "owner": {"id": 1}}]"#, "Person(1) car=Car(1)|Car(1) owner=Person(1)"),
      ("Person", #"[{"id": 1, "car": {"id": 1, "owner": {"id": 1}}}]"#, "Person(1) car=Car(1)|Car(1) owner=Person(1)"),
      // The car now has another owner, so the first owner has none.
      (
        "Person", #"[{"id": 1, "car": {"id": 1}}, {"id": 2, "car": 1}]"#,
        "Person(1)|Person(2) car=Car(1)|Car(1) owner=Person(2)"
      ),
      (
        "Car", #"[{"id": 1, "owner": {"id": 1}}, {"id": 2, "owner": 1}]"#,
        "Person(1) car=Car(2)|Car(1)|Car(2) owner=Person(1)"
      ),
      // The person and the car already have partners, so two links are removed.
      (
        "Person", #"[{"id": 1, "car": {"id": 1}}, {"id": 2, "car": {"id": 2}}, {"id": 1, "car": 2}]"#,
        "Person(1) car=Car(2)|Person(2)|Car(1)|Car(2) owner=Person(1)"
      ),
      ("Person", #"[{"id": 1, "car": {"id": 1}}, {"id": 1, "car": null}]"#, "Person(1)|Car(1)"),
      ("Person", #"[{"id": 1, "car": {"id": 1, "owner": null}}]"#, "Person(1) car=Car(1)|Car(1) owner=Person(1)"),
      // The nested object is applied first: the owner of the car is 2 until person 1's dictionary ends.
      (
        "Person", #"[{"id": 1, "car": {"id": 1, "owner": {"id": 2}}}]"#,
        "Person(1) car=Car(1)|Person(2)|Car(1) owner=Person(1)"
      ),
    ])
  func oneToOne(entity: String, text: String, expected: String) throws {
    let context = try Self.cars("", "")
    try objects(ofEntity: entity, fromJSON: text, in: context)
    #expect(context.drawing.split(separator: "\n").joined(separator: "|") == expected)
  }

  @Test(
    "I6: one to many: both sides agree regardless of which side is set",
    arguments: [
      (
        "Person", #"[{"id": 1, "car": [{"id": 1}, {"id": 2}]}]"#,
        "Person(1) car=[Car(1), Car(2)]|Car(1) owner=Person(1)|Car(2) owner=Person(1)"
      ),
      (
        "Car", #"[{"id": 2, "owner": {"id": 1}}, {"id": 1, "owner": 1}]"#,
        "Person(1) car=[Car(1), Car(2)]|Car(1) owner=Person(1)|Car(2) owner=Person(1)"
      ),
      (
        "Person", #"[{"id": 1, "car": [{"id": 1}, {"id": 2}]}, {"id": 2, "car": [2]}]"#,
        "Person(1) car=[Car(1)]|Person(2) car=[Car(2)]|Car(1) owner=Person(1)|Car(2) owner=Person(2)"
      ),
      (
        "Person", #"[{"id": 1, "car": [{"id": 1}]}, {"id": 2, "car": [1]}]"#,
        "Person(1)|Person(2) car=[Car(1)]|Car(1) owner=Person(2)"
      ),
      (
        "Car", #"[{"id": 1, "owner": {"id": 1}}, {"id": 1, "owner": {"id": 2}}]"#,
        "Person(1)|Person(2) car=[Car(1)]|Car(1) owner=Person(2)"
      ),
      ("Car", #"[{"id": 1, "owner": {"id": 1}}, {"id": 1, "owner": null}]"#, "Person(1)|Car(1)"),
      (
        "Person", #"[{"id": 1, "car": [{"id": 1}, {"id": 2}]}, {"id": 1, "car": [2, {"id": 3}]}]"#,
        "Person(1) car=[Car(2), Car(3)]|Car(1)|Car(2) owner=Person(1)|Car(3) owner=Person(1)"
      ),
      ("Person", #"[{"id": 1, "car": []}]"#, "Person(1)"),
      ("Car", #"[{"id": 1, "owner": {"id": 1, "car": []}}]"#, "Person(1) car=[Car(1)]|Car(1) owner=Person(1)"),
    ])
  func oneToMany(entity: String, text: String, expected: String) throws {
    let context = try Self.cars(Self.toMany, "")
    try objects(ofEntity: entity, fromJSON: text, in: context)
    #expect(context.drawing.split(separator: "\n").joined(separator: "|") == expected)
  }

  @Test(
    "I6: many to many: both sides agree regardless of which side is set",
    arguments: [
      (
        "Person", #"[{"id": 1, "car": [{"id": 1}, {"id": 2}]}, {"id": 2, "car": [2]}]"#,
        "Person(1) car=[Car(1), Car(2)]|Person(2) car=[Car(2)]|Car(1) owner=[Person(1)]|Car(2) owner=[Person(1), Person(2)]"
      ),
      (
        "Person", #"[{"id": 1, "car": [{"id": 1, "owner": [{"id": 2}]}]}]"#,
        "Person(1) car=[Car(1)]|Person(2) car=[Car(1)]|Car(1) owner=[Person(1), Person(2)]"
      ),
      (
        "Person", #"[{"id": 1, "car": [{"id": 1}]}, {"id": 2, "car": [{"id": 1, "owner": []}]}]"#,
        "Person(1)|Person(2) car=[Car(1)]|Car(1) owner=[Person(2)]"
      ),
      (
        "Car", #"[{"id": 1, "owner": [{"id": 1}, {"id": 2}]}, {"id": 1, "owner": [2]}]"#,
        "Person(1)|Person(2) car=[Car(1)]|Car(1) owner=[Person(2)]"
      ),
    ])
  func manyToMany(entity: String, text: String, expected: String) throws {
    let context = try Self.cars(Self.toMany, Self.toMany)
    try objects(ofEntity: entity, fromJSON: text, in: context)
    #expect(context.drawing.split(separator: "\n").joined(separator: "|") == expected)
  }

  @Test("I6: an ordered inverse contains its objects in the order in which they were linked")
  func orderedInverse() throws {
    let context = try Self.cars(Self.inOrder, Self.inOrder)
    try objects(
      ofEntity: "Car", fromJSON: #"[{"id": 3, "owner": [2, 1]}, {"id": 1, "owner": [1]}, {"id": 2, "owner": [1, 2]}]"#,
      in: context)
    #expect(
      context.drawing == """
        Person(1) placeholder car=[Car(3), Car(1), Car(2)]
        Person(2) placeholder car=[Car(3), Car(2)]
        Car(1) owner=[Person(1)]
        Car(2) owner=[Person(1), Person(2)]
        Car(3) owner=[Person(2), Person(1)]
        """)
    // Reordering one side leaves the order of the other side unchanged.
    try objects(ofEntity: "Person", fromJSON: #"[{"id": 1, "car": [1, 2, 3]}]"#, in: context)
    #expect(
      context.drawing == """
        Person(1) car=[Car(1), Car(2), Car(3)]
        Person(2) placeholder car=[Car(3), Car(2)]
        Car(1) owner=[Person(1)]
        Car(2) owner=[Person(1), Person(2)]
        Car(3) owner=[Person(2), Person(1)]
        """)
  }

  @Test(
    "I6: the inverse of a relationship to the same entity stays consistent",
    arguments: [
      (#"[{"id": 1, "boss": {"id": 2}}]"#, "P(1) boss=P(2)|P(2) team=[P(1)]"),
      (#"[{"id": 2, "team": [{"id": 1}]}]"#, "P(1) boss=P(2)|P(2) team=[P(1)]"),
      (#"[{"id": 1, "boss": {"id": 1}}]"#, "P(1) boss=P(1) team=[P(1)]"),
      (#"[{"id": 1, "team": [1]}]"#, "P(1) boss=P(1) team=[P(1)]"),
      (#"[{"id": 1, "team": [1]}, {"id": 1, "boss": {"id": 2}}]"#, "P(1) boss=P(2)|P(2) team=[P(1)]"),
      (#"[{"id": 1, "team": [1]}, {"id": 1, "team": []}]"#, "P(1)"),
      (#"[{"id": 1, "boss": {"id": 2, "boss": {"id": 1}}}]"#, "P(1) boss=P(2) team=[P(2)]|P(2) boss=P(1) team=[P(1)]"),
      (
        #"[{"id": 1, "team": [{"id": 2}, {"id": 3, "team": [{"id": 2}]}]}]"#,
        "P(1) team=[P(2), P(3)]|P(2) boss=P(1)|P(3) boss=P(1)"
      ),
    ])
  func sameEntity(text: String, expected: String) throws {
    let context = try Fixture.context(
      """
      "P": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "boss": {"destination": "P", "inverse": "team"}, "team": {"destination": "P", "toMany": true, "inverse": "boss"}
        }
      }
      """)
    try objects(ofEntity: "P", fromJSON: text, in: context)
    #expect(context.drawing.split(separator: "\n").joined(separator: "|") == expected)
  }

  @Test(
    "I6: a relationship that is its own inverse stays symmetric",
    arguments: [
      (#"[{"id": 1, "spouse": {"id": 2}}]"#, "P(1) spouse=P(2)|P(2) spouse=P(1)"),
      (#"[{"id": 1, "spouse": 1}]"#, "P(1) spouse=P(1)"),
      (#"[{"id": 1, "spouse": 1}, {"id": 1, "spouse": null}]"#, "P(1)"),
      (#"[{"id": 1, "spouse": 1}, {"id": 2, "spouse": 1}]"#, "P(1) spouse=P(2)|P(2) spouse=P(1)"),
      (#"[{"id": 1, "spouse": {"id": 2}}, {"id": 1, "spouse": 1}]"#, "P(1) spouse=P(1)|P(2)"),
      (
        #"[{"id": 1, "spouse": {"id": 2}}, {"id": 3, "spouse": {"id": 4}}, {"id": 2, "spouse": 3}]"#,
        "P(1)|P(2) spouse=P(3)|P(3) spouse=P(2)|P(4)"
      ),
      (
        #"[{"id": 1, "friends": [{"id": 2}, {"id": 3}]}]"#,
        "P(1) friends=[P(2), P(3)]|P(2) friends=[P(1)]|P(3) friends=[P(1)]"
      ),
      (#"[{"id": 1, "friends": [{"id": 2}, 1]}]"#, "P(1) friends=[P(1), P(2)]|P(2) friends=[P(1)]"),
      (
        #"[{"id": 1, "friends": [{"id": 2}, 1]}, {"id": 1, "friends": [2]}]"#, "P(1) friends=[P(2)]|P(2) friends=[P(1)]"
      ),
      (#"[{"id": 1, "friends": [{"id": 2}, 1]}, {"id": 2, "friends": []}]"#, "P(1) friends=[P(1)]|P(2)"),
      (#"[{"id": 1, "friends": [1]}, {"id": 1, "friends": null}]"#, "P(1)"),
      (
        #"[{"id": 1, "friends": [{"id": 2, "friends": [{"id": 1}, {"id": 3}]}]}]"#,
        "P(1) friends=[P(2)]|P(2) friends=[P(1), P(3)]|P(3) friends=[P(2)]"
      ),
    ])
  func symmetric(text: String, expected: String) throws {
    let context = try Fixture.context(
      """
      "P": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "spouse": {"destination": "P", "inverse": "spouse"},
          "friends": {"destination": "P", "toMany": true, "inverse": "friends"}
        }
      }
      """)
    try objects(ofEntity: "P", fromJSON: text, in: context)
    #expect(context.drawing.split(separator: "\n").joined(separator: "|") == expected)
  }

  @Test("I6: an inverse without a key path also stays consistent")
  func unmapped() throws {
    let context = try Self.cars(#", "JSONKeyPath": null"#, "")
    try objects(ofEntity: "Car", fromJSON: #"[{"id": 1, "owner": {"id": 1, "car": "ignored"}}]"#, in: context)
    #expect(context.drawing == "Person(1) car=Car(1)\nCar(1) owner=Person(1)")
  }

  @Test("I6: links between sub-entities work if the parent entities declare both sides")
  func inherited() throws {
    let context = try Fixture.context(
      """
      "Person": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"pets": {"destination": "Pet", "toMany": true, "inverse": "owner"}}
      },
      "Child": {"parent": "Person", "attributes": {"age": "integer16"}},
      "Pet": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"owner": {"destination": "Person", "inverse": "pets"}},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"dog": "Dog"}}
      },
      "Dog": {"parent": "Pet", "attributes": {"tricks": {"type": "integer16", "default": 0}}}
      """)
    try objects(
      ofEntity: "Child", fromJSON: #"[{"id": 1, "age": 7, "pets": [{"id": 1, "kind": "dog"}, 2]}]"#, in: context)
    try objects(ofEntity: "Pet", fromJSON: #"[{"id": 2, "kind": "dog", "owner": {"id": 2}}]"#, in: context)
    #expect(
      context.drawing == """
        Person(2) pets=[Dog(2)]
        Child(1) age=7 pets=[Dog(1)]
        Dog(1) tricks=0 owner=Child(1)
        Dog(2) tricks=0 owner=Person(2)
        """)
  }
}
