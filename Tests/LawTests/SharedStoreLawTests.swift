import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// Contexts that change one store at the same time. Each context has its own view of the store.
///
/// `GRAFT_SHARED_CASES` is the number of models, 60 by default; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of shared stores") struct SharedStoreLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_SHARED_CASES", 60)

  @Test(
    "S5: after any commits by several contexts, the store is consistent, and merged contexts have its graph",
    arguments: ContextSource.Kind.allCases.filter { !$0.isOfChildren })
  func together(kind: ContextSource.Kind) throws { try ContextSource.Kind.withStorableTexts(kind) { try hold(kind) } }

  private func hold(_ kind: ContextSource.Kind) throws {
    var counts: [String: Int] = [:]
    var failures = 0
    for seed in ContextSource.Kind.part(of: Self.seeds, kind) where failures < 3 {
      var one = try LawCase(seed: seed, isRich: true, hasSurroundings: seed % 3 == 0)
      do {
        for _ in 0..<4 {
          one.startAgain()
          try run(&one, kind, &counts)
        }
      } catch {
        failures += 1
        Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)\n\(one.story)")
      }
    }
    print("S5 law, \(kind): \(counts.sorted { $0.key < $1.key })")
    guard Self.seeds.count > 20, kind != .postgresql else { return }
    for what in ["commits", "conflicts", "settled", "imports", "merges"] {
      #expect(counts[what] ?? 0 > 0, "\(what)")
    }
  }

  private func run(_ one: inout LawCase, _ kind: ContextSource.Kind, _ counts: inout [String: Int]) throws {
    let source = try ContextSource(kind, one.loaded)
    let contexts = [try source.context(), try source.context()]
    for _ in 0..<40 {
      let number = one.random.below(2)
      one.goOn(with: contexts[number])
      one.note("context \(number)")
      switch one.random.below(10) {
      case 0...4: try one.edit()
      case 5:
        one.note("roll back")
        contexts[number].rollBack()
      case 6:
        let (entity, payload) = one.payload()
        if one.importing(payload, entity, by: .bytes) == nil { counts["imports", default: 0] += 1 }
      default: try commit(number, &one, &counts)
      }
      for (number, context) in contexts.enumerated() { try expectInvariants(context, "context \(number)") }
      try compare(source, contexts, &one, &counts)
    }
  }

  private func commit(_ number: Int, _ one: inout LawCase, _ counts: inout [String: Int]) throws {
    let context = one.context
    let policy: ConflictPolicy = one.random.pick([.refuse, .storeWins, .contextWins, .mergeByProperty])
    context.conflictPolicy = policy
    one.note("commit, \(policy)")
    let hasChanges = context.hasChanges
    do {
      try context.commit()
      if hasChanges { counts[policy == .refuse ? "commits" : "settled", default: 0] += 1 }
    } catch let error as ConflictError {
      one.note("  \(error.diagnostics.map(\.message))")
      counts["conflicts", default: 0] += 1
      context.rollBack()
    } catch let error as ValidationError {
      one.note("  \(error.diagnostics.map(\.message))")
      context.rollBack()
    }
    context.conflictPolicy = .refuse
  }

  /// Compares the context with one that reads everything again.
  private func compare(
    _ source: ContextSource, _ contexts: [ManagedObjectContext], _ one: inout LawCase, _ counts: inout [String: Int]
  ) throws {
    guard one.random.chance(percent: 30) else { return }
    let fresh = try source.context()
    let stored = fresh.dumpBytes()
    try expectInvariants(fresh, "a new context")
    for (number, context) in contexts.enumerated() where !context.hasChanges && one.random.chance(percent: 50) {
      one.note("merge into context \(number)")
      if try context.merge() { counts["merges", default: 0] += 1 }
      try one.expectSame(stored, context.dumpBytes(), "the store (-) and context \(number) (+)")
      try expectInvariants(context, "context \(number) after the merge")
      let copy = ManagedObjectContext(context.snapshot())
      // Objects without identity are named by the order in which they were loaded.
      guard stored.contains(UInt8(ascii: "#")) || Self.lines(stored) == Self.lines(copy.dumpBytes()) else {
        throw LawFailure("a snapshot of context \(number) differs from the store")
      }
      try expectInvariants(copy, "a snapshot of context \(number)")
    }
    if case let faults = try source.faults(), !faults.isEmpty {
      throw LawFailure("the store is damaged: \(faults)")
    }
  }

  /// Returns the sorted lines of a dump, because the objects of a snapshot are in the order in which they were loaded.
  private static func lines(_ dump: [UInt8]) -> [String] {
    String(decoding: dump, as: UTF8.self).split(separator: "\n").map {
      $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
    }
    .sorted()
  }

  private func expectInvariants(_ context: ManagedObjectContext, _ name: String) throws {
    let faults = context.checkInvariants()
    if !faults.isEmpty { throw LawFailure("\(name): \(faults)") }
  }
}
