import CSQLite
import Graft

/// Arithmetic functions with the results that Swift's operators have. SQLite's own arithmetic turns integers that are too large into
/// doubles, and returns NULL for a division by zero.
enum ArithmeticFunctions {
  /// The message of an error that the values caused.
  static let overflow = "an integer in the predicate is divided by zero, or has more than 64 bits"

  static func name(_ operation: StoreTerm.Arithmetic) -> String {
    switch operation {
    case .add: "graft_add"
    case .subtract: "graft_subtract"
    case .multiply: "graft_multiply"
    case .divide: "graft_divide"
    case .remainder: "graft_remainder"
    }
  }

  /// Registers the functions with a connection.
  static func register(_ connection: SQLiteConnection) throws(SQLiteError) {
    // A C function cannot capture the operation, so each operation has its own function.
    try register(connection, .add) { context, _, values in
      ArithmeticFunctions.evaluate(context, values, { $0.addingReportingOverflow($1) }, +)
    }
    try register(connection, .subtract) { context, _, values in
      ArithmeticFunctions.evaluate(context, values, { $0.subtractingReportingOverflow($1) }, -)
    }
    try register(connection, .multiply) { context, _, values in
      ArithmeticFunctions.evaluate(context, values, { $0.multipliedReportingOverflow(by: $1) }, *)
    }
    try register(connection, .divide) { context, _, values in
      ArithmeticFunctions.evaluate(context, values, { $0.dividedReportingOverflow(by: $1) }, /)
    }
    try register(connection, .remainder) { context, _, values in
      ArithmeticFunctions.evaluate(
        context, values, { $0.remainderReportingOverflow(dividingBy: $1) }, { $0.truncatingRemainder(dividingBy: $1) })
    }
  }

  private static func register(
    _ connection: SQLiteConnection, _ operation: StoreTerm.Arithmetic,
    _ function: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) throws(SQLiteError) {
    let status = sqlite3_create_function_v2(
      connection.handle, name(operation), 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil, function, nil,
      nil, nil)
    guard status == SQLITE_OK else { throw .latest(connection.handle, code: status) }
  }

  private static func evaluate(
    _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
    _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool), _ doubles: (Double, Double) -> Double
  ) {
    guard let left = values?[0], let right = values?[1] else { return sqlite3_result_null(context) }
    let types = (sqlite3_value_type(left), sqlite3_value_type(right))
    if types.0 == SQLITE_NULL || types.1 == SQLITE_NULL { return sqlite3_result_null(context) }
    guard types == (SQLITE_INTEGER, SQLITE_INTEGER) else {
      return sqlite3_result_double(context, doubles(sqlite3_value_double(left), sqlite3_value_double(right)))
    }
    let (result, isOverflow) = integers(sqlite3_value_int64(left), sqlite3_value_int64(right))
    guard isOverflow else { return sqlite3_result_int64(context, result) }
    sqlite3_result_error(context, overflow, -1)
  }
}
