/// The state of the transactions in progress, which is kept until they end.
struct OpenUnits {
  /// The number of nested dry runs. Imports in dry runs are not kept.
  private(set) var dryRuns = 0
  /// The changes that have just been written to the store.
  private var writtenChanges: PlacedChanges?
  /// The objects that keep track of transactions.
  var followers = UnitFollowers()
  /// The stream that is being imported as a whole, if one is open.
  private(set) var stream: (any OpenUnit)?
  /// The errors of refused values, in a transaction that throws them at its end or in a hook; nil everywhere else.
  private(set) var refusals: [PropertyError]?

  /// Whether the import in progress runs again if another context or process writes data that it depends on.
  private(set) var isRetried = false

  mutating func noteRetried(_ isRetried: Bool) { self.isRetried = isRetried }

  mutating func beginDryRun() { dryRuns += 1 }
  mutating func endDryRun() { dryRuns -= 1 }

  mutating func open(_ stream: any OpenUnit) { self.stream = stream }
  mutating func closeStream() { stream = nil }

  mutating func noteWritten(_ changes: PlacedChanges?) { writtenChanges = changes }

  mutating func takeWritten() -> PlacedChanges? {
    defer { writtenChanges = nil }
    return writtenChanges
  }

  /// Begins to collect the errors of refused values.
  ///
  /// - Returns: the errors that an enclosing transaction or hook has collected, to continue with later.
  mutating func beginRefusals() -> [PropertyError]? {
    defer { refusals = [] }
    return refusals
  }

  mutating func endRefusals(goingOnWith outer: [PropertyError]?) { refusals = outer }

  mutating func refuse(_ error: PropertyError) { refusals?.append(error) }
}
