/// Inserting and deleting ([C2](doc:Rules#C2)).
extension ManagedObjectContext {
  // MARK: Inserting

  /// Inserts a new object with the defaults of its entity.
  ///
  ///     let hero = context.insert(Hero.self)
  ///
  /// - Precondition: the model has the entity, and it is not abstract.
  @discardableResult
  public func insert<Object: ManagedObject>(_ type: Object.Type) -> Object {
    let entity = entityPlan(Object.entityName)
    let object = insert(entity)
    guard let typed = object as? Object else { ManagedObjectContext.refuse(object, as: Object.self) }
    return typed
  }

  /// Inserts a new object of the named entity.
  ///
  /// - Precondition: the model has the entity, and it is not abstract.
  @discardableResult
  public func insert(ofEntity name: String) -> ManagedObject {
    insert(entityPlan(name))
  }

  private func insert(_ entity: EntityPlan) -> ManagedObject {
    let place = insertedPlace(of: entity)
    // The work in progress will fail. Until then, the caller gets a handle whose ``ManagedObject/isDeleted`` is true.
    if place.number == .max { return model.classes[entity.index].init(place: place) }
    let object = object(place.table, place.number)
    tellInserted(place)
    return object
  }

  /// Inserts a row with the defaults of an entity. Call ``tellInserted(_:)`` once the object has a handle, because observers may delete or
  /// move the object.
  ///
  /// - Returns: the place of the row, whose number is `.max` if a call that is in progress forbids changes.
  func insertedPlace(of entity: EntityPlan) -> ManagedObjectPlace {
    precondition(!entity.description.isAbstract, "'\(entity.name)' is abstract: insert one of its sub-entities")
    let editor = GraphEditor(state)
    let layout = state.layouts[entity.index]
    if isReentrant("insert an object of '\(entity.name)'") {
      return .init(context: self, table: layout.table, number: .max)
    }
    let number = editor.insert(entity.index)
    let row = state.placed(layout.table, number)
    for (slot, cell) in entity.defaults { editor.setValue(cell, layout.slots + slot, row) }
    editor.index(layout.table, number)
    return .init(context: self, table: layout.table, number: number)
  }

  /// Notifies observers of an inserted object.
  func tellInserted(_ place: ManagedObjectPlace) {
    guard hub.isInUse, place.number != .max else { return }
    hub.change([.init(table: place.table, row: place.number, slot: ObservationHub.Spot.everything)])
  }

  // MARK: Deleting

  /// Deletes an object according to the delete rules of its relationships ([M6](doc:Rules#M6)). If the object is already deleted, this
  /// method does nothing.
  ///
  /// - Precondition: the object belongs to this context.
  /// - Throws: a ``PropertyError`` if a `deny` relationship is not empty. In that case, nothing is deleted.
  public func delete(_ object: ManagedObject) throws(PropertyError) { try delete(CollectionOfOne(object)) }

  /// Deletes objects together, according to the delete rules of their relationships ([M6](doc:Rules#M6)). A `deny` relationship does not
  /// prevent the deletion if all of its objects are also deleted. Objects that are already deleted are ignored.
  ///
  ///     try context.delete(context.fetch(Hero.self) { $0.powers.isEmpty })
  ///
  /// - Precondition: the objects belong to this context.
  /// - Throws: a ``PropertyError`` if a `deny` relationship contains an object that is not also deleted. In that case, nothing is deleted.
  public func delete<Object: ManagedObject>(_ objects: some Sequence<Object>) throws(PropertyError) {
    try checkUse("delete an object")
    let objects = Array(objects)
    for object in objects { precondition(object.context === self, "'\(object)' belongs to another context") }
    guard objects.contains(where: { !$0.isGone }) else { return }
    let editor = GraphEditor(state)
    do throws(GraphEditor.Denial) {
      var doomed = try deletion(of: objects, editor)
      let spots = hub.isInUse ? editor.spots(deleting: doomed) : []
      if !spots.isEmpty {
        hub.willChange(spots)
        // The observers may have changed the graph, or read it through a child context.
        willChangeAfterObservers()
        doomed = try deletion(of: objects, editor)
        if doomed.isEmpty { return }
      }
      // An open import keeps its own orphans.
      let orphans = state.pointee.orphans.count
      editor.remove(doomed)
      state.pointee.orphans.truncate(to: orphans)
      hub.didChange(spots)
    } catch {
      let entity = model.plan.entities[editor.row(error.table, error.row).entity]
      let name = GraphNames(state, model.plan).name(error.table, error.row)
      throw PropertyError(
        .deletionDenied,
        "'\(name)' cannot be deleted: '\(entity.name).\(entity.properties[error.slot].name)' still has objects"
      )
    }
  }

  /// The rows that are deleted if objects are deleted together. Objects that are already deleted are ignored.
  private func deletion(of objects: [ManagedObject], _ editor: GraphEditor) throws(GraphEditor.Denial) -> [RowPlace] {
    let places = objects.filter { !$0.isGone }.map { RowPlace(table: $0.table, row: $0.number) }
    loadForDeletion(of: places)
    return try editor.deletion(of: places)
  }

  /// Returns the entity with the given name. Traps if there is none.
  func entityPlan(_ name: String) -> EntityPlan {
    guard let entity = model.plan.entity(named: name) else {
      let near = Suggestion.nearest(to: name, among: model.plan.entities.map(\.name))
      preconditionFailure("the model has no entity '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
    return entity
  }

  /// Returns the entity with the given name, which may come from outside the program.
  func entity(named name: String) throws(StoreError) -> EntityPlan {
    guard let entity = model.plan.entity(named: name) else { throw .unknownEntity(name, model.plan) }
    return entity
  }

  /// Returns the entity of a class, after checking that the model has the class.
  func entity<Object: ManagedObject>(of type: Object.Type) throws(StoreError) -> EntityPlan {
    let entity = try entity(named: Object.entityName)
    requireClass(type, entity)
    return entity
  }

  /// Traps if the objects of an entity have another class, even if the entity has no objects yet.
  func requireClass<Object: ManagedObject>(_ type: Object.Type, _ entity: EntityPlan) {
    let known = model.classes[entity.index]
    precondition(
      known == type || known is Object.Type,
      "the objects of '\(entity.name)' are instances of \(known), not of \(type): pass the class to the model")
  }
}
