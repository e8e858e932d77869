import Foundation
import Graft
import GraftTestSupport
import Testing

/// Makes the nth call of a closure fail.
private final class FailingCall: Sendable {
  struct Failure: Error {}

  private let state = Locked((calls: 0, failing: 0))

  /// The number of calls since the last call of ``arm(_:)``.
  var calls: Int { state.withLock { $0.calls } }

  /// Makes the nth call from now on fail; 0 makes none fail.
  func arm(_ number: Int) { state.withLock { $0 = (0, number) } }

  func call() throws {
    try state.withLock {
      $0.calls += 1
      if $0.calls == $0.failing { throw Failure() }
    }
  }
}

/// Imports into random models that fail at every possible point and must leave no trace (I10).
///
/// `GRAFT_LAW_SEED` selects one model by its seed.
@Suite("Fault injection") struct FaultInjectionTests {
  /// A model, a context with objects, and the number of imports that were made to fail.
  private struct Trial {
    var one: LawCase
    let failing: FailingCall
    var faults = 0
    var codes: [String: Int] = [:]

    init(seed: UInt64) throws {
      let failing = FailingCall()
      self.failing = failing
      one = try LawCase(seed: seed, isRich: true, hasSurroundings: seed % 3 == 0, hook: failing.call)
      one.startAgain()
      for _ in 0..<4 {
        let (entity, payload) = one.payload()
        _ = try one.importing(payload, entity)
      }
    }

    /// Returns whether an import fails. If so, the context must be unchanged: its dump, handles, changes and invariants.
    mutating func fails(_ what: String, _ importing: (ManagedObjectContext) throws -> Void) throws -> Bool {
      let context = one.context
      let dump = context.dumpBytes()
      do {
        try importing(context)
        return false
      } catch let error as ImportError {
        for diagnostic in error.diagnostics { codes[diagnostic.code.rawValue, default: 0] += 1 }
        try one.expectSame(dump, context.dumpBytes(), "\(what) changed the graph")
        try one.expectInvariants(what)
        faults += 1
        return true
      }
    }

    private func objects() throws -> [ManagedObject] {
      try one.model.entities.flatMap { try one.context.fetch(ofEntity: $0.name) }
    }

    /// Makes many imports fail. Afterwards, objects that were held during the imports must be the same, with the same names and changes.
    mutating func keepsHandles(_ body: (inout Trial) throws -> Void) throws {
      let handles = try objects()
      let names = handles.map(\.description)
      let changes = String(describing: one.context.changes)
      try body(&self)
      guard handles.map(\.description) == names, !handles.contains(where: \.isDeleted) else {
        throw LawFailure("a handle changed")
      }
      let others = try objects()
      guard handles.count == others.count, zip(handles, others).allSatisfy({ $0 === $1 }) else {
        throw LawFailure("there are different objects")
      }
      guard String(describing: one.context.changes) == changes else { throw LawFailure("the changes changed") }
    }

    /// Makes the first call of a closure fail, then the second, and so on, until no further call is made.
    mutating func failCalls(_ what: String, _ importing: (ManagedObjectContext) throws -> Void) throws {
      for number in 1... {
        failing.arm(number)
        defer { failing.arm(0) }
        let hasFailed = try fails("call \(number) in \(what)", importing)
        if failing.calls < number { return }
        guard hasFailed || one.model.skipsDictionaries else {
          throw LawFailure("call \(number) failed in \(what), and nothing reported it")
        }
      }
    }

    /// Lowers a limit to 0, and raises it until the payload is within the limit.
    mutating func breakLimit(
      _ name: String, _ entity: String, _ payload: JSON, _ set: (inout ImportLimits, Int) -> Void
    )
      throws
    {
      for limit in 0... {
        var options = ImportOptions()
        set(&options.limits, limit)
        let broken = codes["limit-\(name)"] ?? 0
        guard
          try fails("limit \(name) of \(limit)", { try $0.importJSON(payload, ofEntity: entity, options: options) }),
          codes["limit-\(name)"] ?? 0 > broken
        else { return }
      }
    }
  }

  private static let parts: UInt64 = 2
  private static var seeds: Range<UInt64> {
    if let seed = ProcessInfo.processInfo.environment["GRAFT_LAW_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
    return 1..<101
  }

  /// Runs a trial for every seed of a part. Returns the number of failed imports and the codes of their errors.
  private func tryAll(_ part: UInt64, _ body: (inout Trial) throws -> Void) -> (faults: Int, codes: [String: Int]) {
    var faults = 0
    var codes: [String: Int] = [:]
    for seed in Self.seeds where seed % Self.parts == part || Self.seeds.count == 1 {
      do {
        var trial = try Trial(seed: seed)
        do {
          try body(&trial)
          faults += trial.faults
          codes.merge(trial.codes, uniquingKeysWith: +)
          continue
        } catch {
          Issue.record("GRAFT_LAW_SEED=\(seed): \(error)\n\(trial.one.story)")
        }
      } catch {
        Issue.record("GRAFT_LAW_SEED=\(seed): \(error)")
      }
      break
    }
    return (faults, codes)
  }

  @Test(
    "I10: an import of payloads leaves no trace, no matter which call, value or limit makes it fail",
    arguments: 0..<parts)
  func nothingIsLeft(part: UInt64) {
    let (faults, codes) = tryAll(part) { trial in
      for round in 0..<4 {
        // Uncommitted changes must also be kept.
        if round == 1 { for _ in 0..<6 { try trial.one.edit() } }
        try failCalls(&trial)
        try spoilValues(&trial)
        try breakLimits(&trial)
      }
    }
    print("GRAFT_LAW_SEED=\(Self.seeds), part \(part): \(faults) faults, \(codes)")
    guard Self.seeds.count > 1 else { return }
    // Both parts together make 10,000 imports fail.
    #expect(faults >= 5_000)
    let expected: Set = [
      "wrong-type", "wrong-identifier", "wrong-transformer-input", "transformer-failed", "closure-failed",
      "wrong-entity",
      "abstract-entity", "entity-conflict", "blocked-key-path", "missing-value", "invalid-value", "duplicate-key",
      "unresolved-identifier", "deletion-denied", "limit-objects", "limit-depth", "limit-string-bytes",
      "limit-number-bytes", "limit-bytes",
    ]
    #expect(expected.subtracting(codes.keys) == [])
  }

  private func failCalls(_ trial: inout Trial) throws {
    let payloads = (0..<3).map { _ in trial.one.payload() }
    let units = payloads.map { entity, payload in
      ImportPayload(trial.one.model.entities[entity].name, bytes: Array(payload.description.utf8))
    }
    try trial.failCalls("several payloads") { _ = try $0.importPayloads(units) }
    for (entity, payload) in payloads {
      let name = trial.one.model.entities[entity].name
      try trial.failCalls("one payload") { try $0.importJSON(payload, ofEntity: name) }
    }
  }

  /// Each value of the payload is wrong once; then one value occurs twice.
  private func spoilValues(_ trial: inout Trial) throws {
    let (entity, payload) = trial.one.payload()
    let name = trial.one.model.entities[entity].name
    for place in 0..<RandomPayload.placeCount(payload) {
      let other = trial.one.random.pick(RandomPayload.wrongValues + [.null])
      let bad = RandomPayload.replacing(place, in: payload, by: other)
      _ = try trial.fails("a wrong value \(place)") { try $0.importJSON(bad, ofEntity: name) }
    }
    for _ in 0..<4 {
      let bad = RandomPayload.doubled(payload, &trial.one.random)
      _ = try trial.fails("a member twice") { try $0.importJSON(bad, ofEntity: name) }
    }
    try trial.keepsHandles { trial in
      for _ in 0..<4 {
        // The unusable value is at the very end, so everything else is read first.
        let (entity, payload) = trial.one.payload()
        let name = trial.one.model.entities[entity].name
        let bad = JSON.array((payload.arrayValue ?? [payload]) + [[[]]])
        guard try trial.fails("a fault at the end", { try $0.importJSON(bad, ofEntity: name) }) else {
          throw LawFailure("the payload was accepted: \(bad)")
        }
      }
    }
  }

  private func breakLimits(_ trial: inout Trial) throws {
    let (entity, payload) = trial.one.payload()
    let name = trial.one.model.entities[entity].name
    try trial.breakLimit("objects", name, payload) { $0.objects = $1 }
    try trial.breakLimit("depth", name, payload) { $0.depth = $1 + 1 }
    try trial.breakLimit("string-bytes", name, payload) { $0.stringBytes = $1 * 5 }
    try trial.breakLimit("number-bytes", name, payload) { $0.numberBytes = $1 * 2 }
    let size = Array(payload.description.utf8).count
    try trial.breakLimit("bytes", name, payload) { $0.bytes = size - 2 + $1 }
    for errors in 1...3 {
      var options = ImportOptions()
      options.limits.errors = errors
      var bad = payload
      for _ in 0..<4 { bad = RandomPayload.damaged(bad, &trial.one.random) }
      _ = try trial.fails("at most \(errors) errors") { try $0.importJSON(bad, ofEntity: name, options: options) }
    }
  }

  @Test("I10: after failed imports on top of changes, rolling back restores the committed graph")
  func rollBack() {
    _ = tryAll(0) { trial in
      // Edits can violate a rule.
      if (try? trial.one.context.commit()) == nil { trial.one.context.rollBack() }
      let committed = trial.one.context.dumpBytes()
      for _ in 0..<3 {
        for _ in 0..<8 { try trial.one.edit() }
        let (entity, payload) = trial.one.payload()
        let name = trial.one.model.entities[entity].name
        let bad = JSON.array((payload.arrayValue ?? [payload]) + [[[]]])
        guard try trial.fails("a fault at the end", { try $0.importJSON(bad, ofEntity: name) }) else {
          throw LawFailure("the payload was accepted: \(bad)")
        }
        trial.one.context.rollBack()
        try trial.one.expectSame(committed, trial.one.context.dumpBytes(), "rolling back left something")
        try trial.one.expectInvariants("rolling back")
      }
    }
  }
}
