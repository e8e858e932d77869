package import Foundation

/// Writes files atomically, all or none. Each file is first written next to the old one, and all are renamed when every one is
/// complete. Without a commit, none is renamed. A signal that ends the program removes the new files.
package final class FileWriter {
  /// A complete file that has not been renamed yet.
  private struct Staged {
    let path: String
    let target: String
    let temporary: String
  }

  private var staged: [Staged] = []
  /// Pipes and devices, which are written in place.
  private var special: [(path: String, bytes: [UInt8])] = []

  package init() {}

  /// Removes the new files that were not committed.
  deinit {
    for file in staged {
      unlink(FilePath.bytes(of: file.temporary))
      UnfinishedFiles.forget(file.temporary)
    }
  }

  /// Writes all the files. If one cannot be written, the existing files are unchanged.
  package static func write(_ files: [(path: String, bytes: [UInt8])]) throws(Failure) {
    let writer = FileWriter()
    for file in files {
      try writer.add(file.path) { write throws(Failure) in try write(file.bytes) }
    }
    try writer.commit()
  }

  /// A closure that takes a piece of a file.
  package typealias PieceWriter = (any ContiguousBytes) throws(Failure) -> Void

  /// Writes a file next to the one that it replaces when everything is committed.
  package func add(_ path: String, _ body: (@escaping PieceWriter) throws(Failure) -> Void) throws(Failure) {
    try FileWriter.check(path)
    let status = FilePath.status(of: path)
    if let status, FileWriter.isWrittenInPlace(path, status) {
      var bytes: [UInt8] = []
      try body { piece in piece.withUnsafeBytes { bytes += $0 } }
      special.append((path, bytes))
      return
    }
    // The target of a link is written, not the link, even if the target does not exist.
    let target = FilePath.target(of: path)
    let temporary = FileWriter.temporaryPath(beside: target)
    UnfinishedFiles.add(temporary)
    let descriptor = open(FilePath.bytes(of: temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let reason = lastSystemError()
      UnfinishedFiles.forget(temporary)
      throw .file("write", path, reason)
    }
    staged.append(Staged(path: path, target: target, temporary: temporary))
    do throws(Failure) {
      if let status { try FileWriter.keepAccess(status, descriptor, path) }
      try body { piece throws(Failure) in try FileWriter.write(piece, to: descriptor, path: path) }
    } catch {
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 else { throw .file("write", path, lastSystemError()) }
  }

  // MARK: Existing files

  /// Throws if a path cannot be written, to the extent that this is known without writing.
  package static func check(_ path: String) throws(Failure) {
    if let status = FilePath.status(of: path) {
      if status.st_mode & S_IFMT == S_IFDIR { throw .file("write", path, "it is a directory") }
      guard access(FilePath.bytes(of: path), W_OK) == 0 else { throw .file("write", path, lastSystemError()) }
      if isWrittenInPlace(path, status) { return }
    } else if errno != ENOENT {
      throw .file("write", path, lastSystemError())
    }
    let folder = FilePath.parent(of: FilePath.target(of: path)) ?? "."
    guard access(FilePath.bytes(of: folder), W_OK | X_OK) == 0 else {
      let isDenied = errno == EACCES
      throw .file("write", path, (isDenied ? "no file can be created in its folder: " : "") + lastSystemError())
    }
  }

  /// Returns whether a file cannot be replaced by another file: a pipe, a device, or the name of an open file.
  private static func isWrittenInPlace(_ path: String, _ status: stat) -> Bool {
    status.st_mode & S_IFMT != S_IFREG || path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
  }

  /// Gives a new file the permissions of the file that it replaces and, to the extent that the system permits it, its owner and group.
  private static func keepAccess(_ old: stat, _ descriptor: Int32, _ path: String) throws(Failure) {
    var new = stat()
    guard fstat(descriptor, &new) == 0 else { throw .file("write", path, lastSystemError()) }
    if new.st_uid != old.st_uid || new.st_gid != old.st_gid, fchown(descriptor, old.st_uid, old.st_gid) != 0 {
      // A user who does not own the file may still belong to its group.
      _ = fchown(descriptor, new.st_uid, old.st_gid)
    }
    guard fchmod(descriptor, old.st_mode & 0o777) == 0 else { throw .file("write", path, lastSystemError()) }
  }

  // MARK: Committing

  /// Replaces the files with the new ones.
  package func commit() throws(Failure) {
    // Pipes and devices are written first: if one fails, all files remain unchanged.
    for file in special {
      let descriptor = open(FilePath.bytes(of: file.path), O_WRONLY | O_APPEND | O_CLOEXEC)
      guard descriptor >= 0 else { throw .file("write", file.path, lastSystemError()) }
      defer { close(descriptor) }
      try FileWriter.write(file.bytes, to: descriptor, path: file.path)
    }
    while let file = staged.first {
      guard rename(FilePath.bytes(of: file.temporary), FilePath.bytes(of: file.target)) == 0 else {
        throw .file("write", file.path, lastSystemError())
      }
      UnfinishedFiles.forget(file.temporary)
      staged.removeFirst()
    }
  }

  /// Returns an unused name in the same folder, because only there can a file be renamed atomically.
  private static func temporaryPath(beside path: String) -> String {
    let folders = path.parts(between: "/").dropLast()
    let name = ".graft-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    return (folders + [name]).joined(separator: "/")
  }

  /// Writes all bytes to an open file.
  package static func write(_ bytes: any ContiguousBytes, to descriptor: Int32, path: String) throws(Failure) {
    let failure = bytes.withUnsafeBytes { buffer -> Int32 in
      var done = 0
      while done < buffer.count {
        let written = Foundation.write(descriptor, buffer.baseAddress! + done, buffer.count - done)
        if written >= 0 { done += written } else if errno != EINTR { return errno }
      }
      return 0
    }
    guard failure == 0 else { throw .file("write", path, String(cString: strerror(failure))) }
  }
}
