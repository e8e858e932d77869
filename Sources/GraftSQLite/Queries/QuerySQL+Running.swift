import Graft
import GraftSQL

extension QuerySQL {
  /// Runs a statement with the values of the query.
  func run(
    _ connection: SQLiteConnection, _ sql: String, _ read: (SQLiteStatement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    if isUntranslatable { throw .tooManyConditions }
    try connection.using(sql) { statement throws(SQLiteError) in
      for (index, parameter) in parameters.enumerated() {
        try statement.bind(parameter.values[0], at: Int32(index + 1))
      }
      try read(statement)
    }
  }
}

extension SQLiteStatement {
  /// Binds a value of a query.
  func bind(_ value: StoreValue, at parameter: Int32) throws(SQLiteError) {
    switch value {
    case .null: try bindNil(at: parameter)
    case .integer(let value): try bind(value, at: parameter)
    case .double(let value): try bind(value, at: parameter)
    case .text(let bytes): try bind(copyOf: bytes, isText: true, at: parameter)
    case .binary(let bytes): try bind(copyOf: bytes, isText: false, at: parameter)
    }
  }
}
