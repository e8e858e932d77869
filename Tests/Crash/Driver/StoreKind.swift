import Foundation
import Graft
import GraftSQLite

/// The stores with files.
enum StoreKind: String {
  case sqlite, snapshot

  init(_ word: String) throws {
    guard let kind = StoreKind(rawValue: word) else { throw Failure("there is no store '\(word)'") }
    self = kind
  }

  func open(
    _ url: URL, _ model: ManagedObjectModel = Ledger.model, _ migrations: [StoreMigration] = []
  ) throws -> any StoreBackend {
    switch self {
    case .sqlite:
      var options = SQLiteStore.Options()
      options.migrations = migrations
      return try SQLiteStore(at: url, model: model, options: options)
    case .snapshot:
      var options = SnapshotStore.Options()
      options.migrations = migrations
      return try SnapshotStore(at: url, model: model, options: options)
    }
  }
}

/// A folder that is removed with the object.
final class Folder {
  let url: URL

  init() throws {
    // Replays write hundreds of thousands of small files: in memory if possible.
    let memory = URL(fileURLWithPath: "/dev/shm")
    let parent =
      FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
    url = parent.appendingPathComponent("graft-crashes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }

  func empty() throws {
    for name in names { try FileManager.default.removeItem(at: url.appendingPathComponent(name)) }
  }
}
