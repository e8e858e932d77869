import CSQLite
import Foundation
import Graft
import Testing

@testable import GraftSQL
@testable import GraftSQLite

/// A model with every kind of column and link, and rows for it.
enum Shop {
  static let text = """
    {
      "name": "Shop", "version": "1",
      "entities": {
        "Maker": {
          "identityAttributes": "name",
          "attributes": { "name": { "type": "string" } },
          "relationships": {
            "items": { "destination": "Item", "toMany": true, "ordered": true, "inverse": "maker" }
          }
        },
        "Item": {
          "identityAttributes": "number",
          "attributes": {
            "number": { "type": "integer64" }, "title": { "type": "string", "optional": true },
            "price": { "type": "decimal", "optional": true }, "weight": { "type": "double", "optional": true },
            "isNew": { "type": "boolean", "optional": true }, "added": { "type": "date", "optional": true },
            "code": { "type": "uuid", "optional": true }, "page": { "type": "uri", "optional": true },
            "image": { "type": "binary", "optional": true }, "extra": { "type": "json", "optional": true },
            "stock": { "type": "integer16", "optional": true }, "ratio": { "type": "float", "optional": true }
          },
          "relationships": {
            "maker": { "destination": "Maker", "inverse": "items" },
            "tags": { "destination": "Tag", "toMany": true, "ordered": true, "inverse": "items" },
            "similar": { "destination": "Item", "toMany": true }
          }
        },
        "Book": { "parent": "Item", "attributes": { "pages": { "type": "integer32", "optional": true } } },
        "Tag": {
          "identityAttributes": "group, word",
          "attributes": { "group": { "type": "string" }, "word": { "type": "string" } },
          "relationships": { "items": { "destination": "Item", "toMany": true, "inverse": "tags" } }
        }
      }
    }
    """

  static func model(_ text: String = text) throws -> ManagedObjectModel { try ManagedObjectModel(text: text) }

  static func store() throws -> SQLiteStore { try SQLiteStore.inMemory(model: model()) }
}

/// Functions that use names instead of positions.
extension StoreSchema {
  func table(_ name: String) -> Int { tables.firstIndex { $0.name == name } ?? -1 }
  func links(_ name: String) -> Int { links.firstIndex { $0.name == name } ?? -1 }
  func column(_ table: String, _ name: String) -> Int {
    tables[self.table(table)].columns.firstIndex { $0.name == name } ?? -1
  }
}

extension StoreChanges {
  /// Returns the index of a table's changes, and adds the table if needed.
  mutating func index(_ schema: StoreSchema, _ name: String) -> Int {
    let number = schema.table(name)
    if let known = tables.firstIndex(where: { $0.inserted.table == number }) { return known }
    tables.append(TableChanges(table: number, columnCount: schema.tables[number].columns.count))
    return tables.count - 1
  }

  /// Inserts a row, and returns its number in the change set.
  @discardableResult
  mutating func insert(
    _ schema: StoreSchema, _ table: String, _ values: [String: Value], entity: Int = 0, isPlaceholder: Bool = false
  ) -> Int64 {
    let index = index(schema, table)
    tables[index].inserted.append(
      StoredRows.Header(id: 0, version: 0, entity: entity, isPlaceholder: isPlaceholder))
    let row = tables[index].inserted.count - 1
    for (name, value) in values { value.set(&tables[index].inserted.values, row, schema.column(table, name)) }
    return -Int64(row) - 1
  }

  /// Updates a row that was read from the store.
  mutating func update(
    _ schema: StoreSchema, _ table: String, _ rows: StoredRows, _ row: Int, _ values: [String: Value]
  ) {
    let index = index(schema, table)
    tables[index].updated.append(rows.headers[row])
    let new = tables[index].updated.count - 1
    let forms = SQLSchema(StoreLayout(schema)).tables[rows.table].forms
    for column in forms.indices {
      tables[index].updated.values.copy(
        rows.values, row: row, column: column, toRow: new, column: column, isBytes: forms[column].isBytes)
    }
    for (name, value) in values { value.set(&tables[index].updated.values, new, schema.column(table, name)) }
    tables[index].changedColumns.append(values.keys.map { schema.column(table, $0) }.sorted())
  }

  mutating func delete(_ schema: StoreSchema, _ table: String, _ headers: [StoredRows.Header]) {
    tables[index(schema, table)].deleted += headers
  }

  mutating func link(_ schema: StoreSchema, _ name: String, _ links: [StoredLink], removing: [StoredLink] = []) {
    var changes = LinkChanges(table: schema.links(name))
    changes.added = links
    changes.removed = removing
    self.links.append(changes)
  }
}

/// A value that a test writes.
enum Value: Hashable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByNilLiteral
{
  case null
  case integer(Int64)
  case double(Double)
  case bytes([UInt8])

  init(nilLiteral: ()) { self = .null }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(floatLiteral value: Double) { self = .double(value) }
  init(stringLiteral value: String) { self = .bytes(Array(value.utf8)) }
  init(_ text: String) { self = .bytes(Array(text.utf8)) }

  func set(_ values: inout StoredValues, _ row: Int, _ column: Int) {
    switch self {
    case .null: values.setNil(row: row, column: column)
    case .integer(let value): values.setInteger(value, row: row, column: column)
    case .double(let value): values.setDouble(value, row: row, column: column)
    case .bytes(let bytes): bytes.withUnsafeBufferPointer { values.setText($0, row: row, column: column) }
    }
  }
}

extension StoredRows {
  /// Returns a value of a row, by the name of its column.
  func value(_ schema: StoreSchema, _ row: Int, _ name: String) -> Value {
    let column = schema.tables[table].columns.firstIndex { $0.name == name } ?? -1
    let form = SQLSchema(StoreLayout(schema)).tables[table].forms[column]
    return value(form, row, column)
  }

  func value(_ form: SQLTable.Form, _ row: Int, _ column: Int) -> Value {
    if values.isNil(row: row, column: column) { return .null }
    if form.isBytes { return .bytes(Array(values.text(row: row, column: column) ?? [])) }
    if case .real = form { return .double(values.double(row: row, column: column) ?? 0) }
    return .integer(values.integer(row: row, column: column) ?? 0)
  }
}

extension SQLiteStore {
  /// Writes changes on top of the latest commit.
  @discardableResult
  func write(_ changes: StoreChanges) throws -> StoreWriteResult { try write(changes, basedOn: latestCommit()) }

  /// Writes changes that are expected to succeed.
  @discardableResult
  func commit(_ changes: StoreChanges) throws -> (sequence: Int64, firstIDs: [Int: Int64]) {
    guard case .written(let sequence, let firstIDs) = try write(changes) else { throw Unexpected() }
    return (sequence, firstIDs)
  }

  // MARK: Reading the latest state

  func rows(in table: Int, ids: [Int64]) throws -> StoredRows { try snapshot().rows(in: table, ids: ids) }

  func rows(in table: Int, identity: Int, values: StoredValues) throws -> StoredRows {
    try snapshot().rows(in: table, identity: identity, values: values)
  }

  func rows(in table: Int, column: Int, referringTo targets: [Int64]) throws -> StoredRows {
    try snapshot().rows(in: table, column: column, referringTo: targets)
  }

  func links(in table: Int, ofOwners owners: [Int64]) throws -> [StoredLink] {
    try snapshot().links(in: table, ofOwners: owners)
  }

  func links(in table: Int, ofMembers members: [Int64]) throws -> [StoredLink] {
    try snapshot().links(in: table, ofMembers: members)
  }

  func rows(selectedBy query: StoreQuery) throws -> StoredRows { try snapshot().rows(selectedBy: query) }

  func readRows(selectedBy query: StoreQuery, _ body: (StoredRows) -> Void) throws {
    try snapshot().readRows(selectedBy: query, body)
  }

  func count(selectedBy query: StoreQuery) throws -> Int { try snapshot().count(selectedBy: query) }

  func aggregate(_ aggregate: StoreAggregate, over query: StoreQuery) throws -> [StoreAggregate.Group] {
    try snapshot().aggregate(aggregate, over: query)
  }

  /// Returns all rows of a table, by number.
  func all(_ table: String) throws -> StoredRows { try rows(selectedBy: StoreQuery(table: schema.table(table))) }

  /// Returns everything that the store contains, as text.
  func dump() throws -> String {
    var lines: [String] = []
    for (number, table) in schema.tables.enumerated() {
      let rows = try rows(selectedBy: StoreQuery(table: number))
      for row in 0..<rows.count {
        lines.append("\(table.name) \(rows.headers[row]) \(table.columns.map { rows.value(schema, row, $0.name) })")
      }
      for (index, link) in schema.links.enumerated() where link.ownerTable == number {
        lines += try links(in: index, ofOwners: rows.headers.map(\.id)).map { "\(link.name) \($0)" }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Runs SQL on the connection that writes.
  func execute(_ sql: String) throws {
    try withWriter { connection throws(SQLiteError) in try connection.execute(sql) }
  }
}

/// The error if a commit does not have the expected outcome.
struct Unexpected: Error {}

/// A folder that is removed at the end of the test that uses it.
final class Folder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("graft-sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: file(name)) }

  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }
}

/// Runs SQL on a database file, like any SQLite tool.
func sqlite(_ url: URL, _ sql: String) throws {
  var handle: OpaquePointer?
  defer { sqlite3_close(handle) }
  guard sqlite3_open(url.path, &handle) == SQLITE_OK, sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
    throw SQLiteError.latest(handle, code: SQLITE_ERROR, sql: sql)
  }
}

/// Returns the rows that a query selects with SQLite itself, as text.
func selection(_ url: URL, _ sql: String) throws -> [[String]] {
  var handle: OpaquePointer?
  var statement: OpaquePointer?
  defer {
    sqlite3_finalize(statement)
    sqlite3_close(handle)
  }
  guard sqlite3_open(url.path, &handle) == SQLITE_OK, sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK
  else { throw SQLiteError.latest(handle, code: SQLITE_ERROR, sql: sql) }
  var rows: [[String]] = []
  while sqlite3_step(statement) == SQLITE_ROW {
    rows.append(
      (0..<sqlite3_column_count(statement)).map { sqlite3_column_text(statement, $0).map(String.init(cString:)) ?? "" })
  }
  return rows
}
