/// The data that another context needs to repeat the changes of one object: the current values of its properties, by slot.
///
///     attributes    slot 2: a word          links    slot 5: to Publisher(10)
///                   slot 3: bytes                    slot 6: + Power(4) - Power(9)
///
/// Attributes are in stored form, so they are transferred exactly. A link appears on one of its sides: on the to-one side if
/// there is one, otherwise on the side that was changed. Ordered relationships are included as a whole.
struct ChangedObject: Sendable {
  /// The value of an attribute in stored form.
  enum Value: Sendable {
    case none
    case word(UInt64)
    case text([UInt8])
  }

  /// The objects of a relationship. Deleted objects are not listed as removed, because their deletion removes them from the
  /// relationship, and another object may now have their IDs.
  enum Links: Sendable {
    case one(ManagedObjectID?)
    case edit(added: [ManagedObjectID], removed: [ManagedObjectID])
    case list([ManagedObjectID], removed: [ManagedObjectID])
  }

  let id: ManagedObjectID
  let previousID: ManagedObjectID
  /// The entity, and the flags that belong to the object rather than to its context.
  let header: RowHeader
  let isInserted: Bool
  /// Whether the object was a full object, and is now a placeholder.
  let isEmptied: Bool
  var attributes: [(slot: Int, value: Value)] = []
  var links: [(slot: Int, links: Links)] = []

  var entity: Int { header.entity }

  /// - Parameters:
  ///   - header: the header of the object's row.
  ///   - former: the previous header; nil for a new object.
  init(_ id: ManagedObjectID, previousID: ManagedObjectID, header: RowHeader, former: RowHeader?) {
    self.id = id
    self.previousID = previousID
    self.header = header.contents
    isInserted = former == nil
    isEmptied = header.isPlaceholder && former?.isPlaceholder == false
  }

  /// Records a changed property of the object.
  ///
  /// - Parameters:
  ///   - row: the row that holds the property.
  ///   - removed: the objects that left a to-many relationship, and were not deleted.
  ///   - id: returns the ID of an object in an ordered relationship.
  mutating func note(
    _ change: ContextChanges.Change, _ number: Int, _ slot: SlotPlan, _ row: Row,
    _ reader: RowReader, removed: [ManagedObjectID], id: (UInt32) -> ManagedObjectID
  ) {
    switch change {
    case .attribute: attributes.append((number, reader.stored(row, slot)))
    case .toOne(_, let new): links.append((number, .one(new)))
    case .toMany(let inserted, _):
      if slot.isOrdered {
        links.append((number, .list(reader.targetsInMemory(row, slot).map(id), removed: removed)))
      } else if slot.inverse < 0 || slot.inverseSlot.isToMany {
        links.append((number, .edit(added: inserted, removed: removed)))
      }
    }
  }

  /// Records all values of the row of a new object.
  mutating func noteAll(
    _ layout: EntityLayout, _ row: Row, _ reader: RowReader,
    id: (SlotPlan, UInt32) -> ManagedObjectID
  ) {
    for number in 0..<layout.slotCount {
      let slot = layout.slots[number]
      switch slot.kind {
      case .toOne:
        if let target = reader.targetInMemory(row, slot) { links.append((number, .one(id(slot, target)))) }
      case .toMany:
        guard row[slot] != 0, slot.isOrdered || slot.inverse < 0 || slot.inverseSlot.isToMany else { continue }
        let targets = reader.targetsInMemory(row, slot).map { id(slot, $0) }
        links.append((number, slot.isOrdered ? .list(targets, removed: []) : .edit(added: targets, removed: [])))
      default:
        if row.isSet(slot) { attributes.append((number, reader.stored(row, slot))) }
      }
    }
  }
}

extension RowReader {
  /// Returns an attribute as it is stored.
  fileprivate func stored(_ row: Row, _ slot: SlotPlan) -> ChangedObject.Value {
    if !row.isSet(slot) { return .none }
    return slot.kind.isText ? .text(Array(state.pointee.texts.bytes(row[slot]))) : .word(row[slot])
  }
}

/// The changed objects of one transaction. This is a class, so that values of ``ContextChanges`` stay small.
final class ChangedObjects: Sendable {
  let model: ManagedObjectModel
  let objects: [ChangedObject]

  init(_ model: ManagedObjectModel, _ objects: [ChangedObject]) {
    self.model = model
    self.objects = objects
  }
}
