/// A unit of work that stays open between calls: a stream that is imported as a whole.
protocol OpenUnit: AnyObject {
  /// How many units of work are open inside of it, itself included.
  var depth: Int { get }

  /// Another unit of work begins inside of it: what it keeps in the graph's lists must be saved.
  func suspend()

  /// Another unit of work inside of it has ended: if it was given up meanwhile, it rolls back now.
  func settle()

  /// Rolls back, and refuses to go on.
  ///
  /// - Parameter reason: what ended it.
  func abandon(_ reason: String)
}

extension ManagedObjectContext {
  /// Gives up a stream that is open, if it is the innermost unit of work.
  func endOpenUnit(_ reason: String) {
    if let openUnit, openUnit.depth == state.pointee.openUnits { openUnit.abandon(reason) }
  }
}
