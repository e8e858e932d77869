/// Reads the changes to a graph before the journal drops them, on behalf of live lists and values; see ``ResultFeed``.
protocol ChangeFeed: AnyObject {
  /// Whether all live lists and values have been released.
  var isIdle: Bool { get }

  /// Reads the changes made since the last call.
  func collect()

  /// Reads the journal before its last entries are dropped, because they were committed or are rolled back.
  ///
  /// - Parameters:
  ///   - start: the number of journal entries that remain.
  ///   - isUndone: whether the dropped entries are undone.
  func collect(keeping start: Int, isUndone: Bool)

  /// Notes the changes that other contexts or processes wrote to the store, when the context moves to another version.
  func note(_ log: StoreLog)

  /// Brings all lists and values up to date, and notifies their observers.
  func settle()

  /// Stops reading the journal.
  func end()
}
