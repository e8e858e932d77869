/// The values of the parameters `$1`, `$2`... of a statement, with their types.
///
///     var parameters = Parameters()
///     try parameters.append(number)              // $1, a bigint
///     try parameters.append([1, 2] as [Int64])   // $2, for '= ANY($2)'
///
/// If the type of a column differs, the server converts the value to the extent that SQL allows: a `bigint` to a `numeric`, but not
/// `text` to `json`.
package struct Parameters: BinaryFields {
  package var buffer = BinaryBuffer()
  /// The type of each parameter.
  private(set) var types: [UInt32] = []
  /// The offset at which each parameter begins, with its length.
  private var offsets: [Int] = []

  package init() {}

  /// The number of parameters.
  package var count: Int { offsets.count }

  /// The number of parameters that the protocol allows.
  package static let maximumCount = 65_535

  package mutating func willAppend(_ type: PostgreSQLType) throws(PostgreSQLError) {
    types.append(type.oid)
    offsets.append(buffer.count)
  }

  /// Checks that the parameters can be sent.
  func check() throws(PostgreSQLError) {
    guard count <= Parameters.maximumCount else {
      throw PostgreSQLError(
        .invalidValue, "a statement has \(count) parameters; PostgreSQL accepts \(Parameters.maximumCount)")
    }
    try BinaryBuffer.check(buffer.count)
  }

  /// The parameters in the form that libpq takes.
  struct Pointers {
    let count: CInt
    let values: UnsafePointer<UnsafePointer<CChar>?>?
    let lengths: UnsafePointer<CInt>?
    let formats: UnsafePointer<CInt>?
  }

  /// Calls a closure with pointers that are valid until it returns.
  func withPointers<Result>(_ body: (Pointers) -> Result) -> Result {
    guard count > 0 else { return body(Pointers(count: 0, values: nil, lengths: nil, formats: nil)) }
    return buffer.bytes.withUnsafeBytes { bytes in
      var values: [UnsafePointer<CChar>?] = []
      var lengths: [CInt] = []
      values.reserveCapacity(count)
      lengths.reserveCapacity(count)
      for offset in offsets {
        let length = CInt(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: CInt.self))
        let value = bytes.baseAddress?.advanced(by: offset + 4).assumingMemoryBound(to: CChar.self)
        values.append(length < 0 ? nil : value)
        lengths.append(max(0, length))
      }
      // 1 is the binary format.
      let formats = [CInt](repeating: 1, count: count)
      return values.withUnsafeBufferPointer { values in
        lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { formats in
            body(
              Pointers(
                count: CInt(count), values: values.baseAddress, lengths: lengths.baseAddress,
                formats: formats.baseAddress))
          }
        }
      }
    }
  }
}
