/// What an import did, for its report; its unit of work is still open.
struct ImportOutcome {
  /// The rows of the payload's objects, in payload order (I1), if it was read in one piece.
  var roots: [UInt32]
  /// Identifiers and dictionaries that were ignored.
  var skips: [Skip]
  var nulls: SkippedNulls
  /// Where dictionaries describe objects.
  var mentions: PlainStack<GraphState.Touch>
  var options: ImportOptions
}
