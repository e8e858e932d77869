import CSQLite
import Foundation
import Graft
import GraftSQL

/// Keeps the write-ahead log short, although every context always shows a state of the store.
///
/// SQLite restarts the log with the first commit during which no connection reads from it. A context that shows the newest state has such a
/// connection, so the connection's transaction is first moved from the log to the database file:
///
///     commit 7       log: 1 2 3 4 5 6 7      the context reads 7 from the log
///     checkpoint     the file has all pages
///     move           log: 1 2 3 4 5 6 7      the context reads 7 from the file, and needs no page of the log
///     commit 8       log: 8
///
/// A restart requires that the contexts of all processes show the newest state. A commit moves the transactions of all contexts of its
/// store. A merge moves the transactions only if other stores or processes write, because a checkpoint takes time.
final class LogRestart: Sendable {
  /// The length in pages from which the log is checkpointed and restarted. The value is SQLite's default.
  static let length: Int32 = 1000
  /// The size in bytes to which the log's file is truncated when the log is restarted.
  static let size = 4_120_032

  private struct State {
    /// The length of the log after the latest commit of this store.
    var length: Int32 = 0
    /// The length of the log, and the size of its file, that are required for the next attempt.
    var nextLength = LogRestart.length
    var nextSize = 2 * LogRestart.size
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

  /// Records the length of the log after a commit.
  func note(length: Int32) {
    state.withLock { state in
      state.length = length
      if length < LogRestart.length { state.nextLength = LogRestart.length }
    }
  }

  /// Returns whether to attempt a restart.
  ///
  /// - Parameter size: the size of the log's file. The file does not shrink below ``size``. If the file grows, other stores have made
  ///   commits.
  func isDue(size: Int, isCommitting: Bool) -> Bool {
    state.withLock { state in
      if size <= 2 * LogRestart.size { state.nextSize = 2 * LogRestart.size }
      let hasWritten = state.length >= LogRestart.length
      if hasWritten, isCommitting, state.length >= state.nextLength { return true }
      return size >= state.nextSize && (isCommitting || !hasWritten)
    }
  }

  /// Records that a reader prevented a restart. The next attempt is made when the log has grown.
  func noteFailure(size: Int) {
    state.withLock { state in
      state.nextLength = state.length + LogRestart.length / 2
      state.nextSize = max(state.nextSize, size + LogRestart.size / 2)
    }
  }

  /// Returns the snapshots of all contexts, or nil if one of them is older than a commit.
  func snapshots(at sequence: Int64) -> [SQLiteSnapshot]? {
    let all = state.withLock { $0.snapshots.values.compactMap(\.snapshot) }
    return all.allSatisfy { $0.sequence == sequence } ? all : nil
  }
}

extension SQLiteStore {
  /// The number of attempts, and the seconds between them, if the log is larger than ``Options/maximumLogSize``: other contexts may
  /// be about to merge.
  private static let (attempts, pause) = (10, 0.005)

  /// Makes the next commit restart the log, if the log is long and no reader needs it. Does nothing if a reader or another writer prevents
  /// the restart.
  ///
  /// - Parameters:
  ///   - sequence: the number of the commit that the calling context shows.
  ///   - isCommitting: whether the context is about to commit; otherwise, it has merged.
  func restartLog(at sequence: Int64, isCommitting: Bool) {
    if options.isReadOnly { return }
    let size = file.logSize
    guard log.isDue(size: size, isCommitting: isCommitting) else { return }
    let isTooLarge = isCommitting && size > options.maximumLogSize
    for attempt in 1...(isTooLarge ? SQLiteStore.attempts : 1) {
      if attempt > 1 { Thread.sleep(forTimeInterval: SQLiteStore.pause) }
      guard log.snapshots(at: sequence) != nil,
        let hasMoved = writer.withLockIfFree({ moveReadersToFile($0, at: sequence) })
      else {
        // A context of this store shows an older state, or another thread is writing. Waiting is worthwhile only if the log is too large.
        if isTooLarge { continue }
        return
      }
      if hasMoved { return }
    }
    log.noteFailure(size: size)
  }

  /// Moves the transactions of all contexts from the log to the file. Returns false if other connections prevent the move.
  private func moveReadersToFile(_ connection: SQLiteConnection, at sequence: Int64) -> Bool {
    guard !connection.isReadOnly, !connection.isMigrating, connection.checkpoint() else { return false }
    // A write transaction keeps other connections from committing a newer state in the meantime.
    connection.setBusyTimeout(.zero)
    defer {
      connection.rollBack()
      connection.setBusyTimeout(options.busyTimeout)
    }
    guard (try? connection.begin(.writing)) != nil, (try? CommitLog.latest(connection)) == sequence,
      let snapshots = log.snapshots(at: sequence)
    else { return false }
    for snapshot in snapshots { snapshot.moveToFile() }
    return true
  }
}

extension SQLiteConnection {
  /// Records the length of the log after each commit, and checkpoints a long log, as SQLite does by default.
  func followLog() {
    let hook: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
      connection, _, _, length in
      guard let connection else { return SQLITE_OK }
      let follower = Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue()
      follower.logLength = length
      if length >= LogRestart.length { follower.checkpoint() }
      return SQLITE_OK
    }
    sqlite3_wal_hook(handle, hook, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Copies the pages of the log to the database file, except pages that cannot be copied because a reader shows an older state.
  /// Does not wait.
  ///
  /// - Returns: whether all pages are in the file.
  @discardableResult
  fileprivate func checkpoint() -> Bool {
    var (length, copied): (Int32, Int32) = (0, 0)
    let status = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &length, &copied)
    return status == SQLITE_OK && length > 0 && length == copied
  }
}
