/// Changing the owners that identify objects (M12).
extension ManagedObject {
  /// The error for a relationship change that would give two objects the same identity; nil if all identities stay different.
  ///
  /// - Parameter isReplacing: whether objects that are not listed leave the relationship.
  func ownerFault(_ objects: [ManagedObject], _ slot: Int, isReplacing: Bool) -> PropertyError? {
    guard context.model.plan.features.hasOwners else { return nil }
    let plan = plan(ofSlot: slot).pointee
    if plan.isIdentity {
      guard let owner = objects.first else { return nil }
      // In a one-to-one relationship, the owner loses its previous object.
      let inverse = context.state.layouts[plan.destination].slots[plan.inverse]
      let leaving = plan.inverseSlot.isToMany ? [] : Set(owner.related(inverse))
      return fault(of: [self], slot, owner: owner.number, leaving: leaving)
    }
    guard plan.isOwning else { return nil }
    let leaving = isReplacing ? Set(related(plan)).subtracting(objects.map(\.number)) : []
    return fault(of: objects, plan.inverse, owner: number, leaving: leaving)
  }

  private func related(_ plan: SlotPlan) -> [UInt32] {
    let reader = RowReader(context.state)
    return plan.kind == .toMany ? reader.targets(row, plan) : reader.target(row, plan).map { [$0] } ?? []
  }

  /// The error for giving an owner to objects of one table.
  ///
  /// - Parameter leaving: rows that lose the owner, and therefore their identity.
  private func fault(
    of objects: [ManagedObject], _ slot: Int, owner: UInt32, leaving: Set<UInt32> = []
  ) -> PropertyError? {
    var known: [[UInt8]: UInt32] = [:]
    for object in objects where object.plan(ofSlot: slot).pointee.isIdentity {
      guard let cells = object.identity(with: slot, owner) else { continue }
      let entity = object.row.entity
      let key = cells.flatMap { cell in
        withUnsafeBytes(of: cell.tag == .text ? UInt64(cell.count) : cell.bits) { Array($0) }
          + (cell.tag == .text ? Array(cell.bytes) : [])
      }
      let same = known.updateValue(object.number, forKey: key)
      let found = same ?? context.find(entity, cells: cells)
      guard let found, found != object.number, !leaving.contains(found) else { continue }
      let name = GraphNames(context.state, context.model.plan).name(object.table, found)
      return PropertyError(
        .duplicateIdentity,
        same == nil
          ? "there is already another object '\(name)'" : "'\(object)' and '\(name)' would have the same identity")
    }
    return nil
  }

  /// The identity that the object would have with a different owner, with a cell for each identity slot; nil if one of the identity
  /// values is nil. The text in the cells is valid until the object changes.
  private func identity(with ownerSlot: Int, _ owner: UInt32) -> [Cell]? {
    context.state.loadRow(table, number)
    let row = row
    let layout = context.state.layouts[row.entity]
    var cells: [Cell] = []
    for index in 0..<layout.identity.count {
      let number = layout.identity.slots[index]
      let slot = layout.slots[number]
      if number == ownerSlot {
        cells.append(.row(owner))
        continue
      }
      guard row.isSet(slot) else { return nil }
      if slot.kind == .toOne, let owner = row.toOne(slot) {
        cells.append(.row(owner))
      } else if slot.kind.isText {
        cells.append(.text(context.state.pointee.texts.bytes(row[slot])))
      } else {
        cells.append(.word(GraphIdentity.normal(row[slot], slot.kind)))
      }
    }
    return cells
  }
}
