/// A transaction that stays open between calls: a stream that is imported as a whole.
protocol OpenUnit: AnyObject {
  /// The nesting depth of the transaction, including the transaction itself.
  var depth: Int { get }

  /// Called before a nested transaction begins, to save this transaction's entries in the lists of the graph.
  func suspend()

  /// Called after a nested transaction has ended. If the stream was abandoned in the meantime, it is rolled back in this call.
  func settle()

  /// Rolls the transaction back, and refuses further calls.
  ///
  /// - Parameter reason: the reason why the transaction is abandoned.
  func abandon(_ reason: String)
}

extension ManagedObjectContext {
  /// Abandons an open stream if it is the innermost transaction.
  func endOpenUnit(_ reason: String) {
    if let stream = units.stream, stream.depth == state.openUnits { stream.abandon(reason) }
  }
}
