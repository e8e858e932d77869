#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension ManagedObjectContext {
  /// All objects of an entity and its sub-entities as JSON, by identity: an array, or an object where `@key` is the key
  /// path of an attribute (M11).
  package func exportAll(of entityName: String, options: ExportOptions) throws(ExportError) -> [UInt8] {
    var bytes: [UInt8] = []
    try exportAll(of: entityName, options: options) { bytes += $0 }
    return bytes
  }

  /// The same, in pieces.
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

  /// Some objects of an entity and its sub-entities as JSON in pieces, sorted by the selection's order, or by identity.
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
    // The objects that are read as objects of this entity: a sub-entity may have a key where the entity itself has none.
    let isKeyed = layout.keyField >= 0 && model.plan.fields[layout.keyField].rank == 0
    if places.isEmpty, isKeyed {
      try Exporter.handOver(options.writesLines ? Exporter.empty(options) : Data("{}".utf8), to: receive)
      return
    }
    try Exporter.write(
      places, in: self, options, as: entity, isKeyed: isKeyed, isReadAsEntity: true, to: receive)
  }
}
