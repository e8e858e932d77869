/// Writes the object that is the `@value` of another object into the same dictionary, or alone (M23).
///
///     {"added": "2026-01-01", "id": 5, "title": "Hurt"}      an entry with a value of its own
///     5                                                      an entry that has only its song, as an identifier
extension Exporter {
  /// Writes the `@value` of the innermost object, whose other members have been written. Returns true if the open frames have changed.
  mutating func shared(
    _ row: Row, _ slot: PlanReference<SlotPlan>, _ step: PlanReference<ExportStep>, _ next: Int
  ) throws(ExportError) -> Bool {
    let table = slot.pointee.destinationTable
    frames.last.pointee.begin(next, output.count, objects.listed.count)
    guard let target = reader.target(row, slot.pointee) else {
      let frame = frames.last.pointee
      try leaveOut(Omission(reason: .valueless, table: frame.table, row: frame.row))
      return true
    }
    let reason: Omission.Reason
    // The `@value` is in the dictionary that has already been opened.
    ascend()
    let form = sharedForm(reader.row(table, target), slot.pointee, step.pointee)
    descend()
    switch form {
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

  /// Writes the identifier of an object's `@value` in place of the object, if the object has no other value. Returns false if nothing is
  /// written.
  @inline(never)
  mutating func sharedIdentifier(_ table: Int, _ number: UInt32, as declared: Int, back: Int) throws(ExportError)
    -> Bool
  {
    guard let bare = bareIdentifier(reader.row(table, number), as: declared, back: back) else { return false }
    var owner = Frame(kind: .object, table: bare.table, row: bare.row ?? number, entity: bare.entity, back: bare.back)
    owner.step = steps.count(bare.entity)
    let slot = layouts[bare.entity].slots + steps[bare.entity][owner.step - 1].slot
    return try identifier(slot.pointee.destinationTable, bare.target, in: owner, slot)
  }

  /// The last of the objects that share a dictionary, and its `@value`, whose identifier is written.
  struct BareIdentifier {
    var table: Int
    /// The row of the last object; nil if that is the object itself.
    var row: UInt32?
    var entity: Int
    var back: Int
    var target: UInt32
  }

  /// The identifier that represents an object: the identifier of its `@value`. If the `@value` has no values except a `@value` of
  /// its own, the identifier of the latter.
  mutating func bareIdentifier(_ row: Row, as declared: Int, back: Int) -> BareIdentifier? {
    var (row, number, declared, back) = (row, UInt32?.none, declared, back)
    while true {
      let entity = row.entity
      let count = steps.count(entity)
      guard count > 0, steps[entity][count - 1].action == .shared,
        source.graph.isBare(row, as: declared, back: back, besides: steps[entity][count - 1].slot)
      else { return nil }
      let step = steps[entity][count - 1]
      let slot = layouts[entity].slots[step.slot]
      guard let target = reader.target(row, slot) else { return nil }
      let next = reader.row(slot.destinationTable, target)
      switch sharedForm(next, slot, step, isBare: true) {
      case .identifier:
        return BareIdentifier(table: layouts[entity].table, row: number, entity: entity, back: back, target: target)
      case .object: (row, number, declared, back) = (next, target, slot.destination, slot.inverse)
      case .mention, .none: return nil
      }
    }
  }

  /// - Parameter isBare: whether the object may be written without a dictionary, in which case the depth does not matter.
  private mutating func sharedForm(
    _ row: Row, _ slot: SlotPlan, _ step: ExportStep, isBare: Bool = false
  ) -> Form {
    guard var place = unusualPlace(of: row, slot, step) else { return .object }
    place.isBare = isBare
    return form(row, at: place)
  }

  /// The error for an object that has no `@value`, but would be read as if it had one.
  @inline(never)
  func valueless(_ table: Int, _ number: UInt32) -> ExportError {
    let entity = source.plan.entities[reader.row(table, number).entity]
    let layout = layouts[entity.index]
    let property = entity.properties[source.plan.fields[layout.forms.valueField].slot].name
    let name = GraphNames(state, source.plan).name(table, number)
    return ExportError(
      code: .misplacedValue,
      layout.forms.sharesDictionary
        ? "'\(name)' has no '\(property)', but an import reads its dictionary as one: set '\(entity.name).\(property)', or omit the relationship that contains it with \(source.options.words.incomplete)"
        : "'\(name)' has no value for '\(entity.name).\(property)', but an import reads any element as its value: give the attribute its own key path, with '@value' as an alias",
      path: path(to: nil))
  }
}
