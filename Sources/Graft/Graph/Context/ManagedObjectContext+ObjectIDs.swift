/// Converting between objects and IDs ([C3](doc:Rules#C3)).
extension ManagedObjectContext {
  /// Returns the object with the given ID, or nil if this context has no such object or the object was deleted.
  ///
  ///     let hero = try context.find(id) as? Hero
  ///
  /// An ID with an identity finds the object in any context whose model has the entity, including contexts that were created
  /// later. Expected O(1).
  ///
  /// - Throws: a ``StoreError`` if the store cannot be read.
  public func find(_ id: ManagedObjectID) throws(StoreError) -> ManagedObject? {
    try takeOverChanges()
    if hub.isInUse, let entity = model.plan.entity(named: id.entityName) { noteSought(entity) }
    let found = place(of: id).map { object($0.table, $0.row) }
    try throwReadFailure()
    return found
  }

  /// Returns the object of a class with the given ID, or nil if this context has no such object or the object has another class.
  ///
  /// - Throws: a ``StoreError`` if the store cannot be read.
  public func find<Object: ManagedObject>(_ type: Object.Type, _ id: ManagedObjectID) throws(StoreError) -> Object? {
    try find(id) as? Object
  }

  /// Returns this context's counterpart of an object from another context, or nil if there is none.
  ///
  ///     let draft = try child.find(hero)
  ///
  /// An object without an identity is found only in its own context.
  ///
  /// - Parameter object: an object of a context that the calling code may use now.
  /// - Throws: a ``StoreError`` if the store cannot be read.
  public func find<Object: ManagedObject>(_ object: Object) throws(StoreError) -> Object? {
    try find(object.objectID) as? Object
  }

  /// Returns the row with the given ID, or nil if there is no such row or its object was deleted.
  func place(of id: ManagedObjectID) -> RowPlace? {
    switch id.key {
    case .number(let number):
      guard let place = rowNumbers.place(of: number), !RowReader(state).isDeleted(place.table, place.row) else {
        return nil
      }
      return place
    case .identity(let identity): return place(of: identity)
    }
  }

  /// Returns the row with the given identity, or nil if there is none.
  func place(of identity: ManagedObjectID.Identity) -> RowPlace? {
    guard let entity = model.plan.entity(named: identity.space) else { return nil }
    let layout = state.layouts[entity.index]
    guard layout.identity.space >= 0, identity.parts.count == layout.identity.count else { return nil }
    var scratch = ScratchText()
    defer { scratch.free() }
    var cells: [Cell] = []
    for (number, part) in zip(entity.identitySlots, identity.parts) {
      switch part {
      case .owner(let owner):
        guard layout.slots[number].kind == .toOne, let place = place(of: owner),
          place.table == layout.slots[number].destinationTable
        else { return nil }
        cells.append(.row(place.row))
      case .value(let value):
        guard let cell = cell(of: value, layout.slots[number], entity.properties[number], &scratch) else { return nil }
        cells.append(cell)
      }
    }
    return find(entity.index, cells: cells).map { RowPlace(table: layout.table, row: $0) }
  }

  func cell(of value: JSON, _ slot: SlotPlan, _ property: PropertyPlan, _ scratch: inout ScratchText) -> Cell? {
    // A URI is identified by its text, not by the URL that is read from it.
    if slot.kind == .uri {
      return value.stringValue.map { text in
        let bytes = Array(text.utf8)
        return .text(scratch.copy(bytes))
      }
    }
    // A distant date is more precise than a `Date`.
    if slot.kind == .date {
      guard let text = value.stringValue else { return nil }
      return LentBytes.with(text) { DateText.microseconds($0) }.map { .integer($0) }
    }
    guard let type = property.attribute?.type, let typed = try? AttributeValue(json: value, type: type) else {
      return nil
    }
    return CellEncoder.cell(for: typed, in: slot, keep: { scratch.copy($0) })
  }

  /// Returns the ID of a row. A row without an identity gets a number.
  func id(_ table: Int, _ row: UInt32) -> ManagedObjectID {
    id(RowPlace(table: table, row: row), state.row(table, row))
  }

  /// Returns the current or former ID of a row. `row` may be an earlier image of that row.
  ///
  /// - Parameter history: the history with the previous owners that identify the object (M12), if they matter.
  func id(_ place: RowPlace, _ row: Row, _ history: RowHistory? = nil) -> ManagedObjectID {
    RowReader(state).id(place, row, model.plan, &rowNumbers, history)
  }
}

extension RowReader {
  /// Returns the current or former ID of a row. `row` may be an earlier image of that row. A row without an identity gets a number. A
  /// fault is loaded first, so that its ID consists of its identity.
  func id(
    _ place: RowPlace, _ row: Row, _ plan: Plan, _ numbers: inout RowNumbers, _ history: RowHistory? = nil
  ) -> ManagedObjectID {
    if row.isFault { state.loadRow(place.table, place.row) }
    let row = row.isFault ? state.row(place.table, place.row) : row
    let entity = plan.entities[row.entity]
    guard let identity = identity(row, plan, history) else {
      return ManagedObjectID(entityName: entity.name, key: .number(numbers.number(place)), hidesIdentity: false)
    }
    return ManagedObjectID(entityName: entity.name, key: .identity(identity), hidesIdentity: entity.hidesIdentity)
  }

  /// The identity of a row, which is valid in every context; nil if the row has no identity, or one of its identity values is nil.
  private func identity(_ row: Row, _ plan: Plan, _ history: RowHistory?) -> ManagedObjectID.Identity? {
    let entity = plan.entities[row.entity]
    let layout = plan.layouts[entity.index]
    guard layout.identity.count > 0 else { return nil }
    var parts: [ManagedObjectID.Identity.Part] = []
    parts.reserveCapacity(layout.identity.count)
    for number in entity.identitySlots {
      let slot = layout.slots[number]
      guard row.isSet(slot) else { return nil }
      if slot.kind == .toOne {
        guard let identity = ownerIdentity(row, slot, plan, history) else { return nil }
        parts.append(.owner(identity))
      } else {
        parts.append(.value(storedJSON(row, slot)))
      }
    }
    // The topmost entity with the same identity attributes represents the identity space (M8).
    var top = entity
    while let parent = top.parent, plan.layouts[parent.index].identity.space == layout.identity.space { top = parent }
    return ManagedObjectID.Identity(space: top.name, parts: parts)
  }

  private func ownerIdentity(
    _ row: Row, _ slot: SlotPlan, _ plan: Plan, _ history: RowHistory?
  ) -> ManagedObjectID.Identity? {
    guard let history else { return owner(row, slot).flatMap { identity($0, plan, nil) } }
    guard let number = row.toOne(slot) else { return nil }
    state.loadRow(slot.destinationTable, number)
    return history.withImage(of: RowPlace(table: slot.destinationTable, row: number)) {
      identity($0.before, plan, history)
    }
  }
}

extension ManagedObject {
  /// The ID of the object, which can be used outside its context and in other contexts.
  ///
  /// The ID consists of the current values of the identity attributes. If there are no identity attributes, or one of them is nil, the
  /// ID is a number. If the insertion of the object was rolled back, the ID matches no object.
  public var objectID: ManagedObjectID {
    noteIdentityRead()
    guard !isDetached else {
      return ManagedObjectID(entityName: entity.name, key: .number(.none), hidesIdentity: false)
    }
    return context.id(table, number)
  }
}
