/// The outermost value of an export.
struct ExportedDocument {
  enum Kind { case object, array, keyed }

  /// One object, an array of objects, or an object whose keys are those of its elements (M11).
  var kind = Kind.array
  /// How many elements of an array have been written.
  var count = 0
  /// The keys of a collection by keys, if some objects read from documents.
  var keys: Set<String> = []
  /// Whether what is written must be read as what it is; otherwise, it is only decoded.
  var isForImports = true
}
