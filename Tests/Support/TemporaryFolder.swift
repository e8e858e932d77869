package import Foundation

/// A folder for the files of a test. The folder is removed by `remove()`, or when the object is released.
///
///     let folder = try TemporaryFolder()
///     defer { folder.remove() }          // keeps the folder until here, even if only its files are used
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("graft-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { remove() }

  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  package func remove() { try? FileManager.default.removeItem(at: url) }
}
