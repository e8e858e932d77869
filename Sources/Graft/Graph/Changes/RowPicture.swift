/// The state of an object, for notifying observers of the effect of a merge on top of pending changes.
struct RowPicture {
  let id: ManagedObjectID
  let header: RowHeader
  private var values: [Int: Value] = [:]

  /// An object at the other end of a link, and its ID when the picture was created.
  private struct Target {
    let place: RowPlace
    let id: ManagedObjectID
  }

  private enum Value {
    case attribute(AttributeValue?)
    case toOne(Target?)
    case toMany([Target])

    /// The empty value of the same kind.
    var cleared: Value {
      switch self {
      case .attribute: .attribute(nil)
      case .toOne: .toOne(nil)
      case .toMany: .toMany([])
      }
    }
  }

  /// Creates a picture of an object. Lists that are not in memory are not included.
  ///
  /// - Parameter old: a previous state of the object. The lists that it includes are loaded.
  init(_ context: ManagedObjectContext, _ place: RowPlace, after old: RowPicture? = nil) {
    let state = context.state
    let row = state.row(place.table, place.row)
    let reader = RowReader(state)
    header = row.header
    id = context.id(place.table, place.row)
    if header.isDeleted { return }
    let layout = state.layouts[row.entity]
    func target(_ row: UInt32, _ slot: SlotPlan) -> Target {
      Target(place: RowPlace(table: slot.destinationTable, row: row), id: context.id(slot.destinationTable, row))
    }
    for number in 0..<layout.slotCount {
      let slot = layout.slots[number]
      switch slot.kind {
      case .toOne:
        values[number] = .toOne(reader.targetInMemory(row, slot).map { target($0, slot) })
      case .toMany:
        if state.pointee.source != nil, state.isUnknown(slot.words, place.table, row) {
          guard old?.values[number] != nil else { continue }
          state.loadList(row, slot)
        }
        values[number] = .toMany(reader.targetsInMemory(row, slot).map { target($0, slot) })
      default: values[number] = .attribute(reader.value(row, slot))
      }
    }
  }

  /// Returns the rows that the members of a to-many relationship had.
  func members(_ number: Int) -> [RowPlace] {
    if case .toMany(let targets)? = values[number] { targets.map(\.place) } else { [] }
  }

  /// The difference from the previous state of the object; nil if there is no difference. A link to an object whose ID has changed is
  /// not a difference.
  ///
  /// - Parameters:
  ///   - moved: the new places of objects that have moved since the previous state.
  ///   - united: the places of objects that have been united with other objects; links to these objects are treated as changed.
  ///   - note: a closure that is called with each changed property.
  func update(
    since old: RowPicture, _ plan: Plan, moved: [RowPlace: RowPlace], united: Set<RowPlace>,
    _ note: (Int, ContextChanges.Change) -> Void
  ) -> ContextChanges.Update? {
    let entity = plan.entities[header.entity]
    // An object that moved to a sibling entity has different properties than before.
    let shared = plan.sharedPropertyCount(old.header.entity, header.entity)
    var properties: [ContextChanges.Property] = []
    for (number, property) in entity.properties.enumerated() {
      guard let after = values[number], let before = number < shared ? old.values[number] : after.cleared,
        let change = change(before, after, isOrdered: property.relationship?.isOrdered ?? false, moved, united)
      else { continue }
      note(number, change)
      properties.append(ContextChanges.Property(property, change))
    }
    let isFilled = old.header.isPlaceholder && !header.isPlaceholder
    if header.isSameKind(as: old.header), properties.isEmpty { return nil }
    return ContextChanges.Update(id: id, previousID: old.id, filledPlaceholder: isFilled, properties: properties)
  }

  private func change(
    _ before: Value, _ after: Value, isOrdered: Bool, _ moved: [RowPlace: RowPlace], _ united: Set<RowPlace> = []
  ) -> ContextChanges.Change? {
    func place(_ old: Target) -> RowPlace? { united.contains(old.place) ? nil : moved[old.place] ?? old.place }
    switch (before, after) {
    case (.attribute(let old), .attribute(let new)): return old == new ? nil : .attribute(old: old, new: new)
    case (.toOne(let old), .toOne(let new)):
      let isSame = old == nil ? new == nil : old.flatMap(place) == new?.place && new != nil
      return isSame ? nil : .toOne(old: old?.id, new: new?.id)
    case (.toMany(let old), .toMany(let new)):
      let (places, others): ([RowPlace?], [RowPlace?]) = (old.map(place), new.map(\.place))
      if places == others { return nil }
      let (known, kept) = (Set(places), Set(others))
      let inserted = new.filter { !known.contains($0.place) }.map(\.id)
      let there = Set(new.map(\.id))
      let removed = zip(old, places).filter { !kept.contains($0.1) }.map(\.0.id).filter { !there.contains($0) }
      return inserted.isEmpty && removed.isEmpty && !isOrdered ? nil : .toMany(inserted: inserted, removed: removed)
    default: return nil
    }
  }

  /// The slots whose values differ.
  ///
  /// - Parameter moved: the new places of objects that have moved since the previous state.
  func slots(since old: RowPicture, moved: [RowPlace: RowPlace]) -> [Int] {
    Set(values.keys).union(old.values.keys).sorted().filter { number in
      guard let before = old.values[number], let after = values[number] else { return true }
      return change(before, after, isOrdered: true, moved) != nil
    }
  }
}
