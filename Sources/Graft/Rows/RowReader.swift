#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the values of rows.
struct RowReader {
  let state: Reference<GraphState>

  init(_ state: Reference<GraphState>) { self.state = state }

  func row(_ table: Int, _ number: UInt32) -> Row { state.tables[table].row(number) }

  /// The value of an attribute; nil if the attribute is nil.
  func value(_ row: Row, _ slot: SlotPlan) -> AttributeValue? {
    guard row.isSet(slot) else { return nil }
    let cell = row[slot]
    switch slot.kind {
    case .integer: return .integer(Int64(bitPattern: cell))
    case .double: return .double(Double(bitPattern: cell))
    case .float: return .float(Float(Double(bitPattern: cell)))
    case .boolean: return .boolean(cell != 0)
    case .date: return .date(Date(microsecondsSince1970: Int64(bitPattern: cell)))
    case .string: return .string(text(cell))
    case .decimal: return DecimalText.decimal(state.pointee.texts.bytes(cell)).map { .decimal($0) }
    case .binary: return .binary(Data(state.pointee.texts.bytes(cell)))
    case .uuid:
      let bytes = state.pointee.texts.bytes(cell)
      return .uuid(bytes.load(as: UUID.self))
    case .uri: return URIText.url(text(cell)).map { .uri($0) }
    case .json:
      guard let json = json(cell) else { return nil }
      guard let type = slot.elementType else { return .json(json) }
      return try? AttributeValue(json: json, listOf: type)
    case .toOne, .toMany: return nil
    }
  }

  /// The value of an attribute in the form of dumps, because a URL may spell some characters of a URI differently, and a `Date` of another
  /// century lacks microseconds. Null if the attribute is nil.
  func storedJSON(_ row: Row, _ slot: SlotPlan) -> JSON {
    guard row.isSet(slot) else { return .null }
    switch slot.kind {
    case .uri: return .string(text(row[slot]))
    case .date: return .string(DateText.text(Int64(bitPattern: row[slot])))
    case .json: return json(row[slot]) ?? .null
    default: return value(row, slot)?.jsonValue ?? .null
    }
  }

  func json(_ cell: UInt64) -> JSON? { try? JSONBuilder.json(state.pointee.texts.bytes(cell)) }

  func text(_ cell: UInt64) -> String { String(decoding: state.pointee.texts.bytes(cell), as: UTF8.self) }

  /// The row of a to-one relationship; nil if the relationship is empty, or if the row is deleted.
  func target(_ row: Row, _ slot: SlotPlan) -> UInt32? {
    guard let number = row.toOne(slot) else { return nil }
    if self.row(slot.destinationTable, number).isLoaded { return number }
    state.loadRow(slot.destinationTable, number)
    return isDeleted(slot.destinationTable, number) ? nil : number
  }

  /// The row of a to-one relationship, without loading it.
  func targetInMemory(_ row: Row, _ slot: SlotPlan) -> UInt32? {
    guard let number = row.toOne(slot) else { return nil }
    return isDeleted(slot.destinationTable, number) ? nil : number
  }

  /// The rows of a to-many relationship, in order, without deleted rows.
  func targets(_ row: Row, _ slot: SlotPlan) -> [UInt32] {
    state.loadList(row, slot)
    return targetsInMemory(row, slot)
  }

  /// The rows of a to-many relationship that are in memory.
  func targetsInMemory(_ row: Row, _ slot: SlotPlan) -> [UInt32] {
    let cell = row[slot]
    guard cell != 0 else { return [] }
    let vector = RowVector(cell)
    var rows: [UInt32] = []
    rows.reserveCapacity(vector.used)
    for index in 0..<vector.used where vector.rows[index] != 0 {
      let number = vector.rows[index] - 1
      // Links to deleted objects can remain only if there is no inverse.
      if slot.inverse >= 0 || !isDeleted(slot.destinationTable, number) { rows.append(number) }
    }
    return rows
  }

  func count(_ row: Row, _ slot: SlotPlan) -> Int {
    state.loadList(row, slot)
    return slot.inverse >= 0 || state.pointee.deletedCounts[slot.destinationTable] == 0
      ? state.pointee.vectors.count(row[slot]) : targets(row, slot).count
  }

  func isDeleted(_ table: Int, _ number: UInt32) -> Bool { row(table, number).isDeleted }

  /// The identity values of a row, with an owner replaced by its own identity values (M12); nil if the row has no identity, or if a value
  /// is nil.
  func identity(_ row: Row) -> [AttributeValue]? {
    let layout = state.layouts[row.entity]
    guard layout.identity.count > 0 else { return nil }
    var values: [AttributeValue] = []
    for index in 0..<layout.identity.count {
      let slot = layout.slots[layout.identity.slots[index]]
      if slot.kind == .toOne {
        guard let owner = owner(row, slot), let identity = identity(owner) else { return nil }
        values += identity
      } else {
        guard let value = value(row, slot) else { return nil }
        values.append(value)
      }
    }
    return values
  }

  /// The identity values of a row as JSON, exactly as written, with an owner replaced by its own identifier (M12); nil if the row
  /// has no identity, or if one of the values is nil.
  func identityJSON(_ row: Row) -> [JSON]? {
    let layout = state.layouts[row.entity]
    guard layout.identity.count > 0 else { return nil }
    var values: [JSON] = []
    for index in 0..<layout.identity.count {
      let slot = layout.slots[layout.identity.slots[index]]
      if slot.kind == .toOne {
        guard let owner = owner(row, slot), let identity = identityJSON(owner) else { return nil }
        values.append(identity.count == 1 ? identity[0] : .array(identity))
        continue
      }
      guard row.isSet(slot) else { return nil }
      values.append(storedJSON(row, slot))
    }
    return values
  }

  /// The row of the owner that an object is identified inside (M12), which may have been deleted along with the object; nil if there is
  /// no owner.
  func owner(_ row: Row, _ slot: SlotPlan) -> Row? {
    guard let number = row.toOne(slot) else { return nil }
    state.loadRow(slot.destinationTable, number)
    return self.row(slot.destinationTable, number)
  }
}
