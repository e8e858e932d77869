import Foundation
import GraftTestSupport
import Testing

@testable import Graft

/// Laws for streams and runs with every model and payload, tested with random models and payloads.
///
/// `GRAFT_STREAM_CASES` sets the number of cases; `GRAFT_LAW_SEED` selects the cases of one model.
@Suite("Laws of streams") struct StreamLawTests {
  private static let casesOfModel = 10
  private static let seeds = LawSeeds.seeds("GRAFT_STREAM_CASES", 2_000, each: casesOfModel)

  private func forEachCase(isRich: Bool, _ law: (inout LawCase) throws -> Void) {
    var failures = 0
    for seed in Self.seeds {
      do {
        var one = try LawCase(seed: seed, isRich: isRich, hasSurroundings: isRich && seed % 2 == 0)
        do {
          for _ in 0..<Self.casesOfModel {
            one.startAgain()
            try law(&one)
          }
          continue
        } catch {
          Issue.record("GRAFT_LAW_SEED=\(seed): \(error)\n\(one.story)")
        }
      } catch {
        Issue.record("GRAFT_LAW_SEED=\(seed): \(error)")
      }
      failures += 1
      if failures == 3 { return }
    }
  }

  /// The outcome of an import.
  private struct Outcome {
    var report: ImportReport?
    var faults: [String] = []
    var dump: [UInt8]
  }

  private func outcome(
    of snapshot: ContextSnapshot, _ body: (ManagedObjectContext) throws(ImportError) -> ImportReport
  ) throws -> Outcome {
    let context = ManagedObjectContext(snapshot)
    var outcome = Outcome(dump: [])
    do throws(ImportError) {
      outcome.report = try body(context)
    } catch {
      outcome.faults = error.diagnostics.map { diagnostic in
        var diagnostic = diagnostic
        diagnostic.notes.removeAll { $0.message == "nothing from the stream is kept" }
        // The text after the current piece is in memory only for a document.
        diagnostic.location?.isExcerptCut = false
        return "\(diagnostic)"
      }
    }
    let problems = context.checkInvariants()
    if !problems.isEmpty { throw LawFailure("the graph is broken: \(problems)") }
    outcome.dump = context.dumpBytes()
    return outcome
  }

  /// The text after a location that is in memory depends on the pieces that have arrived, as does the length of the excerpt.
  private static func withoutExcerpts(_ report: ImportReport?) -> ImportReport? {
    var report = report
    for index in report?.warnings.indices ?? 0..<0 {
      report?.warnings[index].location?.excerpt = ""
      report?.warnings[index].location?.excerptColumn = 1
      report?.warnings[index].location?.isExcerptCut = false
      report?.warnings[index].notes = []
    }
    return report
  }

  private static func withoutWarnings(_ report: ImportReport?) -> ImportReport? {
    var report = report
    report?.warnings = []
    return report
  }

  private static func story(_ report: ImportReport?) -> String {
    guard let report else { return "none" }
    return "\(report) \(report.details) \(report.unknownKeys) \(report.warnings)"
  }

  private static func finish(
    _ stream: ImportStream, _ bytes: [UInt8], in chunk: Int
  ) throws(ImportError) -> ImportReport {
    var rest = bytes[...]
    while !rest.isEmpty {
      try stream.append(rest.prefix(chunk))
      rest = rest.dropFirst(chunk)
    }
    return try stream.finish()
  }

  private func expect(_ found: Outcome, like expected: Outcome, _ way: String, _ one: LawCase) throws {
    try one.expectSame(expected.dump, found.dump, "\(way): another graph")
    if found.faults != expected.faults {
      throw LawFailure("\(way): other faults\n- \(expected.faults)\n+ \(found.faults)")
    }
    if found.report != expected.report {
      throw LawFailure(
        "\(way): another report\n- \(Self.story(expected.report))\n+ \(Self.story(found.report))")
    }
  }

  @Test("I17: a stream in small pieces produces the same graph, report, faults and locations as a single payload")
  func pieces() {
    var (succeeded, failed) = (0, 0)
    forEachCase(isRich: true) { one in
      let (entity, first) = one.payload()
      // The existing objects.
      for _ in 0..<one.random.below(3) {
        let (entity, payload) = one.payload()
        _ = try one.importing(payload, entity)
      }
      let snapshot = one.context.snapshot()
      var elements = first.arrayValue ?? [first]
      for _ in 0..<one.random.below(4) {
        let more = one.payload(of: entity)
        elements += more.arrayValue ?? [more]
      }
      if one.random.chance(percent: 25) {
        elements = RandomPayload.damaged(.array(elements), &one.random).arrayValue ?? elements
      }
      let name = one.model.entities[entity].name
      let document = Array("[\(elements.map(\.description).joined(separator: one.random.pick([",", " ,\n  "])))]".utf8)
      let lines = Array(elements.map(\.description).joined(separator: "\n").utf8)
      one.note("stream \(name): \(String(decoding: document, as: UTF8.self))")
      let options = ImportOptions(
        sourceName: "p.json", unknownKeys: one.random.pick([.ignore, .report]),
        reportsDetails: one.random.chance(percent: 50))
      let (piece, chunk) = (1 + one.random.below(3), one.random.pick([1, 3, 16, 1_000]))

      func whole(
        _ bytes: [UInt8], _ format: ImportStream.Format, piece: Int, rereads: Bool
      ) throws -> Outcome {
        try outcome(of: snapshot) { context throws(ImportError) in
          let stream = try ImportStream(
            after: nil, ofEntity: name, in: context, at: nil, format: format,
            batches: ImportBatches(size: piece, atomicity: .whole), options: options, totalBytes: bytes.count,
            rereads: rereads ? { Array(bytes[$0.clamped(to: 0..<bytes.count)]) } : nil
          ) { _ in }
          return try Self.finish(stream, bytes, in: chunk)
        }
      }
      let expected = try outcome(of: snapshot) { context throws(ImportError) in
        try context.importJSON(document, ofEntity: name, options: options)
      }
      if expected.report == nil { failed += 1 } else { succeeded += 1 }
      for rereads in [true, false] {
        try expect(
          try whole(document, .document, piece: piece, rereads: rereads), like: expected,
          "an array in pieces of \(piece), \(rereads ? "read again" : "kept")", one)
      }
      let line = try whole(lines, .lines, piece: .max, rereads: false)
      for rereads in [true, false] {
        try expect(
          try whole(lines, .lines, piece: piece, rereads: rereads), like: line,
          "lines in pieces of \(piece), \(rereads ? "read again" : "kept")", one)
      }
      // A line can be an array or a collection by keys, but an element cannot. Each line is a document whose values its objects can read
      // (M19).
      if !one.model.readsDocument, elements.allSatisfy({ $0.arrayValue == nil }),
        !one.model.lineage(entity).flatMap(\.attributes).contains(where: \.isKey)
      {
        try one.expectSame(expected.dump, line.dump, "an array and lines: another graph")
        if expected.faults.count != line.faults.count {
          throw LawFailure("an array and lines: different faults\n- \(expected.faults)\n+ \(line.faults)")
        }
        if !options.reportsDetails, options.unknownKeys == .ignore {
          let reports = [expected.report, line.report]
          if Self.withoutWarnings(reports[0]) != Self.withoutWarnings(reports[1]) {
            throw LawFailure("an array and lines: different reports")
          }
          // The locations of warnings differ.
          let codes = reports.map { $0?.warnings.map(\.code.rawValue).sorted() }
          if codes[0] != codes[1] { throw LawFailure("an array and lines: different warnings \(codes)") }
        }
      }
    }
    if Self.seeds.count > 100 { #expect(min(succeeded, failed) > Self.seeds.count / 5) }
  }

  /// The outcome of a stream in batches, and the progress after each batch.
  private func batches(
    _ bytes: [UInt8], _ entity: String, of snapshot: ContextSnapshot, _ format: ImportStream.Format,
    _ keyPath: JSONKeyPath?,
    _ batches: ImportBatches, _ options: ImportOptions, sample: Int, chunk: Int
  ) throws -> (outcome: Outcome, progress: [ImportProgress]) {
    var progress: [ImportProgress] = []
    var outcome = try outcome(of: snapshot) { context throws(ImportError) in
      let stream = try ImportStream(
        after: nil, ofEntity: entity, in: context, at: keyPath, format: format, batches: batches, options: options,
        totalBytes: bytes.count, rereads: nil, sampleBytes: sample
      ) { progress.append($0) }
      return try Self.finish(stream, bytes, in: chunk)
    }
    outcome.report = Self.withoutExcerpts(outcome.report)
    return (outcome, progress)
  }

  @Test(
    "I16: batches that end where reading ends have the same result as batches whose ends are searched for"
  )
  func quotas() {
    var (succeeded, failed, several) = (0, 0, 0)
    forEachCase(isRich: true) { one in
      let (entity, first) = one.payload()
      let snapshot = one.context.snapshot()
      var elements = first.arrayValue ?? [first]
      for _ in 0..<one.random.below(12) {
        let more = one.payload(of: entity)
        elements += more.arrayValue ?? [more]
      }
      if one.random.chance(percent: 15) {
        elements = RandomPayload.damaged(.array(elements), &one.random).arrayValue ?? elements
      }
      let name = one.model.entities[entity].name
      let comma = one.random.pick([",", " ,\n  "])
      let format = one.random.pick(ImportStream.Format.allCases)
      let isNested = format == .document && one.random.chance(percent: 30)
      var text = elements.map(\.description).joined(
        separator: format == .lines ? one.random.pick(["\n", " \r\n\n"]) : comma)
      if format == .document { text = "[\(text)]" }
      if isNested { text = "{\"a\": 1, \"items\": \(text), \"b\": [{}]}" }
      var bytes = Array(text.utf8)
      if one.random.chance(percent: 20), !bytes.isEmpty {
        let place = one.random.below(bytes.count)
        switch one.random.below(3) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = one.random.pick(Array("[]{},:\"\n\\ 1x".utf8))
        default: bytes.removeSubrange(place...)
        }
      }
      one.note("stream \(name): \(String(decoding: bytes, as: UTF8.self))")
      let options = ImportOptions(
        sourceName: "p.json", unknownKeys: one.random.pick([.ignore, .error]),
        warnings: one.random.pick([.report, .error, .ignore]), reportsDetails: one.random.chance(percent: 30))
      let limits = ImportBatches(size: .max, bytes: 20 + one.random.below(300))
      func run(_ sample: Int, _ limits: ImportBatches) throws -> (outcome: Outcome, progress: [ImportProgress]) {
        try batches(
          bytes, name, of: snapshot, format, isNested ? "items" : nil, limits, options, sample: sample,
          chunk: one.random.pick([1, 3, 50, 1_000]))
      }
      let expected = try run(1 << 40, limits)
      if expected.outcome.report == nil { failed += 1 } else { succeeded += 1 }
      if expected.progress.count > 2 { several += 1 }
      let sample = 1 + one.random.below(20)
      let found = try run(sample, limits)
      try expect(found.outcome, like: expected.outcome, "batches of \(limits.bytes) bytes, sample \(sample)", one)
      if found.progress != expected.progress {
        throw LawFailure(
          "other batches of \(limits.bytes) bytes, sample \(sample)\n- \(expected.progress)\n+ \(found.progress)")
      }
      // If the length of batches is a number of elements, the ends of batches depend only on the bytes, not on how the bytes arrive.
      let counts = ImportBatches(size: 1 + one.random.below(6))
      let (once, again) = (try run(sample, counts), try run(sample, counts))
      try expect(again.outcome, like: once.outcome, "batches of \(counts.size) in other pieces", one)
      if once.progress != again.progress {
        throw LawFailure("batches depend on pieces\n- \(once.progress)\n+ \(again.progress)")
      }
      let sizes = zip(once.progress, [ImportProgress()] + once.progress).map { $0.objects - $1.objects }
      if format == .document, sizes.contains(where: { $0 > counts.size }) { throw LawFailure("batches of \(sizes)") }
    }
    if Self.seeds.count > 100 { #expect(min(succeeded, failed, several) > Self.seeds.count / 5) }
  }

  @Test("D14: payloads of one run that do not contradict each other produce the same graph in any order")
  func permutations() {
    var compared = 0
    forEachCase(isRich: false) { one in
      for _ in 0..<3 {
        let (entity, payload) = one.payload()
        _ = try one.importing(payload, entity)
      }
      // An export does not contradict itself.
      let parts = try one.exportEverything()
      func run(_ parts: [(entity: Int, bytes: [UInt8])]) throws -> Outcome {
        try outcome(of: ManagedObjectContext(model: one.loaded).snapshot()) { context throws(ImportError) in
          try context.importPayloads(
            parts.map { ImportPayload(one.model.entities[$0.entity].name, bytes: $0.bytes) })
        }
      }
      let expected = try run(parts)
      guard let report = expected.report else { return }
      // Each mention of an object without identity is a different object. If an ordered list is not written, or is only added to, it has
      // the order of the mentions.
      let relationships = one.model.entities.flatMap(\.relationships)
      guard one.model.isIdentified, !relationships.contains(where: { $0.isOrdered && (!$0.isExported || $0.isUnion) }),
        // The order of a placeholder is also that of the mentions, because no export describes a placeholder.
        report.placeholders.isEmpty || !relationships.contains(where: \.isOrdered),
        // Without a discriminator, the first mention determines the entity.
        one.model.entities.allSatisfy({ $0.parent == nil || one.model.discriminators[$0.root] != nil })
      else { return }
      compared += 1
      for _ in 0..<3 {
        var others: [(entity: Int, bytes: [UInt8])] = []
        var rest = parts
        while !rest.isEmpty { others.append(rest.remove(at: one.random.below(rest.count))) }
        let found = try run(others)
        one.note("in the order \(others.map(\.entity)): \(others.map { String(decoding: $0.bytes, as: UTF8.self) })")
        try one.expectSame(expected.dump, found.dump, "another order gives another graph \(found.faults)")
        if found.report?.inserted != report.inserted || found.report?.placeholders != report.placeholders {
          throw LawFailure("another order gives another report: \(report), \(found.report as Any) \(found.faults)")
        }
      }
    }
    if Self.seeds.count > 100 { #expect(compared > Self.seeds.count / 5) }
  }
}
