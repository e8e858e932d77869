/// A fault of the payload, before it is worded for people: lines, columns and JSON paths are worked out only when the
/// import has failed.
struct ImportFault {
  var offset: Int
  /// Bytes of the value that is shown as wrong.
  var length = 1
  /// What is underlined in place of that value: the key that was probably meant.
  var shown: (offset: Int, length: Int)?
  var code: String
  var message: String
  /// Keys below the value at `offset` that are missing there.
  var missing: [String] = []
  var suggestion: String?
  /// Whether the message already contains the suggestion.
  var namesSuggestion = false
  /// The place in the model that asks for it, and what to say about it.
  var asks: (source: DescriptionSource, key: ModelFileKey?, note: String)?
  /// Further explanations without a place.
  var remarks: [String] = []

  /// Where the caret is drawn.
  var caret: (offset: Int, length: Int) { shown ?? (offset, length) }

  /// What was found, as the message ends; nil if the message does not say.
  var found: Substring? {
    message.firstRange(of: ImportFault.findings).map { message[$0.upperBound...] }
  }

  /// Faults of one kind have one cause, probably: the same property of the same entity, expected and found in the same words but
  /// for the value.
  ///
  ///     expected a number for 'Order.total', found the string "12.50"
  ///     expected a number for 'Order.total', found the string "3.20"
  var kind: String {
    guard let found else { return "\(code)\n\(message)" }
    let words = found.split(separator: " ", maxSplits: 2).prefix(2).joined(separator: " ")
    return "\(code)\n\(message[..<found.startIndex])\(words)"
  }

  static let findings = ", found "
  /// Where it is, for people, once that has been worked out.
  var place: Place?

  /// A location and a path; neither, if the bytes are gone that would show it.
  struct Place {
    var location: SourceLocation?
    var path: String?
  }
}
