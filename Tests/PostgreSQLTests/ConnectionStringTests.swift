import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("Connection strings", .enabled(if: Cluster.isAvailable)) struct ConnectionStringTests {
  /// No output may contain any part of these strings' passwords.
  static let strings = [
    "postgresql://ann:hunter2-secret@/shop?host=/nowhere", "postgresql://ann:hunter2-se@cret@localhost/shop",
    "postgresql://ann:hunter2-se/cret@localhost/shop", "postgresql://ann:hunter2/se/cret@localhost/shop",
    "postgresql://ann:5432/hunter2-secret@localhost/shop", "postgresql://ann:hunter2%zz-secret@localhost/shop",
    "postgresql://ann:hunter2%00secret@localhost/shop", "postgresql://ann@localhost:hunter2/shop?password=a&secret",
    "postgresql://ann@/shop?host=/nowhere&password=hunter2-secret", "postgresql://ann@/shop?password=hunter2=secret",
    "postgresql://ann:hunter2[secret@/shop?host=/nowhere", "postgresql://ann:hunter2:secret@/shop?host=/nowhere",
    "postgresql://ann:hunter2?secret@/shop?host=/nowhere", "postgresql://ann:hunter2 secret@/shop?host=/nowhere",
    "postgresql://ann:hunter2\\secret'\"@/shop?host=/nowhere", "postgres://ann:hunter2#secret@[::1/shop",
    "host=/nowhere user=ann password=hunter2-secret", "host=/nowhere user=ann password=hunter2 secret",
    "host=/nowhere password='hunter2 secret", "host=/nowhere password=hunter2 secret=5",
    "host=/nowhere password='hunter2'secret' user=ann", "host=/nowhere user=ann sslpassword=hunter2-secret",
    "hunter2-secret", "host=/nowhere password=hunter2\u{0}secret", "password=hunter2-secret port=x host=/nowhere",
    "postgresql://ann:hunter2-secret@/shop?host=/nowhere&service=nothing",
    "postgresql://ann:hunter2-secret@no.such.host.invalid/shop?connect_timeout=2",
  ]

  @Test("No password appears in an error or a description", arguments: strings)
  func secrets(_ text: String) throws {
    let string = ConnectionString(text)
    let found = try #require(error { _ = try PostgreSQLConnection(string) })
    var dumped = ""
    dump(string, to: &dumped)
    dump(found, to: &dumped)
    let pool = ConnectionPool(string)
    let pooled = error { try pool.withConnection { _ in } }
    for output in ["\(found)", "\(String(reflecting: found))", dumped, "\(string)", "\([string])", "\(pooled as Any)"] {
      // The public part is the host of the string that contains the password in its host.
      let visible = output.replacingOccurrences(of: "localhost:hunter2", with: "")
      #expect(!visible.contains("hunter2") && !visible.contains("secret") && !visible.contains("cret"), "\(output)")
    }
  }

  @Test("The error explains how to write a password")
  func advice() {
    func message(_ text: String) -> String? { error { _ = try PostgreSQLConnection(ConnectionString(text)) }?.message }
    #expect(
      message("postgresql://ann:a@b@localhost/shop")
        == "the connection string cannot be read: it has an '@' after the host; in a user name, password or database name, write "
        + "'%40' for '@' and '%2F' for '/'")
    #expect(
      message("postgresql://ann:a%b@localhost/shop")
        == "the connection string cannot be read: after '%', two hexadecimal digits are expected; write '%25' for '%'")
    #expect(
      message("host=localhost password=a b")
        == "the connection string cannot be read: a keyword is not followed by '='; put a value with spaces in single quotes"
    )
  }

  @Test(
    "The description is the name of the database",
    arguments: [
      ("postgresql://ann:secret@db:5433/shop?sslmode=require", "postgresql://db:5433/shop"),
      ("host=/tmp dbname=shop password=secret", "postgresql:///shop"), ("", "postgresql:///"),
      ("service=shop password=secret", "service shop"), ("nonsense", "postgresql://…"),
    ])
  func name(_ text: String, _ name: String) {
    #expect("\(ConnectionString(text))" == name)
  }
}
