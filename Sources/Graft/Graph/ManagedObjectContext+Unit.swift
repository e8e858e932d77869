extension ManagedObjectContext {
  /// Runs what changes the graph as one unit of work: when it throws, or a setter refused something, all it did is taken back
  /// (I10). It does not commit; a commit inside it waits for the end of the outermost unit.
  func unit<Value>(_ body: () throws -> Value) throws -> Value {
    try checkUse()
    closeGapsIfUnchanged()
    state.pointee.begin()
    let outer = refusals
    refusals = []
    defer { refusals = outer }
    do {
      let value = try body()
      if let refusal = refusals?.first { throw refusal }
      state.pointee.end()
      return value
    } catch {
      state.pointee.rollBack()
      detachMissing()
      throw error
    }
  }

  /// A setter cannot throw: it stops the program, unless a unit of work throws in its place.
  func refuse(_ error: PropertyError) {
    guard refusals != nil else { preconditionFailure(error.description) }
    refusals?.append(error)
  }
}
