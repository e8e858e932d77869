import CSQLite
import Foundation
import Graft
import GraftSQL

/// Reads the rows that a statement selects, and checks each row's digest and the types of its values.
struct RowReader {
  let table: SQLTable
  /// The entity of the last row.
  private var entity = 0
  private(set) var rows: StoredRows

  init(_ table: SQLTable) {
    self.table = table
    rows = table.emptyRows()
  }

  /// Reads all rows of a statement.
  mutating func readAll(_ statement: SQLiteStatement) throws(SQLiteError) {
    while try statement.step() { try read(statement) }
  }

  /// Clears the rows that were read.
  mutating func removeAll() {
    rows.headers.removeAll(keepingCapacity: true)
    rows.values.removeAll()
  }

  /// Reads the current row of a statement, which has the columns of ``SQLTable/selection``.
  mutating func read(_ statement: SQLiteStatement) throws(SQLiteError) {
    let id = statement.integer(0)
    var header = StoredRows.Header(id: id, version: statement.integer(1))
    guard let isPlaceholder = flag(statement, 2) else { throw damage(id, "_placeholder") }
    header.isPlaceholder = isPlaceholder
    var column: Int32 = 3
    if table.hasEntity {
      guard let entity = entity(statement.bytes(column)) else { throw damage(id, "_entity") }
      header.entity = entity
      column += 1
    }
    if table.hasBare {
      guard let isBare = flag(statement, column) else { throw damage(id, "_bare") }
      header.isBare = isBare
      column += 1
    }
    let digest = statement.integer(column)
    column += 1
    rows.append(header)
    let row = rows.count - 1
    var computed = RowDigest(header)
    for index in table.forms.indices {
      guard read(statement, column + Int32(index), row, index, &computed) else {
        throw damage(id, table.layout.columns[index].name)
      }
    }
    guard id > 0, computed.value == digest else { throw damage(id, nil) }
  }

  private func flag(_ statement: SQLiteStatement, _ column: Int32) -> Bool? {
    switch statement.integer(column) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  private mutating func entity(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let found = table.entity(named: name, likely: entity) else { return nil }
    entity = found
    return found
  }

  /// Reads a value. Returns false if it does not fit the column.
  @inline(__always)
  private mutating func read(
    _ statement: SQLiteStatement, _ column: Int32, _ row: Int, _ index: Int, _ digest: inout RowDigest
  ) -> Bool {
    let stored = statement.value(column)
    let type = stored.type
    if type == SQLITE_NULL {
      digest.addNil()
      return true
    }
    switch table.forms[index] {
    case .integer(let range):
      let value = stored.integer
      guard type == SQLITE_INTEGER, range.contains(value) else { return false }
      rows.values.setInteger(value, row: row, column: index)
      digest.add(UInt64(bitPattern: value))
      return true
    case .real:
      guard type == SQLITE_FLOAT else { return false }
      let bits = RowDigest.bits(stored.double.bitPattern)
      rows.values.setWord(bits, row: row, column: index)
      digest.add(bits)
      return true
    case .uuid:
      guard type == SQLITE_TEXT, let uuid = UUIDText.parse(LentBytes(stored.bytes)) else { return false }
      withUnsafeBytes(of: uuid.uuid) { bytes in
        let bytes = bytes.bindMemory(to: UInt8.self)
        rows.values.setText(bytes, row: row, column: index)
        digest.add(bytes)
      }
      return true
    default:
      let bytes = stored.bytes
      guard isLegal(bytes, type, table.forms[index]) else { return false }
      rows.values.setText(bytes, row: row, column: index)
      digest.add(bytes)
      return true
    }
  }

  /// Returns whether bytes are valid for the type in the model. A hostile file can contain arbitrary data.
  private func isLegal(_ bytes: UnsafeBufferPointer<UInt8>, _ type: Int32, _ form: SQLTable.Form) -> Bool {
    switch form {
    case .blob: type == SQLITE_BLOB
    case .decimal:
      type == SQLITE_TEXT && DecimalText.canonical(LentBytes(bytes)).map { bytes.elementsEqual($0) } == true
    case .uri: type == SQLITE_TEXT && UTF8Check.isValid(bytes) && URIText.isValid(LentBytes(bytes))
    default: type == SQLITE_TEXT && UTF8Check.isValid(bytes)
    }
  }

  private func damage(_ id: Int64, _ column: String?) -> SQLiteError {
    .damage(
      "row \(id) of table '\(table.name)' is damaged\(column.map { ", in column '\($0)'" } ?? ": its digest does not match its values")"
    )
  }
}
