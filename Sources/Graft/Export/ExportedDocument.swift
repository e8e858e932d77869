/// The outermost value of an export.
struct ExportedDocument {
  enum Kind { case object, array, keyed }

  /// One object, an array of objects, or an object with the elements under their keys (M11).
  private(set) var kind = Kind.array
  /// The number of written elements of an array.
  private(set) var count = 0
  /// The offset in the output at which the document starts. In JSON Lines, earlier documents precede it.
  private(set) var start = 0
  /// The keys of a collection by keys, if some objects read values from the document.
  private(set) var keys: Set<UTF8Key> = []
  /// Whether an import must recognize the written objects. If not, the objects are only decoded.
  let isForImports: Bool

  init(isForImports: Bool = true) { self.isForImports = isForImports }

  /// Begins the document of the next line.
  mutating func beginAnother(at start: Int) {
    self = ExportedDocument(isForImports: isForImports)
    self.start = start
  }

  mutating func begin(_ kind: Kind) { self.kind = kind }

  mutating func countElement() { count += 1 }

  mutating func note(_ key: String) { keys.insert(UTF8Key(key)) }
}
