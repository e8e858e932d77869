import CSQLite
import Foundation
import Graft

/// Identities as bytes, to compare them.
enum IdentityKey {
  /// The identity of a packed row; nil if a part of it is nil.
  static func bytes(_ values: StoredValues, _ row: Int, _ columns: [Int], _ forms: [SQLTable.Form]) -> [UInt8]? {
    var key: [UInt8] = []
    for (column, form) in zip(columns, forms) {
      guard !values.isNil(row: row, column: column) else { return nil }
      switch form {
      case .integer: append(values.word(row: row, column: column), to: &key)
      case .real: append(RowDigest.bits(values.word(row: row, column: column)), to: &key)
      default:
        let bytes = values.text(row: row, column: column) ?? []
        append(UInt64(bytes.count), to: &key)
        key += bytes
      }
    }
    return key
  }

  /// The identity in the columns of a statement's row, after the first one; nil if a part of it is nil.
  static func bytes(_ statement: SQLiteStatement, _ forms: [SQLTable.Form]) -> [UInt8]? {
    var key: [UInt8] = []
    for (place, form) in forms.enumerated() {
      let column = Int32(place + 1)
      guard statement.type(column) != SQLITE_NULL else { return nil }
      switch form {
      case .integer: append(UInt64(bitPattern: statement.integer(column)), to: &key)
      case .real: append(RowDigest.bits(statement.double(column).bitPattern), to: &key)
      case .uuid:
        guard let uuid = UUIDText.parse(LentBytes(statement.bytes(column))) else { return nil }
        append(16, to: &key)
        withUnsafeBytes(of: uuid.uuid) { key += $0 }
      default:
        append(UInt64(statement.bytes(column).count), to: &key)
        key += statement.bytes(column)
      }
    }
    return key
  }

  private static func append(_ word: UInt64, to key: inout [UInt8]) {
    withUnsafeBytes(of: word.bigEndian) { key += $0 }
  }
}

extension StoredValues {
  /// Appends a row that consists of some columns of another one.
  mutating func appendRow(columns: [Int], of other: StoredValues, row: Int, _ forms: [SQLTable.Form]) {
    appendRow()
    for (place, column) in columns.enumerated() {
      copy(other, row: row, column: column, toRow: count - 1, column: place, isBytes: forms[place].isBytes)
    }
  }

  /// Copies a value of another list.
  mutating func copy(
    _ other: StoredValues, row: Int, column: Int, toRow target: Int, column targetColumn: Int, isBytes: Bool
  ) {
    guard !other.isNil(row: row, column: column) else { return }
    guard isBytes else {
      return setWord(other.word(row: row, column: column), row: target, column: targetColumn)
    }
    other.withTexts { texts in
      setText(
        UnsafeBufferPointer(rebasing: texts[other.textRange(row: row, column: column)]), row: target,
        column: targetColumn)
    }
  }
}
