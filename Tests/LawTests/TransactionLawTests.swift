import Foundation
import Graft
import GraftTestSupport
import Testing

/// Compares edits, imports, commits and rollbacks in nested transactions with a simple graph, on random models.
///
/// `GRAFT_TRANSACTION_CASES` sets the number of sequences: 2,500 by default, fewer in continuous integration. Each model is used for 25
/// sequences; `GRAFT_LAW_SEED` selects the sequences of one model.
@Suite("Laws of transactions") struct TransactionLawTests {
  private static let sequencesOfModel = 25
  private static let parts: UInt64 = 4

  private static let seeds = LawSeeds.seeds("GRAFT_TRANSACTION_CASES", 2_500, each: sequencesOfModel)

  @Test(
    "I10: rolling back any transaction, nested up to four levels deep, restores the graph at its beginning",
    arguments: 0..<parts)
  func transactions(part: UInt64) {
    var counts: [String: Int] = [:]
    var failures = 0
    for seed in Self.seeds where seed % Self.parts == part || Self.seeds.count == 1 {
      do {
        var one = try TransactionCase(seed: seed)
        do {
          for _ in 0..<Self.sequencesOfModel { try one.run() }
          counts.merge(one.counts, uniquingKeysWith: +)
          continue
        } catch {
          Issue.record("GRAFT_LAW_SEED=\(seed): \(error)\n\(one.one.story)")
        }
      } catch {
        Issue.record("GRAFT_LAW_SEED=\(seed): \(error)")
      }
      failures += 1
      if failures == 3 { return }
    }
    print("GRAFT_LAW_SEED=\(Self.seeds), part \(part): \(counts.sorted { $0.key < $1.key })")
    guard Self.seeds.count > 50 else { return }
    for what in ["atomically", "decoding", "dryRun", "stream"] {
      for depth in 1...TransactionCase.deepest {
        #expect(counts["\(what) \(depth) deep"] ?? 0 > 0, "\(what) \(depth) deep")
      }
    }
    for what in ["imports", "failed imports", "inserts", "deletions", "attributes", "links", "rollbacks 4 deep"] {
      #expect(counts[what] ?? 0 > 0, "\(what)")
    }
  }
}
