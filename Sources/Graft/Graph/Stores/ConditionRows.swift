/// Rows that conditions are evaluated on. Everything that does not depend on a row is computed once, when a condition is
/// compiled.
protocol ConditionRows {
  var schema: StoreSchema { get }

  /// Returns a closure that reads a column of a table's rows. The closure returns `.null` if the column is nil.
  func reader(of column: Int, in table: Int) -> (RowPlace) -> StoreValue
  /// Returns a closure that follows the reference in a column. The closure returns nil if there is no row.
  func follower(of reference: StorePath.Reference) -> (RowPlace) -> RowPlace?
  /// Returns a closure that returns the members of a relationship of a table's rows.
  func lister(of members: StoreMembers, in table: Int) -> (RowPlace) -> [RowPlace]
  /// Returns a closure that counts the members of a relationship of a table's rows.
  func counter(of members: StoreMembers, in table: Int) -> (RowPlace) -> Int
  /// Returns a faster test of a column's values; nil if there is none.
  func test(
    _ column: Int, in table: Int, _ comparison: ConditionComparison, _ value: StoreValue
  ) -> ((RowPlace) -> Bool)?
  /// The entity, as a position in its table's list.
  func entity(_ row: RowPlace) -> Int
  func isPlaceholder(_ row: RowPlace) -> Bool
  func id(_ row: RowPlace) -> Int64
}

extension ConditionRows {
  func counter(of members: StoreMembers, in table: Int) -> (RowPlace) -> Int {
    let list = lister(of: members, in: table)
    return { list($0).count }
  }

  func test(
    _ column: Int, in table: Int, _ comparison: ConditionComparison, _ value: StoreValue
  ) -> ((RowPlace) -> Bool)? { nil }
}

/// A comparison of a column, on the left, with a constant.
enum ConditionComparison {
  case equal, less, lessOrEqual, greater, greaterOrEqual, contains, startsWith
}
