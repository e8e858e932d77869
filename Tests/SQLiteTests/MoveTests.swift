import Foundation
import Graft
import Testing

@testable import GraftSQL
@testable import GraftSQLite

/// Changes that a commit based on an older commit must not write. They are the same for all stores.
@Suite("Stores: commits based on an older commit") struct MoveTests {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case sqlite, memory

    var testDescription: String { rawValue }
  }

  /// A store with two makers, items 1 to 4 that alternate between the makers, three tags, and the first commit, on which tests are based.
  private struct Case {
    let store: any StoreBackend
    let base: any StoreSnapshot
    var schema: StoreSchema { store.schema }

    init(_ kind: Kind) throws {
      let model = try Shop.model()
      let store: any StoreBackend =
        kind == .sqlite ? try SQLiteStore.inMemory(model: model) : SnapshotStore.inMemory(model: model)
      var changes = StoreChanges()
      let makers = ["DC", "Marvel"].map { changes.insert(store.schema, "Maker", ["name": .init($0)]) }
      for row in 1...4 as ClosedRange<Int64> {
        changes.insert(
          store.schema, "Item",
          ["number": .integer(row * 10), "title": .init("item \(row)"), "maker": .integer(makers[Int(row % 2)])])
      }
      for word in ["a", "b", "c"] { changes.insert(store.schema, "Tag", ["group": "g", "word": .init(word)]) }
      changes.link(store.schema, "Item_tags", [StoredLink(owner: -1, member: -1)])
      guard case .written = try store.write(changes, basedOn: 0) else { throw Unexpected() }
      self.store = store
      base = try store.snapshot()
    }

    func rows(_ table: String, _ snapshot: (any StoreSnapshot)? = nil) throws -> StoredRows {
      try (snapshot ?? base).rows(selectedBy: StoreQuery(table: schema.table(table)))
    }

    /// Returns changes to rows as the rows were in the base commit.
    func changes(_ body: (inout StoreChanges) throws -> Void) rethrows -> StoreChanges {
      var changes = StoreChanges()
      try body(&changes)
      return changes
    }

    func update(_ row: Int, _ values: [String: Value]) throws -> StoreChanges {
      let rows = try rows("Item")
      return changes { $0.update(schema, "Item", rows, row, values) }
    }

    func insert(_ number: Int64, _ values: [String: Value] = [:]) -> StoreChanges {
      changes { $0.insert(schema, "Item", values.merging(["number": .integer(number)]) { $1 }) }
    }

    func delete(_ table: String, _ row: Int) throws -> StoreChanges {
      let header = try rows(table).headers[row]
      return changes { $0.delete(schema, table, [header]) }
    }

    /// Writes changes on top of the latest commit.
    func others(_ changes: StoreChanges) throws {
      guard case .written = try store.write(changes, basedOn: store.latestCommit()) else { throw Unexpected() }
    }

    /// Returns whether changes based on the first commit are written. If not, none of them may be written.
    func isWritten(_ changes: StoreChanges) throws -> Bool {
      let latest = try store.latestCommit()
      let before = try dump()
      switch try store.write(changes, basedOn: base.sequence) {
      case .written(let sequence, _):
        #expect(sequence == latest + 1)
        return true
      case .moved:
        #expect(try store.latestCommit() == latest)
        #expect(try dump() == before)
        return false
      }
    }

    func dump() throws -> [String] { try MoveTests.contents(of: store) }
  }

  /// Returns everything that a store contains.
  static func contents(of store: any StoreBackend) throws -> [String] {
    let snapshot = try store.snapshot()
    let schema = store.schema
    let tables = SQLSchema(StoreLayout(schema)).tables
    return try schema.tables.indices.map { table in
      let rows = try snapshot.rows(selectedBy: StoreQuery(table: table))
      let lines = (0..<rows.count).map { row in
        "\(rows.headers[row]) \(tables[table].forms.enumerated().map { rows.value($1, row, $0) })"
      }
      return lines.joined(separator: "\n")
    }
      + schema.links.indices.map { table in
        let links = try snapshot.links(in: table, ofOwners: Array(1...1000))
        return "\(links.sorted { ($0.owner, $0.member) < ($1.owner, $1.member) })"
      }
  }

  @Test(
    "S15: changes are written if they do not affect anything that was written since their base",
    arguments: Kind.allCases)
  func unrelated(_ kind: Kind) throws {
    let test = try Case(kind)
    try test.others(try test.update(0, ["title": "others"]))
    try test.others(test.insert(50))
    try test.others(try test.delete("Item", 3))
    var mine = try test.update(1, ["title": "mine", "number": 21])
    mine.insert(test.schema, "Item", ["number": 60, "maker": 1])
    mine.delete(test.schema, "Item", [try test.rows("Item").headers[2]])
    mine.link(test.schema, "Item_tags", [StoredLink(owner: 2, member: 2)])
    mine.watch.rows = [test.schema.table("Item"): [2], test.schema.table("Tag"): [2]]
    mine.watch.tables = [test.schema.table("Maker")]
    #expect(try test.isWritten(mine))
    let rows = try test.rows("Item", test.store.snapshot())
    #expect((0..<rows.count).map { rows.value(test.schema, $0, "number") } == [10, 21, 50, 60])
    #expect(test.base.sequence == 1)
    #expect(try test.rows("Item").count == 4)
  }

  @Test("S15: a row is not updated or deleted if another program changed or deleted it", arguments: Kind.allCases)
  func rows(_ kind: Kind) throws {
    let test = try Case(kind)
    try test.others(try test.update(0, ["title": "others"]))
    try test.others(try test.delete("Item", 1))
    for row in 0..<2 {
      #expect(try !test.isWritten(try test.update(row, ["title": "mine"])))
      #expect(try !test.isWritten(try test.delete("Item", row)))
    }
    // Deleting the item's maker changed the item.
    try test.others(try test.delete("Maker", 1))
    #expect(try !test.isWritten(try test.update(2, ["title": "mine"])))
    #expect(try test.isWritten(try test.update(3, ["title": "mine"])))
  }

  @Test("S15: an identity that another program has given to a row cannot be used again", arguments: Kind.allCases)
  func identities(_ kind: Kind) throws {
    let test = try Case(kind)
    try test.others(test.insert(50))
    try test.others(try test.update(0, ["number": 11]))
    for number in [50, 11] as [Int64] {
      #expect(try !test.isWritten(test.insert(number)))
      #expect(try !test.isWritten(try test.update(1, ["number": .integer(number)])))
    }
    // Identities that other programs removed, or that these changes free, can be used.
    #expect(try test.isWritten(test.insert(10)))
    let rows = try test.rows("Item")
    #expect(
      try test.isWritten(
        test.changes {
          $0.update(test.schema, "Item", rows, 1, ["number": 30])
          $0.update(test.schema, "Item", rows, 2, ["number": 20])
          $0.delete(test.schema, "Item", [rows.headers[3]])
          $0.insert(test.schema, "Item", ["number": 40])
        }))
  }

  @Test("S15: changes cannot refer to a row that another program deleted", arguments: Kind.allCases)
  func references(_ kind: Kind) throws {
    let test = try Case(kind)
    try test.others(try test.delete("Maker", 0))
    try test.others(try test.delete("Tag", 2))
    #expect(try !test.isWritten(test.insert(50, ["maker": 1])))
    #expect(try !test.isWritten(try test.update(0, ["maker": 1])))
    #expect(try !test.isWritten(test.changes { $0.link(test.schema, "Item_tags", [StoredLink(owner: 1, member: 3)]) }))
    #expect(
      try test.isWritten(
        test.changes {
          $0.insert(test.schema, "Item", ["number": 50, "maker": 2])
          $0.link(test.schema, "Item_tags", [StoredLink(owner: -1, member: 2)])
        }))
  }

  @Test(
    "S15: changes are not written if a list or table that they depend on has been written", arguments: Kind.allCases)
  func watch(_ kind: Kind) throws {
    let test = try Case(kind)
    let (item, tag, maker) = (test.schema.table("Item"), test.schema.table("Tag"), test.schema.table("Maker"))
    try test.others(test.changes { $0.link(test.schema, "Item_tags", [StoredLink(owner: 1, member: 2)]) })
    try test.others(try test.delete("Item", 3))
    func isWritten(_ body: (inout StoreChanges.Watch) -> Void) throws -> Bool {
      var changes = test.changes { $0.insert(test.schema, "Maker", ["name": .init(UUID().uuidString)]) }
      body(&changes.watch)
      return try test.isWritten(changes)
    }
    // A list changes when its links or its row change.
    for (table, row) in [(item, 1), (tag, 2), (item, 4)] as [(Int, Int64)] {
      #expect(try !isWritten { $0.rows = [table: [row, 77]] })
    }
    #expect(try !isWritten { $0.tables = [item] })
    #expect(try !isWritten { $0.tables = [maker, tag] })
    #expect(
      try isWritten {
        $0.rows = [item: [2, 3], tag: [1, 3], maker: [1, 2]]
        $0.tables = [maker]
      })
    #expect(try !isWritten { $0.tables = [maker] })
  }

  @Test(
    "S15: changes that depend on a row are refused if the log no longer contains all commits since their base",
    arguments: Kind.allCases)
  func forgotten(_ kind: Kind) throws {
    let test = try Case(kind)
    // The log keeps at least a thousand commits.
    for number in 0...1100 { try test.others(try test.update(1, ["title": .init("\(number)")])) }
    var changes = try test.update(0, ["title": "mine"])
    changes.watch.rows = [test.schema.table("Item"): [1]]
    #expect(try !test.isWritten(changes))
    changes.watch = StoreChanges.Watch()
    #expect(try test.isWritten(changes))
  }

  @Test("S15: existing links can be added again, and removed links can be removed again", arguments: Kind.allCases)
  func links(_ kind: Kind) throws {
    let test = try Case(kind)
    try test.others(
      test.changes {
        $0.link(
          test.schema, "Item_tags", [StoredLink(owner: 2, member: 2)], removing: [StoredLink(owner: 1, member: 1)])
      })
    #expect(
      try test.isWritten(
        test.changes {
          $0.link(
            test.schema, "Item_tags", [StoredLink(owner: 2, member: 2, position: 7)],
            removing: [StoredLink(owner: 1, member: 1)])
        }))
    let links = try test.store.snapshot().links(in: test.schema.links("Item_tags"), ofOwners: [1, 2])
    #expect(links == [StoredLink(owner: 2, member: 2, position: 7)])
  }

  @Test("S15: changes that contradict their own base cause an error", arguments: Kind.allCases)
  func contradictions(_ kind: Kind) throws {
    let test = try Case(kind)
    let before = try test.dump()
    var missing = StoreChanges()
    missing.delete(test.schema, "Item", [StoredRows.Header(id: 77, version: 1)])
    let contradictions = [
      test.insert(10), try test.update(0, ["number": 20]), test.insert(50, ["maker": 77]), missing,
      test.changes { $0.link(test.schema, "Item_tags", [StoredLink(owner: 1, member: 77)]) },
      test.changes {
        $0.insert(test.schema, "Item", ["number": 50])
        $0.insert(test.schema, "Item", ["number": 50])
      },
    ]
    for changes in contradictions {
      #expect(throws: StoreError.self) { try test.store.write(changes, basedOn: 1) }
      #expect(try test.dump() == before)
    }
    // A base that is newer than the store's latest commit belongs to another store.
    guard case .moved = try test.store.write(test.insert(50), basedOn: 9) else {
      Issue.record("written")
      return
    }
  }

  @Test("S4: an empty change set is not a commit", arguments: Kind.allCases)
  func empty(_ kind: Kind) throws {
    let test = try Case(kind)
    guard case .written(let sequence, let firstIDs) = try test.store.write(StoreChanges(), basedOn: 0) else {
      Issue.record("moved")
      return
    }
    #expect(sequence == 1 && firstIDs.isEmpty)
    #expect(try test.store.latestCommit() == 1)
  }

  @Test("S4: references and links to rows that are deleted in the same changes disappear", arguments: Kind.allCases)
  func deletedTargets(_ kind: Kind) throws {
    let test = try Case(kind)
    let items = try test.rows("Item")
    var changes = try test.delete("Maker", 0)
    changes.delete(test.schema, "Tag", [try test.rows("Tag").headers[0]])
    changes.update(test.schema, "Item", items, 0, ["maker": 1])
    changes.insert(test.schema, "Item", ["number": 50, "maker": 1])
    changes.link(test.schema, "Item_tags", [StoredLink(owner: 2, member: 1), StoredLink(owner: 2, member: 2)])
    #expect(try test.isWritten(changes))
    let now = try test.rows("Item", test.store.snapshot())
    #expect((0..<now.count).map { now.value(test.schema, $0, "maker") } == [.null, .null, 2, .null, .null])
    let links = try test.store.snapshot().links(in: test.schema.links("Item_tags"), ofMembers: [1, 2])
    #expect(links == [StoredLink(owner: 2, member: 2)])
  }
}
