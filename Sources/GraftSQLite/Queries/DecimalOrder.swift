import CSQLite
import Graft

/// Compares decimals, which are stored as canonical strings, by their values.
///
///     -12 < -1.5 < 0 < 0.25 < 3 < 12
enum DecimalOrder {
  /// The name of the collation.
  static let name = "graft_decimal"

  /// Registers the collation with a connection.
  static func register(_ connection: SQLiteConnection) throws(SQLiteError) {
    let status = sqlite3_create_collation_v2(
      connection.handle, name, SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        Int32(DecimalText.compare(DecimalOrder.bytes(left, leftCount), DecimalOrder.bytes(right, rightCount)))
      }, nil)
    guard status == SQLITE_OK else { throw .latest(connection.handle, code: status) }
  }

  private static func bytes(_ text: UnsafeRawPointer?, _ count: Int32) -> LentBytes {
    let start = text?.assumingMemoryBound(to: UInt8.self)
    return LentBytes(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
  }
}
