package import Foundation

/// The values of the current row.
extension Rows {
  /// A `bigint`, `integer` or `smallint`.
  package func int64(_ column: Int) throws(PostgreSQLError) -> Int64? {
    guard let bytes = try bytes(column) else { return nil }
    switch (types[column], bytes.count) {
    case (PostgreSQLType.int8.oid, 8): return Rows.number(bytes)
    case (PostgreSQLType.int4.oid, 4): return Int64(Rows.number(bytes) as Int32)
    case (PostgreSQLType.int2.oid, 2): return Int64(Rows.number(bytes) as Int16)
    default: throw mismatch(column, "an integer")
    }
  }

  /// The number of a transaction or of a server object: `xid8`, `xid` or `oid`.
  package func unsigned(_ column: Int) throws(PostgreSQLError) -> UInt64? {
    guard let bytes = try bytes(column) else { return nil }
    switch (types[column], bytes.count) {
    case (PostgreSQLType.xid8.oid, 8): return Rows.number(bytes)
    case (OtherType.xid, 4), (OtherType.oid, 4): return UInt64(Rows.number(bytes) as UInt32)
    default: throw mismatch(column, "the number of a transaction")
    }
  }

  /// A `boolean`.
  package func bool(_ column: Int) throws(PostgreSQLError) -> Bool? {
    guard let bytes = try bytes(column) else { return nil }
    guard types[column] == PostgreSQLType.bool.oid, bytes.count == 1 else { throw mismatch(column, "a boolean") }
    return bytes[0] != 0
  }

  /// A `double precision` or `real`, with all its bits: NaN, infinity and -0.0 are unchanged.
  package func double(_ column: Int) throws(PostgreSQLError) -> Double? {
    guard let bytes = try bytes(column) else { return nil }
    switch (types[column], bytes.count) {
    case (PostgreSQLType.float8.oid, 8): return Double(bitPattern: Rows.number(bytes))
    case (PostgreSQLType.float4.oid, 4): return Double(Float(bitPattern: Rows.number(bytes)))
    default: throw mismatch(column, "a floating-point number")
    }
  }

  /// A `real`.
  package func float(_ column: Int) throws(PostgreSQLError) -> Float? {
    guard let bytes = try bytes(column) else { return nil }
    guard types[column] == PostgreSQLType.float4.oid, bytes.count == 4 else { throw mismatch(column, "a real") }
    return Float(bitPattern: Rows.number(bytes))
  }

  /// A `numeric`.
  ///
  /// - Parameter dropsDecimals: whether the last decimal places are omitted if a `Decimal` cannot hold them.
  /// - Throws: if `Decimal` cannot hold the value exactly, such as NaN or a number with more than 38 digits.
  package func decimal(_ column: Int, dropsDecimals: Bool = false) throws(PostgreSQLError) -> Decimal? {
    guard let bytes = try bytes(column) else { return nil }
    guard types[column] == PostgreSQLType.numeric.oid else { throw mismatch(column, "a numeric") }
    return try Numeric.decimal(bytes, dropsDecimals: dropsDecimals)
  }

  /// Text: `text`, `varchar`, `char`, `name` or `json`.
  package func text(_ column: Int) throws(PostgreSQLError) -> String? {
    try utf8(column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of text, valid until the next row.
  package func utf8(_ column: Int) throws(PostgreSQLError) -> UnsafeRawBufferPointer? {
    guard let bytes = try bytes(column) else { return nil }
    switch types[column] {
    case PostgreSQLType.text.oid, PostgreSQLType.json.oid, OtherType.varchar, OtherType.bpchar, OtherType.name,
      OtherType.unknown:
      return bytes
    default: throw mismatch(column, "a text")
    }
  }

  /// A `bytea`.
  package func binary(_ column: Int) throws(PostgreSQLError) -> [UInt8]? {
    guard let bytes = try bytes(column) else { return nil }
    guard types[column] == PostgreSQLType.bytea.oid else { throw mismatch(column, "a bytea") }
    return Array(bytes)
  }

  /// A `uuid`.
  package func uuid(_ column: Int) throws(PostgreSQLError) -> UUID? {
    guard let bytes = try bytes(column) else { return nil }
    guard types[column] == PostgreSQLType.uuid.oid, bytes.count == 16 else { throw mismatch(column, "a uuid") }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  /// A `timestamptz`, as microseconds since 1970.
  ///
  /// - Throws: if it is infinite.
  package func microseconds(_ column: Int) throws(PostgreSQLError) -> Int64? {
    guard let bytes = try bytes(column) else { return nil }
    guard types[column] == PostgreSQLType.timestamptz.oid, bytes.count == 8 else {
      throw mismatch(column, "a timestamptz")
    }
    return try Timestamp.microseconds(Rows.number(bytes))
  }

  /// Reads an integer in network order. The caller has checked the length.
  @inline(__always)
  private static func number<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer) -> Number {
    Number(bigEndian: bytes.loadUnaligned(as: Number.self))
  }

  @inline(never)
  private func mismatch(_ column: Int, _ expected: String) -> PostgreSQLError {
    PostgreSQLError(
      .invalidValue, "expected \(expected) in column \(column), found \(PostgreSQLType.name(types[column]))")
  }
}
