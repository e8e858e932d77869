package import Foundation
import Graft
import GraftSQL

/// A mark that lets a program find its commit again if the connection broke during `COMMIT`.
///
/// Neither a commit's number nor its transaction's number identifies it, because after a crash, the server assigns both again
/// to the next commit. A token in the log of commits does.
package final class CommitMark {
  /// The commits in the transaction.
  private var commits: [(sequence: Int64, token: UUID)] = []
  /// The number of the last commit; 0 if there is none.
  var last: Int64 { commits.last?.sequence ?? 0 }
  var count: Int { commits.count }
  /// The latest commit when the last change set was written.
  var latest: Int64?

  package init() {}

  /// Notes a commit that is written to the log.
  package func note(_ sequence: Int64, _ token: UUID) {
    commits.append((sequence, token))
  }

  /// Forgets all but the first commits, because the rest were rolled back.
  func forget(after count: Int) { commits.removeSubrange(count...) }

  /// The time for which the program keeps asking the server.
  private static let patience = Duration.seconds(60)

  /// Returns whether the transaction was committed, or nil if the server cannot be asked or no longer knows. If it was committed,
  /// it is on the disk.
  func isCommitted(in connections: Connections) -> Bool? {
    let deadline = ContinuousClock.now + CommitMark.patience
    while ContinuousClock.now < deadline {
      do throws(PostgreSQLError) {
        let lease = try connections.lease()
        defer { lease.end() }
        return try isCommitted(lease.connection)
      } catch {
        // The server may be restarting, or may not have noticed that the connection broke.
        guard error.isTransient || error.kind == .lockNotAvailable else { return nil }
      }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return nil
  }

  package func isCommitted(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool? {
    // Nothing was written.
    if commits.isEmpty { return false }
    return try connection.transaction { () throws(PostgreSQLError) in
      // The transaction has locked the state until its end. The lock is written to the server's log, so when this transaction ends, the
      // lock is on the disk along with everything before it.
      _ = try CommitState(connection, isLocked: true)
      var parameters = Parameters()
      try parameters.append(commits.map(\.token.uuidString))
      let sql = "SELECT max(\"sequence\") FROM \"_graft_log\" WHERE \"token\" = ANY($1::uuid[])"
      if try connection.integer(sql, parameters) != nil { return true }
      // Old commits, and commits before a migration, are removed from the log.
      let first = try connection.integer("SELECT min(\"sequence\") FROM \"_graft_log\"") ?? 0
      return first > last ? nil : false
    }
  }
}
