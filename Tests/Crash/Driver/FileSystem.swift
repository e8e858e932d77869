import CSQLite
import Foundation
import GraftTestSupport

/// A file system for SQLite that records writes and fails on request. The system's own file system does the actual work.
///
/// SQLite calls it through C functions, which cannot have a context, so there is only one instance, which one thread uses.
enum FileSystem {
  /// A change to a file.
  enum Change {
    case write(name: String, offset: Int, bytes: [UInt8])
    case truncate(name: String, size: Int)
    case sync(name: String)
    /// Whether the folder was also synced.
    case delete(name: String, isSynced: Bool)
    /// A commit began or returned.
    case begun(Int64)
    case acknowledged(Int64)
  }

  /// The state of the disk.
  enum Weather {
    case fair
    /// The disk is full.
    case full
    /// Writes take a long time to reach the disk.
    case slow
    /// One in three calls fails.
    case broken
  }

  /// The events since recording began; nil if there is no recording.
  nonisolated(unsafe) static var log: [Change]?
  /// The number of calls that can fail.
  nonisolated(unsafe) static var calls = 0
  /// The number of the call that fails.
  nonisolated(unsafe) static var failingCall = Int.max
  /// Whether all calls after the failing call also fail.
  nonisolated(unsafe) static var failsForever = false
  /// The number of calls that failed.
  nonisolated(unsafe) static var failures = 0
  static let weather = Locked(Weather.fair)
  /// The number of pages after which new connections write the log back into the file.
  nonisolated(unsafe) static var checkpointPages: Int32 = 20

  nonisolated(unsafe) private static var system: UnsafeMutablePointer<sqlite3_vfs>!
  nonisolated(unsafe) private static let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
  nonisolated(unsafe) private static let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
  nonisolated(unsafe) private static var names: [UnsafeMutablePointer<sqlite3_file>: String] = [:]

  /// This structure is followed by the file structure of the system's file system.
  private static let headerSize = 64

  private static func inner(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(file!) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }

  private static func system(
    _ file: UnsafeMutablePointer<sqlite3_file>?
  ) -> (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) {
    let file = inner(file)
    return (file, file.pointee.pMethods.pointee)
  }

  /// Counts a call. Returns true if the call must fail.
  private static func fails() -> Bool {
    calls += 1
    let isBroken = calls % 3 == 0 && weather.withLock { $0 == .broken }
    guard isBroken || calls == failingCall || failsForever && calls > failingCall else { return false }
    failures += 1
    return true
  }

  private static func record(_ change: (String) -> Change, _ file: UnsafeMutablePointer<sqlite3_file>?) {
    if log != nil, let name = names[file!] { log?.append(change(name)) }
  }

  /// Returns the last component of a path.
  private static func name(_ path: UnsafePointer<CChar>) -> String {
    String(String(cString: path).split(separator: "/").last ?? "")
  }

  /// Makes this the file system of all connections that are opened afterwards.
  static func register() {
    system = sqlite3_vfs_find(nil)
    var vfs = system.pointee
    vfs.szOsFile = Int32(headerSize) + system.pointee.szOsFile
    vfs.zName = UnsafePointer(strdup("graft-crashes"))
    vfs.pNext = nil
    vfs.xOpen = { _, path, file, flags, result in
      file!.pointee.pMethods = nil
      if FileSystem.fails() { return SQLITE_CANTOPEN }
      let status = FileSystem.system.pointee.xOpen(
        FileSystem.system, path, FileSystem.inner(file), flags, result)
      guard status == SQLITE_OK else { return status }
      file!.pointee.pMethods = UnsafePointer(FileSystem.methods)
      if let path { FileSystem.names[file!] = FileSystem.name(path) }
      return status
    }
    vfs.xDelete = { _, path, isSynced in
      if FileSystem.fails() { return SQLITE_IOERR | 10 << 8 }
      let status = FileSystem.system.pointee.xDelete(FileSystem.system, path, isSynced)
      if status == SQLITE_OK, let path {
        FileSystem.log?.append(.delete(name: FileSystem.name(path), isSynced: isSynced != 0))
      }
      return status
    }
    own.initialize(to: vfs)
    registerMethods()
    sqlite3_vfs_register(own, 1)
    registerCheckpoints()
  }

  private static func registerMethods() {
    var all = sqlite3_io_methods()
    all.iVersion = 2
    all.xClose = { file in
      FileSystem.names[file!] = nil
      let (file, methods) = FileSystem.system(file)
      return methods.xClose(file)
    }
    all.xRead = { file, bytes, count, offset in
      if FileSystem.fails() { return SQLITE_IOERR | 1 << 8 }
      let (file, methods) = FileSystem.system(file)
      return methods.xRead(file, bytes, count, offset)
    }
    all.xWrite = { file, bytes, count, offset in
      let isFull = FileSystem.weather.withLock { $0 == .full }
      let isFailing = FileSystem.fails() || isFull
      let (inner, methods) = FileSystem.system(file)
      // Part of a failed write might be on disk.
      let count = isFailing ? count / 2 : count
      let status = methods.xWrite(inner, bytes, count, offset)
      guard status == SQLITE_OK else { return status }
      FileSystem.record(
        {
          .write(name: $0, offset: Int(offset), bytes: Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
        },
        file)
      return isFailing ? isFull || FileSystem.calls % 2 == 0 ? SQLITE_FULL : SQLITE_IOERR | 3 << 8 : SQLITE_OK
    }
    all.xTruncate = { file, size in
      if FileSystem.fails() { return SQLITE_IOERR | 6 << 8 }
      FileSystem.record({ .truncate(name: $0, size: Int(size)) }, file)
      let (file, methods) = FileSystem.system(file)
      return methods.xTruncate(file, size)
    }
    all.xSync = { file, flags in
      if FileSystem.fails() { return SQLITE_IOERR | 4 << 8 }
      if FileSystem.weather.withLock({ $0 == .slow }) { usleep(20_000) }
      let (inner, methods) = FileSystem.system(file)
      let status = methods.xSync(inner, flags)
      if status == SQLITE_OK { FileSystem.record({ .sync(name: $0) }, file) }
      return status
    }
    all.xFileSize = { file, size in
      if FileSystem.fails() { return SQLITE_IOERR | 7 << 8 }
      let (file, methods) = FileSystem.system(file)
      return methods.xFileSize(file, size)
    }
    registerPlainMethods(&all)
    methods.initialize(to: all)
  }

  /// The methods that neither write nor fail.
  private static func registerPlainMethods(_ all: inout sqlite3_io_methods) {
    all.xLock = { file, level in
      let (file, methods) = FileSystem.system(file)
      return methods.xLock(file, level)
    }
    all.xUnlock = { file, level in
      let (file, methods) = FileSystem.system(file)
      return methods.xUnlock(file, level)
    }
    all.xCheckReservedLock = { file, result in
      let (file, methods) = FileSystem.system(file)
      return methods.xCheckReservedLock(file, result)
    }
    all.xFileControl = { file, operation, argument in
      let (file, methods) = FileSystem.system(file)
      return methods.xFileControl(file, operation, argument)
    }
    all.xSectorSize = { file in
      let (file, methods) = FileSystem.system(file)
      return methods.xSectorSize(file)
    }
    // The disk guarantees nothing: sectors can be written partially and in any order.
    all.xDeviceCharacteristics = { _ in 0 }
    all.xShmMap = { file, page, size, extends, result in
      if FileSystem.fails() { return SQLITE_IOERR | 21 << 8 }
      let (file, methods) = FileSystem.system(file)
      return methods.xShmMap(file, page, size, extends, result)
    }
    all.xShmLock = { file, offset, count, flags in
      let (file, methods) = FileSystem.system(file)
      return methods.xShmLock(file, offset, count, flags)
    }
    all.xShmBarrier = { file in
      let (file, methods) = FileSystem.system(file)
      methods.xShmBarrier(file)
    }
    all.xShmUnmap = { file, deletes in
      let (file, methods) = FileSystem.system(file)
      return methods.xShmUnmap(file, deletes)
    }
  }

  /// Makes connections write their logs back early, so short runs also cover this.
  private static func registerCheckpoints() {
    sqlite3_auto_extension(
      unsafeBitCast(setCheckpoint as ConnectionExtension, to: (@convention(c) () -> Void).self))
  }
}

private typealias ConnectionExtension =
  @convention(c) (
    OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, UnsafeRawPointer?
  ) -> Int32

private func setCheckpoint(
  _ connection: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ functions: UnsafeRawPointer?
) -> Int32 {
  sqlite3_wal_autocheckpoint(connection, FileSystem.checkpointPages)
  return SQLITE_OK
}
