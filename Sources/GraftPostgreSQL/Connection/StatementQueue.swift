/// Statements that are kept until another statement is sent, so that all of them take one round trip.
struct StatementQueue {
  struct Statement {
    let sql: String
    let parameters: Parameters
    /// Receives the rows; nil if they are not needed.
    var read: ((Rows) throws(PostgreSQLError) -> Void)?
    var end = End.none

    /// A transaction that ends with a statement. The next statement runs in a different transaction, even if this statement fails.
    enum End {
      case none
      /// A transaction whose end is shown by the result: COMMIT.
      case transaction
      /// A statement that is its own transaction. The server ends it, and waits for its disk, after sending the result.
      case statement
    }

    var key: StatementCache.Key { StatementCache.Key(sql: sql, types: parameters.types) }
  }

  /// The number of bytes of parameters above which the statements are sent.
  private static let capacity = 1 << 20

  private(set) var statements: [Statement] = []
  private var byteCount = 0

  var isEmpty: Bool { statements.isEmpty }

  /// Whether the rows of a statement are needed.
  var isRead: Bool { statements.contains { $0.read != nil } }

  /// Whether the statements should be sent now, to free the memory of their parameters.
  var isFull: Bool { byteCount > StatementQueue.capacity }

  mutating func append(_ statement: Statement) {
    statements.append(statement)
    byteCount += statement.parameters.buffer.count
  }

  mutating func removeAll() { self = StatementQueue() }
}
