/// Rows that move, and objects whose entity changes: those who hold row numbers and handles follow.
extension ManagedObjectContext {
  /// Notes where rows went for those who hold row numbers. Costs nothing if nobody does.
  func noteMoves(_ moves: @autoclosure () -> RowMoves) {
    guard !isKnownUniquelyReferenced(&generation) else { return }
    generation = generation.end(moves())
  }

  /// Of rows that are of another entity again after a rollback, keeps the handles that can stand for them.
  func keepHandles(ofWidened widened: [RowPlace]) {
    for place in widened {
      guard let handle = handles[place.table][place.row]?.takeUnretainedValue() else { continue }
      let entity = model.plan.entities[RowHeader.entity(state.pointee.row(place.table, place.row)[0])]
      handles[place.table][place.row] = newest(handle, fitting: entity).map { .passUnretained($0) }
    }
  }

  /// The newest handle of an object that can stand for an object of an entity: its class is that of the entity or of a parent.
  /// Newer ones are told that their object is gone.
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
