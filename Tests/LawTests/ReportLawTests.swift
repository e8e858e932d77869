import Foundation
import Graft
import GraftTestSupport
import Testing

/// Compares reports, changes and the differences between two snapshots with the differences between two dumps, on random models and
/// payloads.
///
/// `GRAFT_REPORT_CASES` sets the number of cases of each law: 2,500 by default, fewer in continuous integration. Each case is a context and
/// a sequence of steps. Each model is used for 25 cases; `GRAFT_LAW_SEED` selects the cases of one model.
@Suite("Laws of reports") struct ReportLawTests {
  private static let casesOfModel = 25
  private static let parts: UInt64 = 4

  private static let seeds = LawSeeds.seeds("GRAFT_REPORT_CASES", 2_500, each: casesOfModel)

  /// Runs a law for the seeds of one part. Errors are reported with the seed. After a few of them, the run ends.
  private func forEachCase(_ part: UInt64, _ law: (inout LawCase) async throws -> Void) async {
    var failures = 0
    for seed in Self.seeds where seed % Self.parts == part || Self.seeds.count == 1 {
      do {
        var one = try LawCase(seed: seed, isRich: seed % 2 == 0, hasSurroundings: seed % 3 == 0)
        do {
          for _ in 0..<Self.casesOfModel {
            one.startAgain()
            try await law(&one)
          }
          continue
        } catch {
          Issue.record("GRAFT_LAW_SEED=\(seed): \(error)\n\(one.story)")
        }
      } catch {
        Issue.record("GRAFT_LAW_SEED=\(seed): the model does not load: \(error)")
      }
      failures += 1
      if failures == 3 { return }
    }
  }

  // MARK: Reports

  @Test("D10: a report is the difference between the dumps before and after an import", arguments: 0..<parts)
  func reports(part: UInt64) async {
    var outcomes: [ImportReport.ObjectReport.Outcome: Int] = [:]
    var failed = 0
    var replaced = 0
    await forEachCase(part) { one in
      var last: ReportedRun?
      for _ in 0..<one.random.pick([3, 4, 5]) {
        // Values that are set in code before an import are not part of its report.
        if one.random.chance(percent: 25) { for _ in 0...one.random.below(4) { try one.edit() } }
        // Importing a payload again replaces objects without identity with equal objects.
        let repeated = last.flatMap { one.random.chance(percent: 35) ? $0 : nil }
        let run = repeated ?? ReportedRun(&one)
        last = run
        one.note("\(run)")
        let model = one.model
        let context = one.context
        let before = try GraphPicture(context, model)
        let counted = run.isOneUnit && one.random.chance(percent: 30) ? try? run.counts(in: context) : nil
        do {
          let report = try run.report(in: context) { report in
            do {
              let after = try GraphPicture(context, model)
              let check = try ReportCheck(report, before, after, model)
              try check.check(outcomes: &outcomes, isOneUnit: run.isOneUnit)
              if check.replacesEqualObjects { replaced += 1 }
            } catch {
              throw LawFailure("\(error)\n\(ReportCheck.lines(report))")
            }
          }
          if let counted { try ReportCheck.expectSameCounts(report, counted) }
        } catch let error as ImportError {
          one.note("  fails: \(error)")
          failed += 1
        }
        try one.expectInvariants("an import")
      }
    }
    print(
      "GRAFT_LAW_SEED=\(Self.seeds), part \(part): \(failed) failed, \(replaced) replaced, \(outcomes.map { "\($1) \($0)" }.sorted())"
    )
    if Self.seeds.count >= 100 {
      #expect(failed > Self.seeds.count / 5)
      for outcome in ImportReport.ObjectReport.Outcome.allCases {
        #expect(outcomes[outcome, default: 0] > Self.seeds.count / 50)
      }
    }
  }

  // MARK: Changes

  /// A change that is reported to the followers of a context.
  private struct Event {
    var before: GraphPicture
    var after: GraphPicture
    var cause: ContextChanges.Cause
  }

  @Test(
    "C2: applying the changes that imports, commits, rollbacks and snapshots report to a dump results in the next dump",
    arguments: 0..<parts)
  func changes(part: UInt64) async {
    var causes: [ContextChanges.Cause: Int] = [:]
    await forEachCase(part) { one in
      let model = one.model
      let stream = one.context.updates()
      var events: [Event] = []
      var committed = try GraphPicture(one.context, model)
      var snapshot = one.context.snapshot()
      for _ in 0..<5 {
        let context = one.context
        switch one.random.below(6) {
        case 0, 1:
          let (entity, payload) = one.payload()
          guard try one.importing(payload, entity) == nil else { continue }
          events.append(Event(before: committed, after: try GraphPicture(context, model), cause: .import))
        case 2:
          for _ in 0...one.random.below(5) { try one.edit() }
          let edited = try GraphPicture(context, model)
          try ChangeCheck(context.changes, committed, edited, model).check(causes: &causes)
          if one.random.chance(percent: 60), (try? context.commit()) != nil {
            one.note("commit")
            events.append(Event(before: committed, after: try GraphPicture(context, model), cause: .commit))
          } else {
            one.note("roll back")
            context.rollBack()
            events.append(Event(before: edited, after: try GraphPicture(context, model), cause: .rollBack))
          }
        case 3:
          let (entity, payload) = one.payload()
          let name = model.entities[entity].name
          one.note("atomically: edits, import \(name): \(payload)")
          try context.dryRun {
            for _ in 0..<one.random.below(4) { try one.edit() }
            _ = try? context.importJSON(payload, ofEntity: name)
            for _ in 0..<one.random.below(3) { try one.edit() }
            let after = try GraphPicture(context, model)
            try ChangeCheck(context.changes, committed, after, model).check(causes: &causes)
          }
        case 4:
          one.note("snapshot")
          snapshot = context.snapshot()
        default:
          one.note("restore")
          context.restore(snapshot)
          events.append(Event(before: committed, after: try GraphPicture(context, model), cause: .restore))
        }
        try one.expectInvariants("a step")
        committed = try GraphPicture(context, model)
      }
      // The stream ends when its context is released.
      one.startAgain(keepsStory: true)
      var expected = events[...]
      for await changes in stream {
        // A change without an effect is not reported, unless objects were replaced with equal objects.
        while let event = expected.first, try ChangeCheck.isEmpty(event.before, event.after, model),
          !ChangeCheck.replaces(changes, event.before, event.cause)
        {
          expected.removeFirst()
        }
        guard let event = expected.popFirst() else { throw LawFailure("unexpected changes: \(changes)") }
        guard changes.cause == event.cause else { throw LawFailure("expected \(event.cause), found \(changes.cause)") }
        try ChangeCheck(changes, event.before, event.after, model).check(causes: &causes)
      }
      for event in expected where try !ChangeCheck.isEmpty(event.before, event.after, model) {
        throw LawFailure("nobody heard of: \(event.cause)")
      }
    }
    print("GRAFT_LAW_SEED=\(Self.seeds), part \(part): \(causes.map { "\($1) \($0)" }.sorted())")
    if Self.seeds.count >= 100 {
      for cause in [ContextChanges.Cause.pending, .commit, .import, .rollBack, .restore] {
        #expect(causes[cause, default: 0] > Self.seeds.count / 10)
      }
    }
  }
}

/// Compares a report with the difference between two pictures.
private struct ReportCheck {
  private typealias Detail = ImportReport.ObjectReport

  private let report: ImportReport
  private let before: GraphPicture
  private let model: RandomModel
  private var difference: PictureDifference
  /// The difference if an object without identity and the equal object that replaced it are treated as different objects.
  private let strictDifference: PictureDifference
  private var live: [UTF8Key: Detail] = [:]
  private var gone: [UTF8Key: Detail] = [:]

  init(_ report: ImportReport, _ before: GraphPicture, _ after: GraphPicture, _ model: RandomModel) throws {
    self.report = report
    self.before = before
    self.model = model
    for detail in report.details where detail.outcome != .skipped {
      let key = UTF8Key(detail.name)
      let known =
        detail.outcome == .deleted ? gone.updateValue(detail, forKey: key) : live.updateValue(detail, forKey: key)
      if known != nil { throw LawFailure("\(detail.name) is told twice") }
    }
    // One payload in a run deletes an object, and a later payload inserts another object with the same identity.
    let (told, lost) = (live, gone)
    let replaced = before.ids.filter { id in
      guard let old = before.objects[id], let new = after.objects[id], lost[UTF8Key(old.name)] != nil else {
        return false
      }
      let outcome = told[UTF8Key(new.name)]?.outcome
      return outcome == .inserted || outcome == .placeholder
    }
    difference = try PictureDifference(before, after, model, deleted: Set(replaced), comparesContents: true)
    strictDifference = try PictureDifference(before, after, model, deleted: Set(replaced))
  }

  static func lines(_ report: ImportReport) -> String {
    report.details.map { detail in
      "\(detail.outcome) \(detail.name)\(detail.previousName.map { ", which was \($0)" } ?? ""): "
        + detail.changes.map { "\($0.name) \($0.old) -> \($0.new)" }.joined(separator: ", ")
    }.joined(separator: "\n") + "\n\(report)"
  }

  /// Whether objects without identity were replaced with equal objects, and links lead to them.
  var replacesEqualObjects: Bool {
    difference.kept.map(\.properties.count).reduce(0, +) < strictDifference.kept.map(\.properties.count).reduce(0, +)
  }

  /// - Parameter isOneUnit: whether contents are compared once for all payloads. Otherwise, they are compared after each payload.
  func check(outcomes: inout [ImportReport.ObjectReport.Outcome: Int], isOneUnit: Bool) throws {
    for detail in report.details { outcomes[detail.outcome, default: 0] += 1 }
    do {
      try check()
    } catch {
      if isOneUnit { throw error }
      var other = self
      other.difference = strictDifference
      do { try other.check() } catch _ { throw error }
    }
  }

  private func check() throws {
    var (live, gone) = (live, gone)
    for object in difference.deleted {
      guard let detail = gone.removeValue(forKey: UTF8Key(object.name)) else {
        throw LawFailure("\(object.name) was deleted, and the report does not contain this")
      }
      try expect(detail, .deleted, object)
    }
    for object in difference.inserted {
      guard let detail = live.removeValue(forKey: UTF8Key(object.name)) else {
        throw LawFailure("\(object.name) is new, and the report does not contain this")
      }
      try expect(detail, object.isPlaceholder ? .placeholder : .inserted, object)
    }
    for (old, new, properties) in difference.kept {
      try check(old, new, properties, live.removeValue(forKey: UTF8Key(new.name)))
    }
    guard live.isEmpty, gone.isEmpty else {
      throw LawFailure(
        "the report tells of \((Array(live.values) + Array(gone.values)).map(\.name)), and nothing happened to them")
    }
    try checkCounts()
  }

  private func expect(_ detail: Detail, _ outcome: Detail.Outcome, _ object: GraphPicture.Object) throws {
    guard detail.outcome == outcome, detail.entityName == object.entityName, detail.changes.isEmpty,
      detail.previousName == nil
    else { throw LawFailure("expected \(outcome) \(object.name), found \(detail)") }
  }

  private func check(
    _ old: GraphPicture.Object, _ new: GraphPicture.Object, _ properties: [PictureDifference.Property],
    _ detail: Detail?
  ) throws {
    let isFilled = old.isPlaceholder && !new.isPlaceholder
    let isNarrowed = old.entityName != new.entityName
    guard let detail else {
      guard !isFilled, !isNarrowed, properties.allSatisfy(\.isMereGain) else {
        throw LawFailure("\(new.name) changed in \(properties.map(\.name)), and the report does not contain this")
      }
      for property in properties { try expectOtherEnds(of: property, new) }
      return
    }
    let isReleased = detail.outcome == .unlinked && properties.allSatisfy(\.isMereGain) && self.isReleased(old)
    let isLoss = properties.contains { $0.links != nil && !$0.isMereGain }
    let isSet = properties.contains { $0.links == nil }
    let expected: Set<Detail.Outcome> =
      isFilled
      ? [.filled]
      : isNarrowed || isSet ? [.updated] : isLoss ? [.updated, .unlinked] : properties.isEmpty ? [] : [.updated]
    guard expected.contains(detail.outcome) || isReleased else {
      throw LawFailure("expected \(expected) of \(new.name), found \(detail.outcome)")
    }
    guard detail.entityName == new.entityName, detail.previousName == (old.name == new.name ? nil : old.name) else {
      throw LawFailure("expected \(new.name), which was \(old.name), found \(detail)")
    }
    guard detail.changes.count == properties.count,
      zip(detail.changes, properties).allSatisfy({ isSame($0, $1) })
    else { throw LawFailure("expected \(properties) of \(new.name), found \(detail.changes)") }
  }

  private func isSame(_ change: ImportReport.PropertyReport, _ property: PictureDifference.Property) -> Bool {
    func sorted(_ value: JSON) -> JSON {
      guard property.links != nil, case .array(let names) = value, !isOrdered(property.name) else { return value }
      return .array(names.sorted { UTF8Key.precedes($0.stringValue ?? "", $1.stringValue ?? "") })
    }
    return change.name == property.name && PictureDifference.isSame(sorted(change.old), property.old)
      && PictureDifference.isSame(sorted(change.new), property.new)
  }

  private func relationship(_ name: String) -> RandomModel.Relationship? {
    model.entities.lazy.flatMap(\.relationships).first { $0.name == name }
  }

  private func isOrdered(_ name: String) -> Bool { relationship(name)?.isOrdered == true }

  /// Links that an object gained through an inverse are reported for the objects at the other ends, which are new or changed.
  private func expectOtherEnds(of property: PictureDifference.Property, _ object: GraphPicture.Object) throws {
    guard let (old, new) = property.links, let inverse = relationship(property.name)?.inverse else {
      throw LawFailure("\(object.name).\(property.name) gained links, and the report does not contain this")
    }
    let known = Set(old)
    for id in new where !known.contains(id) {
      let isNew = difference.inserted.contains { $0.id == id }
      guard let other = difference.kept.first(where: { $0.after.id == id })?.after.name ?? (isNew ? "" : nil),
        isNew || live[UTF8Key(other)]?.changes.contains(where: { $0.name == inverse }) == true
      else { throw LawFailure("neither end of a link of \(object.name).\(property.name) to \(id) is reported") }
    }
  }

  /// Whether a link without an inverse led to an object and no longer does.
  private func isReleased(_ object: GraphPicture.Object) -> Bool {
    before.objects.values.contains { owner in
      owner.links.contains { name, targets in
        guard targets.contains(object.id), relationship(name)?.inverse == nil else { return false }
        let kept = difference.kept.first { $0.before.id == owner.id }
        return kept?.after.links[name]?.contains(object.id) != true
      }
    }
  }

  private func checkCounts() throws {
    func count(_ outcome: Detail.Outcome) -> [String: Int] {
      report.details.filter { $0.outcome == outcome }.reduce(into: [:]) { $0[$1.entityName, default: 0] += 1 }
    }
    let counts: [(Detail.Outcome, [String: Int])] = [
      (.inserted, report.inserted), (.updated, report.updated), (.placeholder, report.placeholders),
      (.filled, report.filled), (.unlinked, report.unlinked), (.deleted, report.deleted), (.skipped, report.skipped),
    ]
    for (outcome, counted) in counts where count(outcome) != counted {
      throw LawFailure("\(outcome): the details tell \(count(outcome)), the counts \(counted)")
    }
  }

  /// Expects the same counts with and without details.
  static func expectSameCounts(_ report: ImportReport, _ plain: ImportReport) throws {
    func counts(_ report: ImportReport) -> [[String: Int]] {
      [
        report.inserted, report.updated, report.unchanged, report.placeholders, report.filled, report.deleted,
        report.skipped,
      ]
    }
    if counts(report) != counts(plain) { throw LawFailure("with details:\n\(report)\nwithout:\n\(plain)") }
  }
}
