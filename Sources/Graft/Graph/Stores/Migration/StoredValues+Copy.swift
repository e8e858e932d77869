extension StoredValues {
  /// Copies a value from another list.
  package mutating func copy(
    _ other: StoredValues, row: Int, column: Int, toRow target: Int, column targetColumn: Int, isBytes: Bool
  ) {
    guard !other.isNil(row: row, column: column) else { return }
    guard isBytes else {
      return setWord(other.word(row: row, column: column), row: target, column: targetColumn)
    }
    other.text(row: row, column: column)?.withUnsafeBufferPointer { setText($0, row: target, column: targetColumn) }
  }
}
