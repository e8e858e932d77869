import Foundation
import Graft
import GraftSQL

extension SQLKind {
  /// The type of a column.
  var type: PostgreSQLType {
    switch self {
    case .row, .position: .int8
    case .attribute(let type):
      switch type {
      case .integer16: .int2
      case .integer32: .int4
      case .integer64: .int8
      case .boolean: .bool
      case .date: .timestamptz
      case .float: .float4
      case .double: .float8
      case .decimal: .numeric
      case .uuid: .uuid
      case .json: .json
      case .binary: .bytea
      case .string, .uri: .text
      }
    }
  }

  /// The type of a constant that is compared with a column. No constant is too large for this type.
  var constantType: PostgreSQLType {
    switch self {
    case _ where isInteger: .int8
    case .attribute(.float): .float8
    // The text of JSON is compared.
    case .attribute(.json): .text
    default: type
    }
  }
}

extension BinaryFields {
  /// Appends a value of a query.
  mutating func append(_ value: StoreValue, _ type: PostgreSQLType) throws(PostgreSQLError) {
    switch value {
    case .null: try appendNull(type)
    case .integer(let number) where type == .bool: try append(number != 0)
    case .integer(let number) where type == .timestamptz: try append(microseconds: number)
    case .integer(let number) where type == .numeric: try append(Decimal(number))
    case .integer(let number): try append(number)
    case .double(let number): try append(number)
    case .binary(let bytes): try append(bytes: bytes)
    case .text(let bytes): try append(text: bytes, type)
    }
  }

  private mutating func append(text: [UInt8], _ type: PostgreSQLType) throws(PostgreSQLError) {
    switch type {
    case .numeric:
      guard let decimal = LentBytes.with(text, { DecimalText.decimal($0) }) else { throw .invalidConstant }
      try append(decimal)
    case .uuid:
      guard let uuid = LentBytes.with(text, { UUIDText.parse($0) }) else { throw .invalidConstant }
      try append(uuid)
    default: try append(String(decoding: text, as: UTF8.self))
    }
  }
}

extension PostgreSQLError {
  static let invalidConstant = PostgreSQLError(.invalidValue, "a value of a query has a different type from its column")
}

extension Parameters {
  /// Appends the values of a query.
  init(_ values: [SQLParameter]) throws(PostgreSQLError) {
    self.init()
    for value in values {
      let type = value.kind?.constantType ?? .int8
      guard value.isList else {
        try append(value.values[0], type)
        continue
      }
      try appendArray(of: type) { elements throws(PostgreSQLError) in
        for element in value.values { try elements.append(element, type) }
      }
    }
  }
}
