import Foundation
import Graft
import Testing

@testable import GraftSQLite

/// Indexes that a model declares (M28).
@Suite("SQLite: declared indexes") struct IndexTests {
  private let folder: Folder
  private var url: URL { folder.file("comics.graft") }

  init() throws { folder = try Folder() }

  /// A model in which `Hero` and its sub-entity `Villain` have indexes.
  private static func model(
    _ indexes: String = "[]", villain: String = "[]", version: String = "1", edits: [(String, String)] = []
  ) throws -> ManagedObjectModel {
    var text = """
      {"version": "\(version)", "keyStrategy": "sameName", "entities": {
        "Hero": {"identityAttributes": "id", "indexes": \(indexes),
          "attributes": {"id": "integer64", "name": "string", "age": {"type": "integer16", "optional": true},
            "price": {"type": "decimal", "optional": true}},
          "relationships": {"team": {"destination": "Team", "inverse": "heroes"}}},
        "Villain": {"parent": "Hero", "indexes": \(villain),
          "attributes": {"plan": {"type": "string", "optional": true}}},
        "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "team"}}}}}
      """
    for index in ["\"indexes\": [],", "\"indexes\": [], "] { text = text.replacingOccurrences(of: index, with: "") }
    for (old, new) in edits { text = text.replacingOccurrences(of: old, with: new) }
    return try ManagedObjectModel(text: text)
  }

  private static let payload = """
    [{"id": 1, "name": "Batman", "age": 35, "price": 2.5, "team": 1}, {"id": 2, "name": "Robin", "price": 12, "team": 1},
     {"id": 3, "name": "Alfred", "age": 70, "price": 0.5, "team": 2}]
    """

  private func fill(_ model: ManagedObjectModel) throws -> SQLiteStore {
    let store = try SQLiteStore(at: url, model: model)
    try ManagedObjectContext(store: store).importJSON(Self.payload, ofEntity: "Hero")
    return store
  }

  /// The declared indexes of a store, by name, with the columns.
  private static func indexes(_ store: SQLiteStore) throws -> [String] {
    try store.withWriter { connection throws(SQLiteError) in
      let sql = "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql LIKE 'CREATE INDEX%' ORDER BY rowid"
      return try connection.using(sql) { statement throws(SQLiteError) in
        var indexes: [String] = []
        while try statement.step() {
          let text = (statement.text(0) ?? "").replacing("CREATE INDEX ", with: "").replacing("\"", with: "")
          if !text.contains("\nWHERE") { indexes.append(text) }
        }
        return indexes
      }
    }
  }

  /// Returns how SQLite runs the query for a condition.
  private static func plan(_ store: SQLiteStore, _ condition: String?, sortedBy order: String? = nil) throws -> String {
    let context = ManagedObjectContext(store: store)
    let selection = try ObjectSelection(
      of: "Hero", in: context, where: condition.map { ($0, "where") }, sortedBy: order.map { ($0, "sort") }, limit: 10)
    return try store.queryPlan(selection.storeQuery()).joined(separator: "; ")
  }

  @Test("M28: a store has the indexes that its model declares, and queries use them")
  func created() throws {
    let store = try fill(Self.model(#"["name", ["age", "name"], "price"]"#))
    #expect(
      try Self.indexes(store) == [
        "Hero_by_name ON Hero (name)", "Hero_by_age_name ON Hero (age, name)", "Hero_by_price ON Hero (price)",
      ])
    #expect(try store.verify() == [])
    #expect(try Self.plan(store, "name = 'Batman'").contains("USING INDEX Hero_by_name (name=?)"))
    #expect(try Self.plan(store, "age = 35 and name > 'B'").contains("Hero_by_age_name (age=? AND name>?)"))
    #expect(try Self.plan(store, "name > 'B'", sortedBy: "name").contains("USING INDEX Hero_by_name (name>?)"))
    #expect(try Self.plan(store, "age = 35 and name = 'Batman'").contains("Hero_by_age_name (age=? AND name=?)"))
    #expect(try Self.plan(store, "price = 2.5").contains("USING INDEX Hero_by_price (price=?)"))
    let sorted = try Self.plan(store, nil, sortedBy: "name")
    #expect(sorted == "SCAN t USING INDEX Hero_by_name")
    let bare = try SQLiteStore.inMemory(model: Self.model())
    #expect(try Self.plan(bare, "name = 'Batman'").contains("SCAN t"))
    #expect(try Self.plan(bare, nil, sortedBy: "name").contains("USE TEMP B-TREE"))
  }

  @Test("M28: a sub-entity's index is an index of its root's table, and two sub-entities can share it")
  func subentities() throws {
    let model = try Self.model(
      villain: #"["plan", "age"]"#,
      edits: [
        (#""Team": {"identity"#, #""Sidekick": {"parent": "Hero", "indexes": ["age"]}, "Team": {"identity"#)
      ])
    let store = try SQLiteStore(at: url, model: model)
    #expect(try Self.indexes(store) == ["Hero_by_age ON Hero (age)", "Hero_by_plan ON Hero (plan)"])
    try ManagedObjectContext(store: store).importJSON(Self.payload, ofEntity: "Villain")
    #expect(try ManagedObjectContext(store: store).count(ofEntity: "Villain") == 3)
    #expect(try store.verify() == [])
  }

  @Test("M28: a changed set of indexes is created and dropped without consent, a backup or a commit")
  func changed() throws {
    let before = try Self.model(#"["name", ["age", "name"]]"#)
    let dump = try fill(before).dump()
    let after = try Self.model(#"["age", ["age", "name"]]"#, villain: #"["plan"]"#)
    let plan = try SQLiteStore.migrationPlan(at: url, to: after)
    #expect(
      plan.changes == [
        "drop the index on 'Hero.name'", "create an index on 'Hero.age'", "create an index on 'Villain.plan'",
      ])
    #expect(plan.removals == [] && plan.isPossible)
    #expect(SQLiteStore.migrationPlan(from: before, to: after).changes == plan.changes)
    let store = try SQLiteStore(at: url, model: after)
    #expect(
      try Set(Self.indexes(store)) == [
        "Hero_by_age ON Hero (age)", "Hero_by_age_name ON Hero (age, name)", "Hero_by_plan ON Hero (plan)",
      ])
    #expect(try store.dump() == dump)
    #expect(try store.latestCommit() == 1)
    #expect(try store.verify() == [])
    #expect(try folder.names.allSatisfy { !$0.contains("backup") })
    #expect(try SQLiteStore.migrationPlan(at: url, to: after).description == "")
    let bare = try SQLiteStore(at: url, model: Self.model())
    #expect(try Self.indexes(bare) == [] && bare.verify() == [])
  }

  @Test("M28: contexts with an open store continue to work after another program changes the store's indexes")
  func openStores() throws {
    let store = try fill(Self.model(#"["name"]"#))
    let context = ManagedObjectContext(store: store)
    let hero = try #require(try context.find(ofEntity: "Hero", id: 1))
    _ = try SQLiteStore(at: url, model: Self.model(#"["age"]"#))
    hero["age"] = 36
    try context.commit()
    let other = ManagedObjectContext(store: store)
    #expect(try other.find(ofEntity: "Hero", id: 1)?["age"]?.description == "36")
    #expect(try store.verify() == [])
  }

  @Test("M28: renamed properties keep their indexes, and the indexes of rewritten tables are created again")
  func renamed() throws {
    _ = try fill(Self.model(#"["name", "age"]"#))
    let renamed = try Self.model(
      #"["title", "age"]"#, edits: [(#""name": "string""#, #""title": {"type": "string", "renamedFrom": "name"}"#)])
    #expect(try SQLiteStore.migrationPlan(at: url, to: renamed).changes == ["rename 'Hero.name' to 'Hero.title'"])
    let store = try SQLiteStore(at: url, model: renamed)
    #expect(try Set(Self.indexes(store)) == ["Hero_by_title ON Hero (title)", "Hero_by_age ON Hero (age)"])
    #expect(try store.verify() == [])
    let context = ManagedObjectContext(store: store)
    #expect(try #require(context.find(ofEntity: "Hero", id: 2)?["title"]?.description).contains("Robin"))
  }

  @Test("M28: another tool's index is replaced with the declared index of that name; its other indexes are kept")
  func foreign() throws {
    _ = try fill(Self.model())
    try sqlite(url, #"CREATE INDEX "Hero_by_name" ON "Hero" ("price"); CREATE INDEX "mine" ON "Hero" ("age")"#)
    let store = try SQLiteStore(at: url, model: Self.model(#"["name"]"#))
    #expect(try Set(Self.indexes(store)) == ["Hero_by_name ON Hero (name)", "mine ON Hero (age)"])
    #expect(try store.verify() == [])
  }

  @Test("M28: if another tool drops a declared index, the store creates the index again when it is opened")
  func dropped() throws {
    let model = try Self.model(#"["name"]"#)
    _ = try fill(model)
    try sqlite(url, #"DROP INDEX "Hero_by_name""#)
    #expect(try SQLiteStore.migrationPlan(at: url, to: model).description == "")
    let store = try SQLiteStore(at: url, model: model)
    #expect(try Self.indexes(store) == ["Hero_by_name ON Hero (name)"] && store.verify() == [])
  }

  @Test("M28: a program with an older model keeps the indexes of a newer model, and can read and write the store")
  func older() throws {
    _ = try fill(Self.model(#"["name"]"#, version: "2"))
    let old = try SQLiteStore(at: url, model: Self.model(#"["age"]"#, version: "1"))
    #expect(try Self.indexes(old) == ["Hero_by_name ON Hero (name)"])
    try ManagedObjectContext(store: old).importJSON(#"[{"id": 9, "name": "Joker"}]"#, ofEntity: "Hero")
    #expect(try old.verify() == [])
    var options = SQLiteStore.Options()
    options.isReadOnly = true
    let reader = try SQLiteStore(at: url, model: Self.model(version: "3"), options: options)
    #expect(try ManagedObjectContext(store: reader).count(ofEntity: "Hero") == 4)
  }

  @Test("M28: backups and salvaged copies contain the declared indexes")
  func copies() throws {
    let model = try Self.model(#"["name"]"#)
    let store = try fill(model)
    try store.backup(to: folder.file("backup.graft"))
    #expect(try SQLiteStore.salvage(url, into: folder.file("salvaged.graft"), model: model) == [])
    for name in ["backup.graft", "salvaged.graft"] {
      let copy = try SQLiteStore(at: folder.file(name), model: model)
      #expect(try Self.indexes(copy) == ["Hero_by_name ON Hero (name)"], "\(name)")
      #expect(try copy.verify() == [] && copy.dump() == store.dump())
    }
  }

  @Test("M28: snapshot stores and contexts in memory ignore indexes")
  func others() throws {
    let file = folder.file("comics.snapshot")
    let context = ManagedObjectContext(store: try SnapshotStore(at: file, model: Self.model()))
    try context.importJSON(Self.payload, ofEntity: "Hero")
    let before = try Data(contentsOf: file)
    let model = try Self.model(#"["name"]"#)
    #expect(try SnapshotStore.migrationPlan(at: file, to: model).description == "")
    let reopened = ManagedObjectContext(store: try SnapshotStore(at: file, model: model))
    #expect(try reopened.count(ofEntity: "Hero") == 3)
    #expect(try Data(contentsOf: file) == before)
    let memory = ManagedObjectContext(model: model)
    #expect(try memory.importJSON(Self.payload, ofEntity: "Hero").inserted == ["Hero": 3])
  }
}
