import Foundation
import Graft
import Testing

@testable import GraftSQL
@testable import GraftSQLite

@Suite("SQLite: rows and links") struct RowTests {
  /// One value of every type.
  static let values: [String: Value] = [
    "number": 7, "title": "Ünï\u{0} 'x'", "price": "-12.50", "weight": 1.5, "isNew": 1, "added": -1_234_567_890,
    "code": .bytes(Array(1...16)), "page": "https://example.org/a?b", "image": .bytes([0, 255, 0]),
    "extra": "{\"a\":[1,null]}", "stock": -32768, "ratio": 0.25, "pages": 300,
  ]

  @Test("S2: each type of value is stored and read back")
  func values() throws {
    var values = Self.values
    values["price"] = "-12.5"
    let store = try Shop.store()
    var changes = StoreChanges()
    changes.insert(store.schema, "Item", values, entity: 1, isPlaceholder: true)
    changes.insert(store.schema, "Item", ["number": 8])
    let (sequence, firstIDs) = try store.commit(changes)
    #expect(sequence == 1 && firstIDs == [store.schema.table("Item"): 1])
    let rows = try store.all("Item")
    #expect(
      rows.headers == [
        .init(id: 1, version: 1, entity: 1, isPlaceholder: true), .init(id: 2, version: 1, entity: 0),
      ])
    for (name, value) in values { #expect(rows.value(store.schema, 0, name) == value, "\(name)") }
    for name in values.keys where name != "number" { #expect(rows.value(store.schema, 1, name) == .null, "\(name)") }
    #expect(try store.verify() == [])
  }

  @Test("S2: rows of all kinds are inserted together, by statements of many rows and statements of one row")
  func mixedKinds() throws {
    let store = try Shop.store()
    for first in [0, 200] as [Int64] {
      var changes = StoreChanges()
      for number in first..<first + 123 {
        changes.insert(
          store.schema, "Item",
          ["number": .integer(number), "title": .init(String(repeating: "é", count: Int(number % 40)))],
          entity: number % 3 == 0 ? 1 : 0, isPlaceholder: number % 7 < 2)
      }
      try store.commit(changes)
    }
    let rows = try store.all("Item")
    #expect(rows.count == 246)
    for (row, header) in rows.headers.enumerated() {
      let number = Int64(row < 123 ? row : row + 77)
      #expect(
        header
          == .init(
            id: Int64(row) + 1, version: row < 123 ? 1 : 2, entity: number % 3 == 0 ? 1 : 0,
            isPlaceholder: number % 7 < 2))
      #expect(rows.value(store.schema, row, "number") == .integer(number))
      #expect(rows.value(store.schema, row, "title") == .init(String(repeating: "é", count: Int(number % 40))))
    }
    #expect(try store.verify() == [])
  }

  @Test("S10: digests of bytes are the same as in the first version, because existing stores contain these digests")
  func digests() {
    var digest = Digest()
    let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
    bytes.withUnsafeBufferPointer { all in
      for count in 0...40 {
        for start in 0..<3 { digest.add(UnsafeBufferPointer(rebasing: all[start..<start + count])) }
      }
    }
    #expect(digest.value == 1_678_871_251_400_232_288)
  }

  @Test(
    "S2: extreme numbers are stored and read back",
    arguments: [
      0.0, -0.0, 1e308, -1e-308, .infinity, -.infinity, .leastNonzeroMagnitude, 9_007_199_254_740_992,
    ])
  func doubles(_ value: Double) throws {
    let store = try Shop.store()
    var changes = StoreChanges()
    changes.insert(store.schema, "Item", ["number": .integer(.min), "weight": .double(value), "added": .integer(.max)])
    try store.commit(changes)
    let rows = try store.all("Item")
    #expect(rows.value(store.schema, 0, "weight") == .double(value))
    #expect(rows.value(store.schema, 0, "number") == .integer(.min))
    #expect(rows.value(store.schema, 0, "added") == .integer(.max))
  }

  @Test("S2: NaN causes an error instead of being stored as nil")
  func notANumber() throws {
    let store = try Shop.store()
    var changes = StoreChanges()
    changes.insert(store.schema, "Item", ["number": 1, "weight": .double(.nan)])
    #expect {
      try store.write(changes)
    } throws: { "\($0)".contains("a value is NaN, which SQLite cannot store; use nil") }
    #expect(try store.all("Item").count == 0)
    #expect(try store.latestCommit() == 0)
  }

  /// A store with items 1 to n. Each item's number is ten times its row, and the items alternate between two makers.
  static func filled(_ count: Int64) throws -> SQLiteStore {
    let store = try Shop.store()
    var changes = StoreChanges()
    let makers = ["DC", "Marvel"].map { changes.insert(store.schema, "Maker", ["name": .init($0)]) }
    for row in 1...count {
      changes.insert(
        store.schema, "Item",
        [
          "number": .integer(row * 10), "title": .init("item \(row)"), "maker": .integer(makers[Int(row % 2)]),
          "maker_position": .integer(row),
        ])
    }
    try store.commit(changes)
    return store
  }

  @Test("S3: rows are found by number in any order, and each row once", arguments: [1, 2, 9, 70, 600, 1500])
  func ids(_ count: Int) throws {
    let store = try Self.filled(1500)
    let table = store.schema.table("Item")
    let wanted = Array((1...1500 as ClosedRange<Int64>).shuffled().prefix(count))
    let rows = try store.rows(in: table, ids: wanted + wanted.prefix(3) + [9999, 0, -5])
    #expect(rows.headers.map(\.id) == wanted.sorted())
    #expect(rows.value(store.schema, 0, "number") == .integer(wanted.min()! * 10))
    #expect(try store.rows(in: table, ids: []).count == 0)
  }

  @Test("S3: rows are found by an identity of one column", arguments: [1, 3, 65, 1400])
  func identities(_ count: Int) throws {
    let store = try Self.filled(1500)
    var keys = StoredValues(columnCount: 1)
    let wanted = Array((1...1500 as ClosedRange<Int64>).shuffled().prefix(count))
    for number in wanted.map({ $0 * 10 }) + wanted.map({ $0 * 10 + 1 }) + wanted.prefix(2).map({ $0 * 10 }) {
      keys.appendRow()
      keys.setInteger(number, row: keys.count - 1, column: 0)
    }
    let rows = try store.rows(in: store.schema.table("Item"), identity: 0, values: keys)
    #expect(rows.headers.map(\.id) == wanted.sorted())
  }

  @Test("S3: rows are found by an identity of two columns with any text")
  func composite() throws {
    let store = try Shop.store()
    let words = ["", "a", "a\u{0}", "a\u{0}b", "aaaaaaaab", "aaaaaaaac", "ä", "'", "\"", "[1]", "NULL", "\u{10FFFF}"]
    var changes = StoreChanges()
    for group in words {
      for word in words { changes.insert(store.schema, "Tag", ["group": .init(group), "word": .init(word)]) }
    }
    changes.insert(store.schema, "Tag", ["group": "a"])
    try store.commit(changes)
    for group in words {
      var keys = StoredValues(columnCount: 2)
      for word in words.shuffled() + ["none"] {
        keys.appendRow()
        Value(group).set(&keys, keys.count - 1, 0)
        Value(word).set(&keys, keys.count - 1, 1)
      }
      keys.appendRow()
      Value(group).set(&keys, keys.count - 1, 0)
      let rows = try store.rows(in: store.schema.table("Tag"), identity: 0, values: keys)
      #expect(Set((0..<rows.count).map { rows.value(store.schema, $0, "word") }) == Set(words.map { .init($0) }))
      #expect(rows.count == words.count)
    }
  }

  @Test("S3: members are found by the rows that they refer to")
  func members() throws {
    let store = try Self.filled(100)
    let column = store.schema.column("Item", "maker")
    let rows = try store.rows(in: store.schema.table("Item"), column: column, referringTo: [2, 2, 99])
    #expect(rows.count == 50)
    #expect((0..<50).allSatisfy { rows.value(store.schema, $0, "maker") == 2 })
  }

  @Test("S3: links are found from both sides, with positions")
  func links() throws {
    let store = try Shop.store()
    var changes = StoreChanges()
    for number in 1...60 as ClosedRange<Int64> {
      changes.insert(store.schema, "Item", ["number": .integer(number)])
      changes.insert(store.schema, "Tag", ["group": "g", "word": .init("\(number)")])
    }
    let pairs = (1...60 as ClosedRange<Int64>).flatMap { owner in
      (1...3).map { StoredLink(owner: -owner, member: -((owner + $0) % 60 + 1), position: 4 - $0) }
    }
    changes.link(store.schema, "Item_tags", pairs)
    try store.commit(changes)
    let table = store.schema.links("Item_tags")
    #expect(
      Set(try store.links(in: table, ofOwners: [1])) == [
        StoredLink(owner: 1, member: 3, position: 3), StoredLink(owner: 1, member: 4, position: 2),
        StoredLink(owner: 1, member: 5, position: 1),
      ])
    #expect(Set(try store.links(in: table, ofMembers: [5]).map(\.owner)) == [1, 2, 3])
    #expect(try store.links(in: table, ofOwners: Array(1...60)).count == 180)

    var more = StoreChanges()
    more.link(
      store.schema, "Item_tags", [StoredLink(owner: 1, member: 3, position: 9), StoredLink(owner: 1, member: 10)],
      removing: [StoredLink(owner: 1, member: 4)])
    try store.commit(more)
    #expect(
      Set(try store.links(in: table, ofOwners: [1])) == [
        StoredLink(owner: 1, member: 3, position: 9), StoredLink(owner: 1, member: 5, position: 1),
        StoredLink(owner: 1, member: 10),
      ])
    #expect(try store.verify() == [])
  }
}
