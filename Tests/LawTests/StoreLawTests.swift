import Foundation
import Graft
import GraftTestSupport
import Testing

/// Laws for every model, payload and edit with a store, tested with random models, payloads and edits.
///
/// `GRAFT_STORE_CASES` sets the number of sequences, 1,000 by default; `GRAFT_LAW_SEED` selects the sequences of one model.
@Suite("Laws of stores") struct StoreLawTests {
  private static let sequencesOfModel = 20
  private static let seeds = LawSeeds.seeds("GRAFT_STORE_CASES", 1_000, each: sequencesOfModel)

  @Test(
    "S12: edits, imports and transactions have the same effect whether a part of the graph or all of it is in memory",
    arguments: ContextSource.Kind.allCases)
  func transactions(kind: ContextSource.Kind) { ContextSource.Kind.withStorableTexts(kind) { hold(kind) } }

  private func hold(_ kind: ContextSource.Kind) {
    var counts: [String: Int] = [:]
    var failures = 0
    for seed in ContextSource.Kind.part(of: Self.seeds, kind) {
      do {
        var one = try TransactionCase(seed: seed) { try ContextSource(kind, $0) }
        do {
          for _ in 0..<Self.sequencesOfModel { try one.run() }
          counts.merge(one.counts, uniquingKeysWith: +)
          continue
        } catch {
          Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)\n\(one.one.story)")
        }
      } catch {
        Issue.record("GRAFT_LAW_SEED=\(seed): \(error)")
      }
      failures += 1
      if failures == 3 { return }
    }
    print("GRAFT_LAW_SEED=\(Self.seeds) \(kind): \(counts.sorted { $0.key < $1.key })")
    guard Self.seeds.count > 20, kind != .postgresql else { return }
    if kind.isOfChildren {
      for what in ["switched to the parent", "switched back"] { #expect(counts[what] ?? 0 > 0, "\(what)") }
    }
    for what in ["reopened", "exports", "imports", "failed imports", "inserts", "deletions", "attributes", "links"] {
      #expect(counts[what] ?? 0 > 0, "\(what)")
    }
  }
}
