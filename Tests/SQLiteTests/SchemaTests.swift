import Foundation
import Graft
import Testing

@testable import GraftSQL
@testable import GraftSQLite

@Suite("SQLite: the schema") struct SchemaTests {
  @Test("S2: the schema looks like one written by hand")
  func text() throws {
    let sql = SQLSchema(StoreLayout(StoreSchema(try Shop.model())))
    let text = sql.items.dropFirst(2).map { $0.sql + ";\n" }.joined()
    #expect(
      text == """
        CREATE TABLE "Item" (
          "_id"            INTEGER PRIMARY KEY AUTOINCREMENT,
          "_version"       INTEGER NOT NULL,
          "_placeholder"   INTEGER NOT NULL,
          "_entity"        TEXT NOT NULL,
          "_digest"        INTEGER NOT NULL,
          "added"          INTEGER,
          "code"           TEXT,
          "extra"          TEXT,
          "image"          BLOB,
          "isNew"          INTEGER,
          "maker"          INTEGER REFERENCES "Maker" ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
          "number"         INTEGER,
          "page"           TEXT,
          "price"          TEXT,
          "ratio"          REAL,
          "stock"          INTEGER,
          "title"          TEXT,
          "weight"         REAL,
          "pages"          INTEGER,
          "maker_position" INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX "Item_by_number" ON "Item" ("number");
        CREATE INDEX "Item_by_maker" ON "Item" ("maker")
        WHERE "maker" IS NOT NULL;
        CREATE INDEX "Item_placeholders" ON "Item" ("_placeholder")
        WHERE "_placeholder" = 1;
        CREATE TABLE "Maker" (
          "_id"          INTEGER PRIMARY KEY AUTOINCREMENT,
          "_version"     INTEGER NOT NULL,
          "_placeholder" INTEGER NOT NULL,
          "_digest"      INTEGER NOT NULL,
          "name"         TEXT
        ) STRICT;
        CREATE UNIQUE INDEX "Maker_by_name" ON "Maker" ("name");
        CREATE INDEX "Maker_placeholders" ON "Maker" ("_placeholder")
        WHERE "_placeholder" = 1;
        CREATE TABLE "Tag" (
          "_id"          INTEGER PRIMARY KEY AUTOINCREMENT,
          "_version"     INTEGER NOT NULL,
          "_placeholder" INTEGER NOT NULL,
          "_digest"      INTEGER NOT NULL,
          "group"        TEXT,
          "word"         TEXT
        ) STRICT;
        CREATE UNIQUE INDEX "Tag_by_group_word" ON "Tag" ("group", "word");
        CREATE INDEX "Tag_placeholders" ON "Tag" ("_placeholder")
        WHERE "_placeholder" = 1;
        CREATE TABLE "Item_similar" (
          "item"    INTEGER NOT NULL REFERENCES "Item" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "similar" INTEGER NOT NULL REFERENCES "Item" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          PRIMARY KEY ("item", "similar")
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX "Item_similar_by_similar" ON "Item_similar" ("similar", "item");
        CREATE TABLE "Item_tags" (
          "item"     INTEGER NOT NULL REFERENCES "Item" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "tags"     INTEGER NOT NULL REFERENCES "Tag" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "position" INTEGER NOT NULL,
          PRIMARY KEY ("item", "tags")
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX "Item_tags_by_tags" ON "Item_tags" ("tags", "item", "position");

        """, Comment(rawValue: text))
  }

  @Test("S2: quotes in names are doubled, regardless of the other characters")
  func quoting() throws {
    #expect(SQLName.quoted("say \"hi\"; --") == "\"say \"\"hi\"\"; --\"")
    #expect(SQLName.quoted("a\"\u{301}b") == "\"a\"\"\u{301}b\"")
    #expect(SQLName.literal("it's") == "'it''s'")
  }

  @Test("T20: a model with hostile names creates a store whose tables have these names")
  func hostileNames() throws {
    let names = ["select", "a\"; DROP TABLE x; --", "sqlite_master", "it's", "_id", "Ünï\u{301}", "rowid", "_graft"]
    var description = ModelDescription(
      entities: names.map { name in
        var entity = EntityDescription(name, identityAttributes: ["key\"'"])
        entity.attributes = [
          AttributeDescription("key\"'", .string), AttributeDescription(name, .integer64, isOptional: true),
        ]
        entity.relationships = [RelationshipDescription("to \(name)", to: "it's", isToMany: true)]
        return entity
      })
    var below = EntityDescription("sub's")
    below.parentName = "it's"
    description.entities.append(below)
    let model = try ManagedObjectModel(description)
    let store = try SQLiteStore.inMemory(model: model)
    var changes = StoreChanges()
    for (table, layout) in store.schema.tables.enumerated() {
      let key = try #require(layout.columns.firstIndex { $0.name == "key\"'" })
      var rows = StoreChanges.TableChanges(table: table, columnCount: 2)
      rows.inserted.append(StoredRows.Header(id: 0, version: 0))
      Value("x';\"\0").set(&rows.inserted.values, 0, key)
      Value.integer(7).set(&rows.inserted.values, 0, 1 - key)
      changes.tables.append(rows)
    }
    for link in store.schema.links.indices {
      var links = StoreChanges.LinkChanges(table: link)
      links.added = [StoredLink(owner: -1, member: -1)]
      changes.links.append(links)
    }
    try store.commit(changes)
    for table in store.schema.tables.indices {
      var key = StoredValues(columnCount: 1)
      key.appendRow()
      Value("x';\"\0").set(&key, 0, 0)
      #expect(try store.rows(in: table, identity: 0, values: key).count == 1)
    }
    #expect(try store.verify() == [])
    let tables = try store.withWriter { connection throws(SQLiteError) in
      try connection.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
    }
    #expect(tables == Int64(names.count * 2 + 3))
  }
}
