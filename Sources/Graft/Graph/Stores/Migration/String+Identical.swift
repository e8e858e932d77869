extension String {
  /// Whether two texts have the same bytes. Names in SQL are compared in this way; to Swift, a letter with an accent equals the letter
  /// and the accent.
  package func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
