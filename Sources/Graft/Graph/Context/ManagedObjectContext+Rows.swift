/// Keeps row numbers and handles valid when rows move or objects change their entity.
extension ManagedObjectContext {
  /// Keeps the handles that fit their objects after a rollback has returned the objects to their former entity.
  func keepHandles(ofWidened widened: [RowPlace]) {
    for place in widened {
      guard let handle = handles[place.table][place.row]?.takeUnretainedValue() else { continue }
      let entity = model.plan.entities[state.row(place.table, place.row).entity]
      handles[place.table][place.row] = newest(handle, fitting: entity).map { .passUnretained($0) }
    }
  }

  /// Returns the newest handle of an object that fits an entity, which means that its class belongs to the entity or to a parent. Newer
  /// handles that do not fit are detached.
  func newest(_ handle: ManagedObject, fitting entity: EntityPlan) -> ManagedObject? {
    var candidate: ManagedObject? = handle
    while let object = candidate, !isClass(type(of: object), of: entity) {
      object.detachAlone()
      candidate = object.predecessor
    }
    return candidate
  }

  private func isClass(_ type: ManagedObject.Type, of entity: EntityPlan) -> Bool {
    var ancestor: EntityPlan? = entity
    while let described = ancestor {
      if model.classes[described.index] == type { return true }
      ancestor = described.parent
    }
    return false
  }
}
