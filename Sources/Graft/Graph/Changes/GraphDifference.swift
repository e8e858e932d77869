/// The difference between two graphs of the same model: which objects correspond to each other, and what changed (C3).
///
/// Objects correspond if they have the same identity, or if they have no identity but the same number.
final class GraphDifference {
  private let model: ManagedObjectModel
  private let plan: Plan
  private let old: Reference<GraphState>
  private let new: Reference<GraphState>
  /// The numbers of objects without an identity. Further numbers are assigned when IDs are requested.
  private(set) var numbers: (old: RowNumbers, new: RowNumbers)

  init(
    old: GraphState, _ oldNumbers: RowNumbers, new: GraphState, _ newNumbers: RowNumbers,
    _ model: ManagedObjectModel
  ) {
    self.model = model
    plan = model.plan
    self.old = Reference(to: old)
    self.new = Reference(to: new)
    numbers = (oldNumbers, newNumbers)
  }

  /// Frees the views of the graphs, but not the graphs themselves, which this object does not own.
  func free() {
    old.free()
    new.free()
  }

  /// Returns the rows, in the new graph, of all objects of the old graph, by table; see ``row(for:)``. `.max` means that there is no such
  /// row.
  func rows() -> [[UInt32]] {
    (0..<old.pointee.tableCount).map { table in
      (0..<UInt32(old.pointee.tables[table].rowCount)).map { row(for: RowPlace(table: table, row: $0)) ?? .max }
    }
  }

  /// Returns the row, in the new graph, of an object of the old graph, or nil if it was removed. Also returns nil if the object now
  /// belongs to another branch of the hierarchy, because holders of the old object could not use it.
  private func row(for place: RowPlace) -> UInt32? {
    guard let row = sameObject(place) else { return nil }
    let entity = plan.entities[new.pointee.row(place.table, row).entity]
    return entity.inherits(from: plan.entities[old.pointee.row(place.table, place.row).entity])
      ? row : nil
  }

  /// Returns the row, in the new graph, of the object that the handles of an old row can represent. Unlike ``row(for:)``, this row may
  /// belong to a parent entity, if a narrowed object is a placeholder again.
  func heir(of place: RowPlace) -> UInt32? {
    guard let row = sameObject(place) else { return nil }
    let before = plan.entities[old.pointee.row(place.table, place.row).entity]
    let after = plan.entities[new.pointee.row(place.table, row).entity]
    return after.inherits(from: before) || before.inherits(from: after) ? row : nil
  }

  /// Returns the rows, in the new graph, of the handles of all old rows, by table; see ``heir(of:)``.
  func heirs() -> [[UInt32?]] {
    (0..<old.pointee.tableCount).map { table in
      (0..<UInt32(old.pointee.tables[table].rowCount)).map { heir(of: RowPlace(table: table, row: $0)) }
    }
  }

  /// Returns the row of the same object in the new graph, or nil if it was removed.
  private func sameObject(_ place: RowPlace) -> UInt32? {
    let row = old.pointee.row(place.table, place.row)
    guard !row.isDeleted else { return nil }
    let layout = old.pointee.layouts[row.entity]
    if hasSameNumber(place, row, layout) { return place.row }
    if layout.identity.space >= 0, let hash = hash(row, layout) {
      return new.pointee.tables[place.table].indexes[layout.identity.space].find(hash) { candidate in
        hasSameIdentity(row, new.pointee.row(place.table, candidate), layout)
      }
    }
    guard let number = numbers.old.known(place), let found = numbers.new.place(of: number),
      !new.pointee.row(found.table, found.row).isDeleted
    else { return nil }
    return found.row
  }

  /// Whether the object with an identity has the same row in the new graph. Usually, one of the graphs is a copy of the other, so no search
  /// is needed.
  private func hasSameNumber(_ place: RowPlace, _ row: Row, _ layout: EntityLayout) -> Bool {
    guard layout.identity.space >= 0, !layout.identity.hasOwner, place.row < new.pointee.tables[place.table].rowCount
    else {
      return false
    }
    let other = new.pointee.row(place.table, place.row)
    return !other.isDeleted && new.pointee.layouts[other.entity].identity.space == layout.identity.space
      && (0..<layout.identity.count).allSatisfy { row.isSet(layout.slots[layout.identity.slots[$0]]) }
      && hasSameIdentity(row, other, layout)
  }

  private func hasSameIdentity(_ left: Row, _ right: Row, _ layout: EntityLayout) -> Bool {
    (0..<layout.identity.count).allSatisfy { index in
      let slot = layout.slots[layout.identity.slots[index]]
      return slot.kind == .toOne ? newOwner(slot, left[slot]) == right[slot] : isSame(slot, left, right)
    }
  }

  /// The hash of an old row's identity in the new graph, where owners have different rows (M12).
  private func hash(_ row: Row, _ layout: EntityLayout) -> UInt64? {
    layout.identity.hasOwner
      ? GraphIdentity.hash(layout, row: row, old.pointee, owner: newOwner)
      : GraphIdentity.hash(layout, row: row, old.pointee)
  }

  /// The link to an owner in the new graph; nil if that graph does not contain the owner.
  private func newOwner(_ slot: SlotPlan, _ cell: UInt64) -> UInt64? {
    guard cell != 0 else { return nil }
    let place = RowPlace(table: slot.destinationTable, row: UInt32(truncatingIfNeeded: cell - 1))
    return sameObject(place).map { UInt64($0) + 1 }
  }

  private func isSame(_ slot: SlotPlan, _ left: Row, _ right: Row) -> Bool {
    guard (left[slot.word] ^ right[slot.word]) & slot.mask == 0 else { return false }
    guard left.isSet(slot) else { return true }
    guard slot.kind.isText else {
      return GraphIdentity.normal(left[slot], slot.kind) == GraphIdentity.normal(right[slot], slot.kind)
    }
    return old.pointee.texts.bytes(left[slot]).elementsEqual(new.pointee.texts.bytes(right[slot]))
  }

  // MARK: Changes

  /// Returns all differences, with the rows of updates in the new graph. Expected time in proportion to both graphs.
  func changes() -> PlacedChanges {
    var changes = ContextChanges(.restore)
    var updated: [RowPlace] = []
    var objects: [ChangedObject] = []
    let moves = rows()
    for table in moves.indices {
      var isKnown = Array(repeating: false, count: new.pointee.tables[table].rowCount)
      for (row, move) in moves[table].enumerated() {
        let place = RowPlace(table: table, row: UInt32(row))
        if move != .max {
          isKnown[Int(move)] = true
          if let (update, object) = update(place, move, moves) {
            changes.updated.append(update)
            objects.append(object)
            updated.append(RowPlace(table: table, row: move))
          }
        } else if !old.pointee.row(table, place.row).isDeleted {
          changes.deleted.append(oldID(place))
        }
      }
      for row in isKnown.indices where !isKnown[row] {
        let place = RowPlace(table: table, row: UInt32(row))
        if !new.pointee.row(table, place.row).isDeleted {
          changes.inserted.append(newID(place))
          objects.append(inserted(place))
        }
      }
    }
    changes.objects = ChangedObjects(model, objects)
    return PlacedChanges(changes: changes, updated: updated)
  }

  private func inserted(_ place: RowPlace) -> ChangedObject {
    let row = new.pointee.row(place.table, place.row)
    let id = newID(place)
    var object = ChangedObject(id, previousID: id, header: row.header, former: nil)
    object.noteAll(new.pointee.layouts[row.entity], row, RowReader(new)) { slot, number in
      newID(RowPlace(table: slot.destinationTable, row: number))
    }
    return object
  }

  /// Whether two values are the same. Unlike identities, which are compared by number, values distinguish -0.0 from 0.0. The
  /// order of JSON members is ignored.
  private func hasSameValue(_ slot: SlotPlan, _ left: Row, _ right: Row) -> Bool {
    if isSame(slot, left, right) {
      return slot.kind.isText || !left.isSet(slot) || left[slot] == right[slot]
    }
    return slot.kind == .json && RowReader(old).storedJSON(left, slot) == RowReader(new).storedJSON(right, slot)
  }

  private func oldID(_ place: RowPlace) -> ManagedObjectID {
    RowReader(old).id(place, old.pointee.row(place.table, place.row), plan, &numbers.old)
  }

  private func newID(_ place: RowPlace) -> ManagedObjectID {
    RowReader(new).id(place, new.pointee.row(place.table, place.row), plan, &numbers.new)
  }

  private func update(
    _ place: RowPlace, _ row: UInt32, _ moves: [[UInt32]]
  ) -> (ContextChanges.Update, ChangedObject)? {
    let before = old.pointee.row(place.table, place.row)
    let after = new.pointee.row(place.table, row)
    let entity = plan.entities[after.entity]
    let layout = new.pointee.layouts[entity.index]
    let id = newID(RowPlace(table: place.table, row: row))
    var object = ChangedObject(id, previousID: oldID(place), header: after.header, former: before.header)
    var properties: [ContextChanges.Property] = []
    for (number, property) in entity.properties.enumerated() {
      let slot = layout.slots[number]
      if let change = change(slot, before, after, moves) {
        properties.append(ContextChanges.Property(property, change))
        object.note(
          change, number, slot, after, RowReader(new), removed: removed(slot, before, after, change, moves)
        ) {
          newID(RowPlace(table: slot.destinationTable, row: $0))
        }
      }
    }
    let isFilled = before.isPlaceholder && !after.isPlaceholder
    if after.header.isSameKind(as: before.header), properties.isEmpty { return nil }
    let update = ContextChanges.Update(
      id: id, previousID: object.previousID, filledPlaceholder: isFilled, properties: properties)
    return (update, object)
  }

  /// The objects that left a to-many relationship, but still exist in the new graph.
  private func removed(
    _ slot: SlotPlan, _ before: Row, _ after: Row, _ change: ContextChanges.Change, _ moves: [[UInt32]]
  ) -> [ManagedObjectID] {
    guard case .toMany(_, let removed) = change, !removed.isEmpty else { return [] }
    let kept = Set(RowReader(new).targets(after, slot))
    return RowReader(old).targets(before, slot).map { moves[slot.destinationTable][Int($0)] }
      .filter { $0 != .max && !kept.contains($0) }
      .map { newID(RowPlace(table: slot.destinationTable, row: $0)) }
  }

  private func change(_ slot: SlotPlan, _ before: Row, _ after: Row, _ moves: [[UInt32]]) -> ContextChanges.Change? {
    func oldTarget(_ row: UInt32) -> ManagedObjectID { oldID(RowPlace(table: slot.destinationTable, row: row)) }
    func newTarget(_ row: UInt32) -> ManagedObjectID { newID(RowPlace(table: slot.destinationTable, row: row)) }
    switch slot.kind {
    case .toOne:
      let (left, right) = (RowReader(old).target(before, slot), RowReader(new).target(after, slot))
      guard left.map({ moves[slot.destinationTable][Int($0)] }) != right else { return nil }
      return .toOne(old: left.map(oldTarget), new: right.map(newTarget))
    case .toMany:
      let (left, right) = (RowReader(old).targets(before, slot), RowReader(new).targets(after, slot))
      let moved = left.map { moves[slot.destinationTable][Int($0)] }
      guard moved != right else { return nil }
      let (known, kept) = (Set(moved), Set(right))
      let inserted = right.filter { !known.contains($0) }
      let removed = zip(left, moved).filter { !kept.contains($0.1) }.map(\.0)
      if inserted.isEmpty, removed.isEmpty, !slot.isOrdered { return nil }
      return .toMany(inserted: inserted.map(newTarget), removed: removed.map(oldTarget))
    default:
      guard !hasSameValue(slot, before, after) else { return nil }
      return .attribute(old: RowReader(old).value(before, slot), new: RowReader(new).value(after, slot))
    }
  }
}
