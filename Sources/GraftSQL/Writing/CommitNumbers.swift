package import Graft

/// The numbers of commits, and the log of their changes: a row for each commit.
///
///     sequence | changes
///     17       | digest, then for each table: its number, the rows that were written, the rows that were deleted
///     18       | NULL: too much to list, or a migration
package enum CommitNumbers {
  /// The number of commits that are kept in the log.
  package static let logLength: Int64 = 1000
  /// The maximum number of bytes that a commit takes in the log.
  package static let maximumBytes = 1 << 16
  /// The largest number of a commit, which leaves room for more.
  package static let largest = Int64.max / 2

  /// Returns the bytes of a commit in the log, or nil if there is too much to list.
  package static func packed(_ changes: RowChanges?) -> [UInt8]? {
    guard let changes, !changes.isLong, case let bytes = changes.packed, bytes.count <= maximumBytes else { return nil }
    return bytes
  }
}

/// Reads the changes in several commits from the log, in order.
package struct LogReader {
  private var log: StoreLog
  private var next: Int64
  private let tables: Int
  private var written: [Int: Set<Int64>] = [:]
  private var deleted: [Int: Set<Int64>] = [:]

  /// - Parameters:
  ///   - sequence: the commit after which changes are wanted.
  ///   - latest: the latest commit.
  ///   - tables: the number of tables.
  package init(since sequence: Int64, latest: Int64, tables: Int) {
    log = StoreLog(sequence: latest)
    next = sequence + 1
    self.tables = tables
    // A store that was replaced by a backup has fewer commits than are already known.
    log.isIncomplete = sequence > latest
  }

  /// Whether there are commits left to read.
  package var isNeeded: Bool { !log.isIncomplete && next <= log.sequence }

  /// Adds a commit.
  ///
  /// - Returns: false if its bytes are damaged.
  package mutating func add(_ sequence: Int64, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !log.isIncomplete else { return true }
    guard sequence == next, !bytes.isEmpty else {
      log.isIncomplete = true
      return true
    }
    guard let changes = RowChanges(packed: bytes), changes.tables.keys.allSatisfy({ $0 < tables }) else { return false }
    next += 1
    for (table, rows) in changes.tables {
      written[table, default: []].formUnion(rows.written)
      deleted[table, default: []].formUnion(rows.deleted)
    }
    return true
  }

  /// Returns the changes in the commits that were added.
  package func result() -> StoreLog {
    var log = log
    guard !log.isIncomplete, next == log.sequence + 1 else {
      log.isIncomplete = log.isIncomplete || next <= log.sequence
      return log
    }
    // A commit that removes a link of a deleted row lists the row.
    var written = written
    for (table, rows) in deleted { written[table]?.subtract(rows) }
    log.written = written.mapValues { $0.sorted() }.filter { !$0.value.isEmpty }
    log.deleted = deleted.mapValues { $0.sorted() }.filter { !$0.value.isEmpty }
    return log
  }
}
