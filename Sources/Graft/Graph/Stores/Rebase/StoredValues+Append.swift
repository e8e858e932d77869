extension StoredValues {
  /// Appends a row of values.
  mutating func append(_ row: [StoreValue], _ contents: [StoreSchema.Content]) {
    appendRow()
    for (column, value) in row.enumerated() {
      switch value {
      case .null: continue
      case .integer(let integer): setInteger(integer, row: count - 1, column: column)
      case .double(let double): setDouble(double, row: count - 1, column: column)
      case .text(let bytes), .binary(let bytes):
        value.storedBytes(bytes, contents[column]).withUnsafeBufferPointer {
          setText($0, row: count - 1, column: column)
        }
      }
    }
  }
}

extension StoreValue {
  /// The bytes that rows store for text. A UUID is not stored as text.
  func storedBytes(_ text: [UInt8], _ content: StoreSchema.Content) -> [UInt8] {
    guard content == .attribute(.uuid) else { return text }
    let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
