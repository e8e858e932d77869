/// What the transactions in progress have to remember until they end.
struct OpenUnits {
  /// The number of nested dry runs. What is imported in them is not kept.
  var dryRuns = 0
  /// The changes that have just been written to the store.
  var writtenChanges: PlacedChanges?
  /// Objects that keep track of what transactions do.
  var followers = UnitFollowers()
  /// The stream that is being imported as a whole, if one is open.
  var stream: (any OpenUnit)?
  /// The errors of refused values, in a transaction that throws them at its end or in a hook; nil outside both.
  var refusals: [PropertyError]?
}
