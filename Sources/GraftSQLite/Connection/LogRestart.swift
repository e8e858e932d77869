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
/// That is possible while all contexts, of all processes, show the newest state. Whoever commits sees to it, because copying the log takes
/// time; whoever merges does so only for the commits of other processes.
final class LogRestart: Sendable {
  /// The length of the log in pages from which it is begun anew, or copied to the file; SQLite's own number.
  static let length: Int32 = 1000
  /// The size in bytes to which the file of the log is shortened when it is begun anew.
  static let size = 4_120_032

  private struct State {
    /// The length of the log after the latest commit of this process.
    var length: Int32 = 0
    /// The lengths from which the next attempt is made, by its moment, and the size of the file.
    var nextLengths: [SettlingMoment: Int32] = [:]
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

  /// Notes the length of the log after a commit.
  func note(_ connection: SQLiteConnection) {
    state.withLock { state in
      state.length = connection.logLength
      if state.length < LogRestart.length { state.nextLengths = [:] }
    }
  }

  /// Whether an attempt is due: the log is long, by the commits of this process or by the size of the file.
  func isDue(size: Int, _ moment: SettlingMoment) -> Bool {
    state.withLock { state in
      if size <= 2 * LogRestart.size { state.nextSize = 2 * LogRestart.size }
      let length = state.nextLengths[moment] ?? LogRestart.length
      let isLong = state.length >= LogRestart.length
      return moment == .afterMerge
        ? !isLong && size >= state.nextSize : isLong && state.length >= length || size >= state.nextSize
    }
  }

  /// Notes that something prevented an attempt: the next one is made when the log has grown.
  func noteFailure(size: Int, _ moment: SettlingMoment) {
    state.withLock { state in
      state.nextLengths[moment] = state.length + LogRestart.length / 2
      state.nextSize = max(state.nextSize, size + LogRestart.size / 2)
    }
  }

  /// The states that contexts show; nil if one is older than a commit.
  func snapshots(at sequence: Int64) -> [SQLiteSnapshot]? {
    let all = state.withLock { $0.snapshots.values.compactMap(\.snapshot) }
    return all.allSatisfy { $0.sequence == sequence } ? all : nil
  }
}

extension SQLiteStore {
  /// The number of attempts, and the time between them, before a commit for which the log is too long already: others may be about to
  /// merge.
  private static let (attempts, pause) = (10, 0.005)

  /// Lets the next commit begin the log anew, if it is long and nobody needs it. If anything prevents that, nothing happens.
  func restartLog(at sequence: Int64, _ moment: SettlingMoment) {
    if options.isReadOnly { return }
    let size = file.logSize
    let isTooLong = moment == .beforeCommit && size > options.maximumLogSize
    guard log.isDue(size: size, moment) else { return }
    for attempt in 1...(isTooLong ? SQLiteStore.attempts : 1) {
      if attempt > 1 { Thread.sleep(forTimeInterval: SQLiteStore.pause) }
      // Another thread writes, or a context shows an older state.
      guard log.snapshots(at: sequence) != nil, let hasLeft = writer.withLockIfFree({ leaveLog($0, at: sequence) })
      else {
        if isTooLong { continue }
        return
      }
      if hasLeft { return }
    }
    log.noteFailure(size: size, moment)
  }

  /// Returns whether all contexts of the process read from the file alone.
  private func leaveLog(_ connection: SQLiteConnection, at sequence: Int64) -> Bool {
    guard !connection.isReadOnly, !connection.isMigrating, connection.copyLog() else { return false }
    // Nobody commits in the meantime, so that the newest state stays the same.
    connection.setBusyTimeout(.zero)
    defer {
      connection.rollBack()
      connection.setBusyTimeout(options.busyTimeout)
    }
    guard (try? connection.begin(.writing)) != nil, (try? CommitLog.latest(connection)) == sequence,
      let snapshots = log.snapshots(at: sequence)
    else { return false }
    for snapshot in snapshots { snapshot.leaveLog() }
    return true
  }
}

extension SQLiteConnection {
  /// Counts the pages of the log after each commit, and copies them to the file when there are many, as SQLite does on its own.
  func followLog() {
    let count: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
      connection, _, _, length in
      guard let connection else { return SQLITE_OK }
      let follower = Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue()
      follower.logLength = length
      if length >= LogRestart.length { follower.copyLog() }
      return SQLITE_OK
    }
    sqlite3_wal_hook(handle, count, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Copies the log to the file, as far as no connection reads an older state. Does not wait.
  ///
  /// - Returns: whether all of it is there.
  @discardableResult
  fileprivate func copyLog() -> Bool {
    var (length, copied): (Int32, Int32) = (0, 0)
    let status = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &length, &copied)
    return status == SQLITE_OK && length > 0 && length == copied
  }
}
