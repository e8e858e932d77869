/// Sorts rows by sort keys. Values of named properties are read once per row, without handles.
struct RowSorter<Object: ManagedObject> {
  private let context: ManagedObjectContext
  private let entity: EntityPlan
  private let keys: [SortKey<Object>]
  private let paths: [[SlotPlan]]

  init(_ context: ManagedObjectContext, _ entity: EntityPlan, _ keys: [SortKey<Object>]) {
    self.context = context
    self.entity = entity
    self.keys = keys
    paths = keys.map { key in
      if case .names(let names) = key.criterion { RowSorter.slots(names, entity, context) } else { [] }
    }
  }

  /// Returns the slots along a path of names, the last of which is an attribute.
  private static func slots(_ names: [String], _ entity: EntityPlan, _ context: ManagedObjectContext) -> [SlotPlan] {
    var entity = entity
    var slots: [SlotPlan] = []
    precondition(!names.isEmpty, "a sort key needs the name of a property")
    for (index, name) in names.enumerated() {
      let slot = context.state.pointee.layouts[entity.index].slots[entity.slot(named: name)]
      slots.append(slot)
      if index < names.count - 1 {
        precondition(
          slot.kind == .toOne, "'\(entity.name).\(name)' is no to-one relationship: a sort key cannot go through it")
        entity = context.model.plan.entities[slot.destination]
        context.hub.noteExtent(slot.destinationTable, .everything)
      } else {
        precondition(
          !slot.kind.isRelationship && slot.kind != .json,
          "'\(entity.name).\(name)' has no order: nothing can be sorted by it")
      }
    }
    return slots
  }

  /// Whether handles are needed for all rows, because a key reads a property of the class.
  var readsObjects: Bool { paths.contains { $0.isEmpty } }

  func sorted(_ rows: [UInt32]) -> [UInt32] { order(rows, []).map { rows[$0] } }

  /// Sorts objects. Comparing them runs code of the program, so no row numbers are held meanwhile.
  func sorted(_ objects: [Object]) -> [Object] { order(objects.map(\.row), objects).map { objects[$0] } }

  private func order(_ rows: [UInt32], _ objects: [Object]) -> [Int] {
    let table = context.state.pointee.layouts[entity.index].table
    let values = paths.map { path in path.isEmpty ? [] : rows.map { value(table, $0, path) } }
    return rows.indices.sorted { left, right in
      for (index, key) in keys.enumerated() {
        let order: SortKey<Object>.Order
        switch key.criterion {
        case .closure(let compare): order = compare(objects[left], objects[right])
        case .names:
          order = SortKey<Object>.order(
            values[index][left], values[index][right], { $0.isLess(than: $1) }, key.isDescending, key.nils)
        }
        switch order {
        case .before: return true
        case .behind: return false
        case .same: continue
        }
      }
      return left < right
    }
  }

  private func value(_ table: Int, _ row: UInt32, _ path: [SlotPlan]) -> AttributeValue? {
    let reader = RowReader(context.state)
    var base = reader.row(table, row)
    for slot in path.dropLast() {
      guard let target = reader.target(base, slot) else { return nil }
      base = reader.row(slot.destinationTable, target)
    }
    return reader.value(base, path[path.count - 1])
  }
}
