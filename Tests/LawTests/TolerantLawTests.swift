import Foundation
import Graft
import GraftTestSupport
import Testing

/// A tolerant import of any payload has the same effect as a strict import without the elements that were skipped (I18).
///
/// `GRAFT_LAW_SEED` selects one model by its seed.
@Suite("Laws of tolerant imports") struct TolerantLawTests {
  /// A payload with faults in some of its elements.
  private struct Trial {
    var one: LawCase
    var entity = 0
    var payload = JSON.null
    /// The members next to a payload that is part of a document.
    private var around: [JSONObject.Member] = []

    var name: String { one.model.entities[entity].name }

    init(_ one: LawCase) { self.one = one }

    mutating func choosePayload() {
      let count = 2 + one.random.below(5)
      around = one.envelope([("a", 1)]).objectValue?.members ?? []
      entity = one.random.below(one.model.entities.count)
      var elements: [JSON] = []
      for _ in 0..<count {
        var element = one.payload(of: entity)
        if one.random.chance(percent: 25) { element = RandomPayload.damaged(element, &one.random) }
        if case .object = element, one.random.chance(percent: 30) {
          payload = element
          return
        }
        elements += element.arrayValue ?? [element]
      }
      payload = .array(elements)
    }

    /// The payload without the elements at given paths.
    func payload(without paths: Set<String>) -> JSON {
      switch payload {
      case .array(let elements):
        return .array(
          elements.enumerated().filter { !paths.contains("$" + JSONPathText.element($0.offset)) }.map(\.element))
      case .object(let object):
        return .object(JSONObject(object.filter { !paths.contains("$" + JSONPathText.member($0.key)) }))
      default: return payload
      }
    }

    /// A context with a copy of the graph.
    func copy() -> ManagedObjectContext {
      let copy = ManagedObjectContext(model: one.loaded)
      copy.restore(one.context.snapshot())
      return copy
    }

    /// Imports a payload in one of the input forms.
    func importing(
      _ payload: JSON, by way: Way, _ faultyElements: ImportOptions.FaultyElements, in context: ManagedObjectContext
    ) throws -> ImportReport {
      var options = ImportOptions(faultyElements: faultyElements, reportsDetails: true)
      options.unknownKeys = .report
      switch way {
      case .bytes: return try context.importJSON(Array(payload.description.utf8), ofEntity: name, options: options)
      case .json: return try context.importJSON(payload, ofEntity: name, options: options)
      case .part:
        let document = JSON.object(JSONObject(around + [("list", payload)]))
        return try context.importJSON(document, ofEntity: name, at: "list", options: options)
      case .missing:
        let part = ImportPart.objects(ofEntity: name, missing: .delete)
        return try context.importJSON(payload.description, [part], options: options)
      case .stream:
        let batches = ImportBatches(size: 2, atomicity: .whole)
        let stream = try ImportStream(ofEntity: name, in: context, batches: batches, options: options)
        for byte in payload.description.utf8 { try stream.append([byte]) }
        return try stream.finish()
      }
    }

    enum Way: CaseIterable { case bytes, json, part, missing, stream }
  }

  /// The counts of a report, without locations.
  private static func counts(_ report: ImportReport) -> String {
    let counts = [
      report.inserted, report.updated, report.unchanged, report.placeholders, report.filled, report.unlinked,
      report.deleted, report.skipped,
    ].map { $0.sorted { $0.key < $1.key }.description }
    let details = report.details.map { "\($0.name) \($0.outcome) \($0.changes)" }.joined(separator: "\n")
    let keys = report.unknownKeys.map { "\($0.entityName).\($0.key) \($0.count)" }
    return "\(counts) \(keys)\n\(details)"
  }

  @Test("I18: a tolerant import has the effect of an import without the elements that were skipped")
  func withoutFaultyElements() throws {
    var (complete, skipped, failed, dependent) = (0, 0, 0, 0)
    for seed in GraphLawTests.seeds {
      var trial = Trial(try LawCase(seed: seed, isRich: seed % 2 == 0, hasSurroundings: seed % 3 == 0))
      for _ in 0..<2 {
        let (entity, payload) = trial.one.payload()
        _ = try trial.one.importing(payload, entity)
      }
      for _ in 0..<3 {
        trial.choosePayload()
        let way = trial.one.random.pick(Trial.Way.allCases)
        do {
          switch try check(trial, way) {
          case nil: failed += 1
          case .some(let result):
            complete += result.skipped == 0 ? 1 : 0
            skipped += result.skipped
            dependent += result.dependent
          }
        } catch {
          Issue.record("GRAFT_LAW_SEED=\(seed), \(way) \(trial.name): \(trial.payload)\n\(error)\n\(trial.one.story)")
          return
        }
      }
    }
    if GraphLawTests.seeds.count > 100 { #expect(complete > 50 && skipped > 200 && failed < skipped / 3) }
    // If two elements have a value for one attribute, either of them can be at fault.
    #expect(dependent <= 1 + skipped / 200)
  }

  /// The number of skipped elements, and how many of these would not be faulty if all others were skipped; nil if the whole import failed.
  private func check(_ trial: Trial, _ way: Trial.Way) throws -> (skipped: Int, dependent: Int)? {
    let tolerant = trial.copy()
    let report: ImportReport
    do {
      report = try trial.importing(trial.payload, by: way, .skip, in: tolerant)
    } catch let error as ImportError {
      try trial.one.expectSame(trial.one.context.dumpBytes(), tolerant.dumpBytes(), "a failed import changed the graph")
      // The tolerant import fails with the same error as the strict import.
      do {
        _ = try trial.importing(trial.payload, by: way, .error, in: trial.copy())
        throw LawFailure("only the tolerant import fails: \(error)")
      } catch is ImportError {
        return nil
      }
    }
    if !tolerant.checkInvariants().isEmpty { throw LawFailure("\(tolerant.checkInvariants())") }
    let root = way == .part ? "$.list" : "$"
    let paths = Set(report.faultyElements.map { "$" + $0.path.dropFirst(root.count) })
    guard paths.count == report.faultyElements.count else { throw LawFailure("an element is listed twice") }
    if report.faultyElements.contains(where: \.diagnostics.isEmpty) { throw LawFailure("an element has no fault") }
    let rest = trial.payload(without: paths)
    let strict = trial.copy()
    let expected = try trial.importing(rest, by: way, .error, in: strict)
    try trial.one.expectSame(strict.dumpBytes(), tolerant.dumpBytes(), "without \(paths.sorted())")
    let (left, right) = (Self.counts(expected), Self.counts(report))
    if left != right { throw LawFailure("without \(paths.sorted()):\n\(left)\n\(right)") }
    var dependent = 0
    for path in paths {
      do {
        _ = try trial.importing(trial.payload(without: paths.subtracting([path])), by: way, .error, in: trial.copy())
        dependent += 1
      } catch is ImportError {
        continue
      }
    }
    return (paths.count, dependent)
  }
}
