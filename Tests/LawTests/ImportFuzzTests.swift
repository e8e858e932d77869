import Foundation
import Graft
import GraftTestSupport
import Testing

/// Damaged payloads, with the package's models. Each payload must be either imported or refused.
@Suite("Fuzz: damaged payloads") struct ImportFuzzTests {
  struct Seed: Sendable, CustomTestStringConvertible {
    var model: String
    var entity: String
    var payload: String
    /// The existing data, if the payload updates objects.
    var base: String?
    var keyPath: JSONKeyPath?

    var testDescription: String { payload }
  }

  static let seeds = [
    Seed(model: "Comics", entity: "Hero", payload: "comics"), Seed(model: "Comics", entity: "Power", payload: "powers"),
    Seed(model: "Comics", entity: "Hero", payload: "comics-update", base: "comics"),
    Seed(model: "Cards", entity: "Deck", payload: "cards"),
    Seed(model: "Messages", entity: "Conversation", payload: "messages"),
    Seed(model: "Timetable", entity: "Course", payload: "timetable"),
    Seed(model: "Timetable", entity: "Course", payload: "timetable-update", base: "timetable"),
    Seed(model: "Posts", entity: "Post", payload: "posts"),
    Seed(model: "Twitter", entity: "Tweet", payload: "tweets", keyPath: "statuses"),
    Seed(model: "GitHubEvents", entity: "Event", payload: "events"),
    Seed(model: "Catalog", entity: "Event", payload: "catalog", keyPath: "events"),
  ]

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appendingPathComponent(path)))
  }

  /// The number of cases for each seed, which the environment can increase.
  static let cases = (ProcessInfo.processInfo.environment["GRAFT_FUZZ_CASES"].flatMap(Int.init) ?? 20_000) / seeds.count

  @Test(
    "I10, I11: a damaged payload is imported or rejected with a location, and leaves no trace (GRAFT_FUZZ_CASES)",
    arguments: seeds)
  func damaged(seed: Seed) throws {
    let model = try ManagedObjectModel(contentsOf: Self.root.appendingPathComponent("Models/\(seed.model).json"))
    let payload = try Self.bytes("Examples/Payloads/\(seed.payload).json")
    let base = try seed.base.map { try Self.bytes("Examples/Payloads/\($0).json") }
    var random = SeededRandom(seed: 4711)
    var context = ManagedObjectContext(model: model)
    var imported = 0
    for number in 0..<Self.cases {
      // Every third case has an existing graph.
      if number % 3 == 0 {
        context = ManagedObjectContext(model: model)
        if let base { try context.importJSON(base, ofEntity: seed.entity) }
        if number % 2 == 0 { try context.importJSON(payload, ofEntity: seed.entity, at: seed.keyPath) }
      }
      var damaged = payload
      random.mutate(&damaged)
      let before = context.dump()
      var options = ImportOptions()
      if number % 5 == 0 { options.unknownKeys = .error }
      if number % 7 == 0 { options.limits.objects = 10 }
      let label: Comment = "\(seed.payload), case \(number): \(String(decoding: damaged, as: UTF8.self))"
      do {
        try context.importJSON(damaged, ofEntity: seed.entity, at: seed.keyPath, options: options)
        imported += 1
      } catch {
        if context.dump() != before { Issue.record("the graph changed: \(label)") }
        check(error, damaged, label)
      }
      let problems = context.checkInvariants()
      if !problems.isEmpty { Issue.record("\(problems): \(label)") }
    }
    // The damage must not be so mild that no import is refused, or so severe that every import is.
    #expect(imported > Self.cases / 100 && imported < Self.cases)
  }

  private func check(_ error: ImportError, _ payload: [UInt8], _ label: Comment) {
    if error.diagnostics.isEmpty || error.diagnostics.count > 20 {
      Issue.record("\(error.diagnostics.count) errors: \(label)")
    }
    var last = 0
    for diagnostic in error.diagnostics {
      guard let location = diagnostic.location, (0...payload.count).contains(location.offset),
        diagnostic.path?.hasPrefix("$") == true
      else {
        Issue.record("\(diagnostic): no place inside the text: \(label)")
        continue
      }
      if location.offset < last { Issue.record("\(diagnostic): not in the order of the text: \(label)") }
      last = location.offset
      if DiagnosticRenderer().render(diagnostic).contains(where: {
        $0 != "\n" && $0.unicodeScalars.allSatisfy { $0.value < 0x20 }
      }) {
        Issue.record("a control character in a message: \(label)")
      }
    }
  }

  @Test("I1: a damaged dictionary is imported or rejected in the same way as its text", arguments: seeds)
  func dictionaries(seed: Seed) throws {
    let model = try ManagedObjectModel(contentsOf: Self.root.appendingPathComponent("Models/\(seed.model).json"))
    let payload = try JSON(
      foundation: JSONSerialization.jsonObject(with: Data(Self.bytes("Examples/Payloads/\(seed.payload).json"))))
    let base = try seed.base.map { try Self.bytes("Examples/Payloads/\($0).json") }
    var random = SeededRandom(seed: 815)
    for number in 0..<max(20, Self.cases / 20) {
      var damaged = payload
      for _ in 0...Int.random(in: 0..<3, using: &random) { damaged = random.damage(damaged) }
      let outcomes = try (0..<3).map { way -> String in
        let context = ManagedObjectContext(model: model)
        if let base { try context.importJSON(base, ofEntity: seed.entity) }
        do throws(ImportError) {
          if way < 2 {
            let payload = way == 0 ? damaged : damaged.turnedRound
            try objects(ofEntity: seed.entity, fromJSON: payload, in: context, at: seed.keyPath)
          } else if let array = damaged.foundationValue as? [Any] {
            try objects(ofEntity: seed.entity, fromJSON: array, in: context, at: seed.keyPath)
          } else if let dictionary = damaged.foundationValue as? [String: Any] {
            try objects(ofEntity: seed.entity, fromJSON: dictionary, in: context, at: seed.keyPath)
          } else {
            return "a scalar"
          }
          return String(decoding: context.dump(), as: UTF8.self)
        } catch {
          return Set(error.diagnostics.map { "\($0.path ?? ""): \($0.message)" }).sorted().joined(separator: "\n")
        }
      }
      // Dictionaries are read in model order, so compare only if the order of members does not matter (I7).
      if outcomes[0] == outcomes[1], outcomes[0] != outcomes[2], outcomes[2] != "a scalar" {
        Issue.record("\(seed.payload), case \(number): \(damaged)\n\(outcomes[0])\n---\n\(outcomes[2])")
      }
    }
  }
}

extension JSON {
  /// Returns the same value with the members of all objects in reverse order.
  fileprivate var turnedRound: JSON {
    switch self {
    case .array(let elements): .array(elements.map(\.turnedRound))
    case .object(let object): .object(JSONObject(object.reversed().map { ($0.key, $0.value.turnedRound) }))
    default: self
    }
  }
}

extension SeededRandom {
  /// Replaces one value somewhere in a tree with another value.
  fileprivate mutating func damage(_ value: JSON) -> JSON {
    switch value {
    case .array(var elements) where !elements.isEmpty && next() % 16 != 0:
      let place = Int.random(in: 0..<elements.count, using: &self)
      switch next() % 12 {
      case 0: elements.remove(at: place)
      case 1: elements.append(elements[place])
      default: elements[place] = damage(elements[place])
      }
      return .array(elements)
    case .object(var object) where !object.isEmpty && next() % 16 != 0:
      let member = object[Int.random(in: 0..<object.count, using: &self)]
      switch next() % 12 {
      case 0: object[member.key] = nil as JSON?
      case 1: object[member.key + "_"] = member.value
      default: object[member.key] = damage(member.value)
      }
      return .object(object)
    default:
      let values: [JSON] = [
        nil, true, false, 0, -1, 1, 1.5, 70_000, 9_007_199_254_740_993, "", "1", "101", "abc", [], [1], ["a", nil], [:],
        ["id": "1"], ["id": 1],
      ]
      return values.randomElement(using: &self) ?? nil
    }
  }
}
