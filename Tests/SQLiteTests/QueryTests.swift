import Foundation
import Graft
import GraftTestSupport
import Testing

@testable import GraftSQL
@testable import GraftSQLite

@Suite("SQLite: queries") struct QueryTests {
  /// Returns the part of a query's statement that begins with the condition.
  static func condition(_ store: SQLiteStore, _ query: StoreQuery) -> String {
    let text = QuerySQL(store.sql, query).selecting("")
    return String(text.drop { $0 != "W" }.dropFirst(6).prefix { _ in true })
  }

  @Test("S6: a comparison through a to-one reads the other table once")
  func form() throws {
    let store = try Shop.store()
    let item = store.schema.table("Item")
    let path = StorePath(references: [.init(table: item, column: store.schema.column("Item", "maker"))])
    var query = StoreQuery(
      table: item, condition: .equal(.column(path, 0), .value(.text(Array("DC".utf8)))), limit: 20)
    #expect(
      Self.condition(store, query)
        == "(t.\"maker\" IN (SELECT r1.\"_id\" FROM \"Maker\" AS r1 WHERE r1.\"name\" = ?)) ORDER BY t.\"_id\" LIMIT ? OFFSET ?"
    )
    query.limit = nil
    query.condition = .equal(.id(path), .value(.integer(7)))
    #expect(Self.condition(store, query) == "(t.\"maker\" = ?) ORDER BY t.\"_id\"")
    let members = StoreMembers.referring(table: item, column: store.schema.column("Item", "maker"))
    query.table = store.schema.table("Maker")
    query.condition = .some(
      StorePath(), of: members,
      .less(.value(.integer(3)), .column(StorePath(variable: 1), store.schema.column("Item", "stock"))))
    #expect(
      Self.condition(store, query)
        == "(t.\"_id\" IN (SELECT r1.\"maker\" FROM \"Item\" AS r1 WHERE r1.\"maker\" IS NOT NULL AND (r1.\"stock\" > ?))) ORDER BY t.\"_id\""
    )
    query.limit = 1
    #expect(
      Self.condition(store, query).hasPrefix("EXISTS (SELECT 1 FROM \"Item\" AS r1 WHERE r1.\"maker\" = t.\"_id\" AND ")
    )
  }

  @Test(
    "S6: members that an index can find are looked up first, regardless of the query's other conditions",
    arguments: [nil, 20])
  func foundMembers(limit: Int?) throws {
    let store = try Shop.store()
    let (maker, number) = (store.schema.table("Maker"), store.schema.column("Item", "number"))
    let members = StoreMembers.referring(
      table: store.schema.table("Item"), column: store.schema.column("Item", "maker"))
    let known = StoreCondition.some(
      StorePath(), of: members, .equal(.column(StorePath(variable: 1), number), .value(.integer(7))))
    let named = StoreCondition.startsWith(.column(StorePath(), 0), .value(.text([65])))
    for condition in [known, .and([named, known])] {
      let query = StoreQuery(table: maker, condition: condition, limit: limit)
      #expect(Self.condition(store, query).contains("t.\"_id\" IN (SELECT r1.\"maker\" FROM \"Item\""))
      #expect(try Self.plan(store, query).contains { $0.contains("USING INDEX Item_by_number") })
    }
  }

  /// Returns how SQLite runs a query.
  private static func plan(_ store: SQLiteStore, _ query: StoreQuery) throws -> [String] {
    let statement = QuerySQL(store.sql, query)
    return try store.reading { connection throws(SQLiteError) in
      var steps: [String] = []
      try statement.run(connection, "EXPLAIN QUERY PLAN " + statement.selecting("*")) { statement throws(SQLiteError) in
        while try statement.step() { steps.append(statement.text(3) ?? "") }
      }
      return steps
    }
  }

  @Test("S6: rows are found through an index if there is one")
  func indexes() throws {
    let store = try Shop.store()
    let (item, maker) = (store.schema.table("Item"), store.schema.table("Maker"))
    let path = StorePath(references: [.init(table: item, column: store.schema.column("Item", "maker"))])
    let name = store.schema.column("Maker", "name")
    let conditions: [(Int, StoreCondition)] = [
      (item, .equal(.id(path), .value(.integer(7)))),
      (item, .isOne(.id(path), of: [.integer(7), .integer(8)])),
      (item, .equal(.column(path, name), .value(.text(Array("DC".utf8))))),
      (maker, .equal(.column(StorePath(), name), .value(.text(Array("DC".utf8))))),
      (maker, .isOne(.id(StorePath()), of: [.integer(7)])),
      (item, .isPlaceholder(StorePath())), (item, .isPlaceholder(path)),
      (item, .and([.isOne(.id(StorePath()), of: [.integer(7)]), .isPlaceholder(StorePath())])),
    ]
    for (table, condition) in conditions {
      for limit in [nil, 10] {
        let steps = try Self.plan(store, StoreQuery(table: table, condition: condition, limit: limit))
        #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(condition): \(steps)")
      }
    }
    let sorted = try Self.plan(store, StoreQuery(table: maker, order: [.init(column: name)], limit: 10))
    #expect(sorted.count == 1 && sorted[0].contains("USING INDEX"), "\(sorted)")
  }

  @Test("S6: decimals are compared, sorted and added by value")
  func decimals() throws {
    let store = try Shop.store()
    var changes = StoreChanges()
    let prices = ["-12.5", "-2", "0", "0.25", "0.3", "3", "12", "100.01"]
    for (number, price) in prices.enumerated().reversed() {
      changes.insert(
        store.schema, "Item",
        ["number": .integer(Int64(number)), "price": .init(price), "stock": .integer(Int64(number % 2))])
    }
    changes.insert(store.schema, "Item", ["number": 99])
    try store.commit(changes)
    let item = store.schema.table("Item")
    let price = store.schema.column("Item", "price")
    var query = StoreQuery(table: item, order: [.init(column: price)])
    var rows = try store.rows(selectedBy: query)
    #expect((0..<rows.count).map { rows.value(store.schema, $0, "price") } == [.null] + prices.map { .init($0) })
    query.condition = .less(.column(StorePath(), price), .value(.text(Array("3".utf8))))
    query.order[0].isAscending = false
    rows = try store.rows(selectedBy: query)
    #expect(
      (0..<rows.count).map { rows.value(store.schema, $0, "price") } == prices.prefix(5).reversed().map { .init($0) })
    func value(_ function: StoreAggregate.Function) throws -> StoreValue {
      try store.aggregate(StoreAggregate(function, column: price), over: StoreQuery(table: item))[0].value
    }
    #expect(try value(.sum) == .text(Array("101.06".utf8)))
    #expect(try value(.minimum) == .text(Array("-12.5".utf8)) && value(.maximum) == .text(Array("100.01".utf8)))
    #expect(try value(.count) == .integer(8))
    let groups = try store.aggregate(
      StoreAggregate(.sum, column: price, groupedBy: store.schema.column("Item", "stock")),
      over: StoreQuery(table: item))
    #expect(groups.map(\.key) == [.null, .integer(0), .integer(1)])
    #expect(groups.map(\.count) == [1, 4, 4])
    #expect(
      groups.map(\.value)
        == [.text(Array("0".utf8)), .text(Array("-0.2".utf8)), .text(Array("101.26".utf8))].reversed().reversed())
  }

  @Test("S6: aggregates of numbers work with groups, with limits and without rows")
  func aggregates() throws {
    let store = try RowTests.filled(10)
    let item = store.schema.table("Item")
    let number = store.schema.column("Item", "number")
    func groups(
      _ function: StoreAggregate.Function, _ column: String?, by group: String? = nil, _ query: StoreQuery? = nil
    ) throws -> [StoreAggregate.Group] {
      try store.aggregate(
        StoreAggregate(
          function, column: column.map { store.schema.column("Item", $0) },
          groupedBy: group.map { store.schema.column("Item", $0) }),
        over: query ?? StoreQuery(table: item))
    }
    #expect(try groups(.sum, "number") == [.init(key: .null, value: .integer(550), count: 10)])
    #expect(try groups(.average, "number")[0].value == .double(55))
    #expect(try groups(.count, nil)[0].value == .integer(10))
    #expect(try groups(.sum, "weight")[0].value == .double(0) && groups(.maximum, "weight")[0].value == .null)
    #expect(
      try groups(.maximum, "number", by: "maker") == [
        .init(key: .integer(1), value: .integer(100), count: 5), .init(key: .integer(2), value: .integer(90), count: 5),
      ])
    let some = StoreQuery(table: item, order: [.init(column: number, isAscending: false)], limit: 3, offset: 1)
    #expect(try groups(.sum, "number", some) == [.init(key: .null, value: .integer(240), count: 3)])
    #expect(try store.count(selectedBy: some) == 3)
    #expect(
      try groups(.count, nil, StoreQuery(table: item, condition: .never)) == [
        .init(key: .null, value: .integer(0), count: 0)
      ])
    #expect(try groups(.count, nil, by: "maker", StoreQuery(table: item, condition: .never)) == [])
  }

  @Test(
    "S6: integers that do not fit cause errors, as does division by zero",
    arguments: [
      StoreTerm.arithmetic(.add, .value(.integer(.max)), .value(.integer(1))),
      .arithmetic(.multiply, .value(.integer(.max)), .value(.integer(2))),
      .arithmetic(.divide, .value(.integer(1)), .value(.integer(0))),
      .arithmetic(.remainder, .value(.integer(1)), .value(.integer(0))),
      .negative(.value(.integer(.min))),
    ])
  func overflow(_ term: StoreTerm) throws {
    let store = try RowTests.filled(1)
    #expect {
      try store.count(
        selectedBy: StoreQuery(table: store.schema.table("Item"), condition: .equal(term, .value(.integer(1)))))
    } throws: { "\($0)".contains("divided by zero, or has more than 64 bits") }
  }

  @Test("S6: a condition with a thousand terms can be evaluated")
  func manyTerms() throws {
    let store = try RowTests.filled(3)
    let column = StoreTerm.column(StorePath(), store.schema.column("Item", "number"))
    let terms = (0..<1000 as Range<Int64>).map { StoreCondition.equal(column, .value(.integer($0))) }
    #expect(try store.count(selectedBy: StoreQuery(table: store.schema.table("Item"), condition: .or(terms))) == 3)
    #expect(try store.count(selectedBy: StoreQuery(table: store.schema.table("Item"), condition: .and(terms))) == 0)
  }

  @Test("S6: a condition that is too long for SQLite to plan in reasonable time is evaluated in memory")
  func tooManyTerms() throws {
    let model = try ManagedObjectModel(
      text:
        #"{"keyStrategy": "sameName", "entities": {"A": {"identityAttributes": "id", "attributes": {"id": "integer64"}}}}"#
    )
    let context = ManagedObjectContext(store: try SQLiteStore.inMemory(model: model))
    try context.importJSON(#"[{"id": 1}, {"id": 5999}, {"id": 6000}]"#, ofEntity: "A")
    let text = (0..<6_000).map { "id = \($0)" }.joined(separator: " or ")
    let none = "not (" + text + ")"
    #expect(try context.count(ofEntity: "A", where: ObjectCondition(text)) == 2)
    #expect(
      try context.fetch(ofEntity: "A", where: ObjectCondition(none)).map { $0["id"] as Int? } == [6000])
  }

  @Test(
    "S6: a deeply nested condition selects the right rows, or is refused as nested too deeply", arguments: [5, 150])
  func nesting(levels: Int) throws {
    let store = try RowTests.filled(3)
    let column = StoreTerm.column(StorePath(), store.schema.column("Item", "number"))
    var condition = StoreCondition.equal(column, .value(.integer(1)))
    var expected = (0..<3).map { $0 == 1 }
    for level in 0..<levels {
      let other = StoreCondition.less(column, .value(.integer(Int64(level % 3))))
      condition = level % 2 == 0 ? .not(.and([condition, other])) : .or([other, condition])
      for number in 0..<3 {
        let isLess = number < level % 3
        expected[number] = level % 2 == 0 ? !(expected[number] && isLess) : isLess || expected[number]
      }
    }
    let query = StoreQuery(table: store.schema.table("Item"), condition: condition)
    switch Result(catching: { try store.count(selectedBy: query) }) {
    case .success(let count): #expect(count == expected.count { $0 })
    case .failure(let error):
      // Recent versions of SQLite read more nesting levels.
      #expect(
        levels > 5 && "\(error)".contains("the predicate is nested too deeply for SQLite; use a part of it"))
    }
  }

  @Test("S6: random conditions select the same rows as a simple evaluator")
  func random() throws {
    let graph = try RandomGraph()
    let cases = ProcessInfo.processInfo.environment["GRAFT_SELECTION_CASES"].flatMap(UInt64.init) ?? 600
    for seed in 1...cases {
      var random = SeededRandom(seed: seed)
      let query = graph.query(&random)
      let rows = try graph.store.rows(selectedBy: query)
      let expected = graph.evaluate(query)
      #expect(
        rows.headers.map(\.id) == expected,
        "seed \(seed): \(QuerySQL(graph.store.sql, query).selecting("t._id")) \(query)")
      #expect(try graph.store.count(selectedBy: query) == expected.count, "seed \(seed)")
    }
  }
}
