import Foundation
import Graft
import GraftTestSupport
import Testing

/// Small random payloads with relationships of all kinds.
private struct Payloads: RandomNumberGenerator {
  private var state: UInt64
  private static let relationships: [(key: String, isToMany: Bool)] = [
    ("spouse", false), ("mentor", false), ("pupil", false), ("boss", false), ("team", true), ("friends", true),
    ("fans", true), ("idols", true),
  ]

  static let model = """
    "P": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {
        "spouse": {"destination": "P", "inverse": "spouse"},
        "mentor": {"destination": "P", "inverse": "pupil"},
        "pupil": {"destination": "P", "inverse": "mentor"},
        "boss": {"destination": "P", "inverse": "team"},
        "team": {"destination": "P", "toMany": true, "ordered": true, "inverse": "boss"},
        "friends": {"destination": "P", "toMany": true, "inverse": "friends"},
        "fans": {"destination": "P", "toMany": true, "mergeRule": "union", "inverse": "idols"},
        "idols": {"destination": "P", "toMany": true, "inverse": "fans"}
      }
    }
    """

  /// Pairs of relationships that are each other's inverse.
  static let pairs = [
    ("spouse", "spouse"), ("mentor", "pupil"), ("boss", "team"), ("friends", "friends"), ("fans", "idols"),
  ]

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func payload() -> String {
    let count = Int.random(in: 1...4, using: &self)
    return "[" + (0..<count).map { _ in object(depth: 0) }.joined(separator: ",") + "]"
  }

  private mutating func object(depth: Int) -> String {
    var members = [#""id":\#(Int.random(in: 1...6, using: &self))"#]
    if Bool.random(using: &self) { members.append(#""name":"\#(Int.random(in: 1...9, using: &self))""#) }
    for relationship in Payloads.relationships where Int.random(in: 0..<4, using: &self) == 0 {
      members.append(#""\#(relationship.key)":"# + value(relationship.isToMany, depth))
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private mutating func value(_ isToMany: Bool, _ depth: Int) -> String {
    if Int.random(in: 0..<6, using: &self) == 0 { return "null" }
    guard isToMany else { return one(depth) }
    return "[" + (0..<Int.random(in: 0...4, using: &self)).map { _ in one(depth) }.joined(separator: ",") + "]"
  }

  private mutating func one(_ depth: Int) -> String {
    depth < 3 && Int.random(in: 0..<3, using: &self) == 0
      ? object(depth: depth + 1) : String(Int.random(in: 1...6, using: &self))
  }
}

/// The destinations of an object's relationship.
private func targets(_ object: ManagedObject, _ name: String) -> [ManagedObject] {
  switch try? object.propertyValue(of: name) {
  case .object(let target): [target]
  case .objects(let targets): Array(targets)
  default: []
  }
}

@Suite("Laws of imports") struct ImportLawTests {
  @Test("I6: both sides of every link agree after each of many imports", arguments: 1...40)
  func inverses(seed: UInt64) throws {
    var payloads = Payloads(seed: seed)
    let context = try Fixture.context(Payloads.model)
    for _ in 1...10 {
      let payload = payloads.payload()
      try objects(ofEntity: "P", fromJSON: payload, in: context)
      for object in try context.fetch(ofEntity: "P") {
        for (name, inverse) in Payloads.pairs {
          let forward = targets(object, name)
          #expect(Set(forward).count == forward.count, "seed \(seed): \(payload)")
          #expect(forward.allSatisfy { targets($0, inverse).contains(object) }, "seed \(seed), \(name): \(payload)")
          let backward = targets(object, inverse)
          #expect(backward.allSatisfy { targets($0, name).contains(object) }, "seed \(seed), \(inverse): \(payload)")
        }
      }
    }
  }

  @Test("I10: a failed import leaves no trace in any graph", arguments: 1...40)
  func atomicity(seed: UInt64) throws {
    var payloads = Payloads(seed: seed)
    let context = try Fixture.context(Payloads.model)
    let spared = try Fixture.context(Payloads.model)
    for _ in 1...10 {
      let before = context.dump()
      let failing = payloads.payload().dropLast() + #",{"id":"x"}]"#
      #expect(throws: ImportError.self) { try objects(ofEntity: "P", fromJSON: String(failing), in: context) }
      #expect(context.dump() == before, "seed \(seed): \(failing)")
      // Later imports have the same effect as without the failed import.
      let payload = payloads.payload()
      try objects(ofEntity: "P", fromJSON: payload, in: context)
      try objects(ofEntity: "P", fromJSON: payload, in: spared)
      #expect(context.dump() == spared.dump(), "seed \(seed): \(failing), then \(payload)")
    }
  }

  @Test("I10: rolling back undoes setters, insertions and imports", arguments: 1...20)
  func rollBack(seed: UInt64) throws {
    var payloads = Payloads(seed: seed)
    let context = try Fixture.context(Payloads.model)
    for _ in 1...10 {
      try objects(ofEntity: "P", fromJSON: payloads.payload(), in: context)
      let before = context.dump()
      let people = try context.fetch(ofEntity: "P")
      for _ in 1...5 {
        let person = people.randomElement(using: &payloads) ?? people[0]
        person["boss"] = people.randomElement(using: &payloads)
        person["friends"] = Array(people.shuffled(using: &payloads).prefix(2))
        person["name"] = "x"
      }
      context.insert(ofEntity: "P")["spouse"] = people[0]
      try context.delete(people[people.count - 1])
      context.rollBack()
      #expect(context.dump() == before, "seed \(seed)")
    }
  }

  @Test("I1: bytes and dictionaries produce the same graph if keys are in model order", arguments: 1...40)
  func waysIn(seed: UInt64) throws {
    var payloads = Payloads(seed: seed)
    let bytes = try Fixture.context(Payloads.model)
    let dictionaries = try Fixture.context(Payloads.model)
    for _ in 1...10 {
      let payload = payloads.payload()
      try objects(ofEntity: "P", fromJSON: payload, in: bytes)
      let array = try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [Any] ?? []
      try objects(ofEntity: "P", fromJSON: array, in: dictionaries)
      #expect(bytes.dump() == dictionaries.dump(), "seed \(seed): \(payload)")
    }
  }

  @Test("I5: a to-many that is mentioned once has exactly the elements of its array", arguments: 1...40)
  func membership(seed: UInt64) throws {
    var payloads = Payloads(seed: seed)
    let context = try Fixture.context(Payloads.model)
    for _ in 1...10 {
      try objects(ofEntity: "P", fromJSON: payloads.payload(), in: context)
      let order = (1...6).shuffled(using: &payloads).prefix(Int.random(in: 0...6, using: &payloads))
      let text = #"{"id": 1, "team": [\#(order.map(String.init).joined(separator: ","))]}"#
      let person = try object(ofEntity: "P", fromJSON: text, in: context)
      #expect(targets(person, "team").map(\.description) == order.map { "P(\($0))" }, "seed \(seed): \(text)")
    }
  }
}
