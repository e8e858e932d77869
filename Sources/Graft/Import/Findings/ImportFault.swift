/// A finding and its offset in the payload: lines, columns and JSON paths are determined only after the import has failed.
struct ImportFault {
  var finding: ImportFinding
  var offset: Int
  /// The number of bytes to underline, from `offset`.
  var length = 1
  /// The offset of the key that was probably intended, which is underlined instead of the value.
  var shown: (offset: Int, length: Int)?
  /// Keys that are missing below the value at `offset`.
  var missing: [String] = []
  /// The readable location, once it has been computed.
  var place: Place?
  /// Other locations that explain the fault.
  var notes: [Note] = []
  /// Whether the fault is in a value that several objects read, and is therefore reported once.
  var isShared = false

  init(_ finding: ImportFinding, at offset: Int, length: Int = 1) {
    self.finding = finding
    self.offset = offset
    self.length = length
  }

  /// Returns whether another fault reports the same problem with the same value. False if a fault already has its location, because the
  /// same offset may then belong to another payload.
  func isSame(as other: ImportFault) -> Bool {
    offset == other.offset && place == nil && other.place == nil && finding.code == other.finding.code
      && finding.message == other.finding.message
  }

  /// Whether the path is not shown, because it may lead into a sensitive value (M29).
  private(set) var hidesPath = false

  /// Hides anything that may be inside a sensitive value: the path of an error in the text, and a key in its message.
  mutating func hideText() {
    guard finding.isOfText else { return }
    hidesPath = true
    if finding.code == .duplicateKey { finding.expectation = "a key occurs twice in one object" }
  }

  /// The position of the caret.
  var caret: (offset: Int, length: Int) { shown ?? (offset, length) }

  /// A related location in the payload, with a phrase that its JSON path completes, such as "it is replaced".
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
