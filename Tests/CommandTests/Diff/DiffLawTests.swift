import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// `graft store migrate` does what `graft diff` announces.
///
/// Each case is a random model, a random edit of it, a store with objects of every entity, and one without objects. `GRAFT_DIFF_CASES` sets
/// the number of cases, `GRAFT_LAW_SEED` selects one by its seed.
@Suite("Law: graft diff and graft store migrate agree") struct DiffLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_DIFF_CASES", 60)

  @Test("graft diff and graft store migrate agree for random pairs of models, with and without objects")
  func agreement() throws {
    var outcomes: [String: Int] = [:]
    for seed in Self.seeds {
      var versions = RandomVersions(seed: seed)
      guard let old = try? ManagedObjectModel(text: versions.text) else { continue }
      let payloads = versions.payloads
      let oldText = versions.text
      versions.edit()
      guard (try? ManagedObjectModel(text: versions.text)) != nil else { continue }
      let folder = try TemporaryFolder()
      let paths = (try folder.file("old.json", oldText), try folder.file("new.json", versions.text))
      let story = "GRAFT_LAW_SEED=\(seed): \(versions.edits.joined(separator: "; "))\n\(oldText)\n\(versions.text)"
      let outcome = try Self.check(folder, old, payloads, paths, story)
      outcomes[outcome, default: 0] += 1
    }
    print("GRAFT_LAW_SEED=\(Self.seeds): \(outcomes)")
    // All kinds of outcomes occur.
    if Self.seeds.count >= 60 {
      for outcome in ["possible", "conditional", "refused"] {
        #expect(outcomes[outcome, default: 0] > 1, "\(outcomes)")
      }
    }
  }

  private struct Announcement: Decodable {
    struct Refusal: Decodable, Equatable { var message: String }
    struct Store: Decodable {
      var isPossible: Bool
      var changes: [String]
      var conditionalRefusals: [Refusal]
      var refusals: [Refusal]
    }
    var store: Store
  }

  /// Checks one case, and returns the announced outcome.
  private static func check(
    _ folder: TemporaryFolder, _ old: ManagedObjectModel, _ payloads: [(entity: String, payload: JSON)],
    _ paths: (old: String, new: String), _ story: String
  ) throws -> String {
    let diff = try Invocation(["diff", paths.old, paths.new, "--format", "json"])
    let announced = try JSONDecoder().decode(Announcement.self, from: Data(diff.output.utf8)).store
    #expect(diff.status == (announced.isPossible ? 0 : 1) && diff.messages == "", "\(story)")
    for isFull in [true, false] {
      let path = folder.path(isFull ? "full.graft" : "empty.graft")
      let store = try SQLiteStore(at: URL(fileURLWithPath: path), model: old)
      let context = try ManagedObjectContext(model: old, store: store)
      if isFull {
        // The model's own limits do not allow these objects, so the case proves nothing.
        do {
          try context.atomically {
            for (entity, payload) in payloads { try context.importJSON(payload, ofEntity: entity) }
          }
        } catch let error as ImportError { return "no objects: \(error.diagnostics[0].code.rawValue)" }
      }
      // Whether a condition is satisfied depends on the objects. For example, all of them might have a value.
      let isConditional = isFull && !announced.conditionalRefusals.isEmpty
      let plan = try Invocation(["store", "migrate", path, "--model", paths.new, "--plan"])
      let migration = try Invocation(["store", "migrate", path, "--model", paths.new])
      #expect(
        announced.refusals.isEmpty ? isConditional || migration.status == 0 : migration.status != 0,
        "\(isFull): \(migration.messages)\n\(story)")
      #expect(plan.output == migration.output && plan.status == migration.status, "\(story)")
      guard migration.status == 0 else {
        for refusal in announced.refusals { #expect(migration.messages.contains(refusal.message), "\(story)") }
        #expect(try SQLiteStore(at: URL(fileURLWithPath: path), model: old).verify() == [], "\(story)")
        continue
      }
      // A conditional refusal concerns an addition. If there are no objects, the addition is made.
      let lines = migration.output.split(separator: "\n").map(String.init)
      let done = lines == ["\(path): nothing to migrate"] ? [] : lines
      if announced.conditionalRefusals.isEmpty { #expect(done == announced.changes, "\(story)") }
      #expect(announced.changes.allSatisfy(done.contains), "\(story)")
      let new = try ManagedObjectModel(contentsOf: URL(fileURLWithPath: paths.new))
      let migrated = try SQLiteStore(at: URL(fileURLWithPath: path), model: new)
      #expect(try migrated.verify() == [], "\(story)")
      #expect(
        try Invocation(["store", "migrate", path, "--model", paths.new]).output.hasSuffix("nothing to migrate\n"))
    }
    return announced.isPossible ? "possible" : announced.refusals.isEmpty ? "conditional" : "refused"
  }
}
