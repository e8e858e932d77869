import Foundation
import Graft
import GraftTestSupport
import Testing

/// Compares the engine with an importer that was written from the contract alone, on random models and payloads with all features.
///
/// `GRAFT_REFERENCE_CASES` sets the number of cases: 10,000 by default, fewer in continuous integration. Each case is a context and the
/// payloads that it imports in sequence. Each model is used for fifty cases; `GRAFT_LAW_SEED` selects the cases of one model.
@Suite("Laws of imports: reference") struct ReferenceLawTests {
  private static let casesOfModel = 50
  private static let parts: UInt64 = 4

  private static let seeds = LawSeeds.seeds("GRAFT_REFERENCE_CASES", 10_000, each: casesOfModel)

  @Test("I2: any payload has the same effect as with a simple reference importer", arguments: 0..<parts)
  func reference(part: UInt64) {
    var counts = (succeeded: 0, failed: 0, located: 0)
    var failures = 0
    for seed in Self.seeds where seed % Self.parts == part || Self.seeds.count == 1 {
      do {
        var one = try LawCase(
          seed: seed, isRich: true, hasOwners: true, hasSurroundings: seed % 3 > 0, hasForms: seed % 2 > 0,
          hasAlternates: seed % 5 > 2, hasSharing: seed % 3 == 0)
        let model = ReferenceModel(one.loaded.contents)
        do {
          for _ in 0..<Self.casesOfModel {
            one.startAgain()
            try tryCase(&one, ReferenceGraph(model: model), &counts)
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
    print("GRAFT_LAW_SEED=\(Self.seeds), part \(part): \(counts)")
    if Self.seeds.count > 100 {
      #expect(min(counts.succeeded, counts.failed, counts.located) > Self.seeds.count / 20)
    }
  }

  private func tryCase(
    _ one: inout LawCase, _ empty: ReferenceGraph, _ counts: inout (succeeded: Int, failed: Int, located: Int)
  ) throws {
    var reference = empty
    var before = one.context.dumpBytes()
    for _ in 0..<one.random.pick([1, 1, 2, 2, 3]) {
      var (entity, payload) = one.payload()
      if one.random.chance(percent: 12) { payload = RandomPayload.damaged(payload, &one.random) }
      var way = one.random.pick(LawCase.Way.allCases)
      // The members of a dictionary that several objects share are not in model order.
      if way == .dictionaries, one.model.hasSharing { way = .bytes }
      if way != .dictionaries, !one.model.transformsDictionaries, one.random.chance(percent: 30) {
        payload = RandomPayload.shuffled(payload, &one.random)
      }
      // Objects that are repeated inside other objects are read only once.
      var options = ImportOptions()
      if one.random.chance(percent: 4) {
        payload = RandomPayload.repeated(payload, &one.random)
        if one.random.chance(percent: 50) { options.warnings = .ignore }
      }
      let isDoubled = way != .dictionaries && !one.model.hasDictionaryClosures && one.random.chance(percent: 3)
      if isDoubled { payload = RandomPayload.doubled(payload, &one.random) }
      var keys: [String] = []
      if one.random.chance(percent: one.model.hasSurroundings ? 40 : 10) {
        keys = ["data", "a.b"]
        let inner = one.envelope([(one.random.chance(percent: 95) ? "a.b" : "c", payload)])
        payload = one.envelope([("x", 1), ("data", inner)])
      }
      let error = one.importing(
        payload, entity, by: way, at: keys.isEmpty ? nil : JSONKeyPath(keys: keys), options: options)
      var importer = ReferenceImporter(reference)
      importer.run(payload, into: entity, under: keys)
      let after = one.context.dumpBytes()
      try one.expectInvariants("an import")
      if let error {
        counts.failed += 1
        try one.expectSame(before, after, "a failed import changed the graph")
        if try compare(error, importer, isDoubled) { counts.located += 1 }
      } else {
        counts.succeeded += 1
        guard importer.faults.isEmpty else { throw LawFailure("the reference fails: \(importer.faults)") }
        reference = importer.graph
        try one.expectSame(Array(reference.dump.utf8), after, "the reference (-) and the engine (+) differ")
        before = after
      }
    }
  }

  /// Whether all errors could be compared by their kind and, if the contract defines it, by their JSON path.
  private func compare(
    _ error: ImportError, _ importer: ReferenceImporter, _ isDoubled: Bool
  ) throws -> Bool {
    let found = Set(error.diagnostics.map { ReferenceImporter.Fault(code: Self.kind($0.code.rawValue), path: $0.path) })
    // If one of the objects that share a dictionary skips it, no rule determines whether a repeated key in it is an error.
    if importer.faults.isEmpty, isDoubled { return false }
    if importer.faults.isEmpty { throw LawFailure("the reference does not fail") }
    // Reading stops after this number of errors, and no rule determines which of two values is read first. If many errors are alike, only
    // some of their locations are reported.
    if error.diagnostics.count >= 20 || isDoubled || error.diagnostics.contains(where: { $0.count > 1 }) {
      return false
    }
    // No rule determines whether a value that could not be read is also reported as missing or creates an orphan, or whether an object that
    // could not be deleted is validated.
    let later: Set = ["missing-value", "invalid-value", "deletion-denied", "duplicate-identity"]
    let isUnreadable = importer.hasTakenIdentity || importer.faults.contains { !later.contains($0.code) }
    let isHalfDone = isUnreadable || importer.faults.contains { $0.code == "deletion-denied" }
    let expected = importer.faults.filter { !(isUnreadable && later.contains($0.code)) }
    // If an object has no key of its entity, its missing values are reported as one error, at the object.
    let wholes = Set(error.diagnostics.filter { $0.message.hasPrefix("expected the keys ") }.compactMap(\.path))
    func lacks(_ whole: String, _ fault: ReferenceImporter.Fault) -> Bool {
      fault.code == "missing-value" && [".", "["].contains { fault.path?.hasPrefix(whole + $0) == true }
    }
    // The reference has no location if no rule defines one.
    let isVague = isHalfDone || expected.contains { $0.code == "missing-value" && $0.path == nil }
    for whole in wholes where !isVague && expected.count(where: { lacks(whole, $0) }) < 2 {
      throw LawFailure("the reference finds \(expected),\nthe engine several values missing at \(whole)")
    }
    let placed = expected.filter { fault in fault.path != nil && !wholes.contains { lacks($0, fault) } }
    let unplaced = Set(expected.filter { $0.path == nil }.map(\.code))
    let missing = placed.subtracting(found)
    // The engine can also report mistakes inside a refused object.
    let isRefused = expected.contains { ["abstract-entity", "wrong-entity", "closure-failed"].contains($0.code) }
    // One of the objects that share a dictionary can lack all of its own keys (M23).
    let mayShare = importer.model.entities.contains(where: \.readsElements)
    let surplus = found.subtracting(mayShare ? expected : placed).filter {
      !($0.code == "missing-value" && wholes.contains($0.path ?? "")) && !unplaced.contains($0.code)
        && !(isHalfDone && later.contains($0.code)) && !(isRefused && $0.code == "value")
        // No rule determines whether an identifier is looked up before or after its object loses its owner.
        && !(importer.hasLostOwner && $0.code == "unresolved-identifier")
    }
    if !missing.isEmpty || !surplus.isEmpty || !unplaced.isSubset(of: found.map(\.code)) {
      throw LawFailure("the reference finds \(expected),\nthe engine \(found)")
    }
    return true
  }

  /// Codes between which the contract does not distinguish are treated as one code.
  private static func kind(_ code: String) -> String {
    switch code {
    case "wrong-type", "wrong-transformer-input", "wrong-transformer-output", "transformer-failed", "wrong-identifier":
      "value"
    case "no-object": "at"
    default: code
    }
  }
}
