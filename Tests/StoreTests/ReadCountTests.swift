import Foundation
import GraftSQLite
import GraftTestSupport
import Testing

@testable import Graft

/// The number of reads that ordinary tasks need on a store of 1,000 heroes: objects and lists are loaded in batches (S3).
@Suite("Reads of ordinary tasks") struct ReadCountTests {
  private static let count = 1_000
  private let store: CountingStore

  init() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Publisher": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher", "deleteRule": "cascade"}}},
          "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {
              "publisher": {"destination": "Publisher", "inverse": "heroes"},
              "powers": {"destination": "Power", "toMany": true, "inverse": "heroes"},
              "costumes": {"destination": "Costume", "toMany": true, "inverse": "hero", "deleteRule": "cascade"}}},
          "Costume": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"hero": {"destination": "Hero", "inverse": "costumes"}}},
          "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "powers"}}}}}
        """, name: "m.json")
    store = CountingStore(try SQLiteStore.inMemory(model: model))
    try context().load(Self.payload, "Hero")
  }

  private static let payload =
    "["
    + (0..<count).map {
      #"{"id": \#($0), "name": "\#($0)", "publisher": {"id": \#($0 % 5)}, "powers": [{"id": \#($0 % 40)}], "costumes": [{"id": \#($0)}]}"#
    }
    .joined(separator: ",") + "]"

  private func context() -> ManagedObjectContext { ManagedObjectContext(store: store) }

  private func expectReads(
    atMost limit: Int, sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    let context = context()
    let reads = try store.reads { try body(context) }
    #expect(reads <= limit, sourceLocation: sourceLocation)
  }

  private func hero(_ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.find(ofEntity: "Hero", identity: id))
  }

  @Test("Importing existing objects reads each entity once or twice")
  func importing() throws {
    try expectReads(atMost: 12) { try $0.load(Self.payload, "Hero") }
    try expectReads(atMost: 5) { try $0.load(#"[{"id": 7, "name": "new", "powers": [3, 4]}]"#, "Hero") }
    try expectReads(atMost: 4) { try $0.load(#"[{"id": 7777, "publisher": 1, "powers": [3, 4]}]"#, "Hero") }
    try expectReads(atMost: 5) { try $0.load(#"[{"id": 1, "heroes": [1, 2, 3]}]"#, "Publisher") }
  }

  @Test("S8: a child's queries run in the store, even after the child's insertions were committed")
  func childQueries() throws {
    let parent = context()
    let child = parent.makeChild()
    let new = child.insert(ofEntity: "Publisher")
    try new.setValue(70, of: "id")
    let hero = child.insert(ofEntity: "Hero")
    try hero.setValue(7_000, of: "id")
    hero["publisher"] = new
    try child.commit()
    try parent.commit()
    try child.merge()
    let rows = try store.rowsRead {
      #expect(try child.count(ofEntity: "Hero", where: "publisher.id = 70") == 1)
      #expect(try child.fetch(ofEntity: "Hero", where: "publisher.id = 70") == [hero])
      #expect(try child.fetch(ofEntity: "Hero", sortedBy: [.descending("id")], limit: 2).first == hero)
      let schema = child.queryMap.schema
      let table = try #require(schema.tables.firstIndex { $0.entityNames.contains("Hero") })
      guard let column = schema.tables[table].columns.firstIndex(where: \.isReference) else { return }
      let rows = GraphRows(state: child.state, map: child.queryMap)
      let isMember = StoreCondition.equal(
        .column(StorePath(), column), .value(.integer(rows.id(RowPlace(table: new.table, row: new.number)))))
      #expect(try ObjectQuery(child, child.entity(named: "Hero"), isMember).count() == 1)
    }
    #expect(rows < 20, "\(rows) of 1,000 rows")
  }

  @Test("Following the relationships of all objects reads the objects in batches")
  func following() throws {
    try expectReads(atMost: 3) { context in
      for hero in try context.fetch(ofEntity: "Hero") {
        #expect((hero["publisher"] as ManagedObject?)?["id"] as Int? != nil)
      }
    }
    try expectReads(atMost: 14) { context in
      for hero in try context.fetch(ofEntity: "Hero") { #expect((hero["powers"] as [ManagedObject]).count == 1) }
    }
    try expectReads(atMost: 9) { context in
      for power in try context.fetch(ofEntity: "Power") { #expect((power["heroes"] as [ManagedObject]).count == 25) }
    }
  }

  @Test("Exporting reads entities and lists in batches")
  func exporting() throws {
    try expectReads(atMost: 24) { _ = try $0.exportAll(of: "Hero", options: ExportOptions()) }
    try expectReads(atMost: 30) { _ = try $0.exportAll(of: "Publisher", options: ExportOptions()) }
  }

  @Test("Deleting reads the objects that delete rules need in batches")
  func deleting() throws {
    try expectReads(atMost: 6) { context in
      try context.delete(hero(5, context))
      try context.commit()
    }
    try expectReads(atMost: 6) { context in
      try context.delete(try #require(try context.find(ofEntity: "Publisher", identity: 1)))
      try context.commit()
    }
    #expect(try context().count(ofEntity: "Costume") == 799)
  }

  @Test("Counting and selecting read the store once")
  func selecting() throws {
    try expectReads(atMost: 1) { context in
      let count = try context.count(ofEntity: "Hero")
      #expect(count == 1_000)
    }
    try expectReads(atMost: 1) { context in
      let found = try context.fetch(ofEntity: "Hero", where: "publisher = 3", limit: 10)
      #expect(found.count == 10)
    }
  }

  @Test("Changing and merging read only changed objects")
  func changing() throws {
    try expectReads(atMost: 2) { context in
      try hero(5, context)["name"] = "new"
      try context.commit()
    }
    let mine = context()
    _ = try mine.fetch(ofEntity: "Hero")
    try context().load(#"[{"id": 9, "name": "theirs"}]"#, "Hero")
    let reads = try store.reads { try mine.merge() }
    #expect(reads <= 5)
    let name: String? = try hero(9, mine)["name"]
    #expect(name == "theirs")
  }
}
