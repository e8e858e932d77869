import Foundation
import GraftPostgreSQL

/// Posts in PostgreSQL, stored as a careful program would store them: with COPY in the binary format and, for an upsert, through a
/// temporary table.
final class PostTable {
  private let connection: PostgreSQLConnection

  private static let columns =
    "id bigint, user_id bigint, title text, slug text, body text, score double precision, rating double precision, published boolean, created_at timestamptz, updated_at timestamptz"

  init(_ url: String) throws {
    connection = try PostgreSQLConnection(ConnectionString(url))
    try connection.execute("CREATE TABLE post (\(PostTable.columns), version bigint DEFAULT 0, PRIMARY KEY (id))")
  }

  /// Decodes posts, and inserts or updates them.
  func merge(_ json: Data) throws {
    let records = try TypedCoding.decoder.decode([PostRecord].self, from: json)
    try connection.transaction { () throws(PostgreSQLError) in
      try connection.execute("CREATE TEMPORARY TABLE arrived (\(PostTable.columns)) ON COMMIT DROP")
      try connection.copy(into: "arrived", columns: 10) { row throws(PostgreSQLError) in
        for record in records {
          try row.beginRow()
          try row.append(Int64(record.id))
          try row.append(Int64(record.userID))
          try row.append(record.title)
          try row.append(record.slug)
          try row.append(record.body)
          try row.append(record.score)
          try row.append(record.rating)
          try row.append(record.published)
          try row.append(microseconds: PostTable.microseconds(record.createdAt))
          try row.append(microseconds: PostTable.microseconds(record.updatedAt))
        }
      }
      try connection.execute(
        """
        INSERT INTO post SELECT * FROM arrived ON CONFLICT (id) DO UPDATE SET
          user_id = excluded.user_id, title = excluded.title, slug = excluded.slug, body = excluded.body,
          score = excluded.score, rating = excluded.rating, published = excluded.published,
          created_at = excluded.created_at, updated_at = excluded.updated_at
        """)
    }
  }

  private static func microseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1e6).rounded()) }

  func count() throws -> Int { Int(try connection.integer("SELECT count(*) FROM post") ?? -1) }

  /// Selects posts.
  func posts(
    _ condition: String, _ values: [Int64], order: String = "id", limit: Int
  ) throws -> [PostRecord] {
    var parameters = Parameters()
    for value in values { try parameters.append(value) }
    let sql =
      "SELECT id, user_id, title, slug, body, score, rating, published, created_at, updated_at FROM post WHERE \(condition) ORDER BY \(order) LIMIT \(limit)"
    return try connection.query(sql, parameters) { rows throws(PostgreSQLError) in
      var posts: [PostRecord] = []
      while try rows.next() {
        posts.append(
          PostRecord(
            id: Int(try rows.int64(0) ?? 0), userID: Int(try rows.int64(1) ?? 0), title: try rows.text(2) ?? "",
            slug: try rows.text(3) ?? "", body: try rows.text(4) ?? "", score: try rows.double(5) ?? 0,
            rating: try rows.double(6) ?? 0, published: try rows.bool(7) ?? false,
            createdAt: PostTable.date(try rows.microseconds(8)), updatedAt: PostTable.date(try rows.microseconds(9))))
      }
      return posts
    }
  }

  private static func date(_ microseconds: Int64?) -> Date {
    Date(timeIntervalSince1970: Double(microseconds ?? 0) / 1e6)
  }

  /// Adds 1 to the score of a post, unless the post has changed since it was read.
  static func increaseScore(_ id: Int, _ connection: PostgreSQLConnection) throws {
    var post = Parameters()
    try post.append(Int64(id))
    guard let version = try connection.integer("SELECT version FROM post WHERE id = $1", post) else {
      throw BenchmarkError("database: a post is missing")
    }
    try post.append(version)
    try connection.execute("BEGIN")
    let changed = try connection.run(
      "UPDATE post SET score = score + 1, version = version + 1 WHERE id = $1 AND version = $2", post)
    try connection.execute("COMMIT")
    guard changed == 1 else { throw BenchmarkError("database: a post was changed by another program") }
  }
}
