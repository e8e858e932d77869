import Foundation
import Graft
import GraftTestSupport
import Testing

/// Results do not depend on what is in memory: contexts that load lazily have the same results as contexts that load everything before each
/// step or evict everything after it.
///
/// `GRAFT_TWIN_CASES` is the number of models, 24 by default; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of loaded objects") struct TwinLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_TWIN_CASES", 24)

  @Test(
    "S3: results, reports, errors and exports do not depend on what is in memory",
    arguments: ContextSource.Kind.allCases)
  func twins(kind: ContextSource.Kind) throws { try ContextSource.Kind.withStorableTexts(kind) { try hold(kind) } }

  private func hold(_ kind: ContextSource.Kind) throws {
    var counts: [String: Int] = [:]
    var failures = 0
    for seed in ContextSource.Kind.part(of: Self.seeds, kind) where failures < 3 {
      var random = SeededRandom(seed: seed)
      for _ in 0..<4 {
        let steps = (0..<8 + random.below(16)).map { _ in random.next() }
        let start = random.next()
        do {
          try LawSeeds.run(steps) { steps in
            try Self.compare(seed, start, steps, kind, &counts)
          }
        } catch {
          failures += 1
          Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)")
          break
        }
      }
    }
    print("S3 law of twins, \(kind): \(counts.sorted { $0.key < $1.key })")
    guard Self.seeds.count > 20, kind != .postgresql else { return }
    for what in ["imports", "failed imports", "commits", "merges", "conflicts", "exports", "edits"] {
      #expect(counts[what] ?? 0 > 0, "\(what)")
    }
  }

  private static func compare(
    _ seed: UInt64, _ start: UInt64, _ steps: [UInt64], _ kind: ContextSource.Kind, _ counts: inout [String: Int]
  ) throws {
    var lazy = try Twins(seed, kind, .lazy)
    let expected = try lazy.run(start, steps)
    counts.merge(lazy.counts, uniquingKeysWith: +)
    for memory in [Twins.Memory.eager, .forgetful] {
      var other = try Twins(seed, kind, memory)
      let found = try other.run(start, steps)
      guard let index = zip(expected, found).enumerated().first(where: { $1.0 != $1.1 })?.offset else { continue }
      let lines = [expected[index], found[index]].map { Set($0.split(separator: "\n")) }
      throw LawFailure(
        """
        step \(index), lazy (-) and \(memory) (+):
        - \(lines[0].subtracting(lines[1]).sorted().joined(separator: "\n- "))
        + \(lines[1].subtracting(lines[0]).sorted().joined(separator: "\n+ "))
        after
        \(lazy.story)
        """)
    }
  }
}

/// Two contexts of one source, with their contents and reports.
private struct Twins {
  enum Memory { case lazy, eager, forgetful }

  private var one: LawCase
  private let source: ContextSource
  private let memory: Memory
  private var contexts: [ManagedObjectContext] = []
  private(set) var counts: [String: Int] = [:]

  var story: String { one.story }

  init(_ seed: UInt64, _ kind: ContextSource.Kind, _ memory: Memory) throws {
    one = try LawCase(ofContexts: seed)
    one.isSparing = true
    self.memory = memory
    source = try ContextSource(kind, one.loaded)
  }

  /// - Returns: the result of each step.
  mutating func run(_ start: UInt64, _ steps: [UInt64]) throws -> [String] {
    one.random = SeededRandom(seed: start)
    one.startAgain()
    contexts = [try source.context(), try source.context()]
    let mergesChanges = one.random.chance(percent: 30)
    let policy: ConflictPolicy = one.random.pick([.refuse, .storeWins, .contextWins, .mergeByProperty])
    one.note("\(policy)\(mergesChanges ? ", merging" : "")")
    for context in contexts {
      context.conflictPolicy = policy
      context.mergesChanges = mergesChanges
      if memory == .forgetful { context.loadedObjectLimit = 0 }
      // The first read of a context determines which version the context shows.
      _ = try context.count(ofEntity: one.model.entities[0].name)
    }
    var found: [String] = []
    for seed in steps {
      one.random = SeededRandom(seed: seed)
      let number = one.random.below(contexts.count)
      one.goOn(with: contexts[number])
      if memory == .eager { _ = contexts[number].dumpBytes() }
      one.note("context \(number)")
      found.append(try step())
      for context in contexts {
        let faults = context.checkInvariants()
        if !faults.isEmpty { throw LawFailure("\(memory): \(faults)\n\(story)") }
      }
    }
    let dumps = contexts.map { Self.normalized(String(decoding: $0.dumpBytes(), as: UTF8.self)) }
    return found + dumps
  }

  private mutating func step() throws -> String {
    let context = one.context
    switch one.random.below(14) {
    case 0...2:
      let run = ReportedRun(&one)
      one.note("\(run)")
      return report(of: run, in: context)
    case 3, 4:
      one.note("commit")
      return counted(Self.result("commits") { try context.commit() })
    case 5:
      one.note("roll back")
      context.rollBack()
      return "\(context.hasChanges)"
    case 6:
      one.note("merge")
      return counted(Self.result("merges") { _ = try context.merge() })
    case 7:
      one.note("export")
      counts["exports", default: 0] += 1
      let names = one.model.entities.map(\.name)
      let exports = names.map { name in
        do { return String(decoding: try context.exportAll(of: name, options: ExportOptions()), as: UTF8.self) } catch {
          return "\(error)"
        }
      }
      return exports.joined(separator: "\n")
    case 8:
      one.note("fetch")
      return try one.model.entities.map { entity in
        let objects = try context.fetch(ofEntity: entity.name)
        let count = try context.count(ofEntity: entity.name)
        return "\(entity.name): \(objects.count), \(count): "
          + Self.normalized("\(objects)")
      }.joined(separator: "\n")
    case 9:
      one.note("edits in a transaction")
      let result = Self.result("transactions") {
        try context.atomically {
          for _ in 0..<1 + one.random.below(3) { try one.edit() }
          if one.random.chance(percent: 30) { throw LawFailure("rolled back") }
        }
      }
      return counted(result)
    default:
      try one.edit()
      counts["edits", default: 0] += 1
      // Unordered lists have the order in which their objects were loaded.
      let changes = Self.normalized("\(context.changes)").split(separator: "\n")
      return "\(context.hasChanges)\n"
        + changes.map { $0.replacing(",", with: "").split(separator: " ").sorted().joined(separator: " ") }.joined(
          separator: "\n")
    }
  }

  /// The result of a call: whether it succeeded, the code of its error, and the error itself.
  private static func result(_ success: String, _ body: () throws -> Void) -> (outcome: String, text: String) {
    do {
      try body()
      return (success, success)
    } catch {
      return (error is ConflictError ? "conflicts" : "other errors", normalized("\(error)"))
    }
  }

  private mutating func counted(_ result: (outcome: String, text: String)) -> String {
    counts[result.outcome, default: 0] += 1
    return result.text
  }

  private mutating func report(of run: ReportedRun, in context: ManagedObjectContext) -> String {
    var lines: [String] = []
    do {
      try run.report(in: context) { report in
        lines = report.description.split(separator: "\n").map { "\($0)" } + report.warnings.map(\.description)
        lines += report.details.map { "\($0)" }
      }
      counts["imports", default: 0] += 1
    } catch {
      counts["failed imports", default: 0] += 1
      lines = (error as? ImportError)?.diagnostics.map(\.description) ?? ["\(error)"]
    }
    return Self.normalized(lines.joined(separator: "\n"))
  }

  /// Sorts lines and removes the numbers of objects, because these count requests. Names that differ only in their numbers are treated as
  /// equal.
  private static func normalized(_ text: String) -> String {
    text.replacingOccurrences(of: "(#|number )[0-9]+", with: "$1", options: .regularExpression)
      .replacingOccurrences(
        of: #"name: "([^"]*#)", previousName: Optional\("\1"\)"#, with: #"name: "$1", previousName: nil"#,
        options: .regularExpression
      )
      .split(separator: "\n").map { $0.hasSuffix(",") ? "\($0.dropLast())" : "\($0)" }.sorted().joined(separator: "\n")
  }
}
