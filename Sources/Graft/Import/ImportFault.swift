/// A fault of the payload, before it is worded for people: lines, columns and JSON paths are worked out only when the
/// import has failed.
struct ImportFault {
  var offset: Int
  /// Bytes of the value that is shown as wrong.
  var length = 1
  var code: String
  var message: String
  /// Keys below the value at `offset` that are missing there.
  var missing: [String] = []
  var suggestion: String?
  /// The place in the model that asks for it, and what to say about it.
  var asks: (source: DescriptionSource, key: ModelFileKey?, note: String)?
  /// Further explanations without a place.
  var remarks: [String] = []
  /// Where it is, for people, once that has been worked out.
  var place: Place?

  /// A location and a path; neither, if the bytes are gone that would show it.
  struct Place {
    var location: SourceLocation?
    var path: String?
  }
}
