/// The final numbers of rows. New rows get their numbers, and references to deleted rows become nil.
package struct FinalNumbers: Sendable {
  /// For each table, the number that row -1 gets.
  package let firstIDs: [Int: Int64]
  /// For each table, the rows that are deleted.
  package let deleted: [Int: Set<Int64>]

  @inlinable package init(firstIDs: [Int: Int64] = [:], deleted: [Int: Set<Int64>] = [:]) {
    self.firstIDs = firstIDs
    self.deleted = deleted
  }

  /// Returns the number of a row in the store.
  @inlinable @inline(__always)
  package func id(_ id: Int64, in table: Int) -> Int64 {
    id < 0 ? (firstIDs[table] ?? 0) - id - 1 : id
  }

  /// Returns the row of a reference, or nil if it is deleted.
  @inlinable package func target(_ id: Int64, in table: Int) -> Int64? {
    if !deleted.isEmpty, deleted[table]?.contains(id) == true { return nil }
    return self.id(id, in: table)
  }
}
