/// The rows of a context, for conditions. Rows that are not in memory are loaded when they are read.
struct GraphRows: ConditionRows {
  let state: Reference<GraphState>
  let map: StoreMap

  var schema: StoreSchema { map.schema }
  private var reader: RowReader { RowReader(state) }

  func reader(of column: Int, in table: Int) -> (RowPlace) -> StoreValue {
    let slots = ColumnSlots(column, in: table, self)
    let state = state
    let (reader, rows) = (reader, self)
    return { place in
      let row = state.row(table, place.row)
      guard let slot = slots.slot(row), row.isSet(slot) else { return .null }
      let cell = row[slot]
      switch slot.pointee.kind {
      case .integer, .boolean, .date: return .integer(Int64(bitPattern: cell))
      case .float, .double: return .double(Double(bitPattern: cell))
      case .binary: return .binary(Array(state.pointee.texts.bytes(cell)))
      case .uuid: return .text(StoreValue.uuidText(Array(state.pointee.texts.bytes(cell))))
      case .string, .decimal, .uri, .json: return .text(Array(state.pointee.texts.bytes(cell)))
      case .toOne:
        return reader.target(row, slot.pointee).map {
          .integer(rows.id(RowPlace(table: slot.pointee.destinationTable, row: $0)))
        } ?? .null
      case .toMany: return .null
      }
    }
  }

  func follower(of reference: StorePath.Reference) -> (RowPlace) -> RowPlace? {
    let slots = ColumnSlots(reference.column, in: reference.table, self)
    let (state, reader) = (state, reader)
    return { place in
      let row = state.row(place.table, place.row)
      guard let slot = slots.slot(row), let target = reader.target(row, slot.pointee) else { return nil }
      return RowPlace(table: slot.pointee.destinationTable, row: target)
    }
  }

  /// Sibling entities that share a column each have their own relationship.
  func lister(of members: StoreMembers, in table: Int) -> (RowPlace) -> [RowPlace] {
    let slots = slots(of: members, in: table)
    let (state, reader) = (state, reader)
    return { place in
      let row = state.row(place.table, place.row)
      var rows: [RowPlace] = []
      for slot in slots[row.entity] ?? [] {
        rows += reader.targets(row, slot).filter { target in
          state.loadRow(slot.destinationTable, target)
          return !reader.isDeleted(slot.destinationTable, target)
        }.map { RowPlace(table: slot.destinationTable, row: $0) }
      }
      return rows
    }
  }

  /// With an inverse, a list contains no deleted objects, so its length is known.
  func counter(of members: StoreMembers, in table: Int) -> (RowPlace) -> Int {
    let slots = slots(of: members, in: table)
    let list = lister(of: members, in: table)
    guard slots.values.joined().allSatisfy({ $0.inverse >= 0 }) else { return { list($0).count } }
    let (state, reader) = (state, reader)
    return { place in
      let row = state.row(place.table, place.row)
      return (slots[row.entity] ?? []).reduce(0) { $0 + reader.count(row, $1) }
    }
  }

  private func slots(of members: StoreMembers, in table: Int) -> [Int: [SlotPlan]] {
    var slots: [Int: [SlotPlan]] = [:]
    for entity in map.entities[table] {
      for (number, place) in schema.places[entity].enumerated() where place.members == members {
        slots[entity, default: []].append(state.layouts[entity].slots[number])
      }
    }
    return slots
  }

  func entity(_ row: RowPlace) -> Int { map.positions[state.row(row.table, row.row).entity] }

  func isPlaceholder(_ row: RowPlace) -> Bool {
    state.loadRow(row.table, row.row)
    return state.row(row.table, row.row).isPlaceholder
  }

  func id(_ place: RowPlace) -> Int64 { state.key(of: place) }

  // MARK: Comparisons with constants

  func test(
    _ column: Int, in table: Int, _ comparison: ConditionComparison, _ value: StoreValue
  ) -> ((RowPlace) -> Bool)? {
    guard case .attribute(let type) = schema.tables[table].columns[column].content else { return nil }
    switch (SlotPlan.Kind(type), value) {
    case (.integer, .integer(let value)), (.boolean, .integer(let value)), (.date, .integer(let value)):
      return words(column, table) { Int64(bitPattern: $0) }(comparison, value)
    case (.float, .double(let value)), (.double, .double(let value)):
      return words(column, table) { Double(bitPattern: $0) }(comparison, value)
    case (.string, .text(let bytes)), (.uri, .text(let bytes)), (.decimal, .text(let bytes)):
      return texts(column, table, comparison, bytes)
    default: return nil
    }
  }

  /// Returns tests of values that are stored as words.
  private func words<Word: Comparable>(
    _ column: Int, _ table: Int, _ word: @escaping (UInt64) -> Word
  ) -> (ConditionComparison, Word) -> ((RowPlace) -> Bool)? {
    let slots = ColumnSlots(column, in: table, self)
    let state = state
    return { comparison, value in
      func test(_ isMet: @escaping (Word) -> Bool) -> (RowPlace) -> Bool {
        { place in
          let row = state.row(table, place.row)
          guard let slot = slots.slot(row), row.isSet(slot) else { return false }
          return isMet(word(row[slot]))
        }
      }
      return switch comparison {
      case .equal: test { $0 == value }
      case .less: test { $0 < value }
      case .lessOrEqual: test { $0 <= value }
      case .greater: test { $0 > value }
      case .greaterOrEqual: test { $0 >= value }
      case .contains, .startsWith: nil
      }
    }
  }

  private func texts(
    _ column: Int, _ table: Int, _ comparison: ConditionComparison, _ bytes: [UInt8]
  ) -> ((RowPlace) -> Bool)? {
    let slots = ColumnSlots(column, in: table, self)
    let state = state
    func test(_ isMet: @escaping (UInt64) -> Bool) -> (RowPlace) -> Bool {
      { place in
        let row = state.row(table, place.row)
        guard let slot = slots.slot(row), row.isSet(slot) else { return false }
        return isMet(row[slot])
      }
    }
    let constant = ConstantBytes(bytes)
    return switch comparison {
    case .equal: test { constant.equals(state.pointee.texts.bytes($0)) }
    case .less: test { state.pointee.texts.bytes($0).lexicographicallyPrecedes(constant.bytes) }
    case .lessOrEqual: test { !constant.bytes.lexicographicallyPrecedes(state.pointee.texts.bytes($0)) }
    case .greater: test { constant.bytes.lexicographicallyPrecedes(state.pointee.texts.bytes($0)) }
    case .greaterOrEqual: test { !state.pointee.texts.bytes($0).lexicographicallyPrecedes(constant.bytes) }
    case .startsWith: test { constant.isPrefix(of: state.pointee.texts.bytes($0)) }
    case .contains: test { constant.isPart(of: state.pointee.texts.bytes($0)) }
    }
  }
}

/// For each entity, the slot that a column of its table contains.
private final class ColumnSlots {
  private var slots: [PlanReference<SlotPlan>?]

  init(_ column: Int, in table: Int, _ rows: GraphRows) {
    slots = Array(repeating: nil, count: rows.map.slots.count)
    for entity in rows.map.entities[table] {
      let slot = rows.map.slots[entity][column]
      if slot >= 0 { slots[entity] = rows.state.layouts[entity].slots + slot }
    }
  }

  @inline(__always)
  func slot(_ row: Row) -> PlanReference<SlotPlan>? {
    slots[row.entity]
  }
}

extension StoreSchema.Place {
  /// The members of a to-many relationship; nil for a property in a column.
  var members: StoreMembers? {
    switch self {
    case .column: nil
    case .members(let table, let reference, _): .referring(table: table, column: reference)
    case .links(let link, let isOwner): .linked(link, isOwner: isOwner)
    }
  }
}

extension Reference where Value == GraphState {
  /// The number of a row in its store, or a negative number if the row has no number in the store.
  func key(of place: RowPlace) -> Int64 {
    let row = row(place.table, place.row)
    guard pointee.source != nil, row.isStored else { return -1 - Int64(place.row) }
    return Int64(bitPattern: row[tables[place.table].idWord])
  }
}
