import Foundation

/// The seeds of a law: a single seed to repeat, or enough seeds for the requested number of cases.
///
///     GRAFT_LAW_SEED=17 swift test --filter ReportLawTests
///     GRAFT_REPORT_CASES=100000 swift test --filter ReportLawTests
package enum LawSeeds {
  /// - Parameters:
  ///   - variable: the environment variable with the number of cases.
  ///   - cases: the default number of cases.
  ///   - casesOfSeed: the number of cases that each seed produces.
  package static func seeds(_ variable: String, _ cases: Int, each casesOfSeed: Int = 1) -> Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["GRAFT_LAW_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
    return 1..<UInt64(max(1, (environment[variable].flatMap(Int.init) ?? cases) / casesOfSeed)) + 1
  }

  /// The seeds of a law, and seeds that have found defects in the past.
  package static func seeds(_ variable: String, _ cases: Int, found: [UInt64]) -> [UInt64] {
    let seeds = seeds(variable, cases)
    return seeds.count == 1 ? Array(seeds) : seeds + found.filter { !seeds.contains($0) }
  }

  /// Runs a sequence of steps. If the sequence fails, steps are removed as long as the remaining steps still fail. The thrown
  /// error, and the notes of the last run, come from the shortest failing sequence that was found.
  ///
  /// - Parameter steps: a seed for each step, so removing a step does not change the other steps.
  package static func run(_ steps: [UInt64], _ run: ([UInt64]) throws -> Void) throws {
    do { return try run(steps) } catch {}
    var steps = steps
    for index in steps.indices.reversed() {
      var fewer = steps
      fewer.remove(at: index)
      do { try run(fewer) } catch { steps = fewer }
    }
    try run(steps)
  }
}
