/// Several changes as one.
extension ManagedObjectContext {
  /// Runs imports and changes as one: when the closure throws, the context is as it was before (I10).
  ///
  ///     try context.atomically {
  ///       try objects(Publisher.self, fromJSON: publishers, in: context)
  ///       try objects(Hero.self, fromJSON: heroes, in: context)      // when this fails, the publishers go as well
  ///     }
  ///
  /// When it succeeds, everything is permanent, as after an import: ``rollBack()`` goes back to here, and what was changed by hand
  /// before the call is permanent, too. What was set by hand is not validated by itself. To have it validated, call
  /// ``validate()`` inside the closure, as its last line: afterwards it finds no changes to look at.
  ///
  ///     try context.atomically {
  ///       context.find(Hero.self, identity: 1699)?.name = nil
  ///       try context.validate()                                     // throws: the name is as it was
  ///     }
  ///
  /// A property setter cannot throw. If it refuses a value in a closure that can throw any error, or a ``PropertyError``, the call
  /// throws what was refused when the closure returns, and nothing is kept. In other closures a refused value traps, as it does
  /// outside: use ``ManagedObject/setValue(_:of:)`` there for values that come from elsewhere.
  ///
  ///     try context.atomically {
  ///       try context.validate()
  ///       hero.id = idFromElsewhere                                  // another hero's: nothing is kept, and this is thrown
  ///     }
  ///
  /// Calls may nest; the outermost counts. Each import inside is a payload of its own: what is known and what is valid is decided
  /// at its end, before the next one begins. If the parts of one document refer to each other, import them as one payload, with
  /// ``importJSON(_:_:options:)``.
  ///
  /// Inside, ``commit()`` waits for the end, and ``rollBack()`` goes back to the beginning.
  ///
  /// - Precondition: ``reset()`` and ``restore(_:)`` are not called inside.
  /// - Throws: what the closure throws, or what a setter refused; the context is as it was before then.
  @discardableResult
  public func atomically<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isReentrant("run a transaction") { return try body() }
    beginUnit()
    do throws(Failure) {
      let result = try throwingRefusals(body)
      endUnit()
      return result
    } catch {
      giveUpUnit()
      throw error
    }
  }

  /// Runs imports and changes for a look at what they would do, and takes all of it back (I12).
  ///
  ///     let report = try context.dryRun { try context.importJSON(data, ofEntity: "Hero") }
  ///     print(report)                                   // Hero: 4 inserted, 2 updated
  ///
  /// Inside, the context shows the graph as it would be: it can be exported, dumped and fetched from. Objects that the closure
  /// inserts say that they are deleted when it has ended.
  ///
  /// Inside, ``commit()`` waits for the end, and ``rollBack()`` goes back to the beginning.
  ///
  /// - Precondition: ``reset()`` and ``restore(_:)`` are not called inside.
  /// - Throws: what the closure throws, or what a setter refused, as in ``atomically(_:)``; the context is as it was before in any
  ///   case.
  @discardableResult
  public func dryRun<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isReentrant("do a dry run") { return try body() }
    beginUnit()
    dryRuns += 1
    defer {
      dryRuns -= 1
      giveUpUnit()
    }
    return try throwingRefusals(body)
  }

  private func beginUnit() {
    closeGapsIfUnchanged()
    openUnit?.suspend()
    state.pointee.begin()
    followers.begin()
  }

  private func endUnit() {
    endInnerUnit()
    commitUnlessNested()
  }

  /// Ends a unit, which belongs to the one around it then.
  private func endInnerUnit() {
    endOpenUnit(ManagedObjectContext.unitEnded)
    followers.end()
    state.pointee.end()
    openUnit?.settle()
  }

  private func giveUpUnit() {
    endOpenUnit(ManagedObjectContext.unitEnded)
    takeUnitBack()
    followers.rewind()
    followers.end()
    openUnit?.settle()
  }

  private static let unitEnded = "the atomically(_:), dryRun(_:) or decoding(_:) that it was begun in has ended"

  /// Begins the unit of work of an import.
  func beginImport() {
    closeGapsIfUnchanged()
    openUnit?.suspend()
    state.pointee.beginImport()
  }

  /// Goes back to where the innermost unit began.
  ///
  /// - Parameter isSeen: whether somebody may have read what it changed.
  func takeUnitBack(isSeen: Bool = true) {
    let spots = isSeen ? hub.spots(in: state) : []
    takeRowsBack()
    hub.change(spots)
  }

  /// An import commits, unless it is part of something larger.
  func commitUnlessNested() {
    if state.pointee.openUnits == 0 { finishUnit(.import) }
  }

  /// Runs what changes the graph as one unit of work: when it throws, or a setter refused something, all it did is taken back
  /// (I10). It does not commit.
  func unit<Value>(_ body: () throws -> Value) throws -> Value {
    try checkUse("decode objects")
    beginUnit()
    do {
      let value = try throwingRefusals(body)
      endInnerUnit()
      return value
    } catch {
      giveUpUnit()
      throw error
    }
  }

  /// Runs a closure, and throws what a setter refused in it, if the closure can throw that.
  private func throwingRefusals<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard Failure.self == (any Error).self || Failure.self == PropertyError.self else { return try body() }
    let outer = refusals
    refusals = []
    defer { refusals = outer }
    let value = try body()
    if let refusal = refusals?.first as? Failure { throw refusal }
    return value
  }

  /// Calls a hook, and gives what setters refused in it.
  func collectingRefusals(_ hook: () throws -> Void) rethrows -> [PropertyError] {
    let outer = refusals
    refusals = []
    defer { refusals = outer }
    try hook()
    return refusals ?? []
  }

  /// A setter cannot throw: it traps, unless a transaction or a hook takes the error.
  func refuse(_ error: PropertyError) {
    guard refusals != nil else { preconditionFailure(error.description) }
    refusals?.append(error)
  }
}
