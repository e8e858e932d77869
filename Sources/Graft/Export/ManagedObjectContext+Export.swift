#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension ManagedObjectContext {
  /// Exports all objects of an entity and its sub-entities as JSON, sorted by identity: an array, or an object if `@key` is the key
  /// path of an attribute (M11).
  package func exportAll(of entityName: String, options: ExportOptions) throws(ExportError) -> [UInt8] {
    var bytes: [UInt8] = []
    try exportAll(of: entityName, options: options) { bytes += $0 }
    return bytes
  }

  /// Exports all objects of an entity and its sub-entities in pieces.
  package func exportAll(
    of entityName: String, options: ExportOptions, to receive: @escaping (Data) throws -> Void
  ) throws(ExportError) {
    guard let entity = model.plan.entity(named: entityName) else {
      throw ExportError(code: .unknownEntity, "the model has no entity '\(entityName)'")
    }
    let rows: [UInt32]
    do throws(StoreError) { rows = try self.rows(of: entity) } catch {
      throw ExportError(diagnostics: error.diagnostics, underlyingError: error)
    }
    try export(rows, of: entity, isSorted: false, options, receive)
  }

  /// Exports selected objects of an entity and its sub-entities as JSON in pieces, in the selection's order, or by identity.
  ///
  /// - Throws: a ``StoreError`` if the store cannot be read, or an ``ExportError``.
  package func export(
    _ selection: ObjectSelection, of entityName: String, options: ExportOptions,
    to receive: @escaping (Data) throws -> Void
  ) throws {
    let rows = try selection.rows()
    try export(rows, of: entityPlan(entityName), isSorted: selection.isSorted, options, receive)
  }

  private func export(
    _ rows: [UInt32], of entity: EntityPlan, isSorted: Bool, _ options: ExportOptions,
    _ receive: @escaping Exporter.Receiver
  ) throws(ExportError) {
    let layout = model.plan.layouts[entity.index]
    let found = rows.map { (table: layout.table, row: $0) }
    let places = isSorted ? found : GraphNames(state, model.plan).sorted(found)
    // Only this entity is checked for a key, because the objects are read as its objects. A sub-entity can have a key even if the entity
    // has none.
    let isKeyed = layout.forms.keyField >= 0 && model.plan.fields[layout.forms.keyField].rank == 0
    if places.isEmpty, isKeyed {
      try Exporter.handOver(options.writesLines ? Exporter.empty(options) : Data("{}".utf8), to: receive)
      return
    }
    try Exporter.write(
      places, in: self, options, as: entity, isKeyed: isKeyed, isReadAsEntity: true, to: receive)
  }
}
