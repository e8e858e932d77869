/// The facts that a migration requires about the objects of a store. Tables and columns refer to the old layout.
package protocol MigrationFacts {
  /// The error that reading the store throws.
  associatedtype Failure: Error

  /// Returns whether a table has rows of the given entities.
  ///
  /// - Parameters:
  ///   - column: a column in which the rows have a value; nil for any rows.
  ///   - countsPlaceholders: whether placeholders are included.
  func hasRows(table: Int, entities: [Int], column: Int?, countsPlaceholders: Bool) throws(Failure) -> Bool

  /// Returns whether a table of links contains any links.
  func hasLinks(_ links: Int) throws(Failure) -> Bool

  /// Calls a closure with batches of a table's rows until it returns false.
  func readRows(table: Int, _ body: (StoredRows) -> Bool) throws(Failure)

  /// Calls a closure with the owner and the member of each link.
  func readLinks(_ links: Int, _ body: (Int64, Int64) -> Void) throws(Failure)
}

/// Facts without a particular store, for a plan that applies to every store of a model.
package struct NoFacts: MigrationFacts {
  package init() {}

  package func hasRows(table: Int, entities: [Int], column: Int?, countsPlaceholders: Bool) -> Bool { false }
  package func hasLinks(_ links: Int) -> Bool { false }
  package func readRows(table: Int, _ body: (StoredRows) -> Bool) {}
  package func readLinks(_ links: Int, _ body: (Int64, Int64) -> Void) {}
}
