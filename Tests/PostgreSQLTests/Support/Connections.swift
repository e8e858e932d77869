import Foundation
import GraftTestSupport

@testable import GraftPostgreSQL

extension Cluster {
  func connection(_ options: ConnectionOptions = .testing) throws -> PostgreSQLConnection {
    try PostgreSQLConnection(string, options)
  }

  /// A connection to the shared server.
  static func connection(_ options: ConnectionOptions = .testing) throws -> PostgreSQLConnection {
    try shared.get().connection(options)
  }
}

extension ConnectionOptions {
  /// Every call has a deadline, so no test can hang.
  static var testing: ConnectionOptions {
    var options = ConnectionOptions()
    options.callTimeout = .seconds(60)
    return options
  }
}

/// Returns the error that a closure throws; nil if it does not throw.
func error(_ body: () throws -> Void) -> PostgreSQLError? {
  do {
    try body()
    return nil
  } catch {
    return error as? PostgreSQLError
  }
}

/// Returns a table name that no other test uses.
func uniqueName(_ prefix: String = "test") -> String {
  prefix + "_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
}

extension PostgreSQLConnection {
  /// Reads the first column of each row.
  func all<Value>(
    _ sql: String, _ parameters: Parameters = Parameters(), reading: Reading = .streamed,
    _ value: (Rows) throws(PostgreSQLError) -> Value
  ) throws(PostgreSQLError) -> [Value] {
    try query(sql, parameters, reading: reading) { rows throws(PostgreSQLError) in
      var values: [Value] = []
      while try rows.next() { values.append(try value(rows)) }
      return values
    }
  }
}

extension Parameters {
  /// Makes parameters with a closure.
  init(_ body: (inout Parameters) throws(PostgreSQLError) -> Void) throws(PostgreSQLError) {
    self.init()
    try body(&self)
  }
}
