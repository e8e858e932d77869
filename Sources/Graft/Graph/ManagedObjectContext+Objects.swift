/// Inserting, deleting, looking up and listing (C2).
extension ManagedObjectContext {
  // MARK: Inserting

  /// Inserts a new object, with the defaults of its entity.
  ///
  ///     let hero = context.insert(Hero.self)
  ///
  /// - Precondition: the model has the entity, and it is not abstract.
  @discardableResult
  public func insert<Object: ManagedObject>(_ type: Object.Type) -> Object {
    let entity = entityPlan(Object.entityName)
    let row = insert(entity)
    return object(model.plan.layouts[entity.index].table, row, as: Object.self)
  }

  /// Inserts a new object of an entity by its name.
  ///
  /// - Precondition: the model has the entity, and it is not abstract.
  @discardableResult
  public func insert(entityNamed name: String) -> ManagedObject {
    let entity = entityPlan(name)
    return object(model.plan.layouts[entity.index].table, insert(entity))
  }

  private func insert(_ entity: EntityPlan) -> UInt32 {
    precondition(
      !isBusy || isInHook, "the context is in the middle of an import: a transformer or mapper must not use it")
    precondition(!entity.description.isAbstract, "'\(entity.name)' is abstract: insert one of its sub-entities")
    let editor = GraphEditor(state)
    let layout = state.pointee.layouts[entity.index]
    let row = editor.insert(entity.index)
    let base = editor.row(layout.table, row)
    for (slot, cell) in entity.defaults {
      cell.tag == .word
        ? editor.setWord(cell.bits, layout.slots + slot, layout.table, row, base)
        : editor.setText(cell, layout.slots + slot, layout.table, row, base)
    }
    editor.index(layout.table, row)
    return row
  }

  // MARK: Deleting

  /// Deletes an object, by the delete rules of its relationships (M6). Nothing happens if it is deleted already.
  ///
  /// - Throws: a ``PropertyError`` if a `deny` relationship still leads to objects; nothing is deleted then.
  public func delete(_ object: ManagedObject) throws(PropertyError) {
    try checkUse()
    precondition(object.context === self, "'\(object)' is an object of another context")
    guard !object.isDeleted else { return }
    let editor = GraphEditor(state)
    do throws(GraphEditor.Denial) {
      try editor.delete(object.table, object.row)
    } catch {
      let entity = model.plan.entities[RowHeader.entity(editor.row(error.table, error.row)[0])]
      let name = GraphNames(state, model.plan).name(error.table, error.row)
      throw PropertyError(
        "'\(name)' cannot be deleted: '\(entity.name).\(entity.properties[error.slot].name)' says \"deny\" and still leads to objects"
      )
    }
    state.pointee.orphans.truncate(to: 0)
  }

  // MARK: Looking up

  /// The object with an identity; nil if there is none. Placeholders count. Expected O(1).
  ///
  ///     context.find(Hero.self, 1699)
  ///     context.find(Card.self, "DAW", 12)             // in the order of `identityAttributes`
  ///
  /// - Precondition: the values are as many as the identity attributes, and of their types.
  public func find<Object: ManagedObject>(_ type: Object.Type, _ identity: any AttributeConvertible...) -> Object? {
    let entity = entityPlan(Object.entityName)
    guard let row = find(checked: entity, identity.map(\.attributeValue)) else { return nil }
    return object(model.plan.layouts[entity.index].table, row, as: Object.self)
  }

  /// The object of an entity by its name with an identity; nil if there is none.
  public func find(entityNamed name: String, _ identity: any AttributeConvertible...) -> ManagedObject? {
    let entity = entityPlan(name)
    guard let row = find(checked: entity, identity.map(\.attributeValue)) else { return nil }
    return object(model.plan.layouts[entity.index].table, row)
  }

  private func find(checked entity: EntityPlan, _ values: [AttributeValue]) -> UInt32? {
    precondition(
      !entity.identitySlots.isEmpty && values.count == entity.identitySlots.count,
      "'\(entity.name)' has \(entity.identitySlots.count) identity attributes, not \(values.count)")
    guard let row = find(entity.index, values) else {
      for (slot, value) in zip(entity.identitySlots, values) { checkType(of: value, entity, entity.properties[slot]) }
      return nil
    }
    let own = model.plan.entities[RowHeader.entity(state.pointee.row(model.plan.layouts[entity.index].table, row)[0])]
    return own.inherits(from: entity) ? row : nil
  }

  /// A value of another type is the caller's mistake. A number that does not fit is none: no object has it.
  private func checkType(of value: AttributeValue, _ entity: EntityPlan, _ property: PropertyPlan) {
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
    precondition(
      takesNumbers && isNumber || (try? value.converted(to: attribute.type)) != nil,
      "'\(entity.name).\(property.name)' is declared \(attribute.type.rawValue): no object is identified by \(value.foundPhrase)"
    )
  }

  /// The row with an identity in an entity's identity space.
  func find(_ entity: Int, _ values: [AttributeValue]) -> UInt32? {
    let layout = state.pointee.layouts[entity]
    guard layout.identitySpace >= 0, values.count == layout.identityCount else { return nil }
    var scratch = ScratchText()
    defer { scratch.free() }
    var cells = Array(repeating: Cell.absent, count: layout.slotCount)
    for (index, value) in values.enumerated() {
      let slot = layout.identitySlots[index]
      guard let cell = CellEncoder.cell(for: value, in: layout.slots[slot], keep: { scratch.copy($0) }) else {
        return nil
      }
      cells[slot] = cell
    }
    let plan = state.pointee.layouts + entity
    return cells.withUnsafeBufferPointer { cells in
      guard let base = cells.baseAddress, let hash = GraphIdentity.hash(plan, base, state.pointee.seeds) else {
        return nil
      }
      return state.pointee.tables[layout.table].indexes[layout.identitySpace].find(hash) { row in
        GraphIdentity.matches(plan, base, state.pointee.row(layout.table, row), state.pointee.texts)
      }
    }
  }

  // MARK: Listing

  /// All objects of an entity and its sub-entities, in order of insertion. Placeholders count.
  public func fetch<Object: ManagedObject>(_ type: Object.Type) -> [Object] {
    let entity = entityPlan(Object.entityName)
    let table = model.plan.layouts[entity.index].table
    return rows(of: entity).map { object(table, $0, as: Object.self) }
  }

  /// The objects of an entity and its sub-entities for which a closure says yes, in order of insertion.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where isIncluded: (Object) throws -> Bool
  ) rethrows -> [Object] {
    try fetch(type).filter(isIncluded)
  }

  /// All objects of an entity and its sub-entities by the entity's name, in order of insertion.
  public func fetch(entityNamed name: String) -> [ManagedObject] {
    let entity = entityPlan(name)
    let table = model.plan.layouts[entity.index].table
    return rows(of: entity).map { object(table, $0) }
  }

  /// The objects of an entity and its sub-entities for which a closure says yes, in order of insertion.
  public func fetch(
    entityNamed name: String, where isIncluded: (ManagedObject) throws -> Bool
  ) rethrows -> [ManagedObject] {
    try fetch(entityNamed: name).filter(isIncluded)
  }

  /// The number of objects of an entity and its sub-entities, placeholders included.
  public func count(of name: String) -> Int { rows(of: entityPlan(name)).count }

  /// The number of objects of an entity and its sub-entities, placeholders included.
  public func count<Object: ManagedObject>(_ type: Object.Type) -> Int { count(of: Object.entityName) }

  /// The objects that are known by their identifier only (I4).
  public var placeholders: [ManagedObject] {
    (0..<state.pointee.tableCount).flatMap { table in
      (0..<UInt32(state.pointee.tables[table].rowCount)).compactMap { row in
        let header = state.pointee.row(table, row)[0]
        let isPlaceholder = header & RowHeader.placeholder != 0 && header & RowHeader.deleted == 0
        return isPlaceholder ? object(table, row) : nil
      }
    }
  }

  func rows(of entity: EntityPlan) -> [UInt32] {
    let layout = state.pointee.layouts[entity.index]
    let table = state.pointee.tables[layout.table]
    var rows: [UInt32] = []
    for row in 0..<UInt32(table.rowCount) {
      let header = table.row(row)[0]
      let number = state.pointee.layouts[RowHeader.entity(header)].hierarchyNumber
      if header & RowHeader.deleted == 0, number >= layout.firstInHierarchy, number <= layout.lastInHierarchy {
        rows.append(row)
      }
    }
    return rows
  }

  func entityPlan(_ name: String) -> EntityPlan {
    guard let entity = model.plan.entity(named: name) else {
      let near = Suggestion.nearest(to: name, among: model.plan.entities.map(\.name))
      preconditionFailure("the model has no entity '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
    return entity
  }

  // MARK: Changes

  /// What was inserted, updated and deleted since the last ``commit()`` or import.
  public var changes: ContextChanges {
    var changes = ContextChanges()
    for table in 0..<state.pointee.tableCount {
      for row in state.pointee.committedRows(table)..<state.pointee.tables[table].rowCount
      where !RowReader(state).isDeleted(table, UInt32(row)) {
        changes.inserted.append(object(table, UInt32(row)))
      }
    }
    var seen = Set<[Int]>()
    for entry in state.pointee.journal.elements where Int(entry.row) < state.pointee.committedRows(entry.table) {
      guard seen.insert([entry.table, Int(entry.row)]).inserted else { continue }
      let object = object(entry.table, entry.row)
      if object.isDeleted { changes.deleted.append(object) } else { changes.updated.append(object) }
    }
    return changes
  }
}

/// What changed in a context since its last commit.
public struct ContextChanges {
  /// Objects that are new.
  public fileprivate(set) var inserted: [ManagedObject] = []
  /// Objects whose values or links changed.
  public fileprivate(set) var updated: [ManagedObject] = []
  /// Objects that were deleted.
  public fileprivate(set) var deleted: [ManagedObject] = []
  /// Whether nothing changed.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
