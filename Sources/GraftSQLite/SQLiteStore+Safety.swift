import CSQLite
public import Foundation
public import Graft
import GraftSQL

extension SQLiteStore {
  /// Looks for damage, such as that caused by a failing disk.
  ///
  ///     for finding in try store.verify() { print(finding) }
  ///
  /// The whole store is read and checked: SQLite's own check, foreign keys, the description of the store, the log of commits, and a digest
  /// of every row. The digest reveals replaced values, which SQLite's check does not find. If the write-ahead log is damaged, SQLite
  /// ignores all commits after the damage; the checksums of the log reveal this damage. Nothing is changed. Reading and writing continue in
  /// the meantime. A gigabyte takes about half a minute of processor time.
  ///
  /// - Parameter limit: the maximum number of findings.
  /// - Returns: the findings; empty for an undamaged store.
  /// - Throws: if the store cannot be read to its end for reasons other than damage.
  public func verify(limit: Int = 100) throws(StoreError) -> [Diagnostic] {
    var findings = WriteAheadLog.findings(file)
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

  /// Copies the store, in its state at the beginning of the call, to a new file. Reading and writing continue in the meantime.
  ///
  /// The copy is complete on disk when the call returns, and has no unused space. Only the owner of the file can read and write the copy.
  ///
  /// - Throws: if the file already exists, or the disk is full.
  public func backup(to url: URL) throws(StoreError) {
    let file = try StoreFile(url)
    try file.create { temporary throws(StoreError) in
      try withSeparateConnection("copied to '\(file.name)'") { connection throws(SQLiteError) in
        try connection.execute("VACUUM INTO \(SQLName.literal(temporary.path))")
      }
    }
  }

  /// Calls a closure with a separate connection, so that no other call waits for it.
  private func withSeparateConnection<Result>(
    _ action: String, isReadOnly: Bool = false, _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try translated(action) { () throws(SQLiteError) in
      let isReadOnly = isReadOnly || options.isReadOnly
      return try body(try opened { opener throws(SQLiteError) in try opener.connection(isReadOnly: isReadOnly) })
    }
  }
}
