import CSQLite
public import Foundation
public import Graft

extension SQLiteStore {
  /// Looks for damage, such as a failing disk causes.
  ///
  ///     for finding in try store.verify() { print(finding) }
  ///
  /// It reads the whole store: SQLite's own check, foreign keys, the description of the store, the log of commits, and a digest
  /// of every row. The digest finds values that were replaced by others, which SQLite's check does not. If the write-ahead log
  /// is damaged, SQLite ignores all later commits in it; its checksums reveal that. Nothing is changed. Reading and writing
  /// continue in the meantime. A gigabyte takes about half a minute of processor time.
  ///
  /// - Parameter limit: the maximum number of findings.
  /// - Returns: the findings; empty for an undamaged store.
  /// - Throws: if the store cannot be read to its end for reasons other than damage.
  public func verify(limit: Int = 100) throws(StoreError) -> [Diagnostic] {
    var findings = logDamage.map { [Diagnostic(code: .damagedStore, $0)] } ?? []
    do throws(StoreError) {
      try withSeparateConnection("verified", isReadOnly: true) { connection throws(SQLiteError) in
        try connection.transaction(.reading) { () throws(SQLiteError) in
          try checkIsNotMigrated(connection)
          var verifier = StoreVerifier(connection, sql, limit: max(1, limit))
          defer { findings += verifier.findings }
          try verifier.run()
        }
      }
    } catch {
      // Damage may prevent even the beginning of a transaction.
      guard error.diagnostics.contains(where: { $0.code == .damagedStore || $0.code == .notAStore }) else {
        throw error
      }
      findings += error.diagnostics
    }
    return findings
  }

  /// Copies the store to a new file, as it is at the beginning of the call. Reading and writing continue in the meantime.
  ///
  /// The copy is complete on disk when the call returns, and has no unused space. Only its owner can read and write it.
  ///
  /// - Throws: if the file already exists, or the disk is full.
  public func backup(to url: URL) throws(StoreError) {
    let file = try StoreFile(url)
    try file.checkIsAbsent()
    let temporary = try file.createTemporary()
    do throws(StoreError) {
      try withSeparateConnection("copied to '\(file.name)'") { connection throws(SQLiteError) in
        try connection.execute("VACUUM INTO \(SQLName.literal(temporary.path))")
      }
      try temporary.move(to: file)
    } catch {
      temporary.remove()
      throw error
    }
  }

  /// Calls a closure with a separate connection, so that others do not wait.
  private func withSeparateConnection<Result>(
    _ action: String, isReadOnly: Bool = false, _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try translated(action) { () throws(SQLiteError) in
      try body(try opener.connection(isReadOnly: isReadOnly || options.isReadOnly))
    }
  }

  /// The damage of the write-ahead log. A log that changed while it was read is read again.
  private var logDamage: String? {
    guard let log = WriteAheadLog(ofFileAt: file.path), let damage = log.damage,
      let now = WriteAheadLog(ofFileAt: file.path), now.isSameRound(as: log), now.damage == damage
    else { return nil }
    return damage
  }
}

extension StoreFile {
  /// Throws if the file exists.
  func checkIsAbsent() throws(StoreError) {
    if exists {
      throw StoreError(.unavailableStore, "the file '\(name)' already exists; choose another name, or remove it")
    }
    // SQLite would take it for a part of the store beside it.
    if let suffix = ["-journal", "-wal", "-shm"].first(where: path.hasSuffix) {
      throw StoreError(
        .unavailableStore, "the name '\(name)' ends in '\(suffix)', as the files of an open store do; name another one")
    }
  }

  /// Makes an empty temporary file beside this one. A process that ends leaves its temporary file, and a later call removes it.
  func createTemporary() throws(StoreError) -> StoreFile {
    let file = DurableFile(path: path)
    file.removeLeftovers()
    let temporary = StoreFile(path: file.newPath, name: name)
    try temporary.create()
    return temporary
  }

  /// Gives the file its final name, once its bytes and its name are on disk.
  func move(to file: StoreFile) throws(StoreError) {
    let failed = {
      StoreError(.unavailableStore, "the file '\(file.name)' cannot be written: \(String(cString: strerror(errno)))")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0, fsync(descriptor) == 0, close(descriptor) == 0 else { throw failed() }
    // Unlike a new name, a second one replaces no file. Some file systems have none.
    if link(path, file.path) == 0 {
      unlink(path)
    } else {
      if errno == EEXIST { try file.checkIsAbsent() }
      guard rename(path, file.path) == 0 else { throw failed() }
    }
    file.syncFolder()
  }

  func remove() { unlink(path) }

  /// Whether there is something at the path.
  var exists: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}
