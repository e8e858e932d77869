/// Several changes as one.
extension ManagedObjectContext {
  /// Runs imports and changes as one: when the closure throws, the context is as it was before (I10).
  ///
  ///     try context.atomically {
  ///       try objects(Publisher.self, fromJSON: publishers, in: context)
  ///       try objects(Hero.self, fromJSON: heroes, in: context)      // when this fails, the publishers go as well
  ///     }
  ///
  /// When it succeeds, everything is permanent, as after an import: ``rollBack()`` goes back to here. Calls may nest; the
  /// outermost counts.
  ///
  /// - Precondition: neither ``commit()`` nor ``rollBack()`` is called inside, and no closure of an import calls it.
  @discardableResult
  public func atomically<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    beginUnit()
    do {
      let result = try body()
      endUnit()
      return result
    } catch {
      takeUnitBack()
      throw error
    }
  }

  /// Runs imports and changes for a look at what they would do, and takes all of it back (I12).
  ///
  ///     let report = try context.dryRun { try context.importJSON(data, into: "Hero") }
  ///     print(report)                                   // Hero: 4 inserted, 2 updated
  ///
  /// Inside, the context shows the graph as it would be: it can be exported, dumped and fetched from. Objects that the closure
  /// inserts say that they are deleted when it has ended.
  ///
  /// - Precondition: neither ``commit()`` nor ``rollBack()`` is called inside, and no closure of an import calls it.
  @discardableResult
  public func dryRun<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    beginUnit()
    defer { takeUnitBack() }
    return try body()
  }

  func beginUnit() {
    precondition(!isBusy, "the context is in the middle of an import: a transformer or mapper must not use it")
    closeGapsIfUnchanged()
    state.pointee.begin()
  }

  func endUnit() {
    state.pointee.end()
    commitUnlessNested()
  }

  func takeUnitBack() {
    state.pointee.rollBack()
    detachMissing()
  }

  /// An import commits, unless it is part of something larger.
  func commitUnlessNested() {
    if state.pointee.openUnits == 0 { state.pointee.commit() }
  }
}
