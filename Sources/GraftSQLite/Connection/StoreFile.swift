import CSQLite
import Foundation
import Graft
import GraftSQL

/// The file of a store, before SQLite opens it.
struct StoreFile: Sendable {
  private let location: StoreLocation
  /// The path that SQLite opens. Its folder has no symbolic links.
  var path: String { location.path }
  /// The path as the program gave it, for messages.
  var name: String { location.name }

  /// The kind of file at the path.
  enum Content {
    case nothing
    /// A file without bytes: a new store, or a store that another process is about to create.
    case empty
    case store(formatVersion: Int64)
  }

  init(path: String, name: String) { location = StoreLocation(path: path, name: name) }

  /// Finds the file.
  ///
  /// - Throws: if the folder does not exist.
  init(_ url: URL) throws(StoreError) { location = try StoreLocation(url) }

  /// Returns an error that begins with the name of the store.
  func refusal(_ code: DiagnosticCode, _ reason: String, notes: [String] = []) -> StoreError {
    location.refusal(code, reason, notes: notes)
  }

  /// Examines the file without changing anything.
  ///
  /// - Throws: if it is not a regular file, is not a store, or is a store with a newer version.
  func content() throws(StoreError) -> Content {
    try checkLength()
    // Another process may be removing the store, starting with its file.
    var attempts = 0
    while attempts < 20, try hasOnlyLog() {
      usleep(10_000)
      attempts += 1
    }
    let size = try location.size()
    if try hasOnlyLog() {
      throw refusal(
        .unavailableStore,
        "it is missing or empty, but '\(name)-wal' contains its commits; put the file back, or also remove this log")
    }
    guard let size else { return .nothing }
    try checkLinks()
    return size == 0 ? .empty : try header()
  }

  /// Returns whether there is only a log with commits. SQLite would delete the log when it opens the file.
  func hasOnlyLog() throws(StoreError) -> Bool {
    try location.size() ?? 0 == 0 && WriteAheadLog(ofFileAt: path)?.hasContent == true
  }

  /// Refuses a path that is too long for SQLite, or for the names of the files next to it.
  private func checkLength() throws(StoreError) {
    let length = path.utf8.count
    if length > 504 { throw refusal(.unavailableStore, "its path has \(length) bytes, but SQLite allows 504") }
    let last = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
    if last > 247 {
      throw refusal(
        .unavailableStore, "its name has \(last) bytes, but SQLite allows 247, because it makes files with longer names"
      )
    }
  }

  /// Refuses a file with several names: SQLite would keep a log for each name.
  private func checkLinks() throws(StoreError) {
    var status = stat()
    // A file that was just created may briefly still have its temporary name.
    for attempt in 1... {
      guard lstat(path, &status) == 0, status.st_nlink > 1 else { return }
      if attempt == 20 { break }
      usleep(10_000)
    }
    throw refusal(
      .unavailableStore,
      "it has \(status.st_nlink) names (hard links), and changes made under one name are not seen under the others; keep one name, or copy the file"
    )
  }

  /// Throws if there is no store, or an empty file.
  func checkIsStore() throws(StoreError) {
    switch try content() {
    case .nothing: throw StoreError(.unavailableStore, "there is no store '\(name)'")
    case .empty: throw refusal(.unavailableStore, "it is empty: its creation is in progress, or was interrupted")
    case .store: return
    }
  }

  /// Reads the header of an SQLite file: 16 bytes of magic, at 60 the user version, at 68 the application ID.
  private func header() throws(StoreError) -> Content {
    var bytes = [UInt8](repeating: 0, count: 100)
    var count: Int32 = 0
    var size: Int64 = 0
    let result = graft_sqlite3_read_start(path, &bytes, 100, &count, &size)
    guard result == SQLITE_OK else {
      throw refusal(
        .unavailableStore,
        faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0
          ? String(cString: sqlite3_errstr(result)) : "permission denied; \(StoreLocation.permissionHint)")
    }
    func number(at offset: Int) -> Int64 {
      Int64(Int32(bitPattern: bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }))
    }
    if hasJournal, bytes.allSatisfy({ $0 == 0 }) {
      // The creation of a store was interrupted. SQLite undoes the creation when it opens the file.
      return .empty
    }
    if bytes.starts(with: Array("Graft 1\n".utf8)) {
      throw refusal(.notAStore, "it is a snapshot: open it as a 'SnapshotStore'; it was not changed")
    }
    guard count == 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw refusal(.notAStore, "it is not a store; it was not changed")
    }
    guard number(at: 68) == SQLSchema.applicationID else {
      throw refusal(.notAStore, "it is an SQLite database of another program; it was not changed")
    }
    let version = number(at: 60)
    guard version > 0 else { throw refusal(.damagedStore, "its version is \(version), but versions start at 1") }
    try check(version)
    return .store(formatVersion: version)
  }

  /// Whether an interrupted transaction left its journal next to the file.
  private var hasJournal: Bool {
    var status = stat()
    return lstat(path + "-journal", &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  /// Rejects stores with newer versions.
  func check(_ formatVersion: Int64) throws(StoreError) {
    guard formatVersion > SQLSchema.formatVersion else { return }
    throw refusal(
      .newerStore,
      "it has format \(formatVersion), but this version of Graft supports formats up to \(SQLSchema.formatVersion); update Graft"
    )
  }

  /// Creates an empty file that only its owner may read and write. SQLite creates the files next to it with the same permissions.
  ///
  /// - Parameter isDurable: whether the name of the file is on disk when the call returns.
  func create(isDurable: Bool = true) throws(StoreError) {
    try checkName()
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // Another process has already created the file.
      if errno == EEXIST { return }
      throw refusal(.unavailableStore, "it cannot be created: \(StoreLocation.systemError())")
    }
    fchmod(descriptor, 0o600)
    close(descriptor)
    // SQLite syncs the folder only for files that it creates itself.
    if isDurable { DurableFile(path: path).syncFolder() }
  }
}
