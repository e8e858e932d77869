extension ManagedObjectContext {
  /// All objects of an entity and its sub-entities as JSON, by identity: an array, or an object where `@key` is the key
  /// path of an attribute (M11).
  package func exportAll(of entityName: String, options: ExportOptions) throws(ExportError) -> [UInt8] {
    guard let entity = model.plan.entity(named: entityName) else {
      throw ExportError(code: .unknownEntity, "the model has no entity '\(entityName)'")
    }
    return try export(rows(of: entity), of: entity, isSorted: false, options)
  }

  /// Some objects of an entity and its sub-entities as JSON, sorted as the selection says, or else by identity.
  ///
  /// - Throws: a ``StoreError`` if the store cannot be read, or an ``ExportError``.
  package func export(_ selection: ObjectSelection, of entityName: String, options: ExportOptions) throws -> [UInt8] {
    let rows = try selection.rows()
    return try export(rows, of: entityPlan(entityName), isSorted: selection.isSorted, options)
  }

  private func export(
    _ rows: [UInt32], of entity: EntityPlan, isSorted: Bool, _ options: ExportOptions
  ) throws(ExportError) -> [UInt8] {
    let layout = model.plan.layouts[entity.index]
    let found = rows.map { (table: layout.table, row: $0) }
    let places = isSorted ? found : GraphNames(state, model.plan).sorted(found)
    // What is read as this entity's objects: a sub-entity may have a key where the entity itself has none.
    let isKeyed = layout.keyField >= 0 && model.plan.fields[layout.keyField].rank == 0
    if places.isEmpty, isKeyed { return Array("{}".utf8) }
    return Array(try Exporter.data(of: places, in: self, options, as: entity, isKeyed: isKeyed, isReadAsEntity: true))
  }
}
