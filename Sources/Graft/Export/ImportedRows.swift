/// Determines how an import would read exported rows: whether the import finds the objects by their identifiers, recognizes
/// their entities, and distinguishes their keys.
struct ImportedRows {
  let plan: Plan
  let layouts: PlanReference<EntityLayout>
  let reader: RowReader

  // MARK: Identity

  /// Whether all identity values of an object are not nil, and an owner that is part of the identity also has an identity.
  func hasIdentity(_ row: Row) -> Bool {
    let layout = layouts + row.entity
    for index in 0..<layout.pointee.identity.count {
      let slot = layout.pointee.slots + layout.pointee.identity.slots[index]
      if !row.isSet(slot) { return false }
      if slot.pointee.kind == .toOne, !hasOwnerWithIdentity(row, slot.pointee) { return false }
    }
    return layout.pointee.identity.count > 0
  }

  @inline(never)
  private func hasOwnerWithIdentity(_ row: Row, _ slot: SlotPlan) -> Bool {
    guard let owner = reader.target(row, slot) else { return false }
    return hasIdentity(reader.row(slot.destinationTable, owner))
  }

  /// Whether the identity of an object also identifies it among the objects of another entity (M8).
  func isFound(_ row: Row, as declared: Int) -> Bool {
    let layout = layouts + row.entity
    return layout.pointee.identity.count > 0 && layout.pointee.table == layouts[declared].table
      && layout.pointee.identity.space == layouts[declared].identity.space && hasIdentity(row)
  }

  /// The nesting depth of arrays in the identifier of an object, which contains the identifier of its owner (M12); nil if there
  /// is none.
  func identifierDepth(_ row: Row, as declared: Int) -> Int? {
    guard isFound(row, as: declared) else { return nil }
    let layout = layouts[row.entity]
    var inner = 0
    for index in 0..<layout.identity.count {
      let slot = layout.slots[layout.identity.slots[index]]
      guard slot.kind == .toOne else { continue }
      guard let owner = reader.target(row, slot),
        let own = identifierDepth(reader.row(slot.destinationTable, owner), as: slot.destination)
      else { return nil }
      inner = max(inner, own)
    }
    return layout.identity.count == 1 ? inner : inner + 1
  }

  // MARK: Entities

  /// Whether an import that expects objects of `declared` recognizes an object of another entity: by its discriminator, or
  /// because the import finds the object.
  @inline(__always)
  func isReadable(_ entity: Int, as declared: Int, _ row: Row) -> Bool {
    if layouts[entity].export.writesDiscriminator,
      layouts[entity].export.mapperOwner == layouts[declared].export.mapperOwner
    {
      return true
    }
    return isFound(row, as: declared) || isAnswered(entity, declared)
  }

  /// Whether the discriminator alone determines the entity, as in a graph that does not contain the object.
  func isTold(_ entity: Int, as declared: Int) -> Bool {
    layouts[entity].export.writesDiscriminator
      && layouts[entity].export.mapperOwner == layouts[declared].export.mapperOwner
      || isAnswered(entity, declared)
  }

  /// Whether the mapper of the declared entity can choose an entity by the object's discriminator.
  private func isAnswered(_ entity: Int, _ declared: Int) -> Bool {
    guard layouts[entity].export.writesDiscriminator else { return false }
    guard case .table(let path, let table) = plan.entities[declared].mapper else {
      // The result of a closure is unknown.
      return plan.entities[declared].mapper != nil
    }
    guard let own = plan.entities[layouts[entity].export.mapperOwner].description.entityMapper, own.keyPath == path,
      let key = own.cases.first(where: { $0.entityName == plan.entities[entity].name })?.value
    else { return false }
    return table[key] == entity
  }

  // MARK: Keys

  @inline(__always)
  func hasKeyFirst(_ layout: PlanReference<EntityLayout>) -> Bool {
    layout.pointee.forms.keyField >= 0 && plan.fields[layout.pointee.forms.keyField].rank == 0
  }

  /// Whether an object loses something, or is not recognized, if it is written without a key.
  func needsKey(_ row: Row) -> Bool {
    let layout = layouts + row.entity
    guard hasKeyFirst(layout) else { return false }
    let slot = plan.fields[layout.pointee.forms.keyField].slot
    return row.isSet(layout.pointee.slots[slot]) || layout.pointee.identity.count == 0
      || plan.entities[row.entity].identitySlots.contains(slot)
  }

  /// Whether no two objects of an entity and its sub-entities have the same key, because the key is the objects' whole identity (I2).
  func areKeysUnique(_ entity: Int) -> Bool {
    plan.entities[entity].concreteAndSubentities.allSatisfy { other in
      isKeyIdentity(other) && layouts[other].identity.space == layouts[entity].identity.space
    }
  }

  func areKeysUnique(_ places: [(table: Int, row: UInt32)]) -> Bool {
    let first = layouts[reader.row(places[0].table, places[0].row).entity]
    return places.allSatisfy { place in
      let entity = reader.row(place.table, place.row).entity
      return place.table == places[0].table && layouts[entity].identity.space == first.identity.space
        && isKeyIdentity(entity)
    }
  }

  /// Whether the key is the whole identity without loss; a closure may write two values as the same text.
  private func isKeyIdentity(_ entity: Int) -> Bool {
    let number = plan.fields[layouts[entity].forms.keyField].slot
    let entity = plan.entities[entity]
    return entity.identitySlots == [number] && entity.properties[number].writing != .reversed
  }

  // MARK: Values

  /// The `@value` of an object that has no other values except its key, if an import recognizes the object without a discriminator.
  ///
  /// - Parameter back: the relationship that is omitted as the inverse; -1 if there is none.
  func bareValue(_ row: Row, as declared: Int, back: Int) -> PlanReference<SlotPlan>? {
    let entity = row.entity
    let layout = layouts + entity
    guard layout.pointee.forms.valueField >= 0, plan.fields[layout.pointee.forms.valueField].rank == 0,
      !layout.pointee.forms.sharesDictionary
    else { return nil }
    let number = plan.fields[layout.pointee.forms.valueField].slot
    let slot = layout.pointee.slots + number
    if !row.isSet(slot) && slot.pointee.kind != .toMany { return nil }
    return isBare(row, as: declared, back: back, besides: number) ? slot : nil
  }

  /// Whether only one property and the key of an object are written, and an import recognizes the object without a discriminator.
  func isBare(_ row: Row, as declared: Int, back: Int, besides slot: Int) -> Bool {
    let entity = row.entity
    let layout = layouts + entity
    let hasOthers = (0..<layout.pointee.export.stepCount).contains { index in
      let other = layout.pointee.export.steps[index].slot
      return other >= 0 && other != back && other != slot && hasValue(row, layout.pointee.slots[other])
        && !isDefault(row, other)
    }
    return !hasOthers && (entity == declared || isFound(row, as: declared))
  }

  /// Whether an attribute is not nil, or a relationship is not empty.
  func hasValue(_ row: Row, _ slot: SlotPlan) -> Bool {
    slot.kind == .toMany ? reader.count(row, slot) > 0 : row.isSet(slot)
  }

  /// Whether an attribute has the value that an import sets if the attribute's key is absent.
  private func isDefault(_ row: Row, _ number: Int) -> Bool {
    guard let cell = plan.entities[row.entity].defaults.first(where: { $0.slot == number })?.cell else { return false }
    let slot = layouts[row.entity].slots[number]
    return cell.tag == .text
      ? reader.state.pointee.texts.equals(row[slot], cell.bytes) : row.isSet(slot) && row[slot] == cell.bits
  }

  func isNil(_ row: Row, _ slot: Int, _ entity: Int) -> Bool {
    let slot = layouts[entity].slots[slot]
    return slot.kind == .toOne ? reader.target(row, slot) == nil : !row.isSet(slot)
  }
}
