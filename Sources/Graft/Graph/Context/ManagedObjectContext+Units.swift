/// Methods that run transactions.
extension ManagedObjectContext {
  /// Runs imports and changes as one transaction. If the closure throws, all changes are rolled back ([I10](doc:Rules#I10)).
  ///
  ///     try context.atomically {
  ///       try objects(Publisher.self, fromJSON: publishers, in: context)
  ///       try objects(Hero.self, fromJSON: heroes, in: context)      // if this fails, the publishers are rolled back too
  ///     }
  ///
  /// If the closure returns, all changes are committed, as after an import, including earlier changes made in code. ``rollBack()`` then
  /// returns to this state. With a store, changes made in code are validated at the end, as ``commit()`` does. Without a store, such
  /// changes are not validated; to validate them, call ``validate()`` as the last line of the closure. After the transaction, there are no
  /// changes left to check.
  ///
  ///     try context.atomically {
  ///       try context.find(Hero.self, id: 1699)?.name = nil
  ///       try context.validate()                                     // throws: the name is unchanged
  ///     }
  ///
  /// A property setter cannot throw. If the closure can throw any error, or a ``PropertyError``, the transaction throws the error of the
  /// first refused value when the closure returns, and rolls everything back. In other closures, a refused value traps, as it does outside
  /// a transaction. In such closures, set values from external sources with ``ManagedObject/setValue(_:of:)-(AttributeValue?,_)``.
  ///
  ///     try context.atomically {
  ///       try context.validate()
  ///       hero.id = idFromElsewhere                                  // if another hero has it, nothing is kept, and the error is thrown
  ///     }
  ///
  /// Transactions can be nested; only the outermost transaction commits its changes. Each import in a transaction is a separate payload:
  /// its identifiers are resolved, and its objects validated, before the next import begins. If the parts of one document refer to each
  /// other, import them as one payload, with ``importJSON(_:_:options:)``.
  ///
  /// In the closure, ``commit()`` validates but leaves committing to the end, and ``rollBack()`` returns to the beginning of
  /// the transaction.
  ///
  /// - Precondition: the closure does not call ``reset()`` or ``restore(_:)``.
  /// - Throws: the closure's error, or the error of a refused value. In that case, the context is unchanged.
  @discardableResult
  public func atomically<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isReentrant("run a transaction") { return try body() }
    beginUnit()
    do throws(Failure) {
      let result = try throwingRefusals(body)
      try endUnit(Failure.self)
      return result
    } catch {
      giveUpUnit()
      throw error
    }
  }

  /// Runs imports and changes to find out what they would do, then rolls them back ([I12](doc:Rules#I12)).
  ///
  ///     let report = try context.dryRun { try context.importJSON(data, ofEntity: "Hero") }
  ///     print(report)                                   // Hero: 4 inserted, 2 updated
  ///
  /// In the closure, the context contains the resulting graph, which can be exported, dumped and fetched from. After the
  /// closure ends, objects that it inserted report ``ManagedObject/isDeleted``.
  ///
  /// In the closure, ``commit()`` validates but commits nothing, and ``rollBack()`` returns to the beginning of the dry run.
  ///
  /// - Precondition: the closure does not call ``reset()`` or ``restore(_:)``.
  /// - Throws: the closure's error, or the error of a refused value, as in ``atomically(_:)``. The context is unchanged in
  ///   any case.
  @discardableResult
  public func dryRun<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isReentrant("do a dry run") { return try body() }
    beginUnit()
    units.beginDryRun()
    defer {
      units.endDryRun()
      giveUpUnit()
    }
    return try throwingRefusals(body)
  }

  private func beginUnit() {
    closeGapsIfUnchanged()
    suspendOpenUnit()
    willChange()
    state.pointee.begin()
    units.followers.begin()
  }

  private func endUnit<Failure: Error>(_: Failure.Type) throws(Failure) {
    var isWritten = true
    do {
      try writeUnit()
    } catch {
      // If the error cannot be thrown, the changes stay pending, and the next commit tries again. That commit finds invalid objects and
      // conflicts itself, so only a failure of the store is kept.
      if let failure = error as? Failure { throw failure }
      if let failure = error as? StoreError { binding?.keep(failure) }
      isWritten = false
    }
    endInnerUnit()
    if isWritten { commitUnlessNested() }
  }

  /// Validates the changes and writes them to the store, if there is one, at the end of the outermost transaction.
  private func writeUnit() throws {
    guard let binding, state.openUnits == 1 else { return }
    try binding.throwFailure()
    try validate()
    try write(.import)
  }

  /// Ends a nested transaction, whose changes then belong to the enclosing transaction.
  private func endInnerUnit() {
    endOpenUnit(ManagedObjectContext.unitEnded)
    units.followers.end()
    state.pointee.end()
    units.stream?.settle()
  }

  private func giveUpUnit() {
    endOpenUnit(ManagedObjectContext.unitEnded)
    takeUnitBack()
    units.followers.rewind()
    units.followers.end()
    units.stream?.settle()
  }

  private static let unitEnded = "the atomically(_:), dryRun(_:) or decoding(_:) call in which it began has ended"

  /// Begins the transaction of an import.
  func beginImport() {
    closeGapsIfUnchanged()
    suspendOpenUnit()
    willChange()
    state.pointee.beginImport()
  }

  /// Suspends the transaction of a stream for a transaction between its pieces, but not for the transactions of its own hooks.
  private func suspendOpenUnit() {
    if !isBusy { units.stream?.suspend() }
  }

  /// Rolls back the innermost transaction.
  ///
  /// - Parameter isSeen: whether the changes in the transaction may have been read.
  func takeUnitBack(isSeen: Bool = true) {
    let spots = isSeen ? hub.spots(in: state) : []
    hub.change(spots + takeRowsBack())
  }

  /// Commits an import, unless it is part of a larger transaction.
  func commitUnlessNested() {
    guard state.openUnits == 0 else { return }
    finishUnit(.import)
  }

  /// Runs a closure as one transaction. If it throws, or a setter refuses a value, all its changes are rolled back (I10).
  ///
  /// - Parameter isCommitted: whether the caller commits the changes afterward. If so, the changes are written to the store, if there is
  ///   one.
  func unit<Value>(isCommitted: Bool, _ body: () throws -> Value) throws -> Value {
    try checkUse("decode objects")
    beginUnit()
    do {
      let value = try throwingRefusals(body)
      if isCommitted { try writeUnit() }
      endInnerUnit()
      return value
    } catch {
      giveUpUnit()
      throw error
    }
  }

  /// Runs a closure whose changes stay uncommitted. If the closure throws, its changes are rolled back.
  func pendingUnit<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    beginUnit()
    do throws(Failure) {
      try body()
      endInnerUnit()
    } catch {
      giveUpUnit()
      throw error
    }
  }

  /// Runs a closure, and then throws the error of the first refused value, if the closure's error type allows it.
  private func throwingRefusals<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard Failure.self == (any Error).self || Failure.self == PropertyError.self else { return try body() }
    let outer = units.beginRefusals()
    defer { units.endRefusals(goingOnWith: outer) }
    let value = try body()
    if let refusal = units.refusals?.first as? Failure { throw refusal }
    return value
  }

  /// Calls a hook, and returns the errors of values that setters refused.
  func collectingRefusals(_ hook: () throws -> Void) rethrows -> [PropertyError] {
    let outer = units.beginRefusals()
    defer { units.endRefusals(goingOnWith: outer) }
    try hook()
    return units.refusals ?? []
  }

  /// Reports a refused value. A setter cannot throw, so this traps unless a transaction or a hook collects the error.
  func refuse(_ error: PropertyError) {
    guard units.refusals != nil else { preconditionFailure(error.description) }
    units.refuse(error)
  }
}
