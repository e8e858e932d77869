import CSQLite
import Foundation

/// Posts in SQLite, stored as a careful program would store them: a table, prepared statements, one transaction, text bound without
/// copies.
final class PostDatabase {
  private let connection: OpaquePointer

  private static let upsert = """
    INSERT INTO Post VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
      user_id = excluded.user_id, title = excluded.title, slug = excluded.slug, body = excluded.body,
      score = excluded.score, rating = excluded.rating, published = excluded.published,
      created_at = excluded.created_at, updated_at = excluded.updated_at
    """

  init(_ url: URL) throws {
    connection = try PostDatabase.open(url)
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA synchronous = FULL")
    try run(
      """
      CREATE TABLE Post (
        id INTEGER NOT NULL UNIQUE, user_id INTEGER, title TEXT, slug TEXT, body TEXT, score REAL, rating REAL,
        published INTEGER, created_at INTEGER, updated_at INTEGER) STRICT
      """)
  }

  deinit { sqlite3_close(connection) }

  /// Decodes posts, and inserts or updates them.
  func merge(_ json: Data) throws {
    try write(TypedCoding.decoder.decode([PostRecord].self, from: json), PostDatabase.upsert)
  }

  /// Inserts posts, none of which is in the table.
  func insert(_ records: [PostRecord]) throws {
    try write(records, "INSERT INTO Post VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  }

  private func write(_ records: [PostRecord], _ sql: String) throws {
    let statement = try PostDatabase.prepare(connection, sql)
    defer { sqlite3_finalize(statement) }
    try run("BEGIN IMMEDIATE")
    for var record in records {
      sqlite3_bind_int64(statement, 1, Int64(record.id))
      sqlite3_bind_int64(statement, 2, Int64(record.userID))
      sqlite3_bind_double(statement, 6, record.score)
      sqlite3_bind_double(statement, 7, record.rating)
      sqlite3_bind_int(statement, 8, record.published ? 1 : 0)
      sqlite3_bind_int64(statement, 9, PostDatabase.microseconds(record.createdAt))
      sqlite3_bind_int64(statement, 10, PostDatabase.microseconds(record.updatedAt))
      let status = record.title.withUTF8 { title in
        record.slug.withUTF8 { slug in
          record.body.withUTF8 { body in
            graft_sqlite3_bind_text(statement, 3, title.baseAddress, UInt64(title.count))
            graft_sqlite3_bind_text(statement, 4, slug.baseAddress, UInt64(slug.count))
            graft_sqlite3_bind_text(statement, 5, body.baseAddress, UInt64(body.count))
            return sqlite3_step(statement)
          }
        }
      }
      guard status == SQLITE_DONE else { throw BenchmarkError("the baseline cannot write: \(status)") }
      sqlite3_reset(statement)
    }
    try run("COMMIT")
  }

  private static func microseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1e6).rounded()) }

  // MARK: Results

  func count() throws -> Int { Int(try PostDatabase.values(connection, "SELECT count(*) FROM Post")) ?? -1 }

  func summary() throws -> String {
    try PostDatabase.values(
      connection,
      PostDatabase.summaryText(
        "Post",
        [
          "id", "user_id", "title", "slug", "body", "score", "rating", "published", "created_at", "updated_at",
        ]))
  }

  /// Returns a summary of a table of posts: sums of its numbers, and lengths and first characters of its strings.
  static func summary(of url: URL, table: String, columns: [String]) throws -> String {
    let connection = try open(url)
    defer { sqlite3_close(connection) }
    return try values(connection, summaryText(table, columns))
  }

  private static func summaryText(_ table: String, _ columns: [String]) -> String {
    let sums = columns.enumerated().map { place, column in
      switch place {
      case 2...4: "sum(length(\(column))), sum(unicode(\(column)))"
      // The sum of the microseconds themselves is too large.
      case 8...9: "sum(\(column) % 1000000007)"
      default: "sum(\(column))"
      }
    }
    return "SELECT count(*), \(sums.joined(separator: ", ")) FROM (SELECT * FROM \(table) ORDER BY \(columns[0]))"
  }

  // MARK: SQLite

  private static func open(_ url: URL) throws -> OpaquePointer {
    var connection: OpaquePointer?
    guard sqlite3_open(url.path, &connection) == SQLITE_OK, let connection else {
      throw BenchmarkError("\(url.path) cannot be opened")
    }
    return connection
  }

  private static func prepare(_ connection: OpaquePointer, _ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw BenchmarkError("\(String(cString: sqlite3_errmsg(connection))): \(sql)")
    }
    return statement
  }

  private func run(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
      throw BenchmarkError("\(String(cString: sqlite3_errmsg(connection))): \(sql)")
    }
  }

  /// Returns the columns of the first row.
  private static func values(_ connection: OpaquePointer, _ sql: String) throws -> String {
    let statement = try prepare(connection, sql)
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { throw BenchmarkError("no result: \(sql)") }
    return (0..<sqlite3_column_count(statement)).map { column in
      sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
    }.joined(separator: " ")
  }
}
