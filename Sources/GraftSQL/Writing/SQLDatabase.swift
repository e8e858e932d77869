package import Graft

/// A transaction that writes. Each function takes a batch of changes.
package protocol SQLDatabase {
  /// An error from a database.
  associatedtype Failure: Error

  var schema: SQLSchema { get }
  /// Whether links of deleted rows must also be deleted, because no foreign key does so.
  var deletesLinks: Bool { get }

  // MARK: Reading

  /// Adds the stored state of rows.
  func readStates(of ids: [Int64], in table: SQLTable, into state: inout StoredState) throws(Failure)
  /// Returns rows by their numbers.
  func rows(_ ids: [Int64], in table: SQLTable) throws(Failure) -> StoredRows
  /// Returns the numbers of the rows that refer to one of the given rows in a column.
  func referrers(to targets: [Int64], column: Int, in table: SQLTable) throws(Failure) -> [Int64]
  /// Returns the links of owners, or of members.
  func links(in table: SQLLinkTable, column: String, of rows: [Int64]) throws(Failure) -> [StoredLink]

  // MARK: Writing

  /// Reserves numbers for new rows and returns the first. The first number is higher than any number used before.
  func takeIDs(_ count: Int, in table: SQLTable) throws(Failure) -> Int64
  /// Inserts rows, whose headers have final numbers and versions.
  func insert(_ rows: StoredRows, in table: SQLTable, _ numbers: FinalNumbers) throws(Failure)
  /// Updates rows, whose headers have final versions.
  ///
  /// - Parameters:
  ///   - columns: for each row, the columns that changed; nil for all.
  ///   - movesEntity: for each row, whether its entity changed.
  func update(
    _ rows: StoredRows, columns: [[Int]?], movesEntity: [Bool], in table: SQLTable, _ numbers: FinalNumbers
  ) throws(Failure)
  /// Deletes the rows that have one of the given numbers in a column.
  func delete(_ ids: [Int64], column: String, from table: String) throws(Failure)
  /// Removes and adds links, which are sorted and have final numbers. An existing pair gets the new positions.
  func write(removed: [StoredLink], added: [StoredLink], in table: SQLLinkTable) throws(Failure)

  // MARK: The log

  /// Records a commit, and removes old commits.
  func appendLog(_ sequence: Int64, _ changes: RowChanges) throws(Failure)
  /// Returns the changes that were written after a commit.
  func log(since sequence: Int64) throws(Failure) -> StoreLog

  // MARK: Errors

  /// The error for a commit whose base is outdated.
  static var move: Failure { get }
  /// The error for changes that refer to a nonexistent row.
  static var missingRow: Failure { get }
}
