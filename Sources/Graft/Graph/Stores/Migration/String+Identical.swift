extension String {
  /// Whether two strings have the same bytes. Names in SQL are compared in this way. Swift treats a precomposed character and the same
  /// character with a combining accent as equal.
  package func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
