/// A finding and where it is in the payload, as an offset: lines, columns and JSON paths are worked out only when the import has
/// failed.
struct ImportFault {
  var finding: ImportFinding
  var offset: Int
  /// Bytes of the value that is shown as wrong.
  var length = 1
  /// What is underlined in place of that value: the key that was probably meant.
  var shown: (offset: Int, length: Int)?
  /// Keys below the value at `offset` that are missing there.
  var missing: [String] = []
  /// Where it is, for people, once that has been worked out.
  var place: Place?
  /// Other places that explain it.
  var notes: [Note] = []
  /// Whether it is that of a value which several objects read: it is reported once.
  var isShared = false

  init(_ finding: ImportFinding, at offset: Int, length: Int = 1) {
    self.finding = finding
    self.offset = offset
    self.length = length
  }

  /// Where the caret is drawn.
  var caret: (offset: Int, length: Int) { shown ?? (offset, length) }

  /// What is at another place of the payload, in words that its JSON path completes: "it is replaced".
  struct Note {
    var words: String
    var offset: Int
    var place: Place?
  }

  /// A location and a path; neither, if the bytes are gone that would show it.
  struct Place {
    var location: SourceLocation?
    var path: String?
  }
}
