/// Finds placeholders that exist only because a service sends an identifier such as 0 where there is no object (I19).
struct EmptyReferences {
  private let state: Reference<GraphState>
  private let plan: Plan
  private let shelf: PieceShelf
  private let suspicions: Suspicions

  init(_ state: Reference<GraphState>, _ plan: Plan, _ shelf: PieceShelf, _ suspicions: Suspicions) {
    self.state = state
    self.plan = plan
    self.shelf = shelf
    self.suspicions = suspicions
  }

  /// Adds a warning for each identifier whose object the payload does not describe.
  func add(to list: inout FaultList) {
    for reference in suspicions.emptyReferences {
      let row = state.row(reference.placeholder.table, reference.placeholder.row)
      guard row.isPlaceholder, !row.isDeleted, let found = shelf.found(at: reference.offset) else { continue }
      let entity = plan.entities[reference.entity]
      let subject = ImportFinding.Subject(entity: entity, property: entity.properties[reference.slot])
      list.append(
        ImportFault(
          .emptyReference(subject, found: found.phrase, shelf.text(at: reference.offset)), at: reference.offset,
          length: found.length))
    }
  }
}
