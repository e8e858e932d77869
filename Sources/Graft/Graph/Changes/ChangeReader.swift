/// Determines what changed since the last commit (C2).
///
/// Rows that follow the rows of the last commit are new, so the journal need not contain them. The changes to all other rows are determined
/// by a ``RowHistory``.
struct ChangeReader {
  let context: ManagedObjectContext
  private let state: Reference<GraphState>
  /// Whether linked objects are identified by the IDs that they had at the last commit.
  private var namesFormer = false

  init(_ context: ManagedObjectContext) {
    self.context = context
    state = context.state
  }

  /// The effect of a rollback: the reverse of all changes since the last commit, with the IDs from that time.
  func changesOfRollBack() -> PlacedChanges {
    var reader = self
    reader.namesFormer = true
    return reader.changes(.rollBack).reversed(.rollBack, context.model.plan)
  }

  /// - Parameters:
  ///   - arrived: rows that other contexts or processes inserted.
  ///   - told: rows whose changes, made in this context, have already been reported.
  func changes(
    _ cause: ContextChanges.Cause, arrived: [RowPlace] = [], told: Set<RowPlace> = []
  ) -> PlacedChanges {
    var placed = PlacedChanges(changes: ContextChanges(cause))
    let isCommitted = cause != .pending && cause != .rollBack
    var objects: [ChangedObject] = []
    let reader = RowReader(state)
    for table in 0..<state.tableCount {
      let first = state.committedRows(table)
      for row in first..<max(first, state.tables[table].rowCount)
      where state.pointee.isNew(table, UInt32(row), since: first) {
        if reader.isDeleted(table, UInt32(row)) {
          placed.vanished.append(RowPlace(table: table, row: UInt32(row)))
        } else {
          placed.changes.inserted.append(context.id(table, UInt32(row)))
          if isCommitted { objects.append(inserted(RowPlace(table: table, row: UInt32(row)))) }
        }
      }
    }
    for place in arrived where !reader.isDeleted(place.table, place.row) {
      placed.changes.inserted.append(context.id(place.table, place.row))
      if isCommitted { objects.append(inserted(place)) }
    }
    let isArrived = Set(arrived)
    let history = RowHistory(state, since: .lastCommit)
    for place in history.places where !isArrived.contains(place) {
      history.withImage(of: place) { image in
        if !image.now.isDeleted {
          var object = isCommitted ? changed(place, image, history) : nil
          if let update = update(place, image, history, &object) {
            placed.changes.updated.append(update)
            placed.updated.append(place)
            if let object, told.isEmpty || !told.contains(place) { objects.append(object) }
          }
        } else if !image.before.isDeleted {
          placed.changes.deleted.append(context.id(place, image.before, history))
          placed.deleted.append(place)
        }
      }
    }
    objects += addParts(to: &placed, isArrived, told: told, history)
    if isCommitted { placed.changes.objects = ChangedObjects(context.model, objects) }
    if !told.isEmpty { placed.remove { told.contains($0) } }
    return placed
  }

  /// Adds the objects in memory that are identified inside owners (M12) whose IDs changed, because the IDs of these objects also
  /// changed. If an ID changed, this takes time in proportion to the tables of such objects.
  ///
  /// - Returns: the objects whose IDs are now numbers, because an owner has no identity. Another context cannot derive these IDs.
  private func addParts(
    to placed: inout PlacedChanges, _ isArrived: Set<RowPlace>, told: Set<RowPlace>, _ history: RowHistory
  ) -> [ChangedObject] {
    guard context.model.plan.features.hasOwners else { return [] }
    var numbered: [ChangedObject] = []
    var renamed = Set(zip(placed.changes.updated, placed.updated).filter { $0.0.id != $0.0.previousID }.map(\.1))
    var owners = renamed.subtracting(told)
    while !owners.isEmpty {
      let parts = parts(of: owners).filter { !isArrived.contains($0) && renamed.insert($0).inserted }
      for place in parts {
        let row = state.row(place.table, place.row)
        let (id, previousID) = (context.id(place, row), context.id(place, row, history))
        placed.changes.updated.append(
          ContextChanges.Update(id: id, previousID: previousID, filledPlaceholder: false, properties: []))
        if case .number = id.key {
          numbered.append(ChangedObject(id, previousID: previousID, header: row.header, former: row.header))
        }
      }
      placed.updated += parts
      owners = Set(parts)
    }
    return numbered
  }

  /// The objects that existed at the last commit and are identified inside the given owners.
  private func parts(of owners: Set<RowPlace>) -> [RowPlace] {
    let plan = context.model.plan
    let tables = Set(plan.entities.filter { !$0.ownerSlots.isEmpty }.map { plan.layouts[$0.index].table })
    return tables.sorted().flatMap { table in
      let first = state.committedRows(table)
      return (0..<UInt32(state.tables[table].rowCount)).filter { number in
        let row = state.row(table, number)
        guard row.isLoaded, !state.pointee.isNew(table, number, since: first) else { return false }
        return plan.entities[row.entity].ownerSlots.contains { number in
          let slot = state.layouts[row.entity].slots[number]
          return row.toOne(slot).map { owners.contains(RowPlace(table: slot.destinationTable, row: $0)) } ?? false
        }
      }.map { RowPlace(table: table, row: $0) }
    }
  }

  /// Returns all values of an object.
  func inserted(_ place: RowPlace) -> ChangedObject {
    let reader = RowReader(state)
    let row = reader.row(place.table, place.row)
    let id = context.id(place, row)
    var object = ChangedObject(id, previousID: id, header: row.header, former: nil)
    object.noteAll(state.layouts[row.entity], row, reader) {
      context.id($0.destinationTable, $1)
    }
    return object
  }

  /// Records the value of a changed property of an object.
  ///
  /// - Parameter members: the former rows of the members of a to-many relationship.
  func note(
    _ change: ContextChanges.Change, _ number: Int, of place: RowPlace, members: [RowPlace],
    in object: inout ChangedObject
  ) {
    let row = state.row(place.table, place.row)
    let slot = state.layouts[row.entity].slots[number]
    let reader = RowReader(state)
    var removed: [ManagedObjectID] = []
    if case .toMany(_, let left) = change, !left.isEmpty {
      let kept = Set(reader.targetsInMemory(row, slot))
      removed = members.filter { !kept.contains($0.row) && !state.row($0.table, $0.row).isDeleted }
        .map { context.id($0.table, $0.row) }
    }
    object.note(change, number, slot, row, reader, removed: removed) { context.id(slot.destinationTable, $0) }
  }

  private func changed(_ place: RowPlace, _ image: RowImage, _ history: RowHistory) -> ChangedObject {
    ChangedObject(
      context.id(place, image.now), previousID: context.id(place, image.before, history), header: image.now.header,
      former: image.before.header)
  }

  /// - Parameter object: the object that records the values of the changed properties.
  private func update(
    _ place: RowPlace, _ image: RowImage, _ history: RowHistory, _ object: inout ChangedObject?
  ) -> ContextChanges.Update? {
    let (old, new) = (image.before.header, image.now.header)
    let entity = context.model.plan.entities[new.entity]
    let layout = state.layouts[entity.index]
    let properties = history.changes(image).map { found in
      let slot = layout.slots[found.slot]
      let change = change(found, slot, history)
      object?.note(
        change, found.slot, slot, image.now, RowReader(state), removed: removed(found, slot, change, history)
      ) {
        id(RowPlace(table: slot.destinationTable, row: $0), history)
      }
      return ContextChanges.Property(entity.properties[found.slot], change)
    }
    let isFilled = old.isPlaceholder && !new.isPlaceholder
    if new.isSameKind(as: old), properties.isEmpty { return nil }
    return ContextChanges.Update(
      id: object?.id ?? context.id(place, image.now),
      previousID: object?.previousID ?? context.id(place, image.before, history),
      filledPlaceholder: isFilled, properties: properties)
  }

  /// The objects that left a to-many relationship, and were not deleted.
  private func removed(
    _ found: ChangedProperty, _ slot: SlotPlan, _ change: ContextChanges.Change, _ history: RowHistory
  ) -> [ManagedObjectID] {
    guard case .links(let old, let new) = found.values, case .toMany(_, let removed) = change, !removed.isEmpty else {
      return []
    }
    let after = Set(new)
    return old.filter { !after.contains($0) && !state.row(slot.destinationTable, $0).isDeleted }
      .map { id(RowPlace(table: slot.destinationTable, row: $0), history) }
  }

  private func change(
    _ found: ChangedProperty, _ slot: SlotPlan, _ history: RowHistory
  ) -> ContextChanges.Change {
    func id(_ row: UInt32) -> ManagedObjectID { self.id(RowPlace(table: slot.destinationTable, row: row), history) }
    switch found.values {
    case .attribute(let old, let new): return .attribute(old: old, new: new)
    case .links(let old, let new) where slot.kind == .toOne:
      return .toOne(old: old.first.map { id($0) }, new: new.first.map { id($0) })
    case .links(let old, let new):
      if new.starts(with: old) { return .toMany(inserted: new.dropFirst(old.count).map { id($0) }, removed: []) }
      let (before, after) = (Set(old), Set(new))
      return .toMany(
        inserted: new.filter { !before.contains($0) }.map { id($0) },
        removed: old.filter { !after.contains($0) }.map { id($0) })
    }
  }

  /// Returns the current ID of an object. For a deleted object, returns the ID before the changes, as
  /// ``ContextChanges/deleted`` does.
  private func id(_ place: RowPlace, _ history: RowHistory) -> ManagedObjectID {
    let header = state.row(place.table, place.row).header
    let isOld = namesFormer && !state.pointee.isNew(place.table, place.row, since: state.committedRows(place.table))
    guard header.isDeleted || isOld else { return context.id(place.table, place.row) }
    return history.withImage(of: place) { context.id(place, $0.before, history) }
  }
}
