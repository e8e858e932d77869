/// Resolves waiting links at the end of the payload: links to identifiers that were unknown (D1), and the replacements for skipped
/// dictionaries (D13).
struct LinkResolver {
  let plan: Plan
  let log: FaultLog
  /// Identifiers that are still unknown at the end and are therefore ignored.
  private(set) var skips: [Skip] = []
  /// Waiting identifiers that turned out to be unknown. Several objects may read the same identifier (M19).
  private var unknown: Set<UInt32> = []

  init(_ log: FaultLog) {
    plan = log.plan
    self.log = log
  }

  mutating func resolve(_ deferrals: Deferrals, _ finder: inout RowFinder) {
    for link in deferrals.links {
      let state = finder.editor.state
      let (journaled, replaced) = (state.pointee.journal.count, state.pointee.replacedVectors)
      resolve(link, deferrals, &finder)
      if state.pointee.journal.count != journaled || state.pointee.replacedVectors != replaced {
        finder.editor.row(link.place.table, link.place.row).isChanged = true
      }
    }
  }

  /// Returns the payload's objects, including the objects of skipped dictionaries that were unknown when the dictionaries were read.
  static func roots(_ rows: [UInt32], _ finder: RowFinder) -> [UInt32] {
    if finder.waiting.isEmpty { return rows }
    return rows.compactMap { row in
      WaitingIdentifiers.contains(row) ? finder.rowOfSkipped(finder.waiting[row], nil) : row
    }
  }

  private mutating func resolve(_ link: Deferrals.Link, _ deferrals: Deferrals, _ finder: inout RowFinder) {
    let row = finder.editor.state.placed(link.place.table, link.place.row)
    // While a stream was open, objects may have been deleted in code.
    if row.row.isDeleted { return }
    let entity = plan.entities[row.row.entity]
    let slot = plan.layouts[entity.index].slots + link.place.slot
    guard let relationship = entity.properties[link.place.slot].relationship else { return }
    finder.editor.offset = link.offset
    guard !link.isNull else {
      look(at: [], link, slot, entity.index, finder)
      finder.editor.clear(slot, row)
      return
    }
    var known: [UInt32] = []
    for number in deferrals.rows(of: link) {
      if let number = target(number, slot.pointee, entity, relationship, &finder) { known.append(number) }
    }
    if slot.pointee.kind == .toOne {
      if let target = known.first {
        look(at: [target], link, slot, entity.index, finder)
        finder.editor.setToOne(UInt64(target) + 1, slot, row)
      }
      return
    }
    var met = Set<UInt32>()
    known.removeAll { !met.insert($0).inserted }
    look(at: known, link, slot, entity.index, finder)
    let rows = PlainStack(known)
    defer { rows.free() }
    finder.editor.setToMany(rows.base, rows.count, union: slot.pointee.isUnion, slot, row)
  }

  /// Examines the links that a link takes away (I22).
  private func look(
    at rows: [UInt32], _ link: Deferrals.Link, _ slot: PlanReference<SlotPlan>, _ entity: Int, _ finder: RowFinder
  ) {
    guard slot.pointee.inverse >= 0 else { return }
    log.suspicions.claims.look(
      atChangeOf: RowPlace(table: link.place.table, row: link.place.row), in: entity, link.place.slot, to: rows,
      finder.editor.state, at: link.offset)
  }

  /// Returns the row to link, or nil if there is no such row or it must not be linked.
  private mutating func target(
    _ row: UInt32, _ slot: SlotPlan, _ entity: EntityPlan, _ relationship: RelationshipDescription,
    _ finder: inout RowFinder
  ) -> UInt32? {
    guard WaitingIdentifiers.contains(row) else {
      return !finder.editor.row(slot.destinationTable, row).isDeleted ? row : nil
    }
    let identifier = finder.waiting[row]
    if identifier.isSkipped { return finder.rowOfSkipped(identifier, slot) }
    // Placeholders are not treated as known objects (D1).
    if let found = finder.row(of: identifier) {
      let header = finder.editor.row(plan.layouts[identifier.entity].table, found).header
      if !header.isPlaceholder {
        return finder.checked(found, header, is: slot.destination, at: identifier.offset)
      }
    }
    guard unknown.insert(row).inserted else { return nil }
    if relationship.unresolvedRule == .deny {
      log.record(.unresolvedIdentifier(relationship, of: entity), at: identifier.offset)
    } else {
      skips.append(skip(of: identifier))
    }
    return nil
  }

  /// Returns an unknown identifier in the form used in the report: `Power(99)`, as written in the payload.
  private func skip(of identifier: WaitingIdentifiers.Identifier) -> Skip {
    // Only a report with details contains the identifier.
    var name = ""
    if let text = identifier.text {
      let value = try? JSONBuilder.json(text)
      let entity = plan.entities[identifier.entity]
      name = GraphNames.name(
        entity.name, value?.arrayValue ?? [value ?? .null],
        isHidden: entity.concreteAndSubentities.contains { plan.entities[$0].hidesIdentity })
    }
    return Skip(entity: identifier.entity, name: name, offset: identifier.offset)
  }
}
