/// Access to properties by slot, the basis of generated classes and of access by name.
extension ManagedObject {
  /// Returns the slot of a property, which gives access to the property without its name. Objects of an entity and of its
  /// sub-entities share their slots.
  ///
  /// - Precondition: the entity has such a property.
  package static func slot(named name: String, in model: ManagedObjectModel) -> Int {
    guard let entity = model.plan.entity(named: entityName) else {
      preconditionFailure("the model has no entity '\(entityName)'")
    }
    return entity.slot(named: name)
  }

  func slot(named name: String) -> Int {
    guard !isDetached else { return 0 }
    return entityPlan.slot(named: name)
  }

  func plan(ofSlot slot: Int) -> PlanReference<SlotPlan> {
    let layout = context.state.layouts + row.entity
    precondition(slot >= 0 && slot < layout.pointee.slotCount, "'\(entity.name)' has no property number \(slot)")
    return layout.pointee.slots + slot
  }

  /// Whether the object exists and its entity has a property with this number.
  func hasSlot(_ slot: Int) -> Bool {
    !isDetached && slot < context.state.layouts[row.entity].slotCount
  }

  /// Reports a read, so that views that read the property are updated when it changes.
  @inline(__always)
  func noteRead(_ slot: Int) {
    if !isDetached { context.hub.noteRead(table, number, slot) }
  }

  /// Reports a read of the object's identity: its identity attributes, the identity attributes of the owners that identify it, and whether
  /// it exists.
  func noteIdentityRead() {
    if !isDetached, context.hub.isInUse { noteIdentity(table, number) }
  }

  /// Reports a read of the name of an object without an identity. Such a name contains the number of objects that precede the object.
  func noteNumberRead() {
    guard !isDetached, context.hub.isInUse, RowReader(context.state).identityJSON(row) == nil else { return }
    context.hub.noteExtent(table, .everything)
  }

  private func noteIdentity(_ table: Int, _ number: UInt32) {
    context.hub.noteRead(table, number, ObservationHub.Spot.state)
    context.state.loadRow(table, number)
    let row = context.state.row(table, number)
    let layout = context.state.layouts[row.entity]
    for slot in context.model.plan.entities[row.entity].identitySlots {
      context.hub.noteRead(table, number, slot)
      let plan = layout.slots[slot]
      if plan.kind == .toOne, let owner = row.toOne(plan) { noteIdentity(plan.destinationTable, owner) }
    }
  }

  /// Reports a read of a relationship. If it has no inverse, deleting a related object does not change this row, so the read also
  /// depends on the deletions of objects of the destination.
  @inline(__always)
  func noteLinksRead(_ slot: Int) {
    if !isDetached, context.hub.isInUse { noteObservedLinks(slot) }
  }

  @inline(never)
  private func noteObservedLinks(_ slot: Int) {
    noteRead(slot)
    guard hasSlot(slot), case let plan = plan(ofSlot: slot).pointee, plan.kind.isRelationship, plan.inverse < 0 else {
      return
    }
    context.hub.noteExtent(plan.destinationTable, .removals)
  }

  private func propertyName(_ slot: Int) -> String { "\(entityPlan.name).\(entityPlan.properties[slot].name)" }

  // MARK: Attributes

  /// Returns the value of an attribute by slot.
  ///
  /// - Precondition: the slot is an attribute that can be read as this type.
  package func attribute<Value: AttributeConvertible>(slot: Int) -> Value? {
    guard !isDetached else { return nil }
    let plan = plan(ofSlot: slot)
    noteRead(slot)
    guard let value = RowReader(context.state).value(row, plan.pointee) else {
      precondition(!plan.pointee.kind.isRelationship, "'\(propertyName(slot))' is a relationship, not \(Value.self)")
      return nil
    }
    return Value(attributeValue: value) ?? unreadable(value, slot)
  }

  /// Handles a value that cannot be read as the program's type. If the attribute lists its allowed values, and the value is not among them,
  /// the object is invalid and has not been validated yet, so the value is read as nil. Otherwise, the program uses the wrong type.
  private func unreadable<Value>(_ value: AttributeValue, _ slot: Int) -> Value? {
    let attribute = entityPlan.properties[slot].attribute
    guard let allowed = attribute?.validation.allowedValues, !allowed.contains(value) else {
      preconditionFailure(
        "'\(propertyName(slot))' is declared \(attribute?.typeText ?? ""): it cannot be read as \(Value.self)")
    }
    let words = attribute?.isSensitive == true ? HiddenValue.text : FoundPhrase.of(value.jsonValue)
    _ = context.isReadInClosure(
      "'\(entityPlan.properties[slot].name)' of '\(self)', which is \(words), not one of the values that the model lists",
      advice: nil)
    return nil
  }

  /// Returns the value of an integer attribute by slot, directly from the row.
  package func integer(slot: Int) -> Int? {
    guard !isDetached else { return nil }
    let plan = plan(ofSlot: slot)
    precondition(plan.pointee.kind == .integer, "'\(propertyName(slot))' is not an integer")
    noteRead(slot)
    let row = row
    guard row.isSet(plan) else { return nil }
    return Int(truncatingIfNeeded: Int64(bitPattern: row[plan]))
  }

  /// The value of a double attribute; nil if there is no value, or if the attribute has another type.
  func number(slot: Int) -> Double? { word(slot: slot, of: .double).map { Double(bitPattern: $0) } }

  /// The value of a boolean attribute; nil if there is no value, or if the attribute has another type.
  func boolean(slot: Int) -> Bool? { word(slot: slot, of: .boolean).map { $0 != 0 } }

  @inline(__always)
  private func word(slot: Int, of kind: SlotPlan.Kind) -> UInt64? {
    guard !isDetached else { return nil }
    let plan = plan(ofSlot: slot)
    let row = row
    guard plan.pointee.kind == kind, row.isSet(plan) else { return nil }
    noteRead(slot)
    return row[plan]
  }

  /// Returns the value of a string attribute by slot, directly from the row.
  package func string(slot: Int) -> String? {
    guard !isDetached else { return nil }
    let plan = plan(ofSlot: slot)
    precondition(plan.pointee.kind == .string, "'\(propertyName(slot))' is not a string")
    noteRead(slot)
    let row = row
    guard row.isSet(plan) else { return nil }
    return String(decoding: context.state.pointee.texts.bytes(row[plan]), as: UTF8.self)
  }

  /// Sets an attribute by slot; nil removes its value.
  ///
  /// - Precondition: the slot is an attribute that can hold the value. The value does not give this object the identity of
  ///   another object.
  package func setAttribute<Value: AttributeConvertible>(_ value: Value?, slot: Int) {
    if context.isReentrant("set a property") { return }
    do {
      try set(value?.attributeValue, slot: slot)
    } catch {
      context.refuse(error)
    }
  }

  /// Sets an attribute by name.
  ///
  ///     try hero.setValue("Batman", of: "name")
  ///
  /// - Throws: a ``PropertyError`` if there is no such attribute, if it cannot hold the value, if the value would give this
  ///   object the identity of another object, or if the object was deleted.
  public func setValue(_ value: some AttributeConvertible, of name: String) throws(PropertyError) {
    try setValue(value.attributeValue, of: name)
  }

  /// Sets an attribute by name; nil removes its value.
  ///
  ///     try hero.setValue(nil, of: "realName")
  ///
  /// - Throws: a ``PropertyError`` if there is no such attribute, if it cannot hold the value, if the value would give this
  ///   object the identity of another object, or if the object was deleted.
  public func setValue(_ value: AttributeValue?, of name: String) throws(PropertyError) {
    try context.checkUse("set a property")
    guard !isGone else { throw PropertyError(.deletedObject, "'\(self)' was deleted") }
    guard let slot = entityPlan.slotNumbers[name] else {
      throw entityPlan.unknownProperty(name)
    }
    if value == nil, plan(ofSlot: slot).pointee.kind == .toOne { return try setObjects([], of: name, kind: .toOne) }
    try set(value, slot: slot)
  }

  /// Sets a to-one relationship by name, such as the owner that identifies the object ([M12](doc:Rules#M12)).
  ///
  ///     try line.setValue(order, of: "order")
  ///
  /// `nil` empties the relationship.
  ///
  /// - Throws: a ``PropertyError`` if there is no such to-one relationship, if the object belongs to another entity or context or was
  ///   deleted, or if an object would get the identity of another object.
  @_disfavoredOverload
  public func setValue(_ object: ManagedObject?, of name: String) throws(PropertyError) {
    try setObjects(object.map { [$0] } ?? [], of: name, kind: .toOne)
  }

  /// Sets a to-many relationship by name. If an object is repeated, only its first occurrence is used.
  ///
  /// - Throws: the same errors as for a to-one relationship.
  public func setValue(_ objects: [ManagedObject], of name: String) throws(PropertyError) {
    try setObjects(objects, of: name, kind: .toMany)
  }

  private func setObjects(
    _ objects: [ManagedObject], of name: String, kind: SlotPlan.Kind
  ) throws(PropertyError) {
    try context.checkUse("set a property")
    guard !isGone else { throw PropertyError(.deletedObject, "'\(self)' was deleted") }
    guard let slot = entityPlan.slotNumbers[name] else { throw entityPlan.unknownProperty(name) }
    let plan = plan(ofSlot: slot).pointee
    guard plan.kind == kind else {
      throw PropertyError(
        .wrongPropertyKind,
        "'\(propertyName(slot))' is not a \(kind == .toOne ? "to-one" : "to-many") relationship")
    }
    let destination = context.model.plan.entities[plan.destination]
    for object in objects {
      guard !object.isGone else {
        throw PropertyError(.deletedObject, "'\(object)' was deleted: it cannot be linked")
      }
      guard object.context === context else {
        throw PropertyError(.wrongType, "'\(object)' belongs to another context: find it in this one")
      }
      guard object.entityPlan.inherits(from: destination) else {
        throw PropertyError(
          .wrongType, "'\(propertyName(slot))' accepts objects of '\(destination.name)': '\(object)' cannot be linked")
      }
    }
    if let fault = ownerFault(objects, slot, isReplacing: true) { throw fault }
    setRelated(objects, slot: slot, kind: kind)
  }

  /// Returns the value of an attribute by name.
  ///
  /// - Throws: a ``PropertyError`` if there is no such attribute, if it cannot be read as this type, or if the object was
  ///   deleted.
  public func value<Value: AttributeConvertible>(of name: String, as type: Value.Type = Value.self)
    throws(PropertyError)
    -> Value?
  {
    guard !isGone else { throw PropertyError(.deletedObject, "'\(self)' was deleted") }
    guard let slot = entityPlan.slotNumbers[name] else { throw entityPlan.unknownProperty(name) }
    guard let attribute = entityPlan.properties[slot].attribute else {
      throw PropertyError(.wrongPropertyKind, "'\(propertyName(slot))' is a relationship, not \(Value.self)")
    }
    noteRead(slot)
    guard let value = RowReader(context.state).value(row, plan(ofSlot: slot).pointee) else { return nil }
    guard let converted = Value(attributeValue: value) else {
      throw PropertyError(
        .wrongType,
        "'\(propertyName(slot))' is declared \(attribute.typeText): \(attribute.isSensitive ? HiddenValue.text : "\(value)") cannot be read as \(Value.self)"
      )
    }
    return converted
  }

  /// Returns the value of an attribute, or the objects of a relationship, for use when its type is not known. The result is nil if the
  /// property is nil.
  ///
  ///     for name in names { print(name, try hero.propertyValue(of: name) ?? "-") }
  ///
  /// - Throws: a ``PropertyError`` if there is no such property, or if the object was deleted.
  public func propertyValue(of name: String) throws(PropertyError) -> PropertyValue? {
    guard !isGone else { throw PropertyError(.deletedObject, "'\(self)' was deleted") }
    guard let slot = entityPlan.slotNumbers[name] else { throw entityPlan.unknownProperty(name) }
    return value(slot: slot)
  }

  private func set(_ value: AttributeValue?, slot: Int) throws(PropertyError) {
    guard !isGone else { throw PropertyError(.deletedObject, "'\(self)' was deleted: its properties cannot be set") }
    let plan = plan(ofSlot: slot)
    guard let attribute = entityPlan.properties[slot].attribute else {
      throw PropertyError(.wrongPropertyKind, "'\(propertyName(slot))' is a relationship: set objects, not a value")
    }
    var scratch = ScratchText()
    defer { scratch.free() }
    var cell = Cell.null
    // Reading a URI as a URL and writing it back can change its spelling, but not its value.
    if case .uri(let url) = value, case .uri(url) = RowReader(context.state).value(row, plan.pointee) { return }
    if plan.pointee.elementType == .uri, let value, value == RowReader(context.state).value(row, plan.pointee) {
      return
    }
    if let value {
      guard let encoded = CellEncoder.cell(for: value, in: plan.pointee, keep: { scratch.copy($0) }) else {
        let range = rangeText(of: value, attribute)
        throw PropertyError(
          .wrongType,
          "'\(propertyName(slot))' is declared \(attribute.typeText): it cannot hold \(entityPlan.properties[slot].phrase(value.refusedPhrase))\(range)"
        )
      }
      cell = encoded
    }
    try context.setAttribute(cell, slot, self)
  }

  /// Returns the reason why an attribute refuses a value of its own type.
  private func rangeText(of value: AttributeValue, _ attribute: AttributeDescription) -> String {
    if case .date = value, attribute.storedType == .date { return ", which is not in the years 0000 to 9999" }
    let isTooDeep =
      attribute.type == .json && !JSONBuilder.isReadable(Array(JSONWriter.text(of: value.jsonValue).utf8))
    return isTooDeep ? ", which is nested deeper than \(JSONBuilder.deepest)" : ""
  }

  // MARK: Relationships

  /// Returns the object of a to-one relationship by slot.
  ///
  /// - Precondition: the slot is a to-one relationship to objects of this class.
  package func toOne<Object: ManagedObject>(slot: Int) -> Object? {
    guard !isDetached else { return nil }
    let plan = plan(ofSlot: slot)
    precondition(plan.pointee.kind == .toOne, "'\(propertyName(slot))' is not a to-one relationship")
    noteLinksRead(slot)
    guard var target = row.toOne(plan.pointee) else { return nil }
    let table = plan.pointee.destinationTable
    if !context.state.row(table, target).isLoaded {
      guard let loaded = RowReader(context.state).target(row, plan.pointee) else { return nil }
      target = loaded
    }
    return context.object(table, target, as: Object.self)
  }

  /// Sets a to-one relationship by slot, and updates the inverse.
  ///
  /// - Precondition: the slot is a to-one relationship, and the object belongs to its destination and to the same context.
  package func setToOne(_ object: ManagedObject?, slot: Int) {
    setRelated(object.map { [$0] } ?? [], slot: slot, kind: .toOne)
  }

  /// Sets a to-many relationship by slot, and updates the inverse. If an object is repeated, only its first occurrence is used.
  ///
  /// - Precondition: the slot is a to-many relationship, and the objects belong to its destination and to the same context.
  package func setToMany(_ objects: [ManagedObject], slot: Int) {
    setRelated(objects, slot: slot, kind: .toMany)
  }

  private func setRelated(_ objects: [ManagedObject], slot: Int, kind: SlotPlan.Kind) {
    changeRelated(objects, slot: slot, kind: kind, isReplacing: true) { editor, row, plan in
      var met = Set<UInt32>()
      let rows = objects.map(\.number).filter { met.insert($0).inserted }
      if rows.isEmpty {
        editor.clearShown(plan, row)
      } else if plan.pointee.kind == .toOne {
        editor.setToOne(UInt64(rows[0]) + 1, plan, row)
      } else {
        editor.setToMany(rows, union: false, plan, row)
      }
    }
  }

  /// Changes a relationship, and notifies observers of both sides before and after.
  ///
  /// - Parameters:
  ///   - objects: the objects to link or unlink.
  ///   - isReplacing: whether the objects replace the current objects of the relationship.
  func changeRelated(
    _ objects: [ManagedObject], slot: Int, kind: SlotPlan.Kind = .toMany, isReplacing: Bool = false,
    _ change: (GraphEditor, PlacedRow, PlanReference<SlotPlan>) -> Void
  ) {
    if context.isReentrant("change a relationship") { return }
    guard canRelate(objects, slot, kind) else { return }
    if let fault = ownerFault(objects, slot, isReplacing: isReplacing) { return context.refuse(fault) }
    let editor = GraphEditor(context.state)
    var spots: [ObservationHub.Spot] = []
    if context.hub.isInUse {
      let rows = objects.map(\.number)
      spots =
        isReplacing
        ? editor.spots(replacing: slot, with: rows, table, number) : editor.spots(relinking: rows, slot, table, number)
      context.hub.willChange(spots)
      // The observers may have changed the graph, or read it through a child context.
      context.willChangeAfterObservers()
      guard canRelate(objects, slot, kind), ownerFault(objects, slot, isReplacing: isReplacing) == nil else {
        return context.hub.didChange(spots)
      }
    }
    // An open import keeps its own orphans.
    let orphans = context.state.pointee.orphans.count
    change(editor, context.state.placed(table, number), plan(ofSlot: slot))
    context.state.pointee.orphans.truncate(to: orphans)
    context.hub.didChange(spots)
  }

  /// Whether the objects can be linked or unlinked. A payload may have deleted one of them, so the call is refused like an invalid value.
  /// All other problems are programming errors, and trap.
  private func canRelate(_ objects: [ManagedObject], _ slot: Int, _ kind: SlotPlan.Kind) -> Bool {
    precondition(
      !(self is LiteralList), "a list written as a literal cannot be changed; assign it to a relationship instead")
    guard !isGone else {
      context.refuse(PropertyError(.deletedObject, "'\(self)' was deleted: its properties cannot be set"))
      return false
    }
    let plan = plan(ofSlot: slot)
    precondition(
      plan.pointee.kind == kind,
      "'\(propertyName(slot))' is not a \(kind == .toOne ? "to-one" : "to-many") relationship")
    let destination = context.model.plan.entities[plan.pointee.destination]
    for object in objects {
      precondition(object.context === context, "'\(object)' belongs to another context")
      guard !object.isGone else {
        context.refuse(PropertyError(.deletedObject, "'\(object)' was deleted: it cannot be linked"))
        return false
      }
      precondition(
        object.entityPlan.inherits(from: destination),
        "'\(propertyName(slot))' accepts objects of '\(destination.name)': '\(object)' cannot be linked")
    }
    return true
  }

  // MARK: Everything

  func value(slot: Int) -> PropertyValue? {
    let plan = plan(ofSlot: slot)
    switch plan.pointee.kind {
    case .toOne:
      let object: ManagedObject? = toOne(slot: slot)
      return object.map { .object($0) }
    case .toMany: return .objects(RelatedObjects(owner: self, slot: slot))
    default:
      noteRead(slot)
      return RowReader(context.state).value(row, plan.pointee).map { .attribute($0) }
    }
  }
}

extension EntityPlan {
  func slot(named name: String) -> Int {
    guard let slot = slotNumbers[name] else { preconditionFailure(noProperty(name)) }
    return slot
  }

  func noProperty(_ wanted: String) -> String {
    let near = Suggestion.nearest(to: wanted, among: properties.map(\.name))
    return "'\(name)' has no property '\(wanted)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
  }

  func unknownProperty(_ wanted: String) -> PropertyError {
    PropertyError(
      .unknownProperty, "'\(name)' has no property '\(wanted)'",
      suggestion: Suggestion.nearest(to: wanted, among: properties.map(\.name)))
  }
}
