import Graft
import GraftSQL

/// Looks for damage in a store.
struct StoreVerifier {
  private let connection: PostgreSQLConnection
  private let sql: SQLSchema
  private let latest: Int64
  private let limit: Int
  private(set) var findings: [Diagnostic] = []

  /// - Parameter latest: the number of the latest commit.
  init(_ connection: PostgreSQLConnection, _ sql: SQLSchema, latest: Int64, limit: Int) {
    self.connection = connection
    self.sql = sql
    self.latest = latest
    self.limit = limit
  }

  private var isFull: Bool { findings.count >= limit }

  private mutating func add(_ message: String) {
    if !isFull { findings.append(Diagnostic(code: .damagedStore, message)) }
  }

  mutating func run() throws(PostgreSQLError) {
    for difference in try sql.differences(in: connection) { add(difference) }
    // Statements would fail without the tables.
    guard findings.isEmpty else { return }
    try attempt { verifier throws(PostgreSQLError) in try verifier.checkDescription() }
    for (relationship, inverse) in sql.oneToOnes {
      try attempt { verifier throws(PostgreSQLError) in try verifier.checkSides(relationship, inverse) }
    }
    for key in sql.references {
      try attempt { verifier throws(PostgreSQLError) in try verifier.checkReference(key) }
    }
    try attempt { verifier throws(PostgreSQLError) in try verifier.checkLog() }
    for table in sql.tables {
      try attempt { verifier throws(PostgreSQLError) in try verifier.checkRows(table) }
      try attempt { verifier throws(PostgreSQLError) in try verifier.checkNumbers(table) }
    }
  }

  /// Records damage that ends a check as a finding. Other errors end the verification.
  private mutating func attempt(
    _ check: (inout StoreVerifier) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) {
    guard !isFull else { return }
    do throws(PostgreSQLError) {
      try check(&self)
    } catch {
      guard error.kind == .damage || error.kind == .invalidValue else { throw error }
      add(error.message)
    }
  }

  private mutating func checkDescription() throws(PostgreSQLError) {
    if try !StoreDescription(connection).hasLayout(sql.layout) {
      add("the description of the store does not match its model")
    }
  }

  /// Checks that the two sides of a one-to-one relationship refer to each other.
  private mutating func checkSides(_ here: SQLReference, _ there: SQLReference) throws(PostgreSQLError) {
    guard let found = try connection.integer(here.contradictions(there) + " LIMIT 1", isPrepared: false) else { return }
    add("'\(here.title)' of row \(found) of table '\(here.table.name)' does not agree with '\(there.title)'")
  }

  /// Checks that every reference has a target, because foreign keys can be turned off.
  private mutating func checkReference(_ key: SQLSchema.Reference) throws(PostgreSQLError) {
    let select = """
      SELECT a.\(SQLName.quoted(key.column)) FROM \(SQLName.quoted(key.table)) AS a LEFT JOIN \(SQLName.quoted(key.target)) AS b \
      ON b."_id" = a.\(SQLName.quoted(key.column)) WHERE a.\(SQLName.quoted(key.column)) IS NOT NULL AND b."_id" IS NULL LIMIT 1
      """
    guard let missing = try connection.integer(select, isPrepared: false) else { return }
    add(
      "column '\(key.column)' of table '\(key.table)' refers to row \(missing) of '\(key.target)', which does not exist"
    )
  }

  /// Checks the log of commits. Each entry must match its digest, and none may be missing.
  private mutating func checkLog() throws(PostgreSQLError) {
    let sql = "SELECT \"sequence\", \"changes\" FROM \"_graft_log\" ORDER BY \"sequence\""
    let (messages, last) = try connection.query(sql) { rows throws(PostgreSQLError) -> ([String], Int64) in
      var messages: [String] = []
      var last: Int64?
      while try rows.next() {
        let sequence = try rows.int64(0) ?? 0
        if let last, sequence != last + 1 { messages.append("commits are missing in the log before \(sequence)") }
        last = sequence
        guard let bytes = try rows.bytes(1)?.bindMemory(to: UInt8.self) else { continue }
        if RowChanges(packed: bytes) == nil { messages.append("the log of commit \(sequence) is damaged") }
      }
      return (messages, last ?? 0)
    }
    for message in messages { add(message) }
    if last != latest { add("the latest commit is \(latest), but the log ends with \(last)") }
  }

  private mutating func checkRows(_ table: SQLTable) throws(PostgreSQLError) {
    let select = "SELECT \(table.selection) FROM \(SQLName.quoted(table.name)) AS t"
    let (latest, limit) = (latest, limit)
    let messages = try connection.query(select, isPrepared: false) { rows throws(PostgreSQLError) in
      var reader = RowReader(table)
      var messages: [String] = []
      while messages.count < limit, try rows.next() {
        do throws(PostgreSQLError) {
          try reader.read(rows)
        } catch {
          guard error.kind == .damage || error.kind == .invalidValue else { throw error }
          messages.append(error.message)
        }
        if let header = reader.rows.headers.last, header.version > latest {
          messages.append("row \(header.id) of table '\(table.name)' is newer than the latest commit")
        }
        reader.removeAll()
      }
      return messages
    }
    for message in messages { add(message) }
  }

  /// Checks that the highest row number ever used is at least as high as the row numbers in use.
  private mutating func checkNumbers(_ table: SQLTable) throws(PostgreSQLError) {
    let highest = try connection.integer("SELECT max(\"_id\") FROM \(SQLName.quoted(table.name))") ?? 0
    var parameters = Parameters()
    try parameters.append(table.name)
    let used = try connection.integer("SELECT \"last\" FROM \"_graft_numbers\" WHERE \"table\" = $1", parameters) ?? -1
    if used < highest {
      add("the row IDs of table '\(table.name)' could be reused: \(highest) is in use, \(used) is recorded")
    }
  }
}
