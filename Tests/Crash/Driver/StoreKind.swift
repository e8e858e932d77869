import Foundation
import Graft
import GraftPostgreSQL
import GraftSQLite

/// The kinds of stores. A store in a database has a URL; the other stores have files.
enum StoreKind: String {
  case sqlite, snapshot, postgresql

  init(_ word: String) throws {
    guard let kind = StoreKind(rawValue: word) else { throw Failure("there is no store '\(word)'") }
    self = kind
  }

  /// The location of a store.
  func url(_ word: String) throws -> URL {
    guard self == .postgresql else { return URL(fileURLWithPath: word) }
    guard let url = URL(string: word) else { throw Failure("'\(word)' is not a URL") }
    return url
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
    case .postgresql:
      var options = PostgreSQLStore.Options()
      options.migrations = migrations
      return try PostgreSQLStore(url.absoluteString, model: model, options: options)
    }
  }
}

/// A folder that is removed when the object is released.
final class Folder {
  let url: URL

  init() throws {
    // Replays write hundreds of thousands of small files, so the files are in memory if possible.
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
