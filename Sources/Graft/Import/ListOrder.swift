#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds arrays whose order is lost, because their relationship is not ordered and the elements do not record their positions (I19).
///
///     "stops": ["Kiel", "Bonn", "Ulm"]                          neither ascending nor descending
///     "stops": [{"position": 1, ...}, {"position": 2, ...}]     the position gives the order
///
/// A model that declares `"ordered": false` states that the order does not matter.
struct ListOrder {
  private let state: Reference<GraphState>
  private let plan: Plan
  private let shelf: PieceShelf
  private let suspicions: Suspicions
  private let reader: RowReader

  /// The maximum number of objects to examine, and the length of the shortest list that has an order.
  private static let mostObjects = 64
  private static let shortest = 3

  init(_ state: Reference<GraphState>, _ plan: Plan, _ shelf: PieceShelf, _ suspicions: Suspicions) {
    self.state = state
    self.suspicions = suspicions
    self.plan = plan
    self.shelf = shelf
    reader = RowReader(state)
  }

  /// The lists of one relationship.
  private struct Lists {
    var entity: EntityPlan
    var slot: Int
    /// The offset of the first list.
    var offset: Int
    var rows: [[UInt32]] = []
  }

  func add(to list: inout FaultList) {
    for lists in found() where !hasKnownOrder(lists) {
      let subject = ImportFinding.Subject(entity: lists.entity, property: lists.entity.properties[lists.slot])
      list.append(ImportFault(.lostOrder(subject), at: lists.offset))
    }
  }

  /// Returns the lists of the first new objects that one dictionary describes. Lists of other objects are not examined, because their
  /// order in memory differs from the order in the payload.
  private func found() -> [Lists] {
    var found: [Lists] = []
    lazy var repeated = Set(suspicions.repeated.map(\.object))
    for touch in state.pointee.touched.elements.prefix(ListOrder.mostObjects) {
      let row = reader.row(Int(touch.table), touch.row)
      let entity = plan.entities[row.entity]
      guard !entity.slotsOfUndeclaredOrder.isEmpty,
        row.isDescribed, !row.isDeleted,
        state.isNewInUnit(Int(touch.table), touch.row),
        !repeated.contains(RowPlace(table: Int(touch.table), row: touch.row))
      else { continue }
      for slot in entity.slotsOfUndeclaredOrder {
        let rows = reader.targetsInMemory(row, plan.layouts[entity.index].slots[slot])
        guard rows.count >= ListOrder.shortest,
          let offset = shelf.value(of: slot, entity, plan, inObjectAt: touch.offset),
          shelf.elementCount(at: offset) == rows.count
        else { continue }
        let property = entity.properties[slot]
        if let index = found.firstIndex(where: { $0.entity.properties[$0.slot] === property }) {
          found[index].rows.append(rows)
        } else {
          found.append(Lists(entity: entity, slot: slot, offset: offset, rows: [rows]))
        }
      }
    }
    return found
  }

  /// Returns whether the values of one attribute are ascending in all lists, or descending in all lists.
  private func hasKnownOrder(_ lists: Lists) -> Bool {
    let destination = plan.layouts[lists.entity.index].slots[lists.slot].destination
    let layout = plan.layouts[destination]
    return (0..<layout.slotCount).contains { index in
      let slot = layout.slots[index]
      if slot.kind.isRelationship { return false }
      let keys = lists.rows.map { rows in rows.map { key(reader.row(layout.table, $0), slot) } }
      return keys.allSatisfy { isRising($0, <) } || keys.allSatisfy { isRising($0, >) }
    }
  }

  private func isRising(_ keys: [Key?], _ isBefore: (Key, Key) -> Bool) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { pair in
      guard let left = pair.0, let right = pair.1 else { return false }
      return isBefore(left, right)
    }
  }

  /// The sort key of values.
  private enum Key: Comparable {
    case number(Double)
    case text(String)
  }

  private func key(_ row: Row, _ slot: SlotPlan) -> Key? {
    switch reader.value(row, slot) {
    case .integer(let value): .number(Double(value))
    case .double(let value): .number(value)
    case .float(let value): .number(Double(value))
    case .date(let value): .number(value.timeIntervalSinceReferenceDate)
    case .string(let value): .text(value)
    case .uuid(let value): .text(value.uuidString)
    default: nil
    }
  }
}
