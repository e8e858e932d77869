package import Foundation

/// The elements of an array that is written for the server.
///
///     dimensions (1, or 0 if empty) | has NULLs | type | count | first index (1) | elements
package struct ArrayElements: BinaryFields {
  package var buffer = BinaryBuffer()
  private let type: PostgreSQLType
  private var start = 0
  private var count = 0

  init(_ type: PostgreSQLType) { self.type = type }

  mutating func begin() {
    start = buffer.count
    buffer.append(0 as Int32)
    buffer.append(1 as Int32)
    // The server accepts "has NULLs" for an array without NULLs.
    buffer.append(1 as Int32)
    buffer.append(type.oid)
    buffer.append(0 as Int32)
    buffer.append(1 as Int32)
  }

  mutating func end() throws(PostgreSQLError) {
    let length = buffer.count - start - 4
    try BinaryBuffer.check(length)
    buffer.replace(at: start, Int32(length))
    buffer.replace(at: start + 4 + 12, Int32(count))
  }

  package mutating func willAppend(_ type: PostgreSQLType) throws(PostgreSQLError) {
    guard type.oid == self.type.oid else {
      throw PostgreSQLError(.misuse, "an element of an array of \(self.type.name) is written as \(type.name)")
    }
    count += 1
  }
}

extension BinaryFields {
  /// Appends an array of `bigint`.
  package mutating func append(_ values: [Int64]) throws(PostgreSQLError) {
    try appendArray(of: .int8) { elements throws(PostgreSQLError) in for value in values { try elements.append(value) }
    }
  }

  /// Appends an array of `text`.
  package mutating func append(_ values: [String]) throws(PostgreSQLError) {
    try appendArray(of: .text) { elements throws(PostgreSQLError) in for value in values { try elements.append(value) }
    }
  }

  /// Appends an array of `double precision`.
  package mutating func append(_ values: [Double]) throws(PostgreSQLError) {
    try appendArray(of: .float8) { elements throws(PostgreSQLError) in
      for value in values { try elements.append(value) }
    }
  }

  /// Appends an array of `boolean`.
  package mutating func append(_ values: [Bool]) throws(PostgreSQLError) {
    try appendArray(of: .bool) { elements throws(PostgreSQLError) in for value in values { try elements.append(value) }
    }
  }

  /// Appends an array of `uuid`.
  package mutating func append(_ values: [UUID]) throws(PostgreSQLError) {
    try appendArray(of: .uuid) { elements throws(PostgreSQLError) in for value in values { try elements.append(value) }
    }
  }

  /// Appends an array of `numeric`.
  package mutating func append(_ values: [Decimal]) throws(PostgreSQLError) {
    try appendArray(of: .numeric) { elements throws(PostgreSQLError) in
      for value in values { try elements.append(value) }
    }
  }

  /// Appends an array of `timestamptz`, as microseconds since 1970.
  package mutating func append(microseconds values: [Int64]) throws(PostgreSQLError) {
    try appendArray(of: .timestamptz) { elements throws(PostgreSQLError) in
      for value in values { try elements.append(microseconds: value) }
    }
  }

  /// Appends an array of `bytea`.
  package mutating func append(bytes values: [[UInt8]]) throws(PostgreSQLError) {
    try appendArray(of: .bytea) { elements throws(PostgreSQLError) in
      for value in values { try elements.append(bytes: value) }
    }
  }
}
