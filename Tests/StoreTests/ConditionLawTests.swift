import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// Random conditions as text: some are valid, and some have words that are missing, repeated or exchanged. Without a store, with each kind
/// of store, and with pending changes, a condition selects the same objects or causes the same error, whose location is in the text.
///
/// `GRAFT_CONDITION_CASES` is the number of seeds, 40 by default; `GRAFT_LAW_SEED` runs only that seed.
@Suite("Law: conditions as text") struct ConditionLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_CONDITION_CASES", 40)

  private struct Generator {
    var random: SeededRandom

    private static let properties = [
      "name", "age", "height", "price", "born", "code", "page", "picture", "isActive", "grade", "`not`", "team.title",
      "team.members.count", "team", "team.members", "missing", "name.x", "rival", "rival.age", "rival.rival.name",
      "rival.team",
    ]
    private static let values = [
      "'Ann'", "\"Zoë\"", "null", "true", "false", "0", "-9", "30", "1.75", "12.50", "1e300", "9223372036854775807",
      "18446744073709551615", "'2001-09-09T01:46:40.25Z'", "'6b29fc40-ca47-1067-b31d-00dd010662da'", "'AAEC/w=='",
      "'DC'", "''",
      "\"\\u0000\"", "\"\\ud83d\"", "'https://example.com'", "'good'",
    ]
    private static let comparisons = [
      "=", "!=", "<", "<=", ">", ">=", "contains", "beginsWith", "<>", "==", "is", "in",
    ]

    mutating func words(_ depth: Int = 0) -> [String] {
      switch random.below(depth > 3 ? 4 : 8) {
      case 0: return [random.pick(Self.properties)]
      case 1: return [random.pick(Self.properties), "is"] + (random.chance(percent: 50) ? ["not"] : []) + ["null"]
      case 2:
        let values = (0..<random.below(4)).map { _ in random.pick(Self.values) }
        let negation = random.chance(percent: 50) ? ["not"] : []
        return [random.pick(Self.properties)] + negation + ["in", "("] + values.flatMap { [$0, ","] }.dropLast() + [")"]
      case 3: return operand() + [random.pick(Self.comparisons.prefix(10))] + operand()
      case 4: return ["not"] + words(depth + 1)
      case 5: return ["("] + words(depth + 1) + [")"]
      case 6: return words(depth + 1) + [random.pick(["and", "or", "&&", "||"])] + words(depth + 1)
      default:
        return [random.pick(["some", "every"]), random.pick(["team.members", "members", "team"]), "("]
          + words(depth + 1)
          + [")"]
      }
    }

    private mutating func operand() -> [String] {
      [random.chance(percent: 50) ? random.pick(Self.properties) : random.pick(Self.values)]
    }

    mutating func text() -> String {
      var words = words()
      if random.chance(percent: 20) {
        let index = random.below(words.count)
        switch random.below(3) {
        case 0: words.remove(at: index)
        case 1: words.insert(words[index], at: index)
        default:
          words[index] = random.pick(Self.comparisons + Self.values + ["(", ")", ",", ".", "`", "\"", "é", "\u{0}"])
        }
      }
      return words.joined(separator: random.chance(percent: 90) ? " " : "")
    }
  }

  @Test("Law: a condition has the same meaning in memory and in stores", arguments: seeds)
  func meaning(_ seed: UInt64) throws {
    var generator = Generator(random: SeededRandom(seed: seed))
    let contexts = try QueryTests.Kind.allCases.map { kind in
      let context = try ObjectConditionTests.source(kind)
      if kind != .memory, generator.random.chance(percent: 50) {
        // A pending change that has no effect.
        let ann = try #require(try context.find(ofEntity: "Person", identity: "Ann"))
        ann["age"] = 31
        ann["age"] = 30
        context.insert(ofEntity: "Team")["title"] = "new"
        try context.delete(try #require(try context.find(ofEntity: "Team", identity: "new")))
      }
      return context
    }
    for _ in 0..<60 {
      let text = generator.text()
      var first: String?
      for context in contexts {
        let outcome = try self.outcome(of: text, in: context)
        #expect(outcome == first ?? outcome, "seed \(seed): \(text)")
        first = first ?? outcome
      }
    }
  }

  private func outcome(of text: String, in context: ManagedObjectContext) throws -> String {
    do throws(StoreError) {
      let objects = try context.fetch(ofEntity: "Person", where: ObjectCondition(text), sortedBy: [.ascending("name")])
      let count = try context.count(ofEntity: "Person", where: ObjectCondition(text))
      #expect(count == objects.count, "\(text)")
      return objects.map { $0["name"] ?? "?" }.joined(separator: " | ")
    } catch {
      let diagnostic = error.diagnostics.first
      if diagnostic?.code == .invalidCondition {
        #expect(diagnostic?.location.map { $0.offset + $0.length <= text.utf8.count + 1 } == true, "\(text)")
      }
      return "\(error)"
    }
  }
}
