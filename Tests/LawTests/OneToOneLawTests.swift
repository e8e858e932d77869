import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// One-to-one relationships of a few objects that several contexts change at the same time.
///
/// `GRAFT_ONE_TO_ONE_CASES` is the number of sequences for each kind of context; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of one-to-ones") struct OneToOneLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_ONE_TO_ONE_CASES", 300, found: [4505])

  @Test(
    "S5, S8: both sides of all one-to-ones agree, and all contexts agree with their store, after any steps",
    arguments: ContextSource.Kind.allCases)
  func together(kind: ContextSource.Kind) throws { try ContextSource.Kind.withStorableTexts(kind) { try hold(kind) } }

  private func hold(_ kind: ContextSource.Kind) throws {
    var counts: [String: Int] = [:]
    var failures = 0
    for seed in ContextSource.Kind.part(of: Self.seeds, kind) where failures < 3 {
      var one = try OneToOneCase(kind, seed: seed)
      do {
        try one.run()
      } catch {
        failures += 1
        Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)\n\(one.story.joined(separator: "\n"))")
      }
      counts.merge(one.counts, uniquingKeysWith: +)
    }
    print("S5, S8 law of one-to-ones, \(kind): \(counts.sorted { $0.key < $1.key })")
    guard Self.seeds.count > 100, kind != .postgresql else { return }
    for what in ["commits", "conflicts", "imports", "merges"] { #expect(counts[what] ?? 0 > 0, "\(what)") }
  }
}

/// A sequence of steps on the objects 1 to 4 of three contexts: two of one store or parent, and a child of the first.
private struct OneToOneCase {
  private static let loaded = try? ManagedObjectModel(text: Fixture.nodes, name: "m.json")

  private(set) var story: [String] = []
  private(set) var counts: [String: Int] = [:]
  private let kind: ContextSource.Kind
  private var random: SeededRandom
  private var members: [(name: String, context: ManagedObjectContext)] = []

  init(_ kind: ContextSource.Kind, seed: UInt64) throws {
    self.kind = kind
    random = SeededRandom(seed: seed)
  }

  mutating func run() throws {
    let start = random.next()
    let steps = (0..<4 + random.below(24)).map { _ in random.next() }
    try LawSeeds.run(steps) { try run($0, start) }
  }

  /// - Parameter steps: a seed for each step, so that the remaining steps are unchanged if some are left out.
  private mutating func run(_ steps: [UInt64], _ start: UInt64) throws {
    random = SeededRandom(seed: start)
    story = []
    let source = try ContextSource(kind, #require(Self.loaded))
    let first = try source.context()
    members = [("first", first), ("second", try source.context()), ("child", first.makeChild())]
    if random.chance(percent: 50) { members.removeLast() }
    let policy: ConflictPolicy = random.pick([.refuse, .storeWins, .contextWins, .mergeByProperty])
    let mergesChanges = random.chance(percent: 20)
    story.append("\(kind), \(policy)\(mergesChanges ? ", merging" : "")")
    for member in members {
      member.context.conflictPolicy = policy
      member.context.mergesChanges = mergesChanges
    }
    for seed in steps {
      random = SeededRandom(seed: seed)
      let (name, context) = random.pick(members)
      try step(name, context)
      try expectInvariants()
    }
    try settle(source)
  }

  private mutating func step(_ name: String, _ context: ManagedObjectContext) throws {
    let id = 1 + random.below(4)
    let property = random.pick(["next", "previous", "partner"])
    let target: Int? = random.chance(percent: 20) ? nil : 1 + random.below(4)
    switch random.below(12) {
    case 0...3:
      let payload = #"{"id": \#(id), "\#(property)": \#(target.map { "\($0)" } ?? "null")}"#
      story.append("\(name): import \(payload)")
      do {
        try context.load(payload, "Node")
        count("imports")
      } catch let error as ImportError {
        story.append("  \(error)")
      }
    case 4...6:
      story.append("\(name): set \(id).\(property) = \(target.map { "\($0)" } ?? "nil")")
      guard let object = try context.find(ofEntity: "Node", identity: id) else { return }
      object[property] = try target.flatMap { try context.find(ofEntity: "Node", identity: $0) }
    case 7:
      story.append("\(name): set \(id).n")
      try context.find(ofEntity: "Node", identity: id)?["n"] = random.below(100)
    case 8:
      story.append("\(name): delete \(id)")
      if let object = try context.find(ofEntity: "Node", identity: id) { try context.delete(object) }
    case 9: try commit(name, context)
    case 10:
      story.append("\(name): roll back")
      context.rollBack()
    default:
      story.append("\(name): merge")
      count(try context.mergeOrStay() ?? false ? "merges" : "merges without effect")
    }
  }

  private mutating func commit(_ name: String, _ context: ManagedObjectContext) throws {
    story.append("\(name): commit")
    do {
      try context.commit()
      count("commits")
    } catch is ConflictError {
      count("conflicts")
      story.append("  conflict, roll back")
      context.rollBack()
    }
  }

  /// In the end, all contexts have the same contents as a new context.
  private mutating func settle(_ source: ContextSource) throws {
    story.append("in the end:")
    for (name, context) in members.reversed() {
      try commit(name, context)
      try expectInvariants()
    }
    for (name, context) in members {
      try context.merge()
      try expectInvariants()
      let (expected, found) = (try source.context().dumpText, context.dumpText)
      if lines(expected) != lines(found) {
        throw LawFailure("a new context and \(name) after a merge:\n\(expected)\n\(found)")
      }
    }
    try source.commitParents()
    if case let faults = try source.faults(), !faults.isEmpty {
      throw LawFailure("the store is damaged: \(faults)")
    }
  }

  /// The lines of a dump, regardless of the order of the objects.
  private func lines(_ dump: String) -> [String] {
    dump.split(separator: "\n").map { String($0.hasSuffix(",") ? $0.dropLast() : $0) }.sorted()
  }

  private func expectInvariants() throws {
    for (name, context) in members {
      let faults = context.checkInvariants()
      if !faults.isEmpty { throw LawFailure("\(name): \(faults)") }
    }
  }

  private mutating func count(_ what: String) { counts[what, default: 0] += 1 }
}
