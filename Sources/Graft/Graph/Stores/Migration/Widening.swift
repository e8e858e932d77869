#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A change to another type that loses no information.
enum Widening {
  /// Values stay as they are.
  case none
  /// Integers become doubles.
  case integerToReal
  /// Floats become the doubles with the same text in JSON, as if they were exported and imported.
  case floatToDouble
  /// Integers become decimals.
  case integerToDecimal
  /// UUIDs become strings.
  case uuidToString
  /// Integers, doubles and floats become strings: their text in JSON.
  case integerToString, doubleToString, floatToString

  init?(from: String, to: String) {
    switch (from, to) {
    case _ where from == to: self = .none
    case ("integer16", "integer32"), ("integer16", "integer64"), ("integer32", "integer64"), ("decimal", "string"),
      ("uri", "string"):
      self = .none
    // The elements of lists are written as in JSON.
    case ("integer16[]", "integer32[]"), ("integer16[]", "integer64[]"), ("integer32[]", "integer64[]"),
      ("float[]", "double[]"), ("uri[]", "string[]"), ("uuid[]", "string[]"),
      (_, "json") where from.hasSuffix("[]"):
      self = .none
    case ("integer16", "float"), ("integer16", "double"), ("integer32", "double"): self = .integerToReal
    case ("float", "double"): self = .floatToDouble
    case ("integer16", "decimal"), ("integer32", "decimal"), ("integer64", "decimal"): self = .integerToDecimal
    case ("uuid", "string"): self = .uuidToString
    case ("integer16", "string"), ("integer32", "string"), ("integer64", "string"): self = .integerToString
    case ("double", "string"): self = .doubleToString
    case ("float", "string"): self = .floatToString
    default: return nil
    }
  }

  /// Copies a value that is not nil.
  func copy(
    _ old: StoredValues, row: Int, column: Int, to new: inout StoredValues, row target: Int, column targetColumn: Int,
    isBytes: Bool
  ) {
    func set(_ text: String) {
      var text = text
      text.withUTF8 { new.setText($0, row: target, column: targetColumn) }
    }
    switch self {
    case .none:
      new.copy(old, row: row, column: column, toRow: target, column: targetColumn, isBytes: isBytes)
    case .integerToReal:
      new.setDouble(Double(old.integer(row: row, column: column) ?? 0), row: target, column: targetColumn)
    case .floatToDouble:
      guard let word = old.integer(row: row, column: column) else { return }
      let value = Double(bitPattern: UInt64(bitPattern: word))
      new.setDouble(Double(Float(value).description) ?? value, row: target, column: targetColumn)
    case .integerToDecimal, .integerToString: set(String(old.integer(row: row, column: column) ?? 0))
    case .doubleToString, .floatToString:
      guard let word = old.integer(row: row, column: column) else { return }
      let value = Double(bitPattern: UInt64(bitPattern: word))
      var bytes: [UInt8] = []
      if case .floatToString = self {
        DoubleText.append(Float(value), to: &bytes)
      } else {
        DoubleText.append(value, to: &bytes)
      }
      bytes.withUnsafeBufferPointer { new.setText($0, row: target, column: targetColumn) }
    case .uuidToString:
      guard let bytes = old.text(row: row, column: column) else { return }
      let uuid = bytes.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) }
      set(UUIDText.text(uuid))
    }
  }
}
