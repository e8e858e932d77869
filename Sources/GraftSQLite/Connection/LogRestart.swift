import CSQLite
import Foundation
import Graft
import GraftSQL

/// Keeps the write-ahead log short while contexts always show some state of the store.
///
/// SQLite begins the log anew with the first commit for which no connection reads from it. A context that shows the newest state reads
/// from it too, so that this moment would never come:
///
///     commit 7       log: 1 2 3 4 5 6 7      context reads 7 from the log
///     checkpoint     all pages are in the file
///     begin again    log: 1 2 3 4 5 6 7      context reads 7 from the file, and needs no page of the log
///     commit 8       log: 8
///
/// That is possible while all contexts of the process show the newest state, and no other process reads an older one.
final class LogRestart: Sendable {
  /// The length of the log in pages from which it is begun anew, or copied to the file; SQLite's own number.
  static let length: Int32 = 1000

  private struct State {
    /// The length of the log after the latest commit of this process.
    var length: Int32 = 0
    /// The length from which the next attempt is made.
    var nextAttempt = LogRestart.length
    var snapshots: [ObjectIdentifier: WeakSnapshot] = [:]
  }

  private struct WeakSnapshot { weak var snapshot: SQLiteSnapshot? }

  private let state = Guarded(State())

  func add(_ snapshot: SQLiteSnapshot) {
    state.withLock { $0.snapshots[ObjectIdentifier(snapshot)] = WeakSnapshot(snapshot: snapshot) }
  }

  func remove(_ snapshot: SQLiteSnapshot) {
    state.withLock { _ = $0.snapshots.removeValue(forKey: ObjectIdentifier(snapshot)) }
  }

  /// Notes the length of the log after a commit.
  func note(length: Int32) {
    state.withLock { state in
      state.length = length
      if length < LogRestart.length { state.nextAttempt = LogRestart.length }
    }
  }

  /// Whether the log is long, and all contexts show the state after a commit. If another process prevents that the log begins anew, the
  /// next attempt is made when it has grown.
  func begin(at sequence: Int64) -> Bool {
    let isLong = state.withLock { $0.length >= $0.nextAttempt }
    guard isLong, snapshots(at: sequence) != nil else { return false }
    state.withLock { $0.nextAttempt = $0.length + LogRestart.length / 2 }
    return true
  }

  /// The states that contexts show; nil if one is older than a commit.
  func snapshots(at sequence: Int64) -> [SQLiteSnapshot]? {
    let all = state.withLock { $0.snapshots.values.compactMap(\.snapshot) }
    return all.allSatisfy { $0.sequence == sequence } ? all : nil
  }
}

extension SQLiteStore {
  /// Lets the next commit begin the log anew, if it is long and nobody needs it. If anything prevents that, nothing happens.
  func restartLog(at sequence: Int64) {
    guard log.begin(at: sequence) else { return }
    try? withWriter { connection throws(SQLiteError) in
      guard !connection.isMigrating, connection.checkpoint() else { return }
      // Nobody commits in the meantime, so that the newest state stays the same.
      try connection.begin(.writing)
      defer { connection.rollBack() }
      guard try CommitLog.latest(connection) == sequence, let snapshots = log.snapshots(at: sequence) else { return }
      for snapshot in snapshots { snapshot.leaveLog() }
    }
  }
}

extension SQLiteConnection {
  /// Counts the pages of the log after each commit, and copies them to the file when there are many, as SQLite does on its own.
  func followLog() {
    let count: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
      connection, handle, name, length in
      guard let connection else { return SQLITE_OK }
      Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue().logLength = length
      if length >= LogRestart.length { sqlite3_wal_checkpoint(handle, name) }
      return SQLITE_OK
    }
    sqlite3_wal_hook(handle, count, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Copies the log to the file.
  ///
  /// - Returns: whether all of it is there.
  fileprivate func checkpoint() -> Bool {
    var (length, copied): (Int32, Int32) = (0, 0)
    let status = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &length, &copied)
    return status == SQLITE_OK && length > 0 && length == copied
  }
}
