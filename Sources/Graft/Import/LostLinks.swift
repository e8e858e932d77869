/// Finds links of the payload that are not in the graph afterwards (I22).
struct LostLinks {
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

  func add(to list: inout FaultList) {
    for loss in suspicions.claims.losses { add(loss, &list) }
    for twice in suspicions.repeats { add(twice, &list) }
  }

  /// An object that two lists or to-ones of the payload claim. If the first one claimed it again later, nothing is lost.
  private func add(_ loss: LinkClaims.Loss, _ list: inout FaultList) {
    let entity = plan.entities[loss.entity]
    let slot = plan.layouts[loss.entity].slots[loss.slot]
    let (target, owner) = (state.row(loss.target.table, loss.target.row), plan.layouts[loss.entity].table)
    guard !target.isDeleted, !state.row(owner, loss.owner).isDeleted,
      target[slot.inverseCell] != UInt64(loss.owner) + 1
    else { return }
    let names = GraphNames(state, plan)
    let subject = ImportFinding.Subject(entity: entity, property: entity.properties[loss.slot])
    let destination = plan.entities[slot.destination]
    let inverse = ImportFinding.Subject(entity: destination, property: destination.properties[slot.inverse])
    var fault = ImportFault(
      .lostLink(subject, inverse, names.name(loss.target.table, loss.target.row)),
      at: shelf.value(of: loss.slot, entity, plan, inObjectAt: loss.second) ?? loss.second)
    fault.notes = [
      ImportFault.Note(
        words: "'\(names.name(owner, loss.owner))' had it before",
        offset: shelf.value(of: loss.slot, entity, plan, inObjectAt: loss.first) ?? loss.first)
    ]
    list.append(fault)
  }

  private func add(_ twice: Suspicions.Repeat, _ list: inout FaultList) {
    let field = plan.fields[twice.field]
    let entity = plan.entities[field.entity]
    let name = GraphNames(state, plan).name(twice.object.table, twice.object.row)
    let subject = ImportFinding.Subject(entity: entity, property: entity.properties[field.slot])
    list.append(ImportFault(.repeatedElement(subject, name), at: twice.offset))
  }
}
