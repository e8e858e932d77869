import Foundation
import Graft
import GraftPostgreSQL
import GraftTestSupport
import Testing

private final class Item: ManagedObject {
  override class var queryableProperties: [QueryableProperty] { [.init(\Item.price, "price")] }
  var price: Decimal? { self["price"] }
}

/// Values of every type, stored in PostgreSQL and read back.
@Suite("PostgreSQL: values in a store", .enabled(if: Cluster.isAvailable)) struct StoredTypesTests {
  private static let text = """
    {"keyStrategy": "sameName", "entities": {
      "Thing": {"identityAttributes": "id", "attributes": {
        "id": "integer64", "small": {"type": "integer16", "optional": true}, "medium": {"type": "integer32", "optional": true}, "flag": {"type": "boolean", "optional": true}, "single": {"type": "float", "optional": true},
        "double": {"type": "double", "optional": true}, "text": {"type": "string", "optional": true}, "price": {"type": "decimal", "optional": true}, "at": {"type": "date", "optional": true}, "key": {"type": "uuid", "optional": true}, "link": {"type": "uri", "optional": true},
        "bytes": {"type": "binary", "optional": true}, "any": {"type": "json", "optional": true}, "tags": {"type": "string", "list": true, "optional": true}},
       "relationships": {"parent": {"optional": true, "destination": "Thing", "inverse": "children"}, "children": {"toMany": true, "destination": "Thing", "ordered": true, "inverse": "parent"},
         "friends": {"toMany": true, "destination": "Thing", "ordered": true, "inverse": "fans"}, "fans": {"toMany": true, "destination": "Thing", "inverse": "friends"}}},
      "Special": {"parent": "Thing", "attributes": {"extra": {"type": "string", "optional": true}}}
    }}
    """

  private static let payload = #"""
    [{"id": 1, "small": -32768, "medium": 2147483647, "flag": true, "single": 1.5, "double": 0.1, "text": "a 'quote' é 😀",
      "price": 12345678901234567890.000001, "at": "2024-02-29T12:34:56.789012Z", "key": "0F8FAD5B-D9CB-469F-A165-70867728950E",
      "link": "https://example.com/ä?x=1", "bytes": "AAEC/w==", "any": {"a": [1, 1e400, "\u0000"], "b": null}, "tags": ["x", "y"],
      "parent": 2, "friends": [3, 2]},
     {"id": 2, "flag": false, "text": "", "double": -0.0, "price": 0, "at": "0001-01-01T00:00:00Z", "tags": []},
     {"id": 9223372036854775807, "double": 1.7976931348623157e308, "price": -0.00000000000000000000000000000000000001, "parent": 2}]
    """#

  private func model() throws -> ManagedObjectModel { try ManagedObjectModel(text: Self.text, name: "things.json") }

  @Test("values of all types are unchanged after being stored, and importing them again writes nothing")
  func types() throws {
    let model = try model()
    let memory = ManagedObjectContext(model: model)
    _ = try objects(ofEntity: "Thing", fromJSON: Self.payload, in: memory)
    let schema = try PrivateSchema()
    let store = try schema.store(model)
    let context = try ManagedObjectContext(model: model, store: store)
    _ = try objects(ofEntity: "Thing", fromJSON: Self.payload, in: context)
    try context.commit()
    #expect(try store.latestCommit() == 1)
    let again = ManagedObjectContext(store: try PostgreSQLStore(schema.url))
    #expect(again.dumpText == memory.dumpText)
    _ = try objects(ofEntity: "Thing", fromJSON: Self.payload, in: again)
    #expect(!again.hasChanges)
    try again.commit()
    #expect(try store.latestCommit() == 1)
    #expect(try store.verify() == [])
  }

  @Test(
    "M9: entities can have names that PostgreSQL uses for its own objects",
    arguments: [
      ["A", "A_pkey"], ["A_pkey", "A"], ["A", "A_PKEY", "a_pkey"], ["pg_rating", "PG_CLASS"],
      [String(repeating: "é", count: 40), String(repeating: "é", count: 26) + "_" + "_pkey"],
      ["text", "int8", "_text"],
    ])
  func names(entities: [String]) throws {
    let declarations = entities.map { #""\#($0)": {"identityAttributes": "x", "attributes": {"x": "integer64"}}"# }
    let model = try ManagedObjectModel(
      text: #"{"keyStrategy": "sameName", "entities": {\#(declarations.joined(separator: ", "))}}"#)
    let schema = try PrivateSchema()
    let context = ManagedObjectContext(store: try schema.store(model))
    for entity in entities { try context.importJSON(#"[{"x": 1}, {"x": 2}]"#, ofEntity: entity) }
    let store = try PostgreSQLStore(schema.url)
    let again = ManagedObjectContext(store: store)
    #expect(again.dumpText == context.dumpText)
    for entity in entities { #expect(try again.count(ofEntity: entity, where: "x = 2") == 1) }
    #expect(try store.verify() == [])
  }

  @Test("backslashes in names are not escapes, regardless of the server's configuration", arguments: ["on", "off"])
  func backslashes(setting: String) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "x", "attributes": {"x": "integer64"}},
          "S\\n": {"parent": "A", "identityAttributes": "y\\'", "attributes": {"y\\'": "integer64"}},
          "T\\'": {"parent": "A"}}}
        """#)
    let schema = try PrivateSchema(settings: ["standard_conforming_strings=\(setting)"])
    let context = ManagedObjectContext(store: try schema.store(model))
    try context.importJSON(#"{"x": 1, "y\\'": 2}"#, ofEntity: #"S\n"#)
    try context.importJSON(#"{"x": 3}"#, ofEntity: #"T\'"#)
    let again = ManagedObjectContext(store: try PostgreSQLStore(schema.url))
    #expect(try again.count(ofEntity: #"S\n"#) == 1 && again.count(ofEntity: #"T\'"#) == 1)
    #expect(try again.fetch(ofEntity: #"T\'"#, where: "x > 0").count == 1)
    #expect(again.dumpText == context.dumpText)
  }

  @Test(
    "sums and averages of decimals have as many decimal places as a Decimal can hold, as in memory",
    arguments: [
      ["1e20", "1e-20"], ["1e100", "0.1"], ["99999999999999999999999999999999999999", "0.5"],
      ["99999999999999999999999999999999999999", "1"],
      ["-1e-127", "-1e-127"], ["5e-127", "1e127"], ["12345678901234567890123456789012345678", "0.5"],
      ["99999999999999999999999999999999999999"],
      ["99999999999999999999.999999999999999999"],
      ["0.09999999999999999999999999999999999999", "1e-60"],
      ["0.5", "-0.5"], ["0"], ["12345678901234567890.000001", "0.1"], [],
    ])
  func decimalSums(values: [String]) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {"Item": {"identityAttributes": "id", "attributes": {
          "id": "integer64", "price": {"type": "decimal", "optional": true}}}}}
        """, classes: [Item.self])
    let payload = "[\(values.enumerated().map { #"{"id": \#($0), "price": \#($1)}"# }.joined(separator: ", "))]"
    let schema = try PrivateSchema()
    let memory = ManagedObjectContext(model: model)
    try memory.importJSON(payload, ofEntity: "Item")
    let context = ManagedObjectContext(store: try schema.store(model))
    try context.importJSON(payload, ofEntity: "Item")
    #expect(try context.sum(\Item.price) == memory.sum(\Item.price))
    #expect(try context.average(\Item.price) == memory.average(\Item.price))
  }

  @Test("the tables look like tables written by hand")
  func tables() throws {
    let schema = try PrivateSchema()
    _ = try schema.store(try model())
    let columns = try schema.connection().query(
      """
      SELECT column_name::text, data_type::text FROM information_schema.columns WHERE table_name = 'Thing'
      AND table_schema = current_schema() ORDER BY ordinal_position
      """
    ) { rows throws(PostgreSQLError) in
      var columns: [String] = []
      while try rows.next() { columns.append("\(try rows.text(0) ?? "") \(try rows.text(1) ?? "")") }
      return columns
    }
    #expect(
      columns == [
        "_id bigint", "_version bigint", "_placeholder boolean", "_entity text", "any json",
        "at timestamp with time zone", "bytes bytea", "double double precision", "flag boolean", "id bigint",
        "key uuid",
        "link text", "medium integer", "parent bigint", "price numeric", "single real", "small smallint", "tags json",
        "text text", "extra text", "parent_position bigint",
      ])
  }

  @Test("a value that PostgreSQL cannot store causes an error that names the property, and nothing is written")
  func unstorable() throws {
    let schema = try PrivateSchema()
    let store = try schema.store(try model())
    let context = ManagedObjectContext(store: store)
    let payload = #"[{"id": 1}, {"id": 2, "text": "a\u0000b"}]"#
    let error = #expect(throws: ImportError.self) { try objects(ofEntity: "Thing", fromJSON: payload, in: context) }
    #expect(
      error?.description.contains("the value of 'Thing.text' cannot be stored") == true, "\(String(describing: error))")
    // The error differs from the error when the database is down.
    #expect(error?.diagnostics.map(\.code) == [.unstorableValue])
    #expect(!context.hasChanges)
    #expect(try store.latestCommit() == 0)
    // A context does not find the object, and can still be used.
    let other = ManagedObjectContext(store: store)
    #expect(try other.count(ofEntity: "Thing", where: "text == 'x'") == 0)
    #expect(try store.verify() == [])
  }

  @Test("entities can have names that PostgreSQL would truncate, or that it uses itself")
  func names() throws {
    let long = String(repeating: "very", count: 30)
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Order": {"identityAttributes": "xmin", "attributes": {"xmin": "integer64", "\(long)1": {"type": "string", "optional": true}, "\(long)2": {"type": "string", "optional": true}, "ctid": {"type": "string", "optional": true}},
            "relationships": {"user": {"optional": true, "destination": "\(long)", "inverse": "orders"}}},
          "\(long)": {"identityAttributes": "id", "attributes": {"id": "integer64", "select": {"type": "string", "optional": true}},
            "relationships": {"orders": {"toMany": true, "destination": "Order", "inverse": "user"}}},
          "\(long)s": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"\(long)": {"toMany": true, "destination": "Order"}}}
        }}
        """, name: "m.json")
    let payload = """
      [{"xmin": 1, "\(long)1": "a", "\(long)2": "b", "ctid": "c", "user": {"id": 7, "select": "s"}}]
      """
    let schema = try PrivateSchema()
    let context = ManagedObjectContext(store: try schema.store(model))
    _ = try objects(ofEntity: "Order", fromJSON: payload, in: context)
    _ = try objects(ofEntity: "\(long)s", fromJSON: #"[{"id": 1, "\#(long)": [1]}]"#, in: context)
    try context.commit()
    let again = ManagedObjectContext(store: try schema.store(model))
    #expect(again.dumpText == context.dumpText)
    #expect(try again.fetch(ofEntity: "Order", where: "ctid == 'c' && user.select == 's'").count == 1)
  }

  @Test("in a to-many that is ordered on both sides, one list can shrink while another list is reordered")
  func orderedOnBothSides() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"m": {"toMany": true, "ordered": true, "destination": "B", "inverse": "as"}}},
          "B": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"as": {"toMany": true, "ordered": true, "destination": "A", "inverse": "m"}}}
        }}
        """, name: "m.json")
    let schema = try PrivateSchema()
    let store = try schema.store(model)
    for payload in [
      #"[{"id": 1, "m": [1]}, {"id": 2, "m": [1, 2]}]"#, #"[{"id": 1, "m": []}, {"id": 2, "m": [2, 1]}]"#,
    ] {
      let context = ManagedObjectContext(store: store)
      _ = try objects(ofEntity: "A", fromJSON: payload, in: context)
      #expect(ManagedObjectContext(store: store).dumpText == context.dumpText)
    }
  }

  @Test("values that another program writes are reported as damage, with their column")
  func crafted() throws {
    let schema = try PrivateSchema()
    let store = try schema.store(try model())
    _ = try objects(
      ofEntity: "Thing", fromJSON: #"[{"id": 1}, {"id": 2, "parent": 1}]"#, in: ManagedObjectContext(store: store))
    let crafted = [
      ("double", "double = 'Infinity'"), ("double", "double = 'NaN'"), ("price", "price = 'NaN'"),
      ("price", "price = 1e500"),
      ("at", "at = 'infinity'"), ("link", "link = 'no uri at all'"), ("parent", "parent = 999"),
    ]
    for (column, change) in crafted {
      let connection = try schema.connection()
      try connection.execute("SET session_replication_role = replica; BEGIN")
      try connection.execute("UPDATE \"Thing\" SET \(change) WHERE id = 1; COMMIT")
      let findings = try store.verify()
      #expect(findings.count == 1 && findings[0].message.contains("'\(column)'"), "\(change): \(findings)")
      try connection.execute("UPDATE \"Thing\" SET \(column) = NULL WHERE id = 1")
    }
    #expect(try store.verify() == [])
    try schema.connection().execute("DROP TABLE \"_graft_log\"")
    #expect(try store.verify().map(\.message) == ["table '_graft_log' is missing"])
  }

  @Test("a database that is read-only by default is left unchanged")
  func readOnlyDatabase() throws {
    let schema = try PrivateSchema()
    let store = try schema.store(try model())
    _ = try objects(ofEntity: "Thing", fromJSON: #"[{"id": 1}]"#, in: ManagedObjectContext(store: store))
    let url = schema.url + "%20-cdefault_transaction_read_only%3Don"
    let context = ManagedObjectContext(store: try PostgreSQLStore(url))
    #expect(try context.count(ofEntity: "Thing") == 1)
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Thing", fromJSON: #"[{"id": 2}]"#, in: context)
    }
    #expect(error?.description.contains("is read-only") == true, "\(String(describing: error))")
    #expect(try store.latestCommit() == 1)
  }
}
