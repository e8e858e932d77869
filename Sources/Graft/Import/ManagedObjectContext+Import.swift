#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ManagedObjectContext {
  /// Merges JSON and returns a report of what changed. No managed objects are created, so this is the fastest import.
  ///
  ///     let report = try context.importJSON(data, into: Hero.self)
  ///     print(report)                                                    // Hero: 4 inserted, 2 updated
  ///
  /// A successful import is permanent, as are changes made in code before it. The earlier changes are validated only if the context has a
  /// store. If they may be invalid, call ``commit()`` first.
  ///
  /// With a store, an import is repeated if another context or program commits the same objects while it runs ([S5](doc:Rules#S5)).
  ///
  /// - Parameters:
  ///   - payload: text, bytes, dictionaries, an array, ``JSON`` or a file URL: see ``JSONPayload``.
  ///   - type: the class of the payload's objects.
  ///   - keyPath: the key path under which the document holds the objects, such as `data.items`.
  ///   - options: limits, and the name of the payload in messages.
  /// - Throws: an ``ImportError`` with everything that is wrong. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func importJSON<Object: ManagedObject>(
    _ payload: some JSONPayload, into type: Object.Type, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try importJSON(payload, [.objects(ofEntity: Object.entityName, at: keyPath)], options: options)
  }

  /// Merges JSON and returns a report of what changed.
  ///
  ///     let report = try context.importJSON(data, ofEntity: "Hero", at: "data.items")
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong, or if the model has no such entity. The context is then
  ///   unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func importJSON(
    _ payload: some JSONPayload, ofEntity entityName: String, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try importJSON(payload, [.objects(ofEntity: entityName, at: keyPath)], options: options)
  }

  /// Merges the objects of several entities from one document, all or nothing, and returns a report of what changed.
  ///
  ///     try context.importJSON(data, [.objects(ofEntity: "Hero", at: "heroes"), .objects(ofEntity: "Power", at: "powers")])
  ///
  /// The parts are one payload: unknown identifiers, orphans and validation are decided at the end of all parts. The document is read once
  /// for each part, skipping the other parts.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func importJSON(
    _ payload: some JSONPayload, _ parts: [ImportPart], options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    let parts = try planned(parts)
    return try payload.payloadContent.withSource(parts, model.plan, options) { source throws(ImportError) in
      try ImportRun(context: self).report(source, parts)
    }
  }

  /// Merges JSON as the value of a relationship of an object, for responses that do not name the object that they belong to:
  /// `GET /albums/9/photos`.
  ///
  ///     try context.importJSON(data, into: "photos", of: album)
  ///
  /// The payload is treated as if it were under the relationship's key in a dictionary of the object. The relationship's merge rule,
  /// inverse, orphan handling and validation apply ([I24](doc:Rules#I24)). The relationship needs no `JSONKeyPath`.
  ///
  /// - Parameters:
  ///   - payload: an array; for a to-one relationship, an object or an identifier; or any other form that the relationship reads.
  ///   - relationshipName: a relationship of the object's entity.
  ///   - object: an object of this context.
  ///   - keyPath: the keys from the payload's root to the value.
  ///   - options: limits, and the name of the payload in messages.
  /// - Throws: an ``ImportError`` with everything that is wrong, or if the entity has no such relationship or the object was
  ///   deleted. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func importJSON(
    _ payload: some JSONPayload, into relationshipName: String, of object: ManagedObject,
    at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    precondition(object.context === self, "'\(object)' belongs to another context")
    guard !object.isDeleted else { throw ImportFinding.deletedParent("\(object)").error() }
    state.loadRow(object.table, object.number)
    let entity = state.row(object.table, object.number).entity
    let part = try planned(relationshipName, of: entity, .object(object), at: keyPath)
    return try payload.payloadContent.withSource([part], model.plan, options) { source throws(ImportError) in
      try ImportRun(context: self).report(source, [part])
    }
  }

  /// Merges JSON as the value of a relationship of an object.
  ///
  ///     try context.importJSON(data, into: \Album.photos, of: album)
  ///
  /// - Parameters:
  ///   - payload: the value of the relationship.
  ///   - relationship: a relationship among the class's `queryableProperties`.
  ///   - object: the object that has the relationship.
  ///   - keyPath: the keys from the payload's root to the value.
  ///   - options: limits, and the name of the payload in messages.
  /// - Throws: an ``ImportError`` with everything that is wrong. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func importJSON<Object: ManagedObject, Value>(
    _ payload: some JSONPayload, into relationship: KeyPath<Object, Value>, of object: Object,
    at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    guard let place = model.queryableSlots[relationship] else {
      throw ImportFinding.unknownParentProperty("\(Object.self)").error()
    }
    let name = model.plan.entities[place.entity].properties[place.slot].name
    return try importJSON(payload, into: name, of: object, at: keyPath, options: options)
  }

  /// Plans the part for the value of a relationship.
  private func planned(
    _ relationshipName: String, of entity: Int, _ object: PlannedPart.Parent.Object, at keyPath: JSONKeyPath?
  ) throws(ImportError) -> PlannedPart {
    let plan = model.plan.entities[entity]
    guard let slot = plan.slotNumbers[relationshipName], plan.properties[slot].relationship != nil else {
      throw ImportFinding.unknownRelationship(relationshipName, plan).error()
    }
    var part = PlannedPart(entity: model.plan.layouts[entity].slots[slot].destination, keyPath: keyPath)
    part.parent = PlannedPart.Parent(entity: entity, slot: slot, object: object)
    return part
  }

  /// Merges several payloads together. Their order does not affect which objects are known, and if any payload fails, none is imported.
  package func importPayloads(_ payloads: [ImportPayload]) throws(ImportError) -> ImportReport {
    try ImportRun(context: self).run(payloads)
  }

  func planned(_ parts: [ImportPart]) throws(ImportError) -> [PlannedPart] {
    var planned: [PlannedPart] = []
    for part in parts {
      let entity = try importedEntity(part.entityName)
      if let parent = part.parent {
        planned.append(
          try self.planned(parent.relationshipName, of: entity.index, .identifier(parent.identifier), at: part.keyPath))
        continue
      }
      var plan = PlannedPart(entity: entity.index, keyPath: part.keyPath, isRequired: part.isRequired)
      switch part.missing {
      case .keep: break
      case .delete: plan.isDoomed = { _, _ in true }
      case .deleteWhere(let isDoomed): plan.isDoomed = { isDoomed(self.object($0, $1)) }
      }
      planned.append(plan)
    }
    return planned
  }

  func importedEntity(_ name: String) throws(ImportError) -> EntityPlan {
    guard let entity = model.plan.entity(named: name) else {
      throw ImportFinding.unknownEntity(name, model.plan).error()
    }
    return entity
  }
}
