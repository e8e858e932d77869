// Calls that cannot be done, whatever the payload holds.
extension ImportFinding {
  static func unknownEntity(_ name: String, _ plan: Plan) -> Self {
    Self(.unknownEntity, "the model has no entity '\(name)'")
      .suggesting(Suggestion.nearest(to: name, among: plan.entities.map(\.name)))
  }

  // MARK: Streams

  /// A context has at most one stream that is imported as a whole.
  static let openStream = Self(
    .openStream, "another stream is being imported as a whole into this context: finish or cancel it first")

  static let streamFromOutside = Self(
    .openStream,
    "the stream was opened outside the atomically(_:), dryRun(_:) or decoding(_:) call in which it is used")

  static func stopped(afterBytes bytes: Int) -> Self { Self(.stopped, "the import was stopped after \(bytes) bytes") }

  static func stopped(_ reason: String) -> Self { Self(.stopped, "the import was stopped: \(reason)") }
}
