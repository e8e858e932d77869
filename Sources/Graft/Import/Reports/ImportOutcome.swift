/// The outcome of an import, for its report; the import's transaction is still open.
struct ImportOutcome {
  /// The rows of the payload's objects, in payload order (I1), if the payload was read in one piece.
  var roots: [UInt32]
  /// Identifiers and dictionaries that were ignored.
  var skips: [Skip]
  var nulls: SkippedNulls
  /// The offsets at which dictionaries describe objects.
  var mentions: PlainStack<GraphState.Touch>
  var options: ImportOptions
}
