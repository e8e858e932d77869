import Foundation
import Graft
import GraftSQL

extension BinaryFields {
  /// Appends a value of packed rows, which is not nil.
  mutating func append(
    _ values: StoredValues, _ texts: UnsafeBufferPointer<UInt8>, row: Int, column: Int, _ kind: SQLKind
  ) throws(PostgreSQLError) {
    let word = values.word(row: row, column: column)
    let integer = Int64(bitPattern: word)
    switch kind {
    case .row, .position: try append(integer)
    case .attribute(let type):
      switch type {
      case .integer16: try append(Int16(truncatingIfNeeded: integer))
      case .integer32: try append(Int32(truncatingIfNeeded: integer))
      case .integer64: try append(integer)
      case .boolean: try append(integer != 0)
      case .date: try append(microseconds: integer)
      case .float: try append(Float(try BinaryFieldsCheck.number(word)))
      case .double: try append(try BinaryFieldsCheck.number(word))
      default: try append(bytes(values, texts, row, column), type)
      }
    }
  }

  private func bytes(
    _ values: StoredValues, _ texts: UnsafeBufferPointer<UInt8>, _ row: Int, _ column: Int
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: texts[values.textRange(row: row, column: column)])
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ type: AttributeType) throws(PostgreSQLError) {
    switch type {
    case .decimal:
      guard let decimal = DecimalText.decimal(LentBytes(bytes)) else { throw .invalidConstant }
      try append(decimal)
    case .uuid:
      var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes.prefix(16)) }
      try append(UUID(uuid: uuid))
    case .binary: try append(bytes: UnsafeRawBufferPointer(bytes))
    case .json: try append(utf8: bytes, as: .json)
    default: try append(utf8: bytes, as: .text)
    }
  }
}

/// Checks for values that the server could hold, but that would compare differently than in Swift.
enum BinaryFieldsCheck {
  /// Returns the double in a word.
  static func number(_ word: UInt64) throws(PostgreSQLError) -> Double {
    let number = Double(bitPattern: word)
    guard number.isFinite else {
      throw PostgreSQLError(.invalidValue, "a value is \(number), which JSON cannot hold either; use nil")
    }
    return number
  }
}

/// The values of rows that are written, with the final numbers of new rows.
struct RowValues {
  let rows: StoredRows
  let table: SQLTable
  let numbers: FinalNumbers

  /// Appends a value, or NULL. Errors name the property.
  func append<Fields: BinaryFields>(
    _ texts: UnsafeBufferPointer<UInt8>, _ row: Int, _ column: Int, to fields: inout Fields
  ) throws(PostgreSQLError) {
    let kind = table.kinds[column]
    guard !rows.values.isNil(row: row, column: column) else { return try fields.appendNull(kind.type) }
    if let other = table.referenceTables[column] {
      let value = Int64(bitPattern: rows.values.word(row: row, column: column))
      guard let target = numbers.target(value, in: other) else { return try fields.appendNull(kind.type) }
      return try fields.append(target)
    }
    do throws(PostgreSQLError) {
      try fields.append(rows.values, texts, row: row, column: column, kind)
    } catch {
      guard error.kind == .invalidValue else { throw error }
      let property = table.layout.columns[column].properties.first ?? table.columnNames[column]
      throw PostgreSQLError(.invalidValue, "the value of '\(property)' cannot be stored: \(error.message)")
    }
  }
}
