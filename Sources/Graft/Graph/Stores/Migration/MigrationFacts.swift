/// The facts that a migration requires about the objects of a store. Tables and columns are those of the old layout.
package protocol MigrationFacts {
  /// The error of a store that cannot be read.
  associatedtype Failure: Error

  /// Returns whether a table has rows of some entities.
  ///
  /// - Parameters:
  ///   - column: a column in which the rows have a value; nil for any rows.
  ///   - countsPlaceholders: whether placeholders count as rows.
  func hasRows(table: Int, entities: [Int], column: Int?, countsPlaceholders: Bool) throws(Failure) -> Bool

  /// Returns whether a table of links has any.
  func hasLinks(_ links: Int) throws(Failure) -> Bool

  /// Calls a closure with the rows of a table, some at a time, until it returns false.
  func readRows(table: Int, _ body: (StoredRows) -> Bool) throws(Failure)

  /// Calls a closure with the owner and the member of each link.
  func readLinks(_ links: Int, _ body: (Int64, Int64) -> Void) throws(Failure)
}

/// The facts of no particular store: for a plan that is about every store of a model.
package struct NoFacts: MigrationFacts {
  package init() {}

  package func hasRows(table: Int, entities: [Int], column: Int?, countsPlaceholders: Bool) -> Bool { false }
  package func hasLinks(_ links: Int) -> Bool { false }
  package func readRows(table: Int, _ body: (StoredRows) -> Bool) {}
  package func readLinks(_ links: Int, _ body: (Int64, Int64) -> Void) {}
}
