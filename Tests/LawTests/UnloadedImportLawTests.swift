import Foundation
import Graft
import GraftTestSupport
import Testing

/// Compares imports into a store, each in a context with nothing in memory, with the same imports into one context without a store.
///
/// `GRAFT_UNLOADED_CASES` sets the number of models, 30 by default, in addition to models that found defects; `GRAFT_LAW_SEED` selects one
/// of them by its seed.
@Suite("Laws of imports with nothing in memory") struct UnloadedImportLawTests {
  private static let sequencesOfModel = 10
  private static let seeds = LawSeeds.seeds(
    "GRAFT_UNLOADED_CASES", 30, found: [39, 54, 94, 105, 138, 1073, 1326, 1392])

  @Test(
    "S3, I12: the effect and the report of an import do not depend on what is in memory",
    arguments: ContextSource.Kind.allCases)
  func imports(kind: ContextSource.Kind) { ContextSource.Kind.withStorableTexts(kind) { hold(kind) } }

  private func hold(_ kind: ContextSource.Kind) {
    var counts: [String: Int] = [:]
    var failures = 0
    for seed in ContextSource.Kind.part(of: Self.seeds, kind) {
      do {
        var one = try LawCase(seed: seed, isRich: seed % 2 == 0, hasOwners: true, hasSurroundings: seed % 3 == 0)
        do {
          for _ in 0..<Self.sequencesOfModel { try Self.run(&one, kind, &counts) }
          continue
        } catch {
          Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)\n\(one.story)")
        }
      } catch {
        Issue.record("GRAFT_LAW_SEED=\(seed): the model does not load: \(error)")
      }
      failures += 1
      if failures == 3 { return }
    }
    print("GRAFT_LAW_SEED=\(Self.seeds) \(kind): \(counts.sorted { $0.key < $1.key })")
    guard Self.seeds.count >= 100 else { return }
    for outcome in ImportReport.ObjectReport.Outcome.allCases {
      #expect(counts["\(outcome)"] ?? 0 > Self.seeds.count / 50, "\(outcome)")
    }
    #expect(counts["failed"] ?? 0 > Self.seeds.count / 10)
  }

  /// Imports some payloads, each in a separate context.
  private static func run(
    _ one: inout LawCase, _ kind: ContextSource.Kind, _ counts: inout [String: Int]
  ) throws {
    one.startAgain()
    let source = try ContextSource(kind, one.loaded)
    for _ in 0..<one.random.pick([3, 4, 5]) {
      let run = ReportedRun(&one)
      let options = ImportOptions(
        faultyElements: one.random.chance(percent: 20) ? .skip : .error,
        reportsDetails: one.random.chance(percent: 75))
      one.note("\(run), details: \(options.reportsDetails), faulty elements: \(options.faultyElements)")
      let expected = outcome(of: run, options, in: one.context, one.model, &counts)
      var others: [String: Int] = [:]
      let found = outcome(of: run, options, in: try source.context(), one.model, &others)
      if expected != found { throw LawFailure("without a store:\n\(expected)\nand with one:\n\(found)") }
      try one.expectSame(
        one.context.dumpBytes(), try source.context().dumpBytes(), "the graphs without a store (-) and with one (+)")
    }
  }

  /// The lines of an import's report or error. Objects without identity have no numbers, because these numbers depend on what is in memory.
  private static func outcome(
    of run: ReportedRun, _ options: ImportOptions, in context: ManagedObjectContext, _ model: RandomModel,
    _ counts: inout [String: Int]
  ) -> String {
    var lines: [String] = []
    do {
      try run.report(in: context, options: options) { report in
        for detail in report.details { counts["\(detail.outcome)", default: 0] += 1 }
        lines = report.description.split(separator: "\n").map { "\($0)" }
        lines += report.warnings.map(\.description)
        for element in report.faultyElements {
          lines.append("faulty \(element.entityName) at \(element.path), line \(element.line ?? 0)")
          lines += element.diagnostics.map { "faulty \($0)" }
        }
        lines += report.details.map { line($0, model) }
      }
    } catch {
      counts["failed", default: 0] += 1
      lines = (error as? ImportError)?.diagnostics.map(\.description) ?? ["\(error)"]
    }
    return lines.map(withoutNumbers).sorted().joined(separator: "\n")
  }

  private static func line(_ detail: ImportReport.ObjectReport, _ model: RandomModel) -> String {
    let number = model.entities.firstIndex { $0.name == detail.entityName } ?? 0
    let unordered = Set(
      model.lineage(number).flatMap(\.relationships).filter { $0.isToMany && !$0.isOrdered }.map(\.name))
    let name = withoutNumbers(detail.name)
    let previous = detail.previousName.map(withoutNumbers).flatMap { $0 == name ? nil : ", which was \($0)" } ?? ""
    let changes = detail.changes.map { change in
      let values = [change.old, change.new].map { value in
        guard unordered.contains(change.name) else { return value.description }
        return "\((value.arrayValue ?? []).map { withoutNumbers($0.description) }.sorted())"
      }
      return "\(change.name) \(values[0]) -> \(values[1])"
    }
    return "\(detail.outcome) \(detail.entityName) \(name)\(previous) at \(detail.path): \(changes)"
  }

  private static func withoutNumbers(_ text: String) -> String {
    text.replacingOccurrences(of: "#[0-9]+", with: "#", options: .regularExpression)
  }
}
