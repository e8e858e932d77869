/// Values in the form in which the server reads them: a length of four bytes, and the value. Integers are in network order.
///
///     00 00 00 08  00 00 00 00 00 00 00 2A      42 as a bigint
///     00 00 00 03  61 62 63                     'abc'
///     FF FF FF FF                               NULL
package struct BinaryBuffer {
  private(set) var bytes: [UInt8] = []

  /// The maximum length of a value. The server does not accept messages of a gigabyte.
  static let maximumLength = 1_000_000_000

  var count: Int { bytes.count }

  @inline(__always)
  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  @inline(__always)
  mutating func append(_ new: UnsafeRawBufferPointer) { bytes.append(contentsOf: new) }

  /// Replaces a number that was appended before its value was known.
  mutating func replace(at offset: Int, _ number: Int32) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * Int32(index))) }
  }

  /// Removes all values, and keeps the memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Checks that a value is not too long.
  static func check(_ length: Int) throws(PostgreSQLError) {
    if length > maximumLength {
      throw PostgreSQLError(.invalidValue, "a value has \(length) bytes; PostgreSQL accepts \(maximumLength)")
    }
  }
}
