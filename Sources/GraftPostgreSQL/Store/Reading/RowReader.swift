import Foundation
import Graft
import GraftSQL

/// Reads the rows selected by a statement with the columns of ``SQLTable/selection``, and checks that their values are
/// valid, because another program may have written them.
struct RowReader {
  let table: SQLTable
  /// The entity of the last row.
  private var entity = 0
  private(set) var rows: StoredRows

  init(_ table: SQLTable) {
    self.table = table
    rows = table.emptyRows()
  }

  mutating func readAll(_ result: Rows) throws(PostgreSQLError) {
    while try result.next() { try read(result) }
  }

  /// Clears the rows that were read.
  mutating func removeAll() {
    rows.headers.removeAll(keepingCapacity: true)
    rows.values.removeAll()
  }

  /// Reads the current row.
  mutating func read(_ result: Rows) throws(PostgreSQLError) {
    guard let id = try result.int64(0), id > 0, let version = try result.int64(1) else { throw damage(0, "_id") }
    var header = StoredRows.Header(id: id, version: version)
    header.isPlaceholder = try result.bool(2) ?? false
    var column = 3
    if table.hasEntity {
      guard let name = try result.utf8(column), let entity = entity(name) else { throw damage(id, "_entity") }
      header.entity = entity
      column += 1
    }
    if table.hasBare {
      header.isBare = try result.bool(column) ?? false
      column += 1
    }
    rows.append(header)
    for index in table.kinds.indices {
      do throws(PostgreSQLError) {
        guard try read(result, column + index, rows.count - 1, index) else {
          throw damage(id, table.columnNames[index])
        }
      } catch {
        guard error.kind == .invalidValue else { throw error }
        throw damage(id, table.columnNames[index])
      }
    }
  }

  private mutating func entity(_ name: UnsafeRawBufferPointer) -> Int? {
    guard let found = table.entity(named: name, likely: entity) else { return nil }
    entity = found
    return found
  }

  /// Reads a value. Returns false if it does not fit the column.
  private mutating func read(
    _ result: Rows, _ column: Int, _ row: Int, _ index: Int
  ) throws(PostgreSQLError) -> Bool {
    switch table.kinds[index] {
    case .row:
      guard let value = try result.int64(column) else { return true }
      rows.values.setInteger(value, row: row, column: index)
      return value > 0
    case .position:
      if let value = try result.int64(column) { rows.values.setInteger(value, row: row, column: index) }
    case .attribute(let type): return try read(result, column, type, row, index)
    }
    return true
  }

  private mutating func read(
    _ result: Rows, _ column: Int, _ type: AttributeType, _ row: Int, _ index: Int
  ) throws(PostgreSQLError) -> Bool {
    switch type {
    case .integer16, .integer32, .integer64:
      if let value = try result.int64(column) { rows.values.setInteger(value, row: row, column: index) }
    case .boolean:
      if let value = try result.bool(column) { rows.values.setInteger(value ? 1 : 0, row: row, column: index) }
    case .date:
      if let value = try result.microseconds(column) { rows.values.setInteger(value, row: row, column: index) }
    case .float, .double:
      guard let value = try result.double(column) else { return true }
      rows.values.setDouble(value, row: row, column: index)
      return value.isFinite
    case .decimal:
      guard let value = try result.decimal(column) else { return true }
      guard let text = DecimalText.canonical(value) else { return false }
      text.withUnsafeBufferPointer { rows.values.setText($0, row: row, column: index) }
    case .uuid:
      guard let value = try result.uuid(column) else { return true }
      withUnsafeBytes(of: value.uuid) { bytes in
        rows.values.setText(bytes.bindMemory(to: UInt8.self), row: row, column: index)
      }
    case .binary:
      if let bytes = try result.bytes(column) { set(bytes, row, index) }
    case .uri:
      guard let bytes = try result.utf8(column) else { return true }
      set(bytes, row, index)
      return URIText.isValid(LentBytes(bytes.bindMemory(to: UInt8.self)))
    case .string, .json:
      if let bytes = try result.utf8(column) { set(bytes, row, index) }
    }
    return true
  }

  private mutating func set(_ bytes: UnsafeRawBufferPointer, _ row: Int, _ index: Int) {
    rows.values.setText(bytes.bindMemory(to: UInt8.self), row: row, column: index)
  }

  private func damage(_ id: Int64, _ column: String) -> PostgreSQLError {
    .damage("column '\(column)' of row \(id) of table '\(table.name)' has a value that a store never writes")
  }
}

extension PostgreSQLError {
  /// Returns an error for data that stores never write.
  static func damage(_ message: String) -> PostgreSQLError { PostgreSQLError(.damage, message) }
}
