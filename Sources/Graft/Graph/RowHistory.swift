/// What rows held before the current unit of work, read off its journal. Rows that are new in the unit have no history.
///
///     journal   word 3 of row 7: was 5    vector in word 4 of row 7: was [1, 2]    word 3 of row 7: was 6
///     history   row 7: word 3 was 5, word 4 was [1, 2]                 <- entries played backwards on a copy
struct RowHistory {
  /// A row and its table.
  struct Place: Hashable {
    var table: Int
    var row: UInt32
  }

  /// One property that is not what it was.
  struct Change {
    var slot: Int
    var old: Value
    var new: Value
  }

  /// What a property held: an attribute's value, or the rows of a relationship.
  enum Value {
    case attribute(AttributeValue?)
    case rows([UInt32])
  }

  private let state: UnsafeMutablePointer<GraphState>
  private let reader: RowReader
  private var entries: [Place: [Int]] = [:]
  /// The rows that changed, in the order of their first change.
  private(set) var places: [Place] = []

  init(_ state: UnsafeMutablePointer<GraphState>) {
    self.state = state
    reader = RowReader(state)
    for index in state.pointee.unitJournalStart..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      guard Int(entry.row) < state.pointee.tables[entry.table].firstNewRow else { continue }
      let place = Place(table: entry.table, row: entry.row)
      if entries[place] == nil { places.append(place) }
      entries[place, default: []].append(index)
    }
  }

  /// The header of a row before the unit; nil if nothing of the row changed.
  func oldHeader(_ place: Place) -> UInt64? {
    guard let indexes = entries[place] else { return nil }
    let first = indexes.first { state.pointee.journal[$0].kind == .word && state.pointee.journal[$0].word == 0 }
    return first.map { state.pointee.journal[$0].old } ?? reader.row(place.table, place.row)[0]
  }

  /// The properties of a row that are not what they were, in model order.
  func changes(_ place: Place) -> [Change] {
    guard let indexes = entries[place] else { return [] }
    let base = reader.row(place.table, place.row)
    let layout = state.pointee.layouts[RowHeader.entity(base[0])]
    var old = Array(UnsafeBufferPointer(start: base, count: state.pointee.tables[place.table].stride))
    // Vectors that changed, as their cells: row numbers and one, zero for a gap.
    var vectors: [Int: [UInt32]] = [:]
    for index in indexes.reversed() {
      let entry = state.pointee.journal[index]
      switch entry.kind {
      case .word: old[entry.word] = entry.old
      case .vector: vectors[entry.word] = RowHistory.cells(entry.old)
      case .append: vectors[entry.word, default: RowHistory.cells(base[entry.word])].removeLast()
      case .indexed, .unindexed: break
      }
    }
    return (0..<layout.slotCount).compactMap { number in
      let slot = layout.slots[number]
      switch slot.kind {
      case .toMany:
        guard let cells = vectors[slot.cell] else { return nil }
        let before = cells.filter { $0 != 0 }.map { $0 - 1 }
        let after = reader.targets(base, slot)
        let isSame = slot.isOrdered ? before == after : Set(before) == Set(after)
        return isSame ? nil : Change(slot: number, old: .rows(before), new: .rows(after))
      case .toOne:
        guard old[slot.cell] != base[slot.cell] else { return nil }
        func row(_ cell: UInt64) -> [UInt32] { cell == 0 ? [] : [UInt32(truncatingIfNeeded: cell - 1)] }
        return Change(slot: number, old: .rows(row(old[slot.cell])), new: .rows(row(base[slot.cell])))
      default:
        let wasPresent = old[slot.word] & slot.mask != 0
        let isPresent = base[slot.word] & slot.mask != 0
        guard wasPresent != isPresent || old[slot.cell] != base[slot.cell] else { return nil }
        let before = old.withUnsafeMutableBufferPointer {
          $0.baseAddress.flatMap { reader.value($0, slot) }
        }
        let after = reader.value(base, slot)
        return before == after ? nil : Change(slot: number, old: .attribute(before), new: .attribute(after))
      }
    }
  }

  private static func cells(_ cell: UInt64) -> [UInt32] {
    guard cell != 0 else { return [] }
    let vector = RowVector(cell)
    return (0..<vector.used).map { vector.rows[$0] }
  }
}
