import Foundation
import Graft
import GraftSQLite

/// Two processes that import the same object into one store. If an import encounters the other process's commit, it is repeated, so its
/// hook increments the count that the other process committed.
struct ImportRaceTrial {
  private final class Tally: ManagedObject, ImportObserving {
    func didImport(_ payload: JSON) { self["count"] = (self["count"] ?? 0) + 1 }
  }

  private static func open(_ url: URL) throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {"Tally": {"identityAttributes": "id",
          "attributes": {"id": "integer64", "count": {"type": "integer64", "default": 0}}}}}
        """, classes: [Tally.self])
    return try ManagedObjectContext(model: model, store: SQLiteStore(at: url, model: model))
  }

  /// Imports for a few seconds, and prints the number of successful imports after each import.
  static func compete(_ url: URL, seconds: Int) throws {
    let context = try open(url)
    let end = Date(timeIntervalSinceNow: Double(seconds))
    var imports: Int64 = 0
    var conflicts = 0
    while Date() < end {
      do throws(ImportError) {
        try context.importJSON(#"[{"id": 0}]"#, ofEntity: "Tally")
        imports += 1
        KillTrial.acknowledge("\(imports)")
      } catch {
        // The other process was faster ten times in succession.
        guard error.underlyingError is ConflictError, !context.hasChanges else { throw error }
        conflicts += 1
      }
    }
    KillTrial.acknowledge("\(conflicts) conflicts")
  }

  func run(seconds: Int) throws -> String {
    let folder = try Folder()
    let url = folder.url.appendingPathComponent("store.graft")
    try ImportRaceTrial.open(url).importJSON(#"[{"id": 0}]"#, ofEntity: "Tally")
    let command = ["import", url.path, "\(seconds)"]
    let (imports, conflicts) = try RaceTrial.run([command, command], folder)
    let count: Int64? = try ImportRaceTrial.open(url).find(ofEntity: "Tally", identity: 0 as Int64)?["count"]
    guard count == imports.reduce(1, +), imports.allSatisfy({ $0 > 0 }) else {
      throw Failure("\(imports) imports were acknowledged after the first, and the count is \(count ?? -1)")
    }
    return "two processes that import for \(seconds) s: \(imports) imports, \(conflicts) given up; each counted once"
  }
}
