import Foundation
import Graft
import Testing

@testable import GraftSQLite

@Suite("SQLite: other versions of a model") struct MigrationTests {
  /// The entities of the model with which the stores are created.
  static let entities = [
    "Maker":
      #""Maker": { "identityAttributes": "name", "attributes": { "name": "string" }, "relationships": { "items": { "destination": "Item", "toMany": true, "inverse": "maker" } } }"#,
    "Item":
      #""Item": { "identityAttributes": "number", "attributes": { "number": "integer32", "title": "string", "size": { "type": "integer16", "optional": true }, "code": { "type": "uuid", "optional": true }, "weight": { "type": "float", "optional": true } }, "relationships": { "maker": { "destination": "Maker", "inverse": "items" }, "tags": { "destination": "Tag", "toMany": true, "inverse": "items", "ordered": true } } }"#,
    "Book": #""Book": { "parent": "Item", "attributes": { "pages": { "type": "integer16", "optional": true } } }"#,
    "Tag":
      #""Tag": { "identityAttributes": "word", "attributes": { "word": "string" }, "relationships": { "items": { "destination": "Item", "toMany": true, "inverse": "tags" } } }"#,
  ]

  /// The model with replacements in the text of its entities, and with additional entities.
  static func model(
    _ edits: [(entity: String, from: String, to: String)] = [], removing: [String] = [], adding: String? = nil,
    removed: [String] = [], version: String? = nil
  )
    throws -> ManagedObjectModel
  {
    var texts = ["Maker", "Item", "Book", "Tag"].filter { !removing.contains($0) }.map { ($0, entities[$0]!) }
    for edit in edits {
      let index = texts.firstIndex { $0.0 == edit.entity }!
      let edited = texts[index].1.replacingOccurrences(of: edit.from, with: edit.to)
      precondition(edited != texts[index].1, "\(edit)")
      texts[index].1 = edited
    }
    let version = version.map { "\"version\": \"\($0)\", " } ?? ""
    return try ManagedObjectModel(
      text:
        "{\(version)\"removed\": \(removed), \"entities\": {\((texts.map(\.1) + [adding].compactMap(\.self)).joined(separator: ",\n"))}}"
    )
  }

  /// Creates a store of the first version with some rows: items 1 to 6, of which the even ones are books and item 6 is a placeholder.
  static func store(_ folder: Folder) throws -> URL {
    let url = folder.file("shop.graft")
    let store = try SQLiteStore(at: url, model: model())
    var changes = StoreChanges()
    changes.insert(store.schema, "Maker", ["name": "DC"])
    for word in ["a", "b"] { changes.insert(store.schema, "Tag", ["word": .init(word)]) }
    for number in 1...6 as ClosedRange<Int64> {
      var values: [String: Value] = ["number": .integer(number)]
      if number < 6 {
        values["title"] = .init("title \(number)")
        values["size"] = .integer(number * 10)
        values["code"] = .bytes(Array(0...15))
        values["weight"] = .double(0.5)
        values["maker"] = -1
        if number % 2 == 0 { values["pages"] = .integer(number * 100) }
      }
      changes.insert(store.schema, "Item", values, entity: number % 2 == 0 ? 1 : 0, isPlaceholder: number == 6)
    }
    changes.insert(store.schema, "Item", ["number": 7, "title": "gone"])
    changes.link(
      store.schema, "Item_tags",
      [StoredLink(owner: -1, member: -1, position: 5), StoredLink(owner: -2, member: -2, position: 6)])
    try store.commit(changes)
    var deletion = StoreChanges()
    deletion.delete(store.schema, "Item", [try store.all("Item").headers[6]])
    try store.commit(deletion)
    return url
  }

  /// Opens a store with another model, checks the store and returns it.
  static func migrated(_ url: URL, _ model: ManagedObjectModel, _ plan: [String]) throws -> SQLiteStore {
    let before = try Data(contentsOf: url)
    let announced = try SQLiteStore.migrationPlan(at: url, to: model)
    #expect(announced.changes == plan)
    #expect(announced.refusals.map(\.description) == [])
    #expect(try Data(contentsOf: url) == before)
    let store = try SQLiteStore(at: url, model: model)
    #expect(try store.verify() == [])
    #expect(try SQLiteStore.migrationPlan(at: url, to: model).description == "")
    return store
  }

  @Test("S9: a model with different text but the same layout changes no rows")
  func sameLayout() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    let dump = try SQLiteStore(at: url, model: Self.model()).dump()
    let store = try Self.migrated(
      url, Self.model([("Tag", "\"word\": \"string\"", "\"word\": { \"type\": \"string\", \"JSONKeyPath\": \"w\" }")]),
      [])
    #expect(try store.dump() == dump)
    #expect(try store.latestCommit() == 2)
  }

  @Test("S2: a store without the index of placeholders gets this index when it is opened", arguments: [false, true])
  func placeholderIndex(isMigrated: Bool) throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    try sqlite(url, "DROP INDEX \"Item_placeholders\"; DROP INDEX \"Tag_placeholders\"")
    let edits =
      isMigrated
      ? [
        (
          entity: "Item", from: #""title": "string""#,
          to: #""title": "string", "note": { "type": "string", "optional": true }"#
        )
      ] : []
    let model = try Self.model(edits)
    #expect(try SQLiteStore.migrationPlan(at: url, to: model).changes.count == edits.count)
    for _ in 1...2 {
      let store = try SQLiteStore(at: url, model: model)
      #expect(try store.verify() == [])
      let indexes = try store.withWriter { connection throws(SQLiteError) in
        try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%\\_placeholders' ESCAPE '\\'")
      }
      #expect(indexes == 3)
      let item = store.schema.table("Item")
      let found = try store.rows(selectedBy: StoreQuery(table: item, condition: .isPlaceholder(StorePath())))
      #expect((0..<found.count).map { found.value(store.schema, $0, "number") } == [6])
    }
  }

  @Test("S9: attributes are added, and all objects except placeholders get the defaults")
  func added() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    let model = try Self.model([
      (
        "Item", "\"title\": \"string\"",
        "\"title\": \"string\", \"stock\": { \"type\": \"integer16\", \"default\": 3 }, \"note\": { \"type\": \"string\", \"optional\": true }"
      )
    ])
    let store = try Self.migrated(url, model, ["add 'Item.stock'", "add 'Item.note'"])
    let rows = try store.all("Item")
    #expect((0..<6).map { rows.value(store.schema, $0, "stock") } == [3, 3, 3, 3, 3, .null])
    #expect(rows.value(store.schema, 0, "note") == .null && rows.value(store.schema, 4, "title") == "title 5")
    #expect(rows.headers.map(\.version) == [1, 1, 1, 1, 1, 1] && rows.headers.map(\.entity) == [0, 1, 0, 1, 0, 1])
    #expect(try store.links(in: 0, ofOwners: [1, 2]).map(\.position) == [5, 6])
    // The deleted row's number is not used again.
    var changes = StoreChanges()
    changes.insert(store.schema, "Item", ["number": 8])
    #expect(try store.commit(changes).firstIDs == [store.schema.table("Item"): 8])
    #expect(try store.changes(since: 2).isIncomplete)
  }

  @Test("S9: attributes and relationships are removed")
  func removedProperties() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    let model = try Self.model(
      [
        ("Item", "\"size\": { \"type\": \"integer16\", \"optional\": true }, ", ""),
        (
          "Item", "\"tags\": { \"destination\": \"Tag\", \"toMany\": true, \"inverse\": \"items\", \"ordered\": true }",
          ""
        ),
        ("Item", "\"inverse\": \"items\" }, ", "\"inverse\": \"items\" }"),
        (
          "Tag",
          ", \"relationships\": { \"items\": { \"destination\": \"Item\", \"toMany\": true, \"inverse\": \"tags\" } }",
          ""
        ),
      ], removed: ["Item.size", "Item.tags", "Tag.items"])
    let store = try Self.migrated(
      url, model,
      ["remove 'Item.size' and its values", "remove 'Item.tags' and its values", "remove 'Tag.items' and its values"])
    #expect(store.schema.links.isEmpty && store.schema.column("Item", "size") == -1)
    #expect(try store.all("Item").value(store.schema, 1, "code") == .bytes(Array(0...15)))
  }

  @Test("M18, S9: entities and properties are renamed")
  func renamed() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    let model = try Self.model(
      [
        ("Maker", "\"Maker\": {", "\"Producer\": { \"renamedFrom\": \"Maker\","),
        ("Maker", "\"name\": \"string\"", "\"label\": { \"type\": \"string\", \"renamedFrom\": \"name\" }"),
        ("Maker", "\"identityAttributes\": \"name\"", "\"identityAttributes\": \"label\""),
        ("Maker", "\"inverse\": \"maker\"", "\"inverse\": \"producer\""),
        (
          "Item", "\"maker\": { \"destination\": \"Maker\"",
          "\"producer\": { \"renamedFrom\": \"maker\", \"destination\": \"Producer\""
        ),
        ("Item", "\"tags\": {", "\"labels\": { \"renamedFrom\": \"tags\","),
        ("Tag", "\"inverse\": \"tags\"", "\"inverse\": \"labels\""),
        ("Book", "\"Book\": {", "\"Volume\": { \"renamedFrom\": \"Book\","),
      ])
    let store = try Self.migrated(
      url, model,
      [
        "rename the entity 'Maker' to 'Producer'", "rename 'Maker.name' to 'Producer.label'",
        "rename 'Item.maker' to 'Item.producer'", "rename 'Item.tags' to 'Item.labels'",
        "rename the entity 'Book' to 'Volume'",
      ])
    #expect(try store.all("Producer").value(store.schema, 0, "label") == "DC")
    let rows = try store.all("Item")
    #expect(rows.value(store.schema, 0, "producer") == 1 && rows.value(store.schema, 1, "pages") == 200)
    #expect(try store.links(in: store.schema.links("Item_labels"), ofOwners: [1, 2]).map(\.position) == [5, 6])
  }

  @Test(
    "S9: a type can become wider",
    arguments: [
      ("\"size\": { \"type\": \"integer16\"", "\"size\": { \"type\": \"integer32\"", "size", Value.integer(10)),
      ("\"size\": { \"type\": \"integer16\"", "\"size\": { \"type\": \"double\"", "size", .double(10)),
      ("\"size\": { \"type\": \"integer16\"", "\"size\": { \"type\": \"decimal\"", "size", "10"),
      ("\"weight\": { \"type\": \"float\"", "\"weight\": { \"type\": \"double\"", "weight", .double(0.5)),
      (
        "\"code\": { \"type\": \"uuid\"", "\"code\": { \"type\": \"string\"", "code",
        "00010203-0405-0607-0809-0a0b0c0d0e0f"
      ),
      ("\"number\": \"integer32\"", "\"number\": \"integer64\"", "number", .integer(1)),
    ])
  func widened(_ from: String, _ to: String, _ name: String, _ value: Value) throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    let model = try Self.model([("Item", from, to)])
    let types = try SQLiteStore.migrationPlan(at: url, to: model).changes
    #expect(types.count == 1 && types[0].hasPrefix("change the type of 'Item.\(name)' from "))
    let store = try Self.migrated(url, model, types)
    #expect(try store.all("Item").value(store.schema, 0, name) == value)
  }

  @Test("S9: a required property can become optional")
  func optional() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    let model = try Self.model([
      ("Item", "\"title\": \"string\"", "\"title\": { \"type\": \"string\", \"optional\": true }")
    ])
    _ = try Self.migrated(url, model, ["make 'Item.title' optional"])
  }

  @Test("S9: entities are added and removed; references and links to removed objects disappear")
  func entities() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    let store = try Self.migrated(
      url,
      Self.model(
        removing: ["Book"],
        adding:
          #""Shelf": { "attributes": { "name": { "type": "string" } }, "relationships": { "items": { "destination": "Item", "toMany": true } } }"#,
        removed: ["Book"]
      ),
      ["add the entity 'Shelf'", "remove the entity 'Book' and its objects"])
    #expect(try store.all("Item").headers.map(\.id) == [1, 3, 5])
    #expect(try store.links(in: store.schema.links("Item_tags"), ofMembers: [1, 2]).map(\.owner) == [1])
  }

  @Test("S9: a required attribute can be added if no object in the store lacks it")
  func requiredOfNoObjects() throws {
    let folder = try Folder()
    let url = folder.file("empty.graft")
    _ = try SQLiteStore(at: url, model: Self.model())
    let model = try Self.model([("Item", "\"title\": \"string\"", "\"title\": \"string\", \"color\": \"string\"")])
    _ = try Self.migrated(url, model, ["add 'Item.color'"])
  }

  @Test(
    "S9: changes that would lose data are refused with their names, and the store is unchanged",
    arguments: [
      (
        [("Item", "\"title\": \"string\"", "\"title\": \"integer64\"")],
        "the type of 'Item.title' changes from string to integer64, which is not converted automatically; declare how with 'migratedFrom', keep the type, or add an attribute with another name"
      ),
      (
        [("Item", "\"number\": \"integer32\"", "\"number\": \"integer16\"")],
        "the type of 'Item.number' changes from integer32 to integer16, which is not converted automatically; declare how with 'migratedFrom', keep the type, or add an attribute with another name"
      ),
      (
        [("Item", "\"title\": \"string\"", "\"title\": \"string\", \"color\": \"string\"")],
        "'Item.color' is new and required, and the store has objects without it; make it optional, or give it a default"
      ),
      (
        [("Item", "\"identityAttributes\": \"number\"", "\"identityAttributes\": \"title\"")],
        "the identity of 'Item' changes from 'number' to 'title'; keep it, replace the entity in a step of the program (StoreMigration), or import the data into a new store"
      ),
      (
        [("Item", "\"inverse\": \"items\", \"ordered\": true", "\"inverse\": \"items\"")],
        "'ordered' of 'Item.tags' changes from true to false; keep it, or add a relationship with another name"
      ),
      (
        [("Book", "\"parent\": \"Item\", ", "")],
        "the parent of 'Book' changes from 'Item' to none; keep it, make a new entity, or replace this entity in a step of the program (StoreMigration)"
      ),
      (
        [
          (
            "Item", "\"number\": \"integer32\"",
            "\"number\": \"integer32\", \"pages\": { \"type\": \"integer16\", \"optional\": true }"
          ), ("Book", "\"pages\": { \"type\": \"integer16\", \"optional\": true }", ""),
        ],
        "'Book.pages' moves to 'Item.pages', and its values would be lost; leave it where it is, give it another name, or allow the removal of 'Book.pages'"
      ),
      (
        [("Item", "\"Item\": {", "\"Item\": { \"abstract\": true, ")],
        "'Item' becomes abstract, and the store has objects of it; delete them first"
      ),
    ] as [([(String, String, String)], String)])
  func refused(_ edits: [(String, String, String)], _ message: String) throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    let before = try folder.bytes("shop.graft")
    let model = try Self.model(edits.map { (entity: $0.0, from: $0.1, to: $0.2) })
    let plan = try SQLiteStore.migrationPlan(at: url, to: model)
    #expect(plan.refusals.map(\.message) == [message] && !plan.isPossible)
    let error = try FileTests.error(url, model)
    #expect(
      error.contains(
        "the store 'shop.graft' cannot be opened: its model differs from the given one in a way that cannot be migrated; it was not changed"
      ), "\(error)")
    #expect(error.contains(message), "\(error)")
    #expect(try folder.bytes("shop.graft") == before)
    #expect(try folder.names == ["shop.graft"])
    #expect(try SQLiteStore(at: url, model: Self.model()).verify() == [])
  }

  @Test("S16: before a migration rewrites anything, the store is copied, unless copies are turned off")
  func backup() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    var options = SQLiteStore.Options()
    options.allowedRemovals = ["Item.size"]
    let dump = try SQLiteStore(at: url, model: Self.model(), options: options).dump()
    #expect(try folder.names == ["shop.graft"])
    let model = try Self.model([Self.withoutSize])
    let store = try SQLiteStore(at: url, model: model, options: options)
    #expect(try store.dump() != dump)
    let copy = try SQLiteStore(at: folder.file("shop.graft.backup-2"), model: Self.model())
    #expect(try copy.dump() == dump)
    options.backsUpBeforeMigration = false
    options.allowedRemovals = ["Item.weight"]
    let next = try Self.model([Self.withoutSize, ("Item", #", "weight": { "type": "float", "optional": true }"#, "")])
    _ = try SQLiteStore(at: url, model: next, options: options)
    #expect(
      try folder.names.filter { $0.contains("backup") && !$0.contains("-wal") && !$0.contains("-shm") } == [
        "shop.graft.backup-2"
      ])
  }

  @Test("S16: a migration that only adds entities does not copy the store")
  func additionWithoutBackup() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    _ = try Self.migrated(
      url, Self.model(adding: #""Shelf": { "attributes": { "name": "string" } }"#), ["add the entity 'Shelf'"])
    #expect(try folder.names == ["shop.graft"])
  }

  static let withoutSize = (entity: "Item", from: #""size": { "type": "integer16", "optional": true }, "#, to: "")

  @Test("S9: a store that another process migrated is not read or written in its old form")
  func migratedMeanwhile() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    let old = try SQLiteStore(at: url, model: Self.model())
    let held = try old.snapshot()
    let new = try SQLiteStore(
      at: url, model: Self.model([Self.withoutSize], removed: ["Item.size"]))
    let words = "another process migrated it to another version of the model; open it again"
    #expect { try old.all("Item") } throws: { "\($0)".contains(words) }
    var changes = StoreChanges()
    changes.insert(old.schema, "Tag", ["word": "new"])
    #expect { try old.write(changes) } throws: { "\($0)".contains(words) }
    #expect { try old.removeAll() } throws: { "\($0)".contains(words) }
    // Data that was read before stays readable.
    #expect(try held.rows(selectedBy: StoreQuery(table: old.schema.table("Item"))).count == 6)
    try new.execute("VACUUM")
    #expect(try new.all("Item").count == 6)
  }

  @Test("S9: indexes that another tool added are kept, unless their columns or names no longer exist")
  func addedIndexes() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    try sqlite(
      url,
      """
      CREATE INDEX byTitle ON Item (title COLLATE NOCASE, size); CREATE INDEX byWeight ON Item (weight);
      CREATE INDEX byWord ON Tag (word DESC); CREATE INDEX Item_by_code ON Maker (name)
      """)
    let model = try Self.model(
      [("Item", #", "weight": { "type": "float", "optional": true }"#, "")], removed: ["Item.weight"])
    let store = try SQLiteStore(at: url, model: model)
    #expect(try store.verify() == [])
    let names = try store.withWriter { connection throws(SQLiteError) in
      try store.sql.addedIndexes(in: connection).map { "\($0.table).\($0.name)" }.sorted()
    }
    #expect(names == ["Item.byTitle", "Maker.Item_by_code", "Tag.byWord"])
  }

  @Test("S16: the order of a relationship is a value, so no migration drops it without consent")
  func order() throws {
    let folder = try Folder()
    let url = try Self.store(folder)
    let edits = [
      (
        entity: "Item",
        from: #", "tags": { "destination": "Tag", "toMany": true, "inverse": "items", "ordered": true }"#,
        to: ""
      ),
      (entity: "Tag", from: #", "inverse": "tags""#, to: ""),
    ]
    let plan = try SQLiteStore.migrationPlan(at: url, to: Self.model(edits))
    #expect(plan.refusals.count == 1 && plan.removals == ["remove 'Item.tags' and its values"], "\(plan)")
    #expect(try SQLiteStore.migrationPlan(at: url, to: Self.model(edits, removed: ["Item.tags"])).isPossible)
  }
}
