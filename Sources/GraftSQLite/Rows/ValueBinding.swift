import CSQLite
import Foundation
import Graft
import GraftSQL

extension SQLiteStatement {
  /// Binds a value of packed rows. Its bytes must stay in place until the statement is reset.
  @inline(__always)
  func bind(
    _ values: StoredValues, _ texts: UnsafeBufferPointer<UInt8>, row: Int, column: Int, _ form: SQLTable.Form,
    at parameter: Int32
  ) throws(SQLiteError) {
    switch form {
    case .integer: try bind(Int64(bitPattern: values.word(row: row, column: column)), at: parameter)
    case .real: try bind(real: values.word(row: row, column: column), at: parameter)
    case .uuid: try bind(uuid: texts[values.textRange(row: row, column: column)], at: parameter)
    case .blob:
      try bind(blob: UnsafeBufferPointer(rebasing: texts[values.textRange(row: row, column: column)]), at: parameter)
    default:
      try bind(text: UnsafeBufferPointer(rebasing: texts[values.textRange(row: row, column: column)]), at: parameter)
    }
  }

  /// Binds the bits of a double. SQLite would store NaN as NULL.
  func bind(real bits: UInt64, at parameter: Int32) throws(SQLiteError) {
    let value = Double(bitPattern: RowDigest.bits(bits))
    guard !value.isNaN else { throw .notANumber }
    try bind(value, at: parameter)
  }

  /// Binds the 16 bytes of a UUID as text.
  func bind(uuid bytes: Slice<UnsafeBufferPointer<UInt8>>, at parameter: Int32) throws(SQLiteError) {
    try bind(UUIDText.text(bytes.uuid), at: parameter)
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// The UUID of 16 bytes.
  var uuid: UUID {
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: prefix(16)) }
    return UUID(uuid: uuid)
  }
}

extension SQLiteError {
  /// SQLite has no NaN.
  static let notANumber = SQLiteError(
    code: CSQLite.SQLITE_MISMATCH, message: "a value is NaN, which SQLite cannot store; use nil")
}
