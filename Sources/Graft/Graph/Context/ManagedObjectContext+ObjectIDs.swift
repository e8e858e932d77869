/// Converting between objects and IDs ([C3](doc:Rules#C3)).
extension ManagedObjectContext {
  /// Returns the object with an ID, or nil if this context has none or it was deleted.
  ///
  ///     let hero = context.find(id) as? Hero
  ///
  /// An ID with an identity finds the object in any context whose model has the entity, including contexts that were created
  /// later. Expected O(1).
  public func find(_ id: ManagedObjectID) -> ManagedObject? {
    takeOverChanges()
    return place(of: id).map { object($0.table, $0.row) }
  }

  /// Returns the object of a class with an ID, or nil if this context has none or it is of another class.
  public func find<Object: ManagedObject>(_ type: Object.Type, _ id: ManagedObjectID) -> Object? {
    find(id) as? Object
  }

  /// Returns the row with an ID, or nil if there is none or its object was deleted.
  func place(of id: ManagedObjectID) -> RowPlace? {
    switch id.key {
    case .number(let number):
      guard let place = rowNumbers.places[number], !RowReader(state).isDeleted(place.table, place.row) else {
        return nil
      }
      return place
    case .identity(let space, let values):
      return model.plan.entity(named: space).flatMap { place(of: $0, identity: values) }
    }
  }

  /// The row of an owner (M12) in a table, given its own identifier as JSON.
  func owner(in table: Int, identity value: JSON) -> RowPlace? {
    let values: [JSON] = if case .array(let inner) = value { inner } else { [value] }
    return model.plan.entities.lazy.filter { self.model.plan.layouts[$0.index].table == table }
      .compactMap { self.place(of: $0, identity: values) }.first
  }

  /// The row with an identity as JSON, and for an owner its own identifier (M12).
  private func place(of entity: EntityPlan, identity values: [JSON]) -> RowPlace? {
    let layout = state.pointee.layouts[entity.index]
    guard layout.identitySpace >= 0, values.count == layout.identityCount else { return nil }
    var scratch = ScratchText()
    defer { scratch.free() }
    var cells: [Cell] = []
    for (index, value) in values.enumerated() {
      let slot = layout.slots[layout.identitySlots[index]]
      if slot.kind == .toOne {
        let inner: [JSON] = if case .array(let inner) = value { inner } else { [value] }
        guard let owner = place(of: model.plan.entities[slot.destination], identity: inner) else { return nil }
        cells.append(.row(owner.row))
        continue
      }
      guard let cell = cell(of: value, slot, entity.properties[layout.identitySlots[index]], &scratch) else {
        return nil
      }
      cells.append(cell)
    }
    return find(entity.index, cells: cells).map { RowPlace(table: layout.table, row: $0) }
  }

  func cell(of value: JSON, _ slot: SlotPlan, _ property: PropertyPlan, _ scratch: inout ScratchText) -> Cell? {
    // A URI is identified by its text, not by the URL that is read from it.
    if slot.kind == .uri {
      return value.stringValue.map { text in
        let bytes = Array(text.utf8)
        return .text(scratch.copy(bytes), bytes.count)
      }
    }
    guard let type = property.attribute?.type, let typed = try? AttributeValue(json: value, type: type) else {
      return nil
    }
    return CellEncoder.cell(for: typed, in: slot, keep: { scratch.copy($0) })
  }

  /// Returns the ID of a row. A row without an identity gets a number.
  func id(_ table: Int, _ row: UInt32) -> ManagedObjectID {
    id(RowPlace(table: table, row: row), state.pointee.row(table, row))
  }

  /// Returns the current or former ID of a row: `base` may be an earlier image of it.
  func id(_ place: RowPlace, _ base: Row) -> ManagedObjectID {
    RowReader(state).id(place, base, model.plan, &rowNumbers)
  }
}

extension RowReader {
  /// Returns the current or former ID of a row: `base` may be an earlier image of it. A row without an identity gets a number.
  func id(_ place: RowPlace, _ row: Row, _ plan: Plan, _ numbers: inout RowNumbers) -> ManagedObjectID {
    let entity = plan.entities[row.entity]
    guard let values = identityJSON(row) else {
      return ManagedObjectID(entityName: entity.name, key: .number(numbers.number(place)))
    }
    // The topmost entity with the same identity attributes represents the identity space (M8).
    var top = entity
    let space = plan.layouts[entity.index].identitySpace
    while let parent = top.parent, plan.layouts[parent.index].identitySpace == space { top = parent }
    return ManagedObjectID(entityName: entity.name, key: .identity(space: top.name, values: values))
  }
}

extension ManagedObject {
  /// The ID of the object, which can be used outside its context and in others.
  ///
  /// The ID consists of the current values of the identity attributes. If there are none, or one of them is nil, it is a
  /// number. If the insertion of the object was rolled back, the ID matches no object.
  public var objectID: ManagedObjectID {
    guard !isDetached else { return ManagedObjectID(entityName: entity.name, key: .number(.none)) }
    return context.id(table, row)
  }
}
