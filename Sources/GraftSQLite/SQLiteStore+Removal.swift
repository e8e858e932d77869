package import Foundation
import Graft

extension SQLiteStore {
  /// Removes a store without commits, and the files next to it. If another connection has the store open, the store is kept, because that
  /// connection may still commit.
  package static func removeIfUnused(at url: URL) {
    guard let file = try? StoreFile(url), file.exists, (try? file.content()) != nil else { return }
    do throws(SQLiteError) {
      let connection = try SQLiteConnection(path: file.path)
      connection.distrust()
      guard try latestCommit(connection) == 0 else { return }
      // Without a write-ahead log, only one file remains. The locking mode also takes a lock, which lasts until the connection is closed.
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
      guard try connection.text("PRAGMA journal_mode = DELETE") == "delete", try latestCommit(connection) == 0
      else { return }
      file.remove()
    } catch {
      // The store is in use.
    }
  }

  /// Removes a store without commits, even though this process has it open and is about to end. Other users that have the store open can no
  /// longer commit to it.
  package static func removeIfUncommitted(at url: URL) {
    guard let file = try? StoreFile(url), file.exists, let connection = try? SQLiteConnection(path: file.path) else {
      return
    }
    connection.distrust()
    connection.setBusyTimeout(.seconds(2))
    // The transaction lasts until the process ends, so no commit can occur between the check and the removal.
    guard (try? connection.begin(.writing)) != nil, (try? latestCommit(connection)) == 0 else { return }
    file.removeWithCompanions()
    _ = Unmanaged.passRetained(connection)
  }

  /// Returns the number of the latest commit; 0 if the store has not been created yet.
  private static func latestCommit(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 { return 0 }
    return try CommitLog.latest(connection)
  }
}
