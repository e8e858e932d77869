import Foundation
import Graft

/// A folder for a database that is not shared. Only its owner can read the folder, which is removed with this object, or when the process
/// exits.
final class TemporaryFolder: Sendable {
  private let path: String
  /// The file for the database.
  let database: StoreFile

  /// The folders that exist.
  private static let all: Guarded<Set<String>> = {
    atexit { TemporaryFolder.removeAll() }
    return Guarded([])
  }()

  /// - Parameter name: the name of the store, for messages.
  init(for name: String) throws(StoreError) {
    let parent = FileManager.default.temporaryDirectory.path
    // SQLite does not follow symbolic links, and the folder's path may contain some (/tmp on macOS is one).
    let resolved = realpath(parent, nil)
    defer { free(resolved) }
    // 'mkdtemp' replaces the six X's to form a name that does not exist yet.
    let folder = "graft-" + String(repeating: "X", count: 6)
    var template = Array("\(resolved.map { String(cString: $0) } ?? parent)/\(folder)".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreLocation.refusal(
        name, .unavailableStore, "the folder '\(parent)' cannot be written: \(String(cString: strerror(errno)))")
    }
    let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    self.path = path
    database = StoreFile(path: path + "/store.graft", name: name)
    TemporaryFolder.all.withLock { _ = $0.insert(path) }
    for path in [path] + database.withCompanions { DurableFile.note(path, isUnfinished: true) }
  }

  deinit {
    TemporaryFolder.all.withLock { _ = $0.remove(path) }
    TemporaryFolder.remove(path)
    for path in [path] + database.withCompanions { DurableFile.note(path, isUnfinished: false) }
  }

  /// Removes the folder and its files. It contains no folders.
  private static func remove(_ path: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  private static func removeAll() { all.withLock { $0 }.forEach(remove) }
}
