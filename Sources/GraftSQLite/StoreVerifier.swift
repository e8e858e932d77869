import CSQLite
import Foundation
import Graft
import GraftSQL

/// Looks for damage in a store, using SQLite's check and the digests of rows and metadata.
struct StoreVerifier {
  private let connection: SQLiteConnection
  private let sql: SQLSchema
  private let limit: Int
  private(set) var findings: [Diagnostic] = []

  init(_ connection: SQLiteConnection, _ sql: SQLSchema, limit: Int) {
    self.connection = connection
    self.sql = sql
    self.limit = limit
  }

  private var isFull: Bool { findings.count >= limit }

  /// Runs all checks. Damage in one place does not hide damage in another.
  mutating func run() throws(SQLiteError) {
    try attempt { verifier throws(SQLiteError) in try verifier.checkDescription() }
    try attempt { verifier throws(SQLiteError) in try verifier.checkPages() }
    try attempt { verifier throws(SQLiteError) in try verifier.checkReferences() }
    for (relationship, inverse) in sql.oneToOnes {
      try attempt { verifier throws(SQLiteError) in try verifier.checkSides(relationship, inverse) }
    }
    var latest = Int64.max
    try attempt { verifier throws(SQLiteError) in latest = try CommitLog.latest(verifier.connection) }
    try attempt { verifier throws(SQLiteError) in try verifier.checkLog() }
    for table in sql.tables {
      try attempt { verifier throws(SQLiteError) in try verifier.checkRows(table, latest) }
      try attempt { verifier throws(SQLiteError) in try verifier.checkNumbers(table) }
    }
  }

  /// Records damage that ends a check as a finding. Other errors, such as disk errors, end the verification.
  private mutating func attempt(_ check: (inout StoreVerifier) throws(SQLiteError) -> Void) throws(SQLiteError) {
    guard !isFull else { return }
    do throws(SQLiteError) {
      try check(&self)
    } catch {
      guard error.isDamage else { throw error }
      add(error.message)
    }
  }

  private mutating func add(_ message: String) {
    if !isFull { findings.append(Diagnostic(code: .damagedStore, message)) }
  }

  private mutating func checkDescription() throws(SQLiteError) {
    let metadata = try StoreDescription(connection)
    if !metadata.hasLayout(sql.layout) { add("the description of the store does not match its model") }
    for difference in try sql.differences(in: connection) { add(difference) }
  }

  /// Runs SQLite's own check of the structure of pages, the order of rows, and whether indexes match tables.
  private mutating func checkPages() throws(SQLiteError) {
    let messages = try connection.using("PRAGMA integrity_check(\(limit))") { statement throws(SQLiteError) in
      var messages: [String] = []
      while try statement.step() { messages.append(statement.text(0) ?? "") }
      return messages
    }
    for message in messages where message != "ok" {
      // The check reports file system errors as if they were damage.
      if let code = StoreVerifier.codes(message).first(where: { $0 & 0xFF == SQLITE_IOERR }) {
        throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)))
      }
      add("SQLite reports: \(message)")
    }
  }

  /// Returns the result codes that a message of the check contains: `Page 7: unable to get the page. error code=266`.
  private static func codes(_ message: String) -> [Int32] {
    message.components(separatedBy: "error code=").dropFirst().compactMap { Int32($0.prefix { $0.isNumber }) }
  }

  private mutating func checkReferences() throws(SQLiteError) {
    let messages = try connection.using("PRAGMA foreign_key_check") { statement throws(SQLiteError) in
      var messages: [String] = []
      while try statement.step(), messages.count < limit {
        messages.append(
          "a row of table '\(statement.text(0) ?? "")' refers to a row of '\(statement.text(2) ?? "")' that does not exist"
        )
      }
      return messages
    }
    for message in messages { add(message) }
  }

  /// Checks that the two sides of a one-to-one relationship refer to each other.
  private mutating func checkSides(_ here: SQLReference, _ there: SQLReference) throws(SQLiteError) {
    guard let found = try connection.integer(here.contradictions(there)) else { return }
    add("'\(here.title)' of row \(found) of table '\(here.table.name)' does not agree with '\(there.title)'")
  }

  /// Checks the log of commits. Each entry must match its digest, and none may be missing.
  private mutating func checkLog() throws(SQLiteError) {
    let messages = try connection.using("SELECT \"sequence\", \"changes\" FROM \"_graft_log\" ORDER BY \"sequence\"") {
      statement throws(SQLiteError) in
      var messages: [String] = []
      var last: Int64?
      while try statement.step() {
        let sequence = statement.integer(0)
        if let last, sequence != last &+ 1 { messages.append("commits are missing in the log before \(sequence)") }
        last = sequence
        let bytes = statement.bytes(1)
        if !bytes.isEmpty, RowChanges(packed: bytes) == nil {
          messages.append("the log of commit \(sequence) is damaged")
        }
      }
      return messages
    }
    for message in messages.prefix(limit) { add(message) }
  }

  private mutating func checkRows(_ table: SQLTable, _ latest: Int64) throws(SQLiteError) {
    var reader = RowReader(table)
    let messages = try connection.using("SELECT \(table.selection) FROM \(SQLName.quoted(table.name)) AS t") {
      statement throws(SQLiteError) in
      var messages: [String] = []
      while try statement.step(), messages.count < limit {
        do throws(SQLiteError) {
          try reader.read(statement)
        } catch {
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
  private mutating func checkNumbers(_ table: SQLTable) throws(SQLiteError) {
    let highest = try connection.integer("SELECT max(\"_id\") FROM \(SQLName.quoted(table.name))") ?? 0
    let used = try connection.using("SELECT \"seq\" FROM \"sqlite_sequence\" WHERE \"name\" = ?") {
      statement throws(SQLiteError) -> Int64 in
      try statement.bind(table.name, at: 1)
      return try statement.step() ? statement.integer(0) : 0
    }
    if used > Int64.max / 2 {
      add("the row IDs of table '\(table.name)' are used up: \(used) is recorded")
    }
    if used < highest {
      add(
        "the row IDs of table '\(table.name)' could be reused: \(highest) is in use, \(used) is recorded"
      )
    }
  }
}
