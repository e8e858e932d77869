package import Foundation

/// A destination for values that are written for the server: ``Parameters``, ``CopyWriter`` and ``ArrayElements``.
///
/// Appending a value that PostgreSQL cannot hold throws `invalidValue`: text with a NUL byte, NaN as a `numeric`, a date after the year
/// 294276, a value of a gigabyte.
package protocol BinaryFields {
  var buffer: BinaryBuffer { get set }

  /// Called before each value is appended.
  mutating func willAppend(_ type: PostgreSQLType) throws(PostgreSQLError)
}

extension BinaryFields {
  /// Appends NULL.
  package mutating func appendNull(_ type: PostgreSQLType) throws(PostgreSQLError) {
    try willAppend(type)
    buffer.append(-1 as Int32)
  }

  /// Appends a `boolean`.
  package mutating func append(_ value: Bool) throws(PostgreSQLError) { try append(value ? 1 : 0 as UInt8, .bool) }

  /// Appends a `smallint`.
  package mutating func append(_ value: Int16) throws(PostgreSQLError) { try append(value, .int2) }

  /// Appends an `integer`.
  package mutating func append(_ value: Int32) throws(PostgreSQLError) { try append(value, .int4) }

  /// Appends a `bigint`.
  package mutating func append(_ value: Int64) throws(PostgreSQLError) { try append(value, .int8) }

  /// Appends a `real`, with all its bits.
  package mutating func append(_ value: Float) throws(PostgreSQLError) { try append(value.bitPattern, .float4) }

  /// Appends a `double precision`, with all its bits.
  package mutating func append(_ value: Double) throws(PostgreSQLError) { try append(value.bitPattern, .float8) }

  /// Appends the number of a transaction.
  package mutating func append(transaction: UInt64) throws(PostgreSQLError) { try append(transaction, .xid8) }

  /// Appends a date, as microseconds since 1970.
  package mutating func append(microseconds: Int64) throws(PostgreSQLError) {
    try append(try Timestamp.wire(microseconds), .timestamptz)
  }

  /// Appends a `numeric`.
  package mutating func append(_ value: Decimal) throws(PostgreSQLError) {
    let numeric = try Numeric(value)
    try willAppend(.numeric)
    buffer.append(Int32(numeric.byteCount))
    numeric.write(to: &buffer)
  }

  /// Appends `text`.
  package mutating func append(_ value: String) throws(PostgreSQLError) { try append(value, .text) }

  /// Appends `json`. The server checks that it is valid.
  package mutating func append(json: String) throws(PostgreSQLError) { try append(json, .json) }

  private mutating func append(_ value: String, _ type: PostgreSQLType) throws(PostgreSQLError) {
    var value = value
    // A closure that throws would lose the type of the error.
    let error = value.withUTF8 { bytes -> PostgreSQLError? in
      do throws(PostgreSQLError) {
        try append(utf8: bytes, as: type)
        return nil
      } catch { return error }
    }
    if let error { throw error }
  }

  /// Appends `text` or `json`. The bytes must be UTF-8: the server rejects other bytes.
  package mutating func append(
    utf8 bytes: UnsafeBufferPointer<UInt8>, as type: PostgreSQLType = .text
  ) throws(PostgreSQLError) {
    if let start = bytes.baseAddress, memchr(start, 0, bytes.count) != nil {
      throw PostgreSQLError(.invalidValue, "a string has a NUL character, which PostgreSQL cannot store")
    }
    try append(UnsafeRawBufferPointer(bytes), type)
  }

  /// Appends `bytea`.
  package mutating func append(bytes: UnsafeRawBufferPointer) throws(PostgreSQLError) { try append(bytes, .bytea) }

  /// Appends `bytea`.
  package mutating func append(bytes: [UInt8]) throws(PostgreSQLError) {
    try BinaryBuffer.check(bytes.count)
    try willAppend(.bytea)
    buffer.append(Int32(bytes.count))
    bytes.withUnsafeBytes { buffer.append($0) }
  }

  /// Appends a `uuid`.
  package mutating func append(_ value: UUID) throws(PostgreSQLError) {
    try willAppend(.uuid)
    buffer.append(16 as Int32)
    withUnsafeBytes(of: value.uuid) { buffer.append($0) }
  }

  /// Appends the elements of an array, which may be NULL.
  ///
  ///     try parameters.appendArray(of: .int8) { elements throws(PostgreSQLError) in
  ///       for id in ids { try elements.append(id) }
  ///     }
  package mutating func appendArray(
    of type: PostgreSQLType, _ body: (inout ArrayElements) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) {
    guard let array = type.array else { throw PostgreSQLError(.misuse, "an array cannot have arrays as elements") }
    try willAppend(array)
    var elements = ArrayElements(type)
    // The buffer is moved, so that it has only one owner at a time and is not copied.
    swap(&elements.buffer, &buffer)
    defer { swap(&elements.buffer, &buffer) }
    elements.begin()
    try body(&elements)
    try elements.end()
  }

  @inline(__always)
  private mutating func append<Number: FixedWidthInteger>(
    _ value: Number, _ type: PostgreSQLType
  ) throws(PostgreSQLError) {
    try willAppend(type)
    buffer.append(Int32(MemoryLayout<Number>.size))
    buffer.append(value)
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType) throws(PostgreSQLError) {
    try BinaryBuffer.check(bytes.count)
    try willAppend(type)
    buffer.append(Int32(bytes.count))
    buffer.append(bytes)
  }
}
