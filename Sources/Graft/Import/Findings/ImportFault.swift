/// A finding and its offset in the payload: lines, columns and JSON paths are determined only after the import has failed.
struct ImportFault {
  var finding: ImportFinding
  var offset: Int
  /// Bytes of the value that is shown as wrong.
  var length = 1
  /// The offset of the key that was probably intended, which is underlined instead of the value.
  var shown: (offset: Int, length: Int)?
  /// Keys below the value at `offset` that are missing there.
  var missing: [String] = []
  /// The readable location, once it has been computed.
  var place: Place?
  /// Other locations that explain it.
  var notes: [Note] = []
  /// Whether it is that of a value which several objects read: it is reported once.
  var isShared = false

  init(_ finding: ImportFinding, at offset: Int, length: Int = 1) {
    self.finding = finding
    self.offset = offset
    self.length = length
  }

  /// Whether another fault says the same about the same value. Neither has its place yet: other payloads have the same offsets.
  func isSame(as other: ImportFault) -> Bool {
    offset == other.offset && place == nil && other.place == nil && finding.code == other.finding.code
      && finding.message == other.finding.message
  }

  /// Whether the path is not shown, because it may lead into a sensitive value (M29).
  private(set) var hidesPath = false

  /// Hides what may be inside of a sensitive value: the path of an error in the text, and a key in its message.
  mutating func hideText() {
    guard finding.isOfText else { return }
    hidesPath = true
    if finding.code == .duplicateKey { finding.expectation = "a key occurs twice in one object" }
  }

  /// The position of the caret.
  var caret: (offset: Int, length: Int) { shown ?? (offset, length) }

  /// A related location in the payload, with words that its JSON path completes: "it is replaced".
  struct Note {
    var words: String
    var offset: Int
    var place: Place?
  }

  /// A location and a path; neither if the bytes are no longer available.
  struct Place {
    var location: SourceLocation?
    var path: String?
  }
}
