import Graft
import GraftTestSupport
import Testing

/// A context that merges another context's changes.
@Suite("Laws of merged changes") struct MergedChangesLawTests {
  /// `GRAFT_LAW_CASES` is the number of cases; `GRAFT_LAW_SEED` selects one of them by its seed.
  @Test("I21: a context that merges all of another context's changes has the same graph")
  func law() async throws {
    let seeds = LawSeeds.seeds("GRAFT_LAW_CASES", 600)
    var merges = 0
    var failures = 0
    for seed in seeds where failures < 3 {
      var one = try LawCase(seed: seed, isRich: true)
      one.startAgain()
      do { merges += try await follow(&one) } catch {
        failures += 1
        Issue.record("GRAFT_LAW_SEED=\(seed): \(error)\n\(one.story)")
      }
    }
    if seeds.count > 100 { #expect(merges > seeds.count) }
  }

  @Test(
    "I21: a context that merges all changes of a context with a store has the same graph as the store",
    arguments: ContextSource.Kind.allCases)
  func lawOfStores(kind: ContextSource.Kind) async throws {
    try await RandomPayload.$avoidsNUL.withValue(kind == .postgresql) { try await holdOfStores(kind) }
  }

  private func holdOfStores(_ kind: ContextSource.Kind) async throws {
    let seeds = LawSeeds.seeds("GRAFT_LAW_CASES", 600, each: 6)
    var failures = 0
    for seed in seeds where failures < 3 {
      var one = try LawCase(seed: seed, isRich: true)
      one.startAgain()
      let source = try ContextSource(kind, one.loaded)
      one.goOn(with: try source.context())
      do { _ = try await follow(&one) } catch {
        failures += 1
        Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)\n\(one.story)")
      }
    }
  }

  private func follow(_ one: inout LawCase) async throws -> Int {
    var target = ManagedObjectContext(model: one.loaded)
    if one.random.below(2) == 0 {
      // The target begins with the contents of the source.
      try change(&one)
      one.context.rollBack()
      target = ManagedObjectContext(one.context.snapshot())
    }
    let updates = one.context.updates()
    try change(&one)
    one.context.rollBack()
    let dump = one.context.dumpBytes()
    // The stream ends when its context is released.
    one.goOn(with: target)
    var count = 0
    for await changes in updates {
      let unmerged = target.merge(changes)
      count += 1
      try one.expectInvariants("merge \(count)")
      if !unmerged.isEmpty { throw LawFailure("not merged: \(unmerged), \(changes)") }
    }
    try one.expectSame(dump, target.dumpBytes(), "the other context (-) and this one (+)")
    return count
  }

  private func change(_ one: inout LawCase) throws {
    for _ in 0..<one.random.pick([3, 6, 20]) {
      switch one.random.below(10) {
      case 0...2:
        let (entity, payload) = one.payload()
        _ = one.importing(payload, entity, by: .bytes)
      case 3:
        one.note("roll back")
        one.context.rollBack()
      case 4, 5:
        one.note("commit")
        do { try one.context.commit() } catch is ValidationError { one.context.rollBack() }
      default: try one.edit()
      }
    }
  }
}
