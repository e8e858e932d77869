/// The state of an object, for notifying observers of the effect of a merge on top of pending changes.
struct RowPicture {
  let id: ManagedObjectID
  let header: RowHeader
  private var values: [Int: Value] = [:]

  private enum Value: Equatable {
    case attribute(AttributeValue?)
    case toOne(ManagedObjectID?)
    case toMany([ManagedObjectID])

    /// A value of the same kind that holds nothing.
    var cleared: Value {
      switch self {
      case .attribute: .attribute(nil)
      case .toOne: .toOne(nil)
      case .toMany: .toMany([])
      }
    }
  }

  /// Lists that are not in memory are not shown.
  ///
  /// - Parameter old: a previous state of the object. The lists that it shows are loaded.
  init(_ context: ManagedObjectContext, _ place: RowPlace, after old: RowPicture? = nil) {
    let state = context.state
    let row = state.row(place.table, place.row)
    let reader = RowReader(state)
    header = row.header
    id = context.id(place.table, place.row)
    if header.isDeleted { return }
    let layout = state.layouts[row.entity]
    for number in 0..<layout.slotCount {
      let slot = layout.slots[number]
      switch slot.kind {
      case .toOne:
        values[number] = .toOne(reader.targetInMemory(row, slot).map { context.id(slot.destinationTable, $0) })
      case .toMany:
        if state.pointee.source != nil, state.isUnknown(place.table, row, slot.word, slot.mask) {
          guard old?.values[number] != nil else { continue }
          state.loadList(row, slot)
        }
        values[number] = .toMany(reader.targetsInMemory(row, slot).map { context.id(slot.destinationTable, $0) })
      default: values[number] = .attribute(reader.value(row, slot))
      }
    }
  }

  /// The difference from the previous state of the object; nil if there is none.
  func update(since old: RowPicture, _ plan: Plan) -> ContextChanges.Update? {
    let entity = plan.entities[header.entity]
    // An object that became one of a sibling entity has other properties than before.
    let shared = plan.sharedPropertyCount(old.header.entity, header.entity)
    var properties: [ContextChanges.Property] = []
    for (number, property) in entity.properties.enumerated() {
      guard let after = values[number], let before = number < shared ? old.values[number] : after.cleared,
        before != after,
        let change = change(before, after, isOrdered: property.relationship?.isOrdered ?? false)
      else { continue }
      properties.append(ContextChanges.Property(property, change))
    }
    let isFilled = old.header.isPlaceholder && !header.isPlaceholder
    if header.isSameKind(as: old.header), properties.isEmpty { return nil }
    return ContextChanges.Update(id: id, previousID: old.id, filledPlaceholder: isFilled, properties: properties)
  }

  private func change(_ before: Value, _ after: Value, isOrdered: Bool) -> ContextChanges.Change? {
    switch (before, after) {
    case (.attribute(let old), .attribute(let new)): return .attribute(old: old, new: new)
    case (.toOne(let old), .toOne(let new)): return .toOne(old: old, new: new)
    case (.toMany(let old), .toMany(let new)):
      let (known, kept) = (Set(old), Set(new))
      let (inserted, removed) = (new.filter { !known.contains($0) }, old.filter { !kept.contains($0) })
      return inserted.isEmpty && removed.isEmpty && !isOrdered ? nil : .toMany(inserted: inserted, removed: removed)
    default: return nil
    }
  }

  /// The slots that show something else.
  func slots(since old: RowPicture) -> [Int] {
    let all = Set(values.keys).union(old.values.keys)
    return all.filter { values[$0] != old.values[$0] }.sorted()
  }
}
