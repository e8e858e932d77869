/// Writing the object that is the `@value` of another one into the same dictionary, or alone (M23).
///
///     {"added": "2026-01-01", "id": 5, "title": "Hurt"}      an entry with a value of its own
///     5                                                      an entry that has nothing but its song, as an identifier
extension Exporter {
  /// Writes the `@value` of the innermost object, whose other members have been written; true if other frames are open than before.
  mutating func shared(
    _ row: Row, _ slot: PlanReference<SlotPlan>, _ step: PlanReference<ExportStep>, _ next: Int
  ) throws(ExportError) -> Bool {
    guard let target = reader.target(row, slot.pointee) else { throw missingShared(row, step.pointee.slot) }
    let table = slot.pointee.destinationTable
    frames.last.pointee.begin(next, output.count, objects.listed.count)
    let reason: Omission.Reason
    switch sharedForm(reader.row(table, target), slot.pointee, step.pointee) {
    case .object:
      try open(table, target, back: slot.pointee.inverse, isShared: true)
      return true
    case .identifier: reason = .unshared
    case .mention: reason = .repeated
    case .none(let other): reason = other
    }
    try leaveOut(Omission(reason: reason, table: table, row: target))
    return true
  }

  /// Writes the identifier of an object's `@value` in place of the object, if it has no other value; false if nothing is written.
  @inline(never)
  mutating func sharedIdentifier(_ table: Int, _ number: UInt32, as declared: Int, back: Int) throws(ExportError)
    -> Bool
  {
    let row = reader.row(table, number)
    let entity = row.entity
    let count = steps.count(entity)
    guard count > 0, steps[entity][count - 1].action == .shared,
      source.graph.isBare(row, as: declared, back: back, besides: steps[entity][count - 1].slot)
    else { return false }
    let step = steps[entity][count - 1]
    let slot = layouts[entity].slots + step.slot
    guard let target = reader.target(row, slot.pointee),
      case .identifier = sharedForm(reader.row(slot.pointee.destinationTable, target), slot.pointee, step)
    else { return false }
    var owner = Frame(kind: .object, table: table, row: number, entity: entity, back: back)
    owner.step = count
    return try identifier(slot.pointee.destinationTable, target, in: owner, slot)
  }

  private mutating func sharedForm(_ row: Row, _ slot: SlotPlan, _ step: ExportStep) -> Form {
    let isHome = !hasSurroundings || isAtHome(row, back: slot.inverse, index: nil)
    let wantsIdentifier = step.isIdentifier || source.options.identifiersOnly
    let prefersIdentifier = source.graph.hasKeyFirst(layouts + row.entity)
    guard
      wantsIdentifier || prefersIdentifier || isIdentifier(row) || !isHome
        || row.entity != slot.destination && !source.graph.isReadable(row.entity, as: slot.destination, row)
    else { return .object }
    return form(
      row,
      at: Place(
        destination: slot.destination, wantsIdentifier: wantsIdentifier, prefersIdentifier: prefersIdentifier,
        acceptsPlaceholders: !slot.defersUnknown, isHome: isHome))
  }

  /// An object without its `@value` would be read with one.
  @inline(never)
  private func missingShared(_ row: Row, _ property: Int) -> ExportError {
    let entity = source.plan.entities[row.entity]
    let frame = frames.last.pointee
    return ExportError(
      code: .misplacedValue,
      "'\(GraphNames(state, source.plan).name(frame.table, frame.row))' has no '\(entity.properties[property].name)', but an import reads its dictionary as one: set '\(entity.name).\(entity.properties[property].name)'",
      path: path(to: nil))
  }
}
