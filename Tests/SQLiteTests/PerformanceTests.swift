import CSQLite
import Foundation
import Graft
import Testing

@testable import GraftSQLite

/// Costs, compared with hand-written statements. Only optimized code is meaningful:
///
///     GRAFT_PERFORMANCE=1 swift test -c release -Xswiftc -enable-testing --filter "SQLite: performance"
@Suite(
  "SQLite: performance", .serialized, .enabled(if: ProcessInfo.processInfo.environment["GRAFT_PERFORMANCE"] != nil))
struct PerformanceTests {
  static let rows = 100_000
  static let texts = ["title", "slug", "author", "summary", "body"]

  static func model() throws -> ManagedObjectModel {
    var post = EntityDescription("Post", identityAttributes: ["id"])
    post.attributes =
      ["id", "likes", "views", "shares"].map { AttributeDescription($0, .integer64) }
      + texts.map { AttributeDescription($0, .string) }
      + ["created", "updated"].map { AttributeDescription($0, .date) }
      + [AttributeDescription("score", .double)]
    return try ManagedObjectModel(ModelDescription(entities: [post]))
  }

  /// The posts, with IDs in a given order.
  static func changes(_ ids: [Int64]) -> StoreChanges {
    var table = StoreChanges.TableChanges(table: 0, columnCount: 12)
    table.inserted.values.reserve(rows: ids.count, textBytes: ids.count * 225)
    let lengths = [30, 25, 20, 70, 80]
    for (row, id) in ids.enumerated() {
      table.inserted.append(StoredRows.Header(id: 0, version: 0))
      for column in 0..<4 {
        table.inserted.values.setInteger(column == 0 ? id : id &* 7 + Int64(column), row: row, column: column)
      }
      for (index, length) in lengths.enumerated() {
        let text = [UInt8]("\(id) \(index) ".utf8) + [UInt8](repeating: 0x61, count: length - 10)
        text.withUnsafeBufferPointer { table.inserted.values.setText($0, row: row, column: 4 + index) }
      }
      table.inserted.values.setInteger(1_700_000_000_000_000 + id, row: row, column: 9)
      table.inserted.values.setInteger(1_700_000_000_000_000 - id, row: row, column: 10)
      table.inserted.values.setDouble(Double(id) / 3, row: row, column: 11)
    }
    var changes = StoreChanges()
    changes.tables = [table]
    return changes
  }

  static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let time = try clock.measure(body)
    return Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1000
  }

  static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

  /// Inserts the posts with a statement for each row, as careful hand-written code would.
  static func bareInserts(_ url: URL, _ changes: StoreChanges) throws -> Double {
    let connection = try {
      _ = FileManager.default.createFile(atPath: url.path, contents: nil)
      return try SQLiteConnection(path: url.path)
    }()
    let values = changes.tables[0].inserted.values
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      CREATE TABLE Post (id INTEGER, likes INTEGER, views INTEGER, shares INTEGER, title TEXT, slug TEXT, author TEXT,
        summary TEXT, body TEXT, created INTEGER, updated INTEGER, score REAL) STRICT;
      CREATE UNIQUE INDEX i ON Post (id)
      """)
    return try milliseconds {
      try connection.transaction(.writing) { () throws(SQLiteError) in
        try connection.using("INSERT INTO Post VALUES (?,?,?,?,?,?,?,?,?,?,?,?)") { statement throws(SQLiteError) in
          try values.withTexts { texts throws(SQLiteError) in
            for row in 0..<values.count {
              for column in [0, 1, 2, 3, 9, 10] {
                try statement.bind(Int64(bitPattern: values.word(row: row, column: column)), at: Int32(column + 1))
              }
              for column in 4..<9 {
                try statement.bind(
                  text: UnsafeBufferPointer(rebasing: texts[values.textRange(row: row, column: column)]),
                  at: Int32(column + 1))
              }
              try statement.bind(Double(bitPattern: values.word(row: row, column: 11)), at: 12)
              try statement.run()
            }
          }
        }
      }
    }
  }

  @Test("S11: writing 100,000 rows, compared with plain inserts", arguments: [false, true])
  func inserts(isShuffled: Bool) throws {
    var ids = Array(0..<Int64(Self.rows))
    if isShuffled { ids.shuffle() }
    let changes = Self.changes(ids)
    var own: [Double] = []
    var bare: [Double] = []
    for _ in 0..<5 {
      let folder = try Folder()
      bare.append(try Self.bareInserts(folder.file("bare.db"), changes))
      let store = try SQLiteStore(at: folder.file("store.graft"), model: Self.model())
      own.append(try Self.milliseconds { try store.commit(changes) })
    }
    let ratio = Self.median(own) / Self.median(bare)
    print(
      "insert\(isShuffled ? " shuffled" : ""): store \(Self.median(own)) ms, bare \(Self.median(bare)) ms, ratio \(ratio)"
    )
    #expect(ratio < 1.7)
  }

  @Test("S11: reading rows, updating rows and opening a store")
  func others() throws {
    let folder = try Folder()
    let url = folder.file("store.graft")
    var times: [String: [Double]] = [:]
    func measure(_ name: String, per count: Int = 1, _ body: () throws -> Void) rethrows {
      times[name, default: []].append(try Self.milliseconds(body) * 1000 / Double(count))
    }
    do {
      let store = try SQLiteStore(at: url, model: Self.model())
      try store.commit(Self.changes(Array(0..<Int64(Self.rows))))
    }
    let count = Self.rows
    let shuffled = (0..<Int64(count)).shuffled()
    var keys = StoredValues(columnCount: 1)
    for id in shuffled {
      keys.appendRow()
      keys.setInteger(id * 2, row: keys.count - 1, column: 0)
    }
    let model = try Self.model()
    for round in 0..<5 {
      var store: SQLiteStore?
      try measure("open") { store = try SQLiteStore(at: url, model: model) }
      guard let store else { return }
      _ = try store.rows(in: 0, ids: Array(1...1000))
      try measure("100,000 identities, half known, each", per: count) {
        _ = try store.rows(in: 0, identity: 0, values: keys)
      }
      try measure("100,000 rows by number, each", per: count) {
        _ = try store.rows(in: 0, ids: shuffled.map { $0 + 1 })
      }
      try measure("one row by identity", per: 1000) {
        for id in shuffled.prefix(1000) {
          var key = StoredValues(columnCount: 1)
          key.appendRow()
          key.setInteger(id, row: 0, column: 0)
          _ = try store.rows(in: 0, identity: 0, values: key)
        }
      }
      let rows = try store.rows(in: 0, ids: Array(1...Int64(count)))
      try measure("commit of one row", per: 200) {
        for row in 0..<200 {
          var changes = StoreChanges()
          let id = Int64(round * 1000 + row)
          var one = StoredRows(table: 0, columnCount: 12)
          one.append(rows.headers[Int(id)])
          for column in 0..<12 {
            one.values.copy(
              rows.values, row: Int(id), column: column, toRow: 0, column: column, isBytes: (4..<9).contains(column))
          }
          var table = StoreChanges.TableChanges(table: 0, columnCount: 12)
          table.updated = one
          table.changedColumns = [[1]]
          changes.tables = [table]
          try store.commit(changes)
        }
      }
      try measure("commit of 100,000 changed rows, each", per: count) {
        var table = StoreChanges.TableChanges(table: 0, columnCount: 12)
        table.updated = try store.rows(in: 0, ids: Array(1...Int64(count)))
        table.changedColumns = Array(repeating: [1], count: count)
        var changes = StoreChanges()
        changes.tables = [table]
        try store.commit(changes)
      }
      try measure("verify, each row", per: count) { _ = try store.verify() }
    }
    for (name, times) in times.sorted(by: { $0.key < $1.key }) { print("\(name): \(Self.median(times)) us") }
  }
}
