/// An error from PostgreSQL or libpq, or for a value that PostgreSQL cannot hold.
///
///     do {
///       try connection.execute("INSERT ...")
///     } catch where error.kind == .uniqueViolation {
///       print(error.constraint ?? "")
///     }
///
/// Messages contain no passwords. `detail` may contain values of rows, such as `Key (name)=(Bruce) already exists.`
@dynamicMemberLookup
package struct PostgreSQLError: Error {
  /// The contents of an error.
  package struct Fields: Sendable {
    /// The kind of error, for programs.
    package var kind: Kind
    /// The message of the server, of libpq, or of this library.
    package var message: String
    /// The five-character code of the SQL standard; nil if the server did not report the error.
    package var sqlState: String?
    /// More about the error.
    package var detail: String?
    /// What to do, according to the server.
    package var hint: String?
    /// The schema, table, column and constraint, if the error is about them.
    package var schema: String?
    package var table: String?
    package var column: String?
    package var constraint: String?
    /// The statement that failed.
    package var sql: String?
    /// Whether the server may have committed the transaction, or has done so without a flush: `COMMIT` was sent, but no answer
    /// arrived, or the flush after it failed.
    package var isOutcomeUnknown = false
    /// Whether the server closes the connection because of the error (`FATAL` or `PANIC`).
    var endsConnection = false
    /// Whether a prepared statement no longer exists, or no longer fits its tables.
    var isStaleStatement = false
  }

  /// On the heap, so that functions that throw stay small.
  private final class Box: Sendable {
    let fields: Fields

    init(_ fields: Fields) { self.fields = fields }
  }

  private let box: Box

  init(_ fields: Fields) { box = Box(fields) }

  /// Creates an error that the server did not report.
  package init(_ kind: Kind, _ message: String, detail: String? = nil) {
    self.init(Fields(kind: kind, message: message, detail: detail))
  }

  package subscript<Value>(dynamicMember path: KeyPath<Fields, Value>) -> Value { box.fields[keyPath: path] }

  /// Returns the error with changed fields.
  func with(_ change: (inout Fields) -> Void) -> PostgreSQLError {
    var fields = box.fields
    change(&fields)
    return PostgreSQLError(fields)
  }
}

extension PostgreSQLError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The message, with the SQLSTATE, the detail and the hint if there are any.
  package var description: String {
    var text = self.message
    if let state = self.sqlState { text += " (SQLSTATE \(state))" }
    if let detail = self.detail { text += "\n  detail: \(detail)" }
    if let hint = self.hint { text += "\n  hint: \(hint)" }
    return text
  }

  package var debugDescription: String { description }
}
