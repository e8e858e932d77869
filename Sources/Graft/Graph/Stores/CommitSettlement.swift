/// What a commit in progress has settled with the store, for its next attempt to write.
struct CommitSettlement {
  /// Rows that it writes whole, whatever the store has; and those that it inserts again, because they were deleted there.
  var overwritten: Set<RowPlace> = []
  var restored: Set<RowPlace> = []
  /// The columns that it writes of rows that others changed, because they were changed here as well: even if settling other
  /// conflicts gives them the value back that they had.
  var ownColumns: [RowPlace: Set<Int>] = [:]
  /// Rows that are deleted here, and that the store no longer has.
  var gone: Set<RowPlace> = []

  // MARK: What is undone if the commit fails

  /// New rows that turned out to be some of the store's, and their numbers.
  var adopted: [(place: RowPlace, id: Int64)] = []
  /// The numbers that restored rows had.
  var formerIDs: [RowPlace: Int64] = [:]
  /// The versions that rows had.
  var formerVersions: [RowPlace: Int64] = [:]

  /// The commit was written: nothing is undone.
  mutating func confirm() {
    adopted = []
    formerIDs = [:]
    formerVersions = [:]
  }
}
