import Foundation
import Graft
import GraftTestSupport
import Testing

/// `migratedFrom` and its reverse restore the original values, and objects that are made from attributes have the attributes' values.
///
/// The number of models is a tenth of `GRAFT_STORE_CASES`, 1,000 by default; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of migrations that a model declares") struct DeclaredMigrationLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_STORE_CASES", 1_000, each: 10)

  @Test("S21: strings that are split and joined again are unchanged, even if the version in between is skipped")
  func divided() throws {
    try Self.each { seed, kind in
      var random = SeededRandom(seed: seed)
      let one = DividedTexts(&random)
      let (place, other) = (try one.filled(kind), try one.filled(kind))
      let first = try place.open(one.whole("1"))
      let expected = try Self.values(first, one.entity, "whole")
      first.reset()
      let divided = try place.open(one.divided)
      let parts = try Self.values(divided, one.entity, "part0")
      try require(parts.count == expected.count, "there are \(parts.count) objects")
      for (part, whole) in zip(parts, expected) {
        try require(part == whole.map(one.firstPart), "the first part of \(whole ?? []) is \(part ?? [])")
      }
      divided.reset()
      let joined = try Self.values(place.open(one.joined), one.entity, "whole")
      try require(joined == expected, "\(joined)\nbefore: \(expected)")
      let skipped = try Self.values(other.open(one.joined), one.entity, "whole")
      try require(skipped == expected, "version 2 skipped: \(skipped)\nbefore: \(expected)")
    }
  }

  @Test(
    "S21: each object is linked to one object per identity in its attributes, unless they contradict each other")
  func extracted() throws {
    var counts: [Bool: Int] = [:]
    try Self.each { seed, kind in
      var random = SeededRandom(seed: seed)
      let one = ExtractedObjects(&random)
      let place = try one.filled(kind)
      counts[one.isContradictory, default: 0] += 1
      guard !one.isContradictory else {
        let before = try place.open(one.first).exported("Item")
        #expect(throws: StoreError.self, "seed \(seed)") { try place.open(one.second) }
        try require(place.open(one.first).exported("Item") == before, "the store is not as it was")
        return
      }
      let context = try place.open(one.second)
      for item in one.items {
        let object: ManagedObject? = try context.find(ofEntity: "Item", id: item.id)?["maker"]
        let (name, city): (String?, String?) = (object?["name"], object?["city"])
        try require(name.map { Array($0.utf8) } == item.name.map { Array($0.utf8) }, "\(item): \(name ?? "nil")")
        // Another item can provide the city of the same maker.
        try require(city == item.city || item.city == nil, "\(item): \(city ?? "nil")")
      }
      let names = Set(one.items.compactMap { item in item.name.map { Array($0.utf8) } })
      try require(context.count(ofEntity: "Maker") == names.count, "there are not \(names.count) makers")
      try require(context.checkInvariants() == [], "\(context.checkInvariants())")
    }
    if Self.seeds.count > 20 { #expect(counts.count == 2) }
  }

  private static func each(_ run: (UInt64, MigratedPlace.Kind) throws -> Void) throws {
    var failures = 0
    for seed in seeds where failures < 3 {
      for kind in MigratedPlace.Kind.available where kind != .postgresql || seed % 5 == 0 {
        do { try run(seed, kind) } catch {
          failures += 1
          Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)")
        }
      }
    }
  }

  /// Values of an attribute. Equal strings can have different bytes.
  private static func values(_ context: ManagedObjectContext, _ entity: String, _ name: String) throws -> [[UInt8]?] {
    try context.fetch(ofEntity: entity, sortedBy: .ascending("id")).map { object in
      (object[name] as String?).map { Array($0.utf8) }
    }
  }
}

private func require(_ condition: Bool, _ words: @autoclosure () -> String) throws {
  if !condition { throw LawFailure(words()) }
}

/// Strings with separators, in an entity that can inherit the attribute or have sub-entities.
private struct DividedTexts {
  let separator: String
  let parts: Int
  /// The entity of the objects, and the entity that declares the attribute.
  let entity: String
  private let owner: String
  private let texts: [String?]

  init(_ random: inout SeededRandom) {
    separator = random.pick([" ", ",", ", ", "//", "é", "e\u{301}", "🇩🇪", "\u{301}", "\"", "\n", "aa"])
    parts = 2 + random.below(3)
    (owner, entity) = random.pick([("Item", "Item"), ("Item", "Special"), ("Special", "Special")])
    let pieces = [separator, separator, "a", "aaa", "e", "\u{301}", "🇩", "🇪", " ", "/", "", "\\", "Ж", "0"]
    texts = (0..<6 + random.below(6)).map { _ in
      if random.chance(percent: 15) { return nil }
      return (0..<random.below(8)).map { _ in random.pick(pieces) }.joined()
    }
  }

  /// A model with attributes that describe the owner.
  private func model(_ version: String, _ attributes: [String]) -> String {
    let text = attributes.joined(separator: ", ")
    return """
      {"version": "\(version)", "keyStrategy": "sameName", "entities": {
        "Item": {"identityAttributes": "id", "attributes": {"id": "integer64"\(owner == "Item" ? ", \(text)" : "")}},
        "Special": {"parent": "Item", "attributes": {\(owner == "Special" ? text : "")}}}}
      """
  }

  func firstPart(_ text: [UInt8]) -> [UInt8] {
    let end = text.indices.first { text[$0...].starts(with: separator.utf8) }
    return Array(text[..<(end ?? text.count)])
  }

  private var separatorText: String { JSON.string(separator).description }

  func whole(_ version: String) -> String { model(version, [#""whole": {"type": "string", "optional": true}"#]) }

  var divided: String {
    model(
      "2",
      (0..<parts).map {
        #""part\#($0)": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "whole", "separator": \#(separatorText), "part": \#($0)}}"#
      })
  }

  var joined: String {
    let names = (0..<parts).map { "\"part\($0)\"" }.joined(separator: ", ")
    return model(
      "3",
      [
        #""whole": {"type": "string", "optional": true, "migratedFrom": {"version": "3", "attributes": [\#(names)], "separator": \#(separatorText)}}"#
      ])
  }

  func filled(_ kind: MigratedPlace.Kind) throws -> MigratedPlace {
    let payload = texts.enumerated().map { number, text in
      ["id": .number(JSONNumber(number)), "whole": text.map { .string($0) } ?? .null] as JSON
    }
    let place = try MigratedPlace(kind)
    try place.fill(whole("1"), entity, JSON.array(payload).description)
    return place
  }
}

/// Items with the name and city of their maker. The maker becomes an object.
private struct ExtractedObjects {
  struct Item {
    let id: Int
    let name: String?
    let city: String?
  }

  let items: [Item]
  let isContradictory: Bool

  init(_ random: inout SeededRandom) {
    let isFree = random.chance(percent: 30)
    // Identities are compared by their bytes.
    let makers = [("A", "Rom"), ("a", "Bern"), ("", "Köln"), ("A ", nil), ("é", "x"), ("e\u{301}", "y")]
    items = (0..<4 + random.below(8)).map { id in
      guard random.chance(percent: 80) else { return Item(id: id, name: nil, city: nil) }
      let (name, city) = random.pick(makers)
      return Item(id: id, name: name, city: isFree ? random.pick(["Rom", "Bern", nil]) : city)
    }
    let known = Dictionary(grouping: items.filter { $0.name != nil && $0.city != nil }) { Array(($0.name ?? "").utf8) }
    isContradictory = known.values.contains { items in Set(items.map(\.city)).count > 1 }
  }

  let first = """
    {"version": "1", "keyStrategy": "sameName", "entities": {"Item": {"identityAttributes": "id", "attributes": {
      "id": "integer64", "makerName": {"type": "string", "optional": true}, "city": {"type": "string", "optional": true}}}}}
    """
  let second = """
    {"version": "2", "keyStrategy": "sameName", "entities": {
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"maker": {
        "destination": "Maker", "migratedFrom": {"version": "2", "attributes": {"name": "makerName", "city": "city"}}}}},
      "Maker": {"identityAttributes": "name", "attributes": {"name": "string", "city": {"type": "string", "optional": true}}}}}
    """

  func filled(_ kind: MigratedPlace.Kind) throws -> MigratedPlace {
    let payload = items.map { item in
      [
        "id": .number(JSONNumber(item.id)), "makerName": item.name.map { .string($0) } ?? .null,
        "city": item.city.map { .string($0) } ?? .null,
      ] as JSON
    }
    let place = try MigratedPlace(kind)
    try place.fill(first, "Item", JSON.array(payload).description)
    return place
  }
}
