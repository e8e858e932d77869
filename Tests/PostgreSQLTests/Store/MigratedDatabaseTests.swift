import Foundation
import Graft
import GraftPostgreSQL
import GraftTestSupport
import Testing

/// Stores in PostgreSQL that are opened with another version of their model.
@Suite("PostgreSQL: migrations", .enabled(if: Cluster.isAvailable)) struct MigratedDatabaseTests {
  private func model(_ version: Int, _ hero: String, _ others: String = "", removed: String = "[]") throws
    -> ManagedObjectModel
  {
    try ManagedObjectModel(
      text: """
        {"version": "\(version)", "keyStrategy": "sameName", "removed": \(removed), "entities": {
          "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", \(hero)},
            "relationships": {"team": {"destination": "Team", "inverse": "heroes", "optional": true}}},
          "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"heroes": {"toMany": true, "ordered": true, "destination": "Hero", "inverse": "team"}}}
          \(others)
        }}
        """, name: "m.json")
  }

  private static let payload = #"[{"id": 1, "name": "a", "team": {"id": 7}}, {"id": 2, "name": "b", "team": 7}]"#

  @Test("S16: properties are renamed and added without losing data")
  func renamed() throws {
    let schema = try PrivateSchema()
    let old = try model(1, #""name": "string""#)
    do {
      let context = ManagedObjectContext(store: try schema.store(old))
      _ = try objects(ofEntity: "Hero", fromJSON: Self.payload, in: context)
    }
    let new = try model(
      2, #""title": {"type": "string", "renamedFrom": "name"}, "rank": {"type": "integer16", "default": 3}"#,
      #", "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#)
    let plan = try PostgreSQLStore.migrationPlan(schema.url, to: new)
    #expect(plan.isPossible && !plan.changes.isEmpty, "\(plan)")
    let store = try schema.store(new)
    let context = ManagedObjectContext(store: store)
    let heroes = try context.fetch(ofEntity: "Hero")
    #expect(heroes.map { $0["title"] as String? } == ["a", "b"])
    #expect(heroes.map { $0["rank"] as Int? } == [3, 3])
    let team: ManagedObject? = heroes[0]["team"]
    let members: RelatedObjects<ManagedObject>? = team?["heroes"]
    #expect(members?.map { $0["id"] as Int? } == [1, 2])
    #expect(try store.verify() == [])
    // New rows do not reuse the numbers of old rows.
    _ = try objects(ofEntity: "Hero", fromJSON: #"[{"id": 3, "title": "c", "team": 7}]"#, in: context)
    #expect(try ManagedObjectContext(store: schema.store(new)).count(ofEntity: "Hero") == 3)
    // The older program is refused, and the newer program can still use the store.
    let error = #expect(throws: StoreError.self) { try schema.store(old) }
    #expect(error?.diagnostics.first?.code == .incompatibleModel)
  }

  @Test("S16: no property is removed without consent")
  func removed() throws {
    let schema = try PrivateSchema()
    do {
      let context = ManagedObjectContext(store: try schema.store(try model(1, #""name": "string""#)))
      _ = try objects(ofEntity: "Hero", fromJSON: Self.payload, in: context)
    }
    let without = try model(2, #""nick": {"type": "string", "optional": true}"#)
    let error = #expect(throws: StoreError.self) { try schema.store(without) }
    #expect(error?.description.contains("Hero.name") == true, "\(String(describing: error))")
    let consenting = try model(2, #""nick": {"type": "string", "optional": true}"#, removed: #"["Hero.name"]"#)
    let store = try schema.store(consenting)
    #expect(try store.verify() == [])
    #expect(try ManagedObjectContext(store: store).count(ofEntity: "Hero") == 2)
  }

  @Test(
    "a store is not migrated while contexts read it, and the error explains this; afterwards, the migration succeeds")
  func inUse() throws {
    let schema = try PrivateSchema()
    let old = try schema.store(try model(1, #""name": "string""#))
    let reader = ManagedObjectContext(store: old)
    _ = try objects(ofEntity: "Hero", fromJSON: Self.payload, in: reader)
    _ = try reader.fetch(ofEntity: "Hero")
    let new = try model(2, #""name": "string", "rank": {"type": "integer16", "default": 3}"#)
    var options = PostgreSQLStore.Options()
    options.lockTimeout = .milliseconds(100)
    let error = #expect(throws: StoreError.self) { try schema.store(new, options) }
    #expect(
      error?.description.contains("contexts of this or another program are reading it") == true,
      "\(String(describing: error))"
    )
    #expect(try reader.count(ofEntity: "Hero") == 2)
    reader.reset()
    _ = try schema.store(new, options)
    // The store that was already open notices the migration.
    #expect(throws: StoreError.self) { try old.latestCommit() }
    let late = #expect(throws: StoreError.self) { try ManagedObjectContext(store: old).count(ofEntity: "Hero") }
    #expect(late?.diagnostics.first?.code == .incompatibleModel, "\(String(describing: late))")
  }

  @Test("S17: lists without an order get the order in which their objects were inserted")
  func ordered() throws {
    func model(_ version: Int, _ order: String) throws -> ManagedObjectModel {
      try ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "version": "\(version)", "entities": {
            "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
              "members": {"destination": "Person", "toMany": true, \(order)"inverse": "team"},
              "fans": {"destination": "Person", "toMany": true, \(order)"JSONRepresentation": "identifier"}}},
            "Person": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
              "team": {"destination": "Team", "inverse": "members"}}}}}
          """)
    }
    let schema = try PrivateSchema()
    do {
      let context = ManagedObjectContext(store: try schema.store(try model(1, "")))
      try context.importJSON(#"[{"id": 9}, {"id": 3}, {"id": 7}]"#, ofEntity: "Person")
      try context.importJSON(#"{"id": 1, "members": [3, 7, 9], "fans": [3, 9]}"#, ofEntity: "Team")
    }
    let ordered = try model(2, #""ordered": true, "#)
    func team() throws -> String {
      let context = ManagedObjectContext(store: try schema.store(ordered))
      return try jsonString(from: context.fetch(ofEntity: "Team"), options: ExportOptions(identifiersOnly: true))
    }
    #expect(try team() == #"[{"id":1,"members":[9,3,7],"fans":[9,3]}]"#)
    let context = ManagedObjectContext(store: try schema.store(ordered))
    try context.importJSON(#"{"id": 1, "members": [9, 7, 3], "fans": [9, 7, 3]}"#, ofEntity: "Team")
    #expect(try team() == #"[{"id":1,"members":[9,7,3],"fans":[9,7,3]}]"#)
    #expect(try schema.store(ordered).verify() == [])
  }

  @Test("S17: if a step fails, the whole migration is rolled back")
  func failingStep() throws {
    struct Failure: Error {}
    let schema = try PrivateSchema()
    let old = try model(1, #""name": "string""#)
    do {
      let context = ManagedObjectContext(store: try schema.store(old))
      _ = try objects(ofEntity: "Hero", fromJSON: Self.payload, in: context)
    }
    let before = ManagedObjectContext(store: try schema.store(old)).dumpText
    var options = PostgreSQLStore.Options()
    options.migrations = [
      StoreMigration(to: "2", replacing: ["Hero.name"]) { step in
        for hero in try step.new.fetch(ofEntity: "Hero") { try hero.setValue("x", of: "title") }
        throw Failure()
      }
    ]
    let new = try model(2, #""title": {"type": "string", "optional": true}"#)
    #expect(throws: StoreError.self) { try schema.store(new, options) }
    let store = try schema.store(old)
    #expect(ManagedObjectContext(store: store).dumpText == before)
    #expect(try store.verify() == [])
  }

  @Test("removing a store removes only the store's tables, and fails while the store is being read")
  func removal() throws {
    let schema = try PrivateSchema()
    let model = try model(1, #""name": "string""#)
    try schema.connection().execute("CREATE TABLE other (x bigint)")
    let context = ManagedObjectContext(store: try schema.store(model))
    _ = try objects(ofEntity: "Hero", fromJSON: Self.payload, in: context)
    _ = try context.fetch(ofEntity: "Hero")
    var options = PostgreSQLStore.Options()
    options.lockTimeout = .milliseconds(100)
    #expect(throws: StoreError.self) { try PostgreSQLStore.remove(schema.url, options: options) }
    context.reset()
    try PostgreSQLStore.remove(schema.url, options: options)
    #expect(try !PostgreSQLStore.exists(schema.url))
    #expect(try schema.connection().integer("SELECT count(*) FROM other") == 0)
    #expect(throws: StoreError.self) { try PostgreSQLStore(schema.url) }
  }

  @Test("contexts that are opened and closed continuously do not delay a migration")
  func busy() async throws {
    let schema = try PrivateSchema()
    let old = try model(1, #""name": "string""#)
    _ = try objects(ofEntity: "Hero", fromJSON: Self.payload, in: ManagedObjectContext(store: try schema.store(old)))
    let url = schema.url
    let isOver = Locked(false)
    let reads = Locked(0)
    let others = DispatchGroup()
    for number in 0..<6 {
      others.enter()
      Thread.detachNewThread {
        defer { others.leave() }
        guard let store = try? PostgreSQLStore(url, model: old) else { return }
        while !isOver.withLock({ $0 }) {
          let context = ManagedObjectContext(store: store)
          // After the migration, the old program can no longer read the store.
          guard (try? context.fetch(ofEntity: "Hero").count) != nil else { return }
          reads.withLock { $0 += 1 }
          if number < 3 { _ = try? objects(ofEntity: "Team", fromJSON: "[{\"id\": \(number)}]", in: context) }
          Thread.sleep(forTimeInterval: 0.01)
        }
      }
    }
    while reads.withLock({ $0 }) < 20 { try await Task.sleep(for: .milliseconds(5)) }
    // The timeout is long because other tests run at the same time.
    var options = PostgreSQLStore.Options()
    options.lockTimeout = .seconds(120)
    let new = try model(2, #""name": "string", "rank": {"type": "integer16", "default": 3}"#)
    _ = try schema.store(new, options)
    isOver.withLock { $0 = true }
    await withCheckedContinuation { done in others.notify(queue: .global()) { done.resume() } }
    #expect(try schema.store(new).verify() == [])
  }

  @Test("indexes and privileges that were added to a table survive its migration; a view on the table prevents it")
  func additions() throws {
    let schema = try PrivateSchema()
    do {
      let context = ManagedObjectContext(store: try schema.store(try model(1, #""name": "string""#)))
      _ = try objects(ofEntity: "Hero", fromJSON: Self.payload, in: context)
    }
    let connection = try schema.connection()
    try connection.execute(
      """
      CREATE INDEX added ON "Hero" (lower("name")); GRANT SELECT ON "Hero" TO PUBLIC; CREATE VIEW names AS SELECT "name" FROM "Hero";
      ALTER DEFAULT PRIVILEGES GRANT INSERT, DELETE ON TABLES TO PUBLIC; ALTER TABLE "Hero" SET (fillfactor = 70), REPLICA IDENTITY FULL;
      COMMENT ON TABLE "Hero" IS 'it''s'; COMMENT ON COLUMN "Hero"."name" IS 'a name'
      """)
    defer { try? connection.execute("ALTER DEFAULT PRIVILEGES REVOKE INSERT, DELETE ON TABLES FROM PUBLIC") }
    func others(_ table: String) throws -> String? {
      try connection.text(
        """
        SELECT concat_ws(' ', reloptions, relreplident, obj_description(oid, 'pg_class'), col_description(oid,
          (SELECT attnum FROM pg_attribute WHERE attrelid = c.oid AND attname = 'name')),
          (SELECT string_agg(a.privilege_type, ',') FROM aclexplode(c.relacl) AS a WHERE a.grantee = 0))
        FROM pg_class AS c WHERE relname = '\(table)' AND pg_table_is_visible(oid)
        """)
    }
    let added = "{fillfactor=70} f it's a name SELECT"
    #expect(try others("Hero") == added)
    let new = try model(2, #""name": "string", "rank": {"type": "integer16", "default": 3}"#)
    let error = #expect(throws: StoreError.self) { try schema.store(new) }
    #expect(error?.description.contains("view names depends on") == true, "\(String(describing: error))")
    try connection.execute("DROP VIEW names")
    #expect(try schema.store(new).verify() == [])
    #expect(
      try connection.integer("SELECT count(*) FROM pg_class WHERE relname = 'added' AND pg_table_is_visible(oid)") == 1)
    let readers = try connection.integer(
      """
      SELECT count(*) FROM pg_class AS c, aclexplode(c.relacl) AS a WHERE c.relname = 'Hero' AND pg_table_is_visible(c.oid)
      AND a.grantee = 0 AND a.privilege_type = 'SELECT'
      """)
    #expect(readers == 1)
    #expect(try others("Hero") == added)
    // The additions follow a table that is renamed.
    let named = try ManagedObjectModel(
      text: """
        {"version": "3", "keyStrategy": "sameName", "entities": {
          "Person": {"renamedFrom": "Hero", "identityAttributes": "id", "attributes": {"id": "integer64", "name": "string", "rank": "integer16"},
            "relationships": {"team": {"destination": "Team", "inverse": "heroes", "optional": true}}},
          "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"heroes": {"toMany": true, "ordered": true, "destination": "Person", "inverse": "team"}}}}}
        """)
    _ = try schema.store(named)
    let both = try connection.integer(
      """
      SELECT count(*) FROM pg_class AS c WHERE c.relname = 'Person' AND pg_table_is_visible(c.oid)
      AND EXISTS (SELECT 1 FROM aclexplode(c.relacl) AS a WHERE a.grantee = 0)
      AND EXISTS (SELECT 1 FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid WHERE x.indrelid = c.oid AND i.relname = 'added')
      """)
    #expect(both == 1)
    #expect(try others("Person") == added)
  }

  @Test("after each migration, primary keys are named after their tables, so an entity can have any other name")
  func primaryKeys() throws {
    let schema = try PrivateSchema()
    for version in 1...3 {
      let ranks = (1..<version).map { #", "rank\#($0)": {"type": "integer16", "optional": true}"# }.joined()
      _ = try schema.store(try model(version, #""name": "string"\#(ranks)"#))
      let keys = try schema.connection().text(
        """
        SELECT string_agg(conname, ' ' ORDER BY conname) FROM pg_constraint
        WHERE contype = 'p' AND connamespace = current_schema()::regnamespace AND conname ~ 'Hero|Team'
        """)
      #expect(keys == "Hero_pkey Team_pkey", "version \(version)")
    }
    let others = #", "Hero_pkey1": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#
    let ranks = #", "rank1": {"type": "integer16", "optional": true}, "rank2": {"type": "integer16", "optional": true}"#
    #expect(try schema.store(try model(4, #""name": "string"\#(ranks)"#, others)).verify() == [])
  }

  @Test("a migration keeps the foreign keys of tables that it does not replace, even those that other programs added")
  func foreignKeys() throws {
    let schema = try PrivateSchema()
    do {
      let context = ManagedObjectContext(store: try schema.store(try model(1, #""name": "string""#)))
      try context.importJSON(Self.payload, ofEntity: "Hero")
    }
    let connection = try schema.connection()
    try connection.execute(
      #"""
      CREATE TABLE audit (id bigint PRIMARY KEY); ALTER TABLE "Hero" ADD COLUMN extra bigint REFERENCES audit;
      CREATE TABLE note (hero bigint REFERENCES "Hero", text text); INSERT INTO note SELECT "_id", 'x' FROM "Hero"
      """#)
    func keys() throws -> [String] {
      try connection.query(
        """
        SELECT format('%s.%s %s', conrelid::regclass, conname, oid) FROM pg_constraint
        WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1
        """
      ) { rows throws(PostgreSQLError) in
        var keys: [String] = []
        while try rows.next() { keys.append(try rows.text(0) ?? "") }
        return keys
      }
    }
    let before = try keys()
    #expect(before.count == 3)
    // Changes to rules and added entities leave the tables in place.
    for (version, name, others) in [
      (2, #"{"type": "string", "maxLength": 5}"#, ""), (3, #"{"type": "string", "minLength": 1}"#, ""),
      (4, #""string""#, #", "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#),
    ] {
      let store = try schema.store(try model(version, #""name": \#(name)"#, others))
      #expect(try keys() == before, "version \(version)")
      #expect(try store.verify() == [])
    }
    // Another table refers to a table that would be replaced and that has an additional column.
    let next = try model(
      5, #""name": "string", "rank": {"type": "integer16", "optional": true}"#, removed: #"["Power"]"#)
    let error = try #require(throws: StoreError.self) { try schema.store(next) }
    #expect(
      error.description.contains("the foreign key 'extra'") || error.description.contains("the column 'extra'"),
      "\(error)")
    try connection.execute(#"ALTER TABLE "Hero" DROP COLUMN extra"#)
    let second = try #require(throws: StoreError.self) { try schema.store(next) }
    #expect(second.description.contains("note"), "\(second)")
    #expect(try keys().count == 2)
    try connection.execute("DROP TABLE note")
    let store = try schema.store(next)
    #expect(try store.verify() == [] && keys().count == 1)
    #expect(try ManagedObjectContext(store: store).count(ofEntity: "Hero") == 2)
  }

  @Test(
    "additions to a table that a migration would lose prevent the migration; column privileges survive",
    arguments: [
      (#"ALTER TABLE "Hero" ADD COLUMN "note" text"#, "the column 'note'"),
      (#"ALTER TABLE "Hero" ADD CONSTRAINT "positive" CHECK ("id" > 0)"#, "the constraint 'positive'"),
      (#"ALTER TABLE "Hero" ADD FOREIGN KEY ("id") REFERENCES "Team""#, "the foreign key 'id'"),
      (#"ALTER TABLE "Hero" ENABLE ROW LEVEL SECURITY"#, "row-level security"),
      (#"ALTER TABLE "Hero" ALTER COLUMN "name" SET NOT NULL"#, "NOT NULL of the column 'name'"),
      (#"ALTER TABLE "Hero" ALTER COLUMN "name" SET DEFAULT 'x'"#, "a default of the column 'name'"),
      (#"CREATE STATISTICS "both" ON "id", "name" FROM "Hero""#, "the statistics 'both'"),
      (
        #"CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER "audit" BEFORE INSERT ON "Hero" FOR EACH ROW EXECUTE FUNCTION f()"#,
        "the trigger 'audit'"
      ),
      (#"GRANT SELECT ("id") ON "Hero" TO PUBLIC"#, ""),
    ])
  func additions(sql: String, loss: String) throws {
    let schema = try PrivateSchema()
    _ = try schema.store(try model(1, #""name": "string""#))
    let connection = try schema.connection()
    try connection.execute(sql)
    let new = try model(2, #""name": "string", "rank": {"type": "integer16", "default": 3}"#)
    if loss.isEmpty {
      _ = try schema.store(new)
      let granted = try connection.integer(
        #"SELECT count(*) FROM pg_attribute WHERE attrelid = '"Hero"'::regclass AND attacl IS NOT NULL"#)
      #expect(granted == 1)
    } else {
      let error = try #require(throws: StoreError.self) { try schema.store(new) }
      #expect(error.description.contains("table 'Hero' has \(loss), which would be lost"), "\(error)")
    }
  }

  @Test("a migration stays in the store's schema, and does not change the owner of the tables")
  func owner() throws {
    let schema = try PrivateSchema()
    let connection = try schema.connection()
    let role = "owner_\(UUID().uuidString.prefix(8).lowercased())"
    let here = try #require(try connection.text("SELECT current_schema()::text"))
    _ = try schema.store(try model(1, #""name": "string""#))
    try connection.execute("CREATE ROLE \(role)")
    for table in ["Hero", "Team", "_graft", "_graft_log", "_graft_numbers", "_graft_state"] {
      try connection.execute("ALTER TABLE \"\(table)\" OWNER TO \(role)")
    }
    // A different schema is first in the search path.
    try connection.execute("CREATE SCHEMA \(role)")
    defer { try? connection.execute("DROP SCHEMA \(role) CASCADE; DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)") }
    let url = schema.url.replacing("search_path%3D\(here)", with: "search_path%3D\(role),\(here)")
    try #require(url != schema.url)
    let more = #", "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#
    let new = try model(2, #""name": "string", "rank": {"type": "integer16", "default": 3}"#, more)
    _ = try PostgreSQLStore(url, model: new)
    let tables = try connection.integer(
      """
      SELECT count(*) FROM pg_class AS c JOIN pg_roles AS r ON r.oid = c.relowner
      WHERE relnamespace = '\(here)'::regnamespace AND relkind = 'r' AND rolname = '\(role)' AND relname IN ('Hero', 'Team', 'Power')
      """)
    #expect(tables == 3)
    #expect(try schema.store(new).verify() == [])
  }

  @Test("a session that reads a table delays only the migration, and only for a limited time")
  func report() throws {
    let schema = try PrivateSchema()
    let old = try model(1, #""name": "string""#)
    let store = try schema.store(old)
    let session = try schema.connection()
    try session.execute("BEGIN; SELECT count(*) FROM \"Hero\"")
    var options = PostgreSQLStore.Options()
    options.lockTimeout = .milliseconds(300)
    let new = try model(2, #""name": "string", "rank": {"type": "integer16", "default": 3}"#)
    let error = try #require(throws: StoreError.self) { try schema.store(new, options) }
    #expect(error.description.contains("other sessions are using its tables"), "\(error)")
    _ = try objects(ofEntity: "Hero", fromJSON: Self.payload, in: ManagedObjectContext(store: store))
    try session.execute("COMMIT")
    _ = try schema.store(new, options)
  }

  @Test("programs that open, read and commit during a migration see the store either before or after the migration")
  func besideMigration() async throws {
    let schema = try PrivateSchema()
    let old = try model(1, #""name": "string""#)
    do {
      let heroes = (0..<3000).map { "{\"id\": \($0), \"name\": \"hero \($0)\", \"team\": {\"id\": \($0 % 7)}}" }
      let context = ManagedObjectContext(store: try schema.store(old))
      _ = try objects(ofEntity: "Hero", fromJSON: "[\(heroes.joined(separator: ","))]", in: context)
    }
    let new = try model(
      2, #""title": {"type": "string", "renamedFrom": "name"}, "rank": {"type": "integer16", "default": 3}"#)
    let url = schema.url
    let isOver = Locked(false)
    let messages = Locked<[String]>([])
    let others = DispatchGroup()
    for number in 0..<4 {
      others.enter()
      Thread.detachNewThread {
        defer { others.leave() }
        while !isOver.withLock({ $0 }) {
          do {
            // Opens the store with the model that wrote it: first the old model, and then the new model.
            let context = ManagedObjectContext(store: try PostgreSQLStore(url))
            if number == 0 { _ = try objects(ofEntity: "Team", fromJSON: "[{\"id\": 99}]", in: context) }
            let count = try context.count(ofEntity: "Hero")
            if count != 3000 { messages.withLock { $0.append("\(count) heroes") } }
          } catch { messages.withLock { $0.append("\(error)") } }
        }
      }
    }
    var options = PostgreSQLStore.Options()
    options.lockTimeout = .seconds(120)
    _ = try schema.store(new, options)
    isOver.withLock { $0 = true }
    await withCheckedContinuation { done in others.notify(queue: .global()) { done.resume() } }
    for message in messages.withLock({ $0 }) {
      let isExpected =
        message.contains("migrated it") || message.contains("newer model") || message.contains("newer version")
      #expect(isExpected, "\(message)")
    }
    #expect(try schema.store(new).verify() == [])
  }
}
