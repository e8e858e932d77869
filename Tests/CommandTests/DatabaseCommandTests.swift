import Foundation
import GraftPostgreSQL
import GraftTestSupport
import Testing

@Suite("graft on a PostgreSQL database", .enabled(if: Cluster.isAvailable)) struct DatabaseCommandTests {
  private static let model = """
    {"version": "1", "keyStrategy": "sameName", "entities": {
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}}}}}
    """

  @Test("import, export, info, verify, lint and migrate work on a database as on a file")
  func commands() throws {
    let folder = try TemporaryFolder()
    let schema = try PrivateSchema()
    let model = try folder.file("model.json", Self.model)
    let heroes = #"[{"id": 2, "name": "b"}, {"id": 1, "name": "a"}]"#
    let words = ["import", "--model", model, "--store", schema.url, "Hero=-"]
    // A dry run creates nothing.
    #expect(try Invocation(words + ["--dry-run"], input: heroes).output.contains("2 inserted"))
    #expect(
      try Invocation(["store", "info", schema.url]).messages.contains("it does not contain the tables of a store"))
    #expect(try Invocation(words, input: heroes).output.contains("2 inserted"))
    #expect(try Invocation(words, input: heroes).output.contains("2 unchanged"))
    let exported = try Invocation(["export", "--store", schema.url, "Hero", "--where", "name = 'b'"])
    #expect(exported.output == "[{\"id\":2,\"name\":\"b\"}]\n", "\(exported.messages)")
    #expect(try Invocation(["store", "info", schema.url]).output.contains("Hero     2 objects"))
    #expect(try Invocation(["store", "verify", schema.url]).output == "postgresql:///postgres: no damage\n")
    let lint = try Invocation(["lint", "--store", schema.url, "--where", "Hero: name = 'b'"])
    #expect(lint.output.contains("reads 2 rows of 'Hero'; add \"indexes\": [\"name\"]"), "\(lint)")
    #expect(try Invocation(["lint", "--store", schema.url, "--where", "Hero: id = 2"]).status == 0)

    let next = try folder.file(
      "next.json", Self.model.replacing("\"1\"", with: "\"2\"").replacing("name", with: "title"))
    let plan = try Invocation(["store", "migrate", schema.url, "--model", next, "--plan"])
    #expect(plan.status == 1 && plan.messages.contains("Hero.name"), "\(plan)")
    let migrated = try Invocation(["store", "migrate", schema.url, "--model", next, "--remove", "Hero.name"])
    #expect(migrated.status == 0 && migrated.output.contains("Hero.name"), "\(migrated)")
    #expect(try Invocation(["export", "--store", schema.url, "Hero"]).output.contains("{\"id\":1,\"title\":null}"))
    // The older model would remove the new attribute.
    #expect(try Invocation(words, input: heroes).status == 3)
  }

  @Test("a failed first import leaves no tables")
  func failedImport() throws {
    let folder = try TemporaryFolder()
    let schema = try PrivateSchema()
    let model = try folder.file("model.json", Self.model)
    let words = ["import", "--model", model, "--store", schema.url, "Hero=-"]
    #expect(try Invocation(words, input: #"[{"id": "x"}]"#).status == 1)
    #expect(
      try schema.connection().integer(
        "SELECT count(*) FROM pg_class WHERE relname = '_graft' AND pg_table_is_visible(oid)") == 0)
  }

  @Test("passwords in URLs are refused and never shown")
  func passwords() throws {
    for url in [
      "postgresql://ann:s3cret@localhost/x", "postgresql://localhost/x?password=s3cret", "POSTGRES://a:s3cret@/x",
    ] {
      let result = try Invocation(["store", "info", url])
      #expect(result.status == 2 && result.messages.contains("PGPASSWORD"), "\(result)")
      #expect(!result.messages.contains("s3cret"))
    }
  }

  @Test("commands and options that need a file are refused for a database")
  func filesOnly() throws {
    let url = "postgresql://localhost/x"
    #expect(try Invocation(["store", "backup", url, "--output", "x"]).messages.contains("pg_dump"))
    #expect(try Invocation(["store", "salvage", url, "--output", "x"]).messages.contains("pg_dump"))
    #expect(try Invocation(["export", "--store", url, "Hero", "--skip-damaged"]).status == 2)
    let migrate = ["store", "migrate", url, "--model", "Models/Comics.json", "--no-backup"]
    #expect(try Invocation(migrate).status == 2)
  }

  @Test("a server that cannot be reached is reported")
  func unreachable() throws {
    let result = try Invocation(["store", "info", "postgresql://127.0.0.1:1/x"])
    #expect(result.status == 3 && result.messages.contains("cannot be read"), "\(result)")
  }
}
