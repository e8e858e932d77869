#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The location of the file of a store, and its kind.
package struct StoreLocation: Sendable {
  /// The path of the file. Its folder has no symbolic links.
  package let path: String
  /// The path as the program gave it, for messages.
  package let name: String

  package init(path: String, name: String) {
    self.path = path
    self.name = name
  }

  /// Finds the file.
  ///
  /// - Throws: if the folder does not exist.
  package init(_ url: URL) throws(StoreError) {
    name = url.relativePath
    guard url.isFileURL, !url.lastPathComponent.isEmpty, url.lastPathComponent != "/" else {
      throw StoreLocation.refusal(name, .unavailableStore, "it is not the path of a file")
    }
    // Links in the folder's path are ordinary (/tmp on macOS is one); a link in place of the file is rejected.
    let folder = url.deletingLastPathComponent().path
    guard let resolved = realpath(folder, nil) else {
      throw StoreLocation.refusal(
        name, .unavailableStore,
        "the folder '\(folder)' cannot be opened: \(StoreLocation.systemError())\(errno == ENOENT ? "; create it first" : "")"
      )
    }
    defer { free(resolved) }
    let text = String(cString: resolved)
    path = (text == "/" ? "" : text) + "/" + url.lastPathComponent
  }

  /// The reason why the last system call failed.
  package static func systemError() -> String {
    errno == EACCES || errno == EPERM ? "permission denied; \(permissionHint)" : String(cString: strerror(errno))
  }

  package static let permissionHint = "check the permissions of the file and its folder"

  /// An error that begins with the name of the store.
  package static func refusal(
    _ name: String, _ code: DiagnosticCode, _ reason: String, notes: [String] = []
  ) -> StoreError {
    StoreError(code, "the store '\(name)' cannot be opened: \(reason)", notes: notes)
  }

  package func refusal(_ code: DiagnosticCode, _ reason: String, notes: [String] = []) -> StoreError {
    StoreLocation.refusal(name, code, reason, notes: notes)
  }

  /// Examines the file without changing anything.
  ///
  /// - Returns: the number of its bytes; nil if there is no file.
  /// - Throws: if it is not a regular file, or cannot be examined.
  package func size() throws(StoreError) -> Int? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw refusal(.unavailableStore, StoreLocation.systemError())
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Int(status.st_size)
    case S_IFLNK:
      throw refusal(.notAStore, "it is a symbolic link, and links are not followed; open the file that it points to")
    case S_IFDIR: throw refusal(.notAStore, "it is a directory; give the path of a file")
    default: throw refusal(.notAStore, "it is not a regular file")
    }
  }
}
