/// Looking up by identity ([C2](doc:Rules#C2)).
extension ManagedObjectContext {
  /// Returns the object with the given identity, or nil if there is none. Placeholders are included. Expected O(1).
  ///
  ///     try context.find(Hero.self, identity: 1699)
  ///     try context.find(Card.self, identity: "DAW", 12)         // in the order of `identityAttributes`
  ///
  /// An object that is identified inside an owner ([M12](doc:Rules#M12)) is found by passing the owner's identity in place of the owner:
  ///
  ///     try context.find(OrderLine.self, identity: "o-1", 0)     // identified by `order` and `position`
  ///
  /// A `URL` finds the object whose URI has the same characters. If there is none, it finds the object whose URI has the same
  /// characters unescaped, as in `https://de.wikipedia.org/wiki/Österreich` or `https://exämple.org`.
  ///
  /// A number finds the object with the same value, regardless of its type: `1`, `1.0` and `JSON.number(1)` are the same.
  ///
  /// A `Date` finds the object with the same date. Dates before 1728 and after 2273 are more precise than a `Date`. If no date is the same
  /// with microsecond precision, this method returns an object whose date reads as this `Date`.
  ///
  /// - Throws: a ``StoreError`` if the values do not match the identity attributes in number and type, if the model does not have the
  ///   entity, or if the store cannot be read.
  public func find<Object: ManagedObject>(
    _ type: Object.Type, identity: any AttributeConvertible...
  ) throws(StoreError) -> Object? {
    let entity = try entity(of: type)
    guard let row = try find(checked: entity, identity.map(\.attributeValue)) else { return nil }
    return object(model.plan.layouts[entity.index].table, row, as: Object.self)
  }

  /// Returns the object that one value identifies, or nil if there is none. Placeholders are included. Expected O(1), without
  /// allocating memory.
  ///
  ///     try context.find(Hero.self, identity: 1699)
  ///
  /// This method is a faster form of ``find(_:identity:)-(_,AttributeConvertible...)`` for entities with one identity attribute.
  ///
  /// - Throws: a ``StoreError``, as ``find(_:identity:)-(_,AttributeConvertible...)`` does.
  public func find<Object: ManagedObject>(
    _ type: Object.Type, identity: some AttributeConvertible
  ) throws(StoreError) -> Object? {
    try findOne(type, identity.attributeValue)
  }

  /// Returns the object that one value identifies, or nil if there is none. Placeholders are included. Expected O(1), without
  /// allocating memory.
  ///
  ///     let hero = try context.find(Hero.self, id: 1699)
  ///
  /// The identity attribute may have any name. If several attributes identify an object, call
  /// ``find(_:identity:)-(_,AttributeConvertible...)``.
  ///
  /// - Throws: a ``StoreError``, as ``find(_:identity:)-(_,AttributeConvertible...)`` does.
  public func find<Object: ManagedObject>(
    _ type: Object.Type, id: some AttributeConvertible
  ) throws(StoreError) -> Object? {
    try findOne(type, id.attributeValue)
  }

  /// Returns the object of an entity that has the given identity, or nil if there is none.
  ///
  /// - Throws: a ``StoreError``, as ``find(_:identity:)-(_,AttributeConvertible...)`` does.
  public func find(
    ofEntity name: String, identity: any AttributeConvertible...
  ) throws(StoreError) -> ManagedObject? {
    try findOne(ofEntity: name, identity.map(\.attributeValue))
  }

  /// Returns the object of an entity that one value identifies, or nil if there is none.
  ///
  ///     let hero = try context.find(ofEntity: "Hero", id: 1699)
  ///
  /// - Throws: a ``StoreError``, as ``find(_:identity:)-(_,AttributeConvertible...)`` does.
  public func find(ofEntity name: String, id: some AttributeConvertible) throws(StoreError) -> ManagedObject? {
    try findOne(ofEntity: name, [id.attributeValue])
  }

  private func findOne(ofEntity name: String, _ values: [AttributeValue]) throws(StoreError) -> ManagedObject? {
    let entity = try entity(named: name)
    guard let row = try find(checked: entity, values) else { return nil }
    return object(model.plan.layouts[entity.index].table, row)
  }

  /// Returns the object of an entity that has the given identity; nil if there is no such object, or if the values do not form an
  /// identity of the entity.
  package func find(ofEntity name: String, values: [AttributeValue]) throws(StoreError) -> ManagedObject? {
    try takeOverChanges()
    guard let entity = model.plan.entity(named: name) else { return nil }
    let row = find(entity.index, values)
    try throwReadFailure()
    return row.map { object(model.plan.layouts[entity.index].table, $0) }
  }

  private func findOne<Object: ManagedObject>(_ type: Object.Type, _ value: AttributeValue) throws(StoreError)
    -> Object?
  {
    let entity = try entityIndex(of: type)
    let layout = model.plan.layouts + entity
    if layout.pointee.identity.count == 1, !mergesChanges, binding?.failure == nil {
      hub.noteExtent(layout.pointee.table, .members)
      if let row = findQuickly(layout, value) { return object(layout.pointee.table, row, as: Object.self) }
    }
    guard let row = try find(checked: model.plan.entities[entity], [value]) else { return nil }
    return object(layout.pointee.table, row, as: Object.self)
  }

  /// The row of the object that an integer or string identifies, if the row is in memory.
  private func findQuickly(_ layout: PlanReference<EntityLayout>, _ value: AttributeValue) -> UInt32? {
    let slot = layout.pointee.slots + layout.pointee.identity.slots[0]
    switch (slot.pointee.kind, value) {
    case (.integer, .integer(let number)): return find(layout, slot, .integer(number))
    case (.string, .string(let text)): return LentBytes.with(text) { find(layout, slot, .text($0)) }
    default: return nil
    }
  }

  private func find(
    _ layout: PlanReference<EntityLayout>, _ slot: PlanReference<SlotPlan>, _ cell: Cell
  ) -> UInt32? {
    guard let hash = GraphIdentity.hash(cell, slot.pointee.kind, state.pointee.seeds) else { return nil }
    let tables = state.tables
    let table = layout.pointee.table
    let found = tables[table].indexes[layout.pointee.identity.space].find(hash) { number in
      GraphIdentity.isSame(cell, tables[table].row(number)[slot], slot.pointee, state.pointee.texts)
    }
    return found.flatMap { isMember($0, layout) ? $0 : nil }
  }

  private func find(checked entity: EntityPlan, _ values: [AttributeValue]) throws(StoreError) -> UInt32? {
    let slots = identity(of: entity)
    guard !slots.isEmpty, values.count == slots.count else {
      throw .wrongIdentity(entity, attributes: slots.count, values: values.count)
    }
    // `1.0`, `Decimal(1)` and a payload's number with this value all become the integer 1.
    let values = zip(slots, values).map { property, value in
      property.attribute.flatMap { try? value.converted(to: $0.type) } ?? value
    }
    try takeOverChanges()
    noteSought(entity)
    let found = find(entity.index, values) ?? findEquivalent(entity.index, values)
    try throwReadFailure()
    guard let row = found else {
      for (property, value) in zip(slots, values) { try checkType(of: value, entity, property) }
      return nil
    }
    let own = model.plan.entities[state.row(model.plan.layouts[entity.index].table, row).entity]
    return own.inherits(from: entity) ? row : nil
  }

  /// Returns the identity attributes of an entity. An owner is replaced by its own identity attributes (M12).
  func identity(of entity: EntityPlan) -> [PropertyPlan] {
    entity.identitySlots.flatMap { slot in
      let property = entity.properties[slot]
      guard property.relationship != nil else { return [property] }
      return identity(of: model.plan.entities[model.plan.layouts[entity.index].slots[slot].destination])
    }
  }

  /// Throws if a value does not have the attribute's type. Numbers and dates that do not fit are allowed, because no object has them.
  private func checkType(
    of value: AttributeValue, _ entity: EntityPlan, _ property: PropertyPlan
  ) throws(StoreError) {
    guard let attribute = property.attribute else { return }
    let takesNumbers =
      switch attribute.type {
      case .integer16, .integer32, .integer64, .float, .double, .decimal: true
      default: false
      }
    let isNumber =
      switch value {
      case .integer, .float, .double, .decimal: true
      default: false
      }
    if attribute.type == .date, case .date = value { return }
    guard takesNumbers && isNumber || (try? value.converted(to: attribute.type)) != nil else {
      throw .wrongIdentity(entity, attribute, value)
    }
  }

  /// Looks up equivalents of the values: the unescaped forms of URLs, which are common in payloads, and the exact values of distant dates.
  private func findEquivalent(_ entity: Int, _ values: [AttributeValue]) -> UInt32? {
    var choices: [[Int: EquivalentValue]] = [[:]]
    for (index, value) in values.enumerated() {
      let others = EquivalentValue.others(of: value)
      choices += choices.flatMap { choice in others.map { choice.merging([index: $0]) { $1 } } }
    }
    for choice in choices.dropFirst() {
      if let row = find(entity, values, equivalents: choice) { return row }
    }
    return nil
  }

  /// Returns the row with the given identity in an entity's identity space.
  ///
  /// - Parameter equivalents: values to search for in place of the given values, by their indexes.
  func find(_ entity: Int, _ values: [AttributeValue], equivalents: [Int: EquivalentValue] = [:]) -> UInt32? {
    let layout = state.layouts[entity]
    guard layout.identity.space >= 0, values.count == identity(of: model.plan.entities[entity]).count else {
      return nil
    }
    var scratch = ScratchText()
    defer { scratch.free() }
    var cells: [Cell] = []
    var next = 0
    for number in 0..<layout.identity.count {
      let slot = layout.slots[layout.identity.slots[number]]
      if slot.kind == .toOne {
        let count = identity(of: model.plan.entities[slot.destination]).count
        let inner = equivalents.filter { $0.key >= next && $0.key < next + count }
        let shifted = Dictionary(uniqueKeysWithValues: inner.map { ($0.key - next, $0.value) })
        guard let owner = find(slot.destination, Array(values[next..<next + count]), equivalents: shifted) else {
          return nil
        }
        cells.append(.row(owner))
        next += count
        continue
      }
      let (index, value) = (next, values[next])
      next += 1
      switch (slot.kind, equivalents[index]) {
      case (.uri, .text(let uri)):
        cells.append(.text(scratch.copy(uri)))
        continue
      case (.date, .microseconds(let microseconds)):
        cells.append(.integer(microseconds))
        continue
      default: break
      }
      guard let cell = CellEncoder.cell(for: value, in: slot, keep: { scratch.copy($0) }) else { return nil }
      cells.append(cell)
    }
    return find(entity, cells: cells)
  }

  /// Returns the row with the given identity in an entity's identity space, given a cell for each identity attribute in order.
  ///
  /// - Parameter isLoaded: whether to search only rows in memory.
  func find(_ entity: Int, cells identity: [Cell], isLoaded: Bool = false) -> UInt32? {
    let plan = state.layouts + entity
    let layout = plan.pointee
    var cells = Array(repeating: Cell.absent, count: layout.slotCount)
    for (index, cell) in identity.enumerated() { cells[layout.identity.slots[index]] = cell }
    return Cells.with(cells) { cells in
      guard let hash = GraphIdentity.hash(plan, cells, state.pointee.seeds) else { return nil }
      let known = state.tables[layout.table].indexes[layout.identity.space].find(hash) { number in
        GraphIdentity.matches(plan, cells, state.row(layout.table, number), state.pointee.texts)
      }
      return isLoaded ? known : known ?? binding?.find(entity, cells, hash)
    }
  }
}

extension ManagedObjectContext {
  /// Reports a search by identity, which depends on the object that has the identity, and on the owners in the identity (M12).
  func noteSought(_ entity: EntityPlan) {
    guard hub.isInUse else { return }
    var tables: Set<Int> = []
    func note(_ entity: EntityPlan) {
      guard tables.insert(model.plan.layouts[entity.index].table).inserted else { return }
      for slot in entity.ownerSlots {
        note(model.plan.entities[model.plan.layouts[entity.index].slots[slot].destination])
      }
    }
    note(entity)
    for table in tables { hub.noteExtent(table, .members) }
  }
}
