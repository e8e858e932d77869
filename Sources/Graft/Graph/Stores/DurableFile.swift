#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A file that is replaced as a whole. After a power failure, it has either the old content or the new content.
///
///     shop.snapshot-new-4711-00000000k3x9t: written, synced      renamed to shop.snapshot      the folder: synced
package struct DurableFile {
  package let path: String

  /// Called with the path of each new file before it is written, and after it has been renamed or removed. With this closure, a program
  /// that is terminated by a signal can remove unfinished files.
  package static let observer = Guarded<(@Sendable (_ path: String, _ isUnfinished: Bool) -> Void)?>(nil)

  package init(path: String) { self.path = path }

  /// Appends bytes to the new content; returns false if that fails.
  typealias Writer = (any ContiguousBytes) -> Bool

  /// Replaces the content. A new file can be read and written only by its owner; an existing file keeps its permissions.
  ///
  /// The new content is written to a separate file in the same folder. No other process or thread uses the name of that file. If the
  /// process ends before the new file is renamed, the file is left behind, and a later call removes it.
  ///
  /// - Returns: the reason why the content could not be replaced; nil if it was replaced.
  func replace(with bytes: [UInt8]) -> String? { replace { $0(bytes) } }

  /// Replaces the content with the output of a closure, unless the closure returns false.
  ///
  /// - Parameters:
  ///   - permissions: the permissions of a new file, which the umask of the process restricts.
  ///   - removesLeftovers: whether to remove files that other processes left behind.
  ///   - isRenamed: called with the status of the new file after it has been renamed.
  func replace(
    permissions: mode_t = 0o600, removesLeftovers: Bool = true, isRenamed: (stat) -> Void = { _ in },
    with body: (Writer) -> Bool
  ) -> String? {
    var status = stat()
    let exists = lstat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG { return "it is not a regular file" }
    // Without this check, renaming would replace a read-only file.
    if exists, faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 { return DurableFile.reason() }
    if removesLeftovers { removeLeftovers() }
    let newPath = newPath
    DurableFile.note(newPath, isUnfinished: true)
    defer { DurableFile.note(newPath, isUnfinished: false) }
    let descriptor = open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { return DurableFile.reason() }
    if exists { fchmod(descriptor, status.st_mode & 0o777) }
    let isWritten = body { DurableFile.write($0, descriptor) } && DurableFile.sync(descriptor)
    let reason = isWritten ? nil : DurableFile.reason()
    fstat(descriptor, &status)
    close(descriptor)
    if let reason {
      unlink(newPath)
      return reason
    }
    guard rename(newPath, path) == 0 else {
      defer { unlink(newPath) }
      return DurableFile.reason()
    }
    isRenamed(status)
    syncFolder()
    return nil
  }

  // MARK: Temporary files

  private static let infix = "-new-"

  /// The number of letters and digits of a random number.
  private static let randomLength = 13

  /// A unique path for a temporary file. No other program creates files with such names.
  package var newPath: String {
    let random = String(UInt64.random(in: .min ... .max), radix: 36)
    let zeros = String(repeating: "0", count: DurableFile.randomLength - random.count)
    return "\(path)\(DurableFile.infix)\(getpid())-\(zeros)\(random)"
  }

  package static func note(_ path: String, isUnfinished: Bool) {
    observer.withLock { $0?(path, isUnfinished) }
  }

  /// Removes the unfinished files of processes that have ended.
  package func removeLeftovers() {
    let (folder, name) = split
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    for candidate in names where candidate.hasPrefix(name + DurableFile.infix) {
      let words = candidate.dropFirst(name.count + DurableFile.infix.count).split(separator: "-")
      // SQLite adds a word to the names of the files that it creates next to a database.
      guard words.count == 2 || words.count == 3 && ["journal", "wal", "shm"].contains(words[2]),
        words[1].count == DurableFile.randomLength, UInt64(words[1], radix: 36) != nil,
        let process = pid_t(words[0]), process > 0, kill(process, 0) != 0, errno == ESRCH
      else { continue }
      unlink("\(folder)/\(candidate)")
    }
  }

  private var split: (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  private static func write(_ bytes: any ContiguousBytes, _ descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        // Larger pieces are rejected by some systems.
        #if canImport(Darwin)
          let count = Darwin.write(descriptor, bytes.baseAddress! + offset, min(bytes.count - offset, 1 << 30))
        #elseif canImport(Musl)
          let count = Musl.write(descriptor, bytes.baseAddress! + offset, min(bytes.count - offset, 1 << 30))
        #else
          let count = Glibc.write(descriptor, bytes.baseAddress! + offset, min(bytes.count - offset, 1 << 30))
        #endif
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        offset += count
      }
      return true
    }
  }

  package static func sync(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      // On Darwin, fsync leaves data in the drive's cache. Not all file systems support `F_FULLFSYNC`.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
  }

  /// Makes the new name durable. Some file systems cannot sync a folder; the file is complete on disk in any case.
  package func syncFolder() {
    let descriptor = open(split.folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = DurableFile.sync(descriptor)
    close(descriptor)
  }

  /// The reason why the last system call failed.
  package static func reason() -> String {
    switch errno {
    case ENOSPC, EDQUOT: "the disk is full; free some space and try again"
    case EACCES, EPERM: "permission denied; \(StoreLocation.permissionHint)"
    case EROFS: "its file system is read-only"
    case ENOENT: "its folder does not exist; create it first"
    default: String(cString: strerror(errno))
    }
  }
}
