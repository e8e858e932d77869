import Foundation
import Graft

/// The files that are being written under temporary names, and temporary folders. A signal that ends the program removes them.
///
/// A signal can arrive between any two instructions, and its handler must not allocate or wait. Therefore, each path is a byte
/// string in memory that is never freed. A single store, while signals are blocked, adds a complete entry to the list or gives an
/// empty entry a path.
enum UnfinishedFiles {
  struct Entry {
    var path: UnsafeMutablePointer<CChar>?
    let next: UnsafeMutablePointer<Entry>?
  }

  /// Adds the files that the library's stores and exports write, for as long as they are unfinished, and temporary folders.
  static func follow() {
    DurableFile.observer.withLock { observer in
      observer = { path, isUnfinished in isUnfinished ? add(path) : forget(path) }
    }
  }

  /// Adds a file, which need not exist yet.
  static func add(_ path: String) {
    EndingSignals.handle()
    EndingSignals.withSignalsBlocked {
      let path = strdup(FilePath.bytes(of: path))
      var next = first
      while let entry = next {
        if entry.pointee.path == nil { return entry.pointee.path = path }
        next = entry.pointee.next
      }
      let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
      entry.initialize(to: Entry(path: path, next: first))
      first = entry
    }
  }

  /// Removes a file from the list, because it was renamed or deleted.
  static func forget(_ path: String) {
    let bytes = FilePath.bytes(of: path)
    EndingSignals.withSignalsBlocked {
      var next = first
      while let entry = next {
        if let known = entry.pointee.path, strcmp(known, bytes) == 0 { entry.pointee.path = nil }
        next = entry.pointee.next
      }
    }
  }

  /// Removes all files, then the folders. Calls only functions that POSIX allows in a signal handler.
  static func removeAll() {
    visit { unlink($0) }
    visit { rmdir($0) }
  }

  private static func visit(_ body: (UnsafePointer<CChar>) -> Void) {
    var next = first
    while let entry = next {
      if let path = entry.pointee.path { body(path) }
      next = entry.pointee.next
    }
  }
}

/// The newest entry. It changes only while signals are blocked.
nonisolated(unsafe) private var first: UnsafeMutablePointer<UnfinishedFiles.Entry>?
