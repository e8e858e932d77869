/// Sorts rows by sort keys. Values of named properties are read without handles.
struct RowSorter<Object: ManagedObject> {
  private let context: ManagedObjectContext
  private let entity: EntityPlan
  private let keys: [SortKey<Object>]
  private let paths: [[SlotPlan]]
  /// The columns to sort by, for a store; nil if a key reads a property of the class.
  let order: [StoreQuery.Order]?

  /// - Parameter hasColumns: whether to determine the columns of a store, even if the context has no store.
  /// - Throws: a ``StoreError`` if the entity has no attribute with the name of a key, or if its values have no order.
  init(
    _ context: ManagedObjectContext, _ entity: EntityPlan, _ keys: [SortKey<Object>], hasColumns: Bool = false
  ) throws(StoreError) {
    let hasColumns = hasColumns || context.binding != nil
    self.context = context
    self.entity = entity
    self.keys = keys
    var paths: [[SlotPlan]] = []
    var order: [StoreQuery.Order]? = []
    for key in keys {
      var (slots, column): ([SlotPlan], StoreQuery.Order?) = ([], nil)
      switch key.criterion {
      case .closure: break
      case .names(let names): (slots, column) = try RowSorter.slots(names, entity, context, hasColumns)
      case .keyPath(let keyPath, _):
        guard let place = context.model.queryableSlots[keyPath] else { break }
        let owner = context.model.plan.entities[place.entity]
        guard entity.inherits(from: owner),
          owner.properties[place.slot].attribute.map({ $0.storedType != .json }) == true
        else { break }
        (slots, column) = try RowSorter.slots([owner.properties[place.slot].name], entity, context, hasColumns)
      }
      paths.append(slots)
      column?.isAscending = !key.isDescending
      column?.isNilFirst = key.nils == .first
      if let column { order?.append(column) } else { order = nil }
    }
    self.paths = paths
    self.order = order
  }

  /// Returns the slots along a path of names, which ends at an attribute, and the column of that attribute.
  private static func slots(
    _ names: [String], _ entity: EntityPlan, _ context: ManagedObjectContext, _ hasColumns: Bool
  ) throws(StoreError) -> ([SlotPlan], StoreQuery.Order?) {
    var entity = entity
    var slots: [SlotPlan] = []
    var path = StorePath()
    var order: StoreQuery.Order?
    if names.isEmpty { throw StoreError(.unknownProperty, "a sort key requires the name of a property") }
    for (index, name) in names.enumerated() {
      guard let number = entity.slotNumbers[name] else { throw StoreError(entity.unknownProperty(name).diagnostics) }
      let slot = context.state.layouts[entity.index].slots[number]
      slots.append(slot)
      if hasColumns,
        case .column(let column) = context.queryMap.schema.places[entity.index][number]
      {
        order = StoreQuery.Order(path, column: column)
        path.references.append(.init(table: context.model.plan.layouts[entity.index].table, column: column))
      }
      if index < names.count - 1 {
        guard slot.kind == .toOne else {
          throw StoreError(
            .wrongPropertyKind,
            "'\(entity.name).\(name)' is not a to-one relationship, so a sort key cannot follow it")
        }
        entity = context.model.plan.entities[slot.destination]
        context.hub.noteExtent(slot.destinationTable, .everything)
      } else if slot.kind.isRelationship || slot.kind == .json {
        throw StoreError(
          .wrongPropertyKind, "'\(entity.name).\(name)' has no order, so objects cannot be sorted by it")
      }
    }
    return (slots, order)
  }

  /// Whether handles are needed for all rows, because a key reads a property of the class.
  var readsObjects: Bool { paths.contains { $0.isEmpty } }

  /// Returns the first rows in order.
  func sorted(_ rows: [UInt32], atMost most: Int = .max) -> [UInt32] {
    rowOrder.positions(rows, atMost: most).map { rows[$0] }
  }

  /// Sorts objects. Comparing them runs code of the program, so no row numbers are held during the sort.
  func sorted(_ objects: [Object]) -> [Object] {
    let rows = objects.map(\.number)
    guard readsObjects else { return rowOrder.positions(rows).map { objects[$0] } }
    let columns = zip(keys, paths).map { key, path in
      switch key.criterion {
      case .keyPath(_, let compare) where path.isEmpty: return SortColumn { compare(objects[$0], objects[$1]) }
      case .closure(let compare): return SortColumn { compare(objects[$0], objects[$1]) }
      case .names, .keyPath:
        return SortColumn(
          rows.map { value(table, $0, path) }, isDescending: key.isDescending, isNilFirst: key.nils == .first)
      }
    }
    return SortColumn.sortedPositions(rows.count, by: columns).map { objects[$0] }
  }

  private var table: Int { context.state.layouts[entity.index].table }

  /// The order of rows by these keys. Valid only if no key reads a property of the class.
  var rowOrder: RowOrder {
    RowOrder(
      RowReader(context.state), table: table,
      zip(keys, paths).map { key, path in
        RowOrder.Key(path: path, isDescending: key.isDescending, isNilFirst: key.nils == .first)
      })
  }

  private func value(_ table: Int, _ number: UInt32, _ path: [SlotPlan]) -> AttributeValue? {
    let reader = RowReader(context.state)
    var row = reader.row(table, number)
    for slot in path.dropLast() {
      guard let target = reader.target(row, slot) else { return nil }
      row = reader.row(slot.destinationTable, target)
    }
    let slot = path[path.count - 1]
    // URIs are compared by their stored bytes, as in stores, because a `URL` may escape some of these bytes.
    if slot.kind == .uri, row.isSet(slot) {
      return .string(String(decoding: reader.state.pointee.texts.bytes(row[slot]), as: UTF8.self))
    }
    return reader.value(row, slot)
  }
}
