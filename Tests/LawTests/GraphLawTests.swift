import Foundation
import Graft
import GraftTestSupport
import Testing

/// Laws for every model and every payload, tested with random models and payloads.
///
/// `GRAFT_LAW_CASES` sets the number of cases; `GRAFT_LAW_SEED` selects one case by its seed.
@Suite("Laws of the graph") struct GraphLawTests {
  static let seeds = LawSeeds.seeds("GRAFT_LAW_CASES", 600)

  /// Runs a law for every seed. Errors and findings are reported with the seed. After a few of them, the run ends.
  private func forEachCase(_ law: (inout LawCase) throws -> Void) {
    var failures = 0
    for seed in Self.seeds {
      do {
        var one = try LawCase(seed: seed)
        do {
          try law(&one)
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

  @Test("I10: a failed import leaves no trace, and every import leaves a consistent graph")
  func atomicity() {
    var failed = 0
    var succeeded = 0
    forEachCase { one in
      for _ in 0..<4 {
        let (entity, payload) = one.payload()
        let bytes = one.isDamaged ? RandomPayload.damaged(payload, &one.random) : payload
        let before = one.context.dumpBytes()
        if try one.importing(bytes, entity) == nil {
          succeeded += 1
        } else {
          failed += 1
          try one.expectSame(before, one.context.dumpBytes(), "a failed import changed the graph")
        }
        try one.expectInvariants("an import")
      }
    }
    if Self.seeds.count > 100 { #expect(failed > 100 && succeeded > 100) }
  }

  @Test("I10: importing text that is truncated or has a wrong byte leaves no trace")
  func brokenText() {
    forEachCase { one in
      for _ in 0..<3 {
        let (entity, payload) = one.payload()
        var bytes = Array(payload.description.utf8)
        if one.random.chance(percent: 50) {
          bytes.removeLast(1 + one.random.below(bytes.count - 1))
        } else {
          bytes[one.random.below(bytes.count)] = UInt8(truncatingIfNeeded: one.random.next())
        }
        let before = one.context.dumpBytes()
        if try one.importing(bytes, entity) != nil {
          try one.expectSame(before, one.context.dumpBytes(), "a failed import changed the graph")
        }
        try one.expectInvariants("an import")
      }
    }
  }

  @Test("I2: importing a payload twice has the same effect as importing it once")
  func idempotence() {
    forEachCase { one in
      guard one.model.isIdempotent else { return }
      for _ in 0..<3 {
        let (entity, payload) = one.payload()
        guard try one.importing(payload, entity) == nil else { continue }
        let once = one.context.dumpBytes()
        if let error = try one.importing(payload, entity) { throw LawFailure("the second import fails: \(error)") }
        try one.expectSame(once, one.context.dumpBytes(), "the second import changed something")
        try one.expectInvariants("the second import")
      }
    }
  }

  @Test("I1: dictionaries and bytes produce the same graph and the same errors")
  func dictionaries() {
    forEachCase { one in
      let other = ManagedObjectContext(model: one.loaded)
      for _ in 0..<3 {
        var (entity, payload) = one.payload()
        if one.isDamaged { payload = RandomPayload.damaged(payload, &one.random) }
        let error = try one.importing(payload, entity)
        let otherError = one.importingDictionaries(payload, entity, in: other)
        func facts(_ error: ImportError?) -> Set<String>? {
          // If many errors are alike, the first in the order of the members is reported.
          error.map { error in
            Set(
              error.diagnostics.map {
                $0.count > 1 ? "\($0.count) \($0.code)" : "\($0.code) \($0.message) \($0.path ?? "")"
              })
          }
        }
        if facts(error) != facts(otherError) {
          throw LawFailure(
            "bytes: \(error.map(String.init(describing:)) ?? "no error"), dictionaries: \(otherError.map(String.init(describing:)) ?? "no error")"
          )
        }
        try one.expectSame(one.context.dumpBytes(), other.dumpBytes(), "bytes and dictionaries differ")
      }
    }
  }

  @Test("E4: importing an export changes nothing in its own graph, and reproduces the graph in an empty context")
  func exports() {
    var complete = 0
    forEachCase { one in
      guard one.model.isIdentified else { return }
      for _ in 0..<4 {
        let (entity, payload) = one.payload()
        _ = try one.importing(payload, entity)
      }
      let before = one.context.dumpBytes()
      let documents = try one.exportEverything()
      for (entity, bytes) in documents {
        if let error = try one.importing(bytes, entity) { throw LawFailure("an export cannot be imported: \(error)") }
        try one.expectSame(before, one.context.dumpBytes(), "importing an export changed something")
      }
      try one.expectInvariants("the import of an export")
      guard try one.exportsEverything() else { return }
      complete += 1
      let other = ManagedObjectContext(model: one.loaded)
      for (entity, bytes) in documents {
        do throws(ImportError) {
          try other.importJSON(bytes, ofEntity: one.model.entities[entity].name)
        } catch {
          throw LawFailure(
            "an empty context cannot import the export: \(error)\n\(String(decoding: bytes, as: UTF8.self))")
        }
      }
      try one.expectSame(before, other.dumpBytes(), "an empty context becomes another one")
      let problems = other.checkInvariants()
      if !problems.isEmpty { throw LawFailure("\(problems)") }
    }
    if Self.seeds.count > 100 { #expect(complete > 20) }
  }

  @Test("C2: rolling back undoes every setter, insertion and deletion")
  func rollBack() {
    forEachCase { one in
      for _ in 0..<2 {
        let (entity, payload) = one.payload()
        _ = try one.importing(payload, entity)
      }
      let before = one.context.dumpBytes()
      for _ in 0..<2 {
        for _ in 0..<12 {
          try one.edit()
          try one.expectInvariants("an edit")
        }
        let edited = one.context.dumpBytes()
        let (entity, payload) = one.payload()
        if try one.importing(RandomPayload.damaged(payload, &one.random), entity) == nil {
          try one.expectInvariants("an import on top of edits")
          one.note("imported on top of edits")
          return
        }
        try one.expectSame(edited, one.context.dumpBytes(), "a failed import on top of edits changed the graph")
        one.context.rollBack()
        one.note("rolled back")
        try one.expectInvariants("rolling back")
        try one.expectSame(before, one.context.dumpBytes(), "rolling back left something")
        if one.context.hasChanges || !one.context.changes.isEmpty { throw LawFailure("changes are left") }
      }
      for _ in 0..<20 { try one.edit() }
      let edited = one.context.dumpBytes()
      do {
        try one.context.commit()
      } catch {
        one.note("refused a commit")
        try one.expectSame(edited, one.context.dumpBytes(), "a refused commit changed the graph")
        return
      }
      try one.expectInvariants("a commit")
      one.context.rollBack()
      try one.expectSame(edited, one.context.dumpBytes(), "a commit was rolled back")
    }
  }
}
