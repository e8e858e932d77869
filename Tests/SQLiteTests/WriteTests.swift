import Foundation
import Graft
import Testing

@testable import GraftSQL
@testable import GraftSQLite

@Suite("SQLite: commits") struct WriteTests {
  @Test("S4: an update writes only the changed columns of a row")
  func update() throws {
    let store = try RowTests.filled(3)
    let rows = try store.all("Item")
    var changes = StoreChanges()
    changes.update(store.schema, "Item", rows, 1, ["title": "new", "maker": nil, "maker_position": nil])
    #expect(try store.commit(changes).sequence == 2)
    let now = try store.all("Item")
    #expect(now.headers.map(\.version) == [1, 2, 1])
    #expect(now.value(store.schema, 1, "title") == "new" && now.value(store.schema, 1, "maker") == .null)
    #expect(try store.verify() == [])
  }

  @Test("S4: row numbers are never used again")
  func numbers() throws {
    let store = try RowTests.filled(3)
    var changes = StoreChanges()
    changes.delete(store.schema, "Item", try store.all("Item").headers)
    changes.insert(store.schema, "Item", ["number": 10])
    #expect(try store.commit(changes).firstIDs == [store.schema.table("Item"): 4])
    #expect(try store.all("Item").headers.map(\.id) == [4])
  }

  @Test("S5: one commit can exchange identities, and reuse the identities of deleted rows")
  func exchangedIdentities() throws {
    let store = try RowTests.filled(4)
    let rows = try store.all("Item")
    var changes = StoreChanges()
    changes.update(store.schema, "Item", rows, 0, ["number": 20])
    changes.update(store.schema, "Item", rows, 1, ["number": 10])
    changes.update(store.schema, "Item", rows, 2, ["number": 40])
    changes.delete(store.schema, "Item", [rows.headers[3]])
    changes.insert(store.schema, "Item", ["number": 30])
    try store.commit(changes)
    let now = try store.all("Item")
    #expect((0..<4).map { now.value(store.schema, $0, "number") } == [20, 10, 40, 30])
    #expect(try store.verify() == [])
  }

  @Test("S4: rows that refer to a deleted row lose the reference and its position, and are reported as changed")
  func clearedReferences() throws {
    let store = try RowTests.filled(4)
    var changes = StoreChanges()
    changes.delete(store.schema, "Maker", [try store.all("Maker").headers[0]])
    try store.commit(changes)
    let rows = try store.all("Item")
    #expect((0..<4).map { rows.value(store.schema, $0, "maker") } == [2, .null, 2, .null])
    #expect((0..<4).map { rows.value(store.schema, $0, "maker_position") } == [1, .null, 3, .null])
    #expect(rows.headers.map(\.version) == [1, 2, 1, 2])
    let log = try store.changes(since: 1)
    #expect(log.written == [store.schema.table("Item"): [2, 4]])
    #expect(log.deleted == [store.schema.table("Maker"): [1]])
    #expect(try store.verify() == [])
  }

  @Test("S4: links to deleted rows disappear, and the rows on the other side are reported as changed")
  func clearedLinks() throws {
    let store = try RowTests.filled(4)
    var changes = StoreChanges()
    changes.link(
      store.schema, "Item_similar", [StoredLink(owner: 1, member: 2), StoredLink(owner: 3, member: 1)])
    try store.commit(changes)
    var deletion = StoreChanges()
    deletion.delete(store.schema, "Item", [try store.all("Item").headers[0]])
    try store.commit(deletion)
    let table = store.schema.links("Item_similar")
    #expect(try store.links(in: table, ofOwners: [1, 2, 3, 4]) == [])
    let log = try store.changes(since: 2)
    #expect(log.written == [store.schema.table("Item"): [2, 3]] && log.deleted == [store.schema.table("Item"): [1]])
  }

  @Test("S5: an updated row loses a reference to a row that is deleted in the same commit")
  func updatedAndDeleted() throws {
    let store = try RowTests.filled(2)
    let rows = try store.all("Item")
    var changes = StoreChanges()
    changes.delete(store.schema, "Maker", [try store.all("Maker").headers[1]])
    changes.update(store.schema, "Item", rows, 0, ["title": "x"])
    try store.commit(changes)
    #expect(try store.all("Item").value(store.schema, 0, "maker") == .null)
    #expect(try store.verify() == [])
  }

  @Test("S8: the log lists what was written since a given commit, even if that is only one commit")
  func log() throws {
    let store = try RowTests.filled(3)
    let item = store.schema.table("Item")
    let maker = store.schema.table("Maker")
    #expect(try store.changes(since: 0).written == [maker: [1, 2], item: [1, 2, 3]])
    #expect(try store.changes(since: 1).written == [:])
    #expect(try store.changes(since: 1).sequence == 1)
    for title in ["a", "b"] {
      var changes = StoreChanges()
      changes.update(store.schema, "Item", try store.all("Item"), 2, ["title": .init(title)])
      try store.commit(changes)
    }
    #expect(try store.changes(since: 1).written == [item: [3]])
    #expect(try store.changes(since: 99).isIncomplete)
  }

  @Test("S8: commits that the log no longer contains are reported as unknown")
  func forgottenLog() throws {
    let store = try RowTests.filled(1)
    for number in 1...CommitNumbers.logLength {
      var changes = StoreChanges()
      changes.update(store.schema, "Item", try store.all("Item"), 0, ["stock": .integer(number)])
      try store.commit(changes)
    }
    #expect(try store.changes(since: 0).isIncomplete)
    #expect(try !store.changes(since: 1).isIncomplete)
    #expect(try store.verify() == [])
  }

  @Test("S4: an empty change set is not a commit")
  func empty() throws {
    let store = try RowTests.filled(1)
    #expect(try store.commit(StoreChanges()).sequence == 1)
    #expect(try store.latestCommit() == 1)
  }
}
