import Foundation
import Graft
import GraftTestSupport
import Testing

/// Strings that are compared with those of the row that an object probably describes, before they are scanned.
///
/// `GRAFT_TEXT_CASES` is the number of sequences of payloads; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of repeated strings") struct ExpectedTextLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_TEXT_CASES", 400)

  @Test("I2, I13: each string has the value in the payload, regardless of the strings in nearby rows")
  func sequences() throws {
    var counts: [String: Int] = [:]
    for seed in Self.seeds {
      var one = try TextCase(seed: seed)
      do {
        try one.run()
      } catch {
        Issue.record("GRAFT_LAW_SEED=\(seed): \(error)\n\(one.payloads.joined(separator: "\n"))")
        return
      }
      counts.merge(one.counts, uniquingKeysWith: +)
    }
    print("Law of repeated texts: \(counts.sorted { $0.key < $1.key })")
    guard Self.seeds.count > 20 else { return }
    for what in ["imported", "refused", "by hand", "nested"] {
      #expect(counts[what] ?? 0 > Self.seeds.count / 2, "\(what)")
    }
  }

  @Test("D3: the last dictionary is applied last, even if a nested dictionary changed the same object")
  func nested() throws {
    let context = try Fixture.context(Self.people)
    try context.load(#"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]"#, "Person")
    try context.load(#"{"id": 1, "name": "Ann", "friend": {"id": 1, "name": "Eve"}}"#, "Person")
    #expect(try context.find(ofEntity: "Person", identity: 1)?["name"] == "Ann")
  }

  @Test(
    "I13: a quote in an existing string does not make the same quote valid in the JSON",
    arguments: [#"\""#, #"\\"#, #"\n"#])
  func illegal(escape: String) throws {
    let context = try Fixture.context(Self.people)
    let text = #"[{"id": 1, "name": "a\#(escape)x"}, {"id": 2, "name": "c"}]"#
    try context.load(text, "Person")
    let before = context.dumpText
    let name: String? = try context.find(ofEntity: "Person", identity: 1)?["name"]
    #expect(throws: ImportError.self) { try context.load(#"[{"id": 1, "name": "\#(name ?? "")"}]"#, "Person") }
    #expect(context.dumpText == before)
    let report = try context.importJSON(Array(text.utf8), ofEntity: "Person")
    #expect(report.unchanged == ["Person": 2])
  }

  fileprivate static let people = #"""
    "Person": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64", "name": {"type": "string", "optional": true},
        "nick": {"type": "string", "optional": true, "JSONKeyPath": "other.nick"}},
      "relationships": {"friend": {"destination": "Person"}}}
    """#
}

/// Returns a few payloads about a few people, and the expected result.
private struct TextCase {
  private var random: SeededRandom
  private let context: ManagedObjectContext
  /// The name and nickname of each person.
  private var expected: [Int: [String?]] = [:]
  private(set) var payloads: [String] = []
  private(set) var counts: [String: Int] = [:]

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    context = try Fixture.context(ExpectedTextLawTests.people)
  }

  mutating func run() throws {
    for _ in 0..<6 {
      if random.chance(percent: 15) { try changeByHand() }
      try importPayload()
      for (id, texts) in expected {
        let person = try context.find(ofEntity: "Person", identity: id)
        let found: [String?] = [person?["name"], person?["nick"]]
        try #require(found.map(Self.spelled) == texts.map(Self.spelled), "person \(id)")
      }
      try #require(try context.count(ofEntity: "Person") == expected.count)
      try #require(context.checkInvariants() == [])
    }
  }

  /// Canonically equivalent strings are different.
  private static func spelled(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

  private mutating func changeByHand() throws {
    guard let id = expected.keys.sorted().randomElement(using: &random) else { return }
    let text = makeText()
    try context.find(ofEntity: "Person", identity: id)?["name"] = text
    expected[id]?[0] = text
    if random.chance(percent: 50) { try context.commit() }
    counts["by hand", default: 0] += 1
  }

  private mutating func importPayload() throws {
    var next = expected
    var ids = Array(1...6)
    if random.chance(percent: 30) { ids.shuffle(using: &random) }
    if random.chance(percent: 30) { ids.removeSubrange(..<Int.random(in: 1...3, using: &random)) }
    let elements = ids.map { dictionary($0, &next, isNested: false) }
    var payload = "[" + elements.joined(separator: ", ") + "]"
    let place =
      random.chance(percent: 20) ? payload.indices.filter { payload[$0] == "\"" }.randomElement(using: &random) : nil
    if let place { payload.insert(contentsOf: ["\"", "\\", "\n", "x"].randomElement(using: &random) ?? "", at: place) }
    payloads.append(payload)
    let isLegal = (try? JSONSerialization.jsonObject(with: Data(payload.utf8))) != nil
    if place != nil, isLegal {
      // The dictionary can now describe another person.
      payloads.removeLast()
      return
    }
    do {
      try context.load(payload, "Person")
      try #require(isLegal, "an illegal payload was imported")
      expected = next
      counts["imported", default: 0] += 1
    } catch let error as ImportError {
      try #require(!isLegal, "\(error)")
      counts["refused", default: 0] += 1
    }
  }

  /// A person whose strings are often unchanged. Nested objects are applied first.
  private mutating func dictionary(_ id: Int, _ next: inout [Int: [String?]], isNested: Bool) -> String {
    let old = expected[id] ?? [nil, nil]
    let texts = (0..<2).map { old[$0] != nil && random.chance(percent: 70) ? old[$0] ?? "" : makeText() }
    var members = ["\"name\": \(literal(texts[0]))", "\"other\": {\"nick\": \(literal(texts[1]))}"]
    if !isNested, random.chance(percent: 20) {
      let friend = random.chance(percent: 50) ? id : Int.random(in: 1...6, using: &random)
      members.append("\"friend\": " + dictionary(friend, &next, isNested: true))
      counts["nested", default: 0] += 1
    }
    members.insert("\"id\": \(id)", at: random.chance(percent: 70) ? 0 : members.count)
    next[id] = texts
    return "{" + members.joined(separator: ", ") + "}"
  }

  private mutating func literal(_ text: String) -> String {
    let escapesAll = random.chance(percent: 10)
    var literal = "\""
    for scalar in text.unicodeScalars {
      if escapesAll, scalar.value < 0x1_0000 {
        let digits = String(scalar.value, radix: 16)
        literal += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        switch scalar {
        case "\"": literal += "\\\""
        case "\\": literal += "\\\\"
        case "\n": literal += "\\n"
        default: literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }

  private mutating func makeText() -> String {
    let pieces = ["a", "b", "ab", "Batman and Robin", "\"", "\\", "\n", "é", "e\u{301}", "🦇", "x\": \"y", ""]
    return (0..<Int.random(in: 0...3, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }
}
