/// The two sides of a ``StoreMigration`` while it runs: the old objects, and the objects of the new version of the model.
///
///     try step.forEach("Member") { old, new in
///       guard let name: String = old["teamName"] else { return }
///       let team = try step.new.find(ofEntity: "Team", identity: name) ?? step.new.insert(ofEntity: "Team")
///       team["name"] = name
///       new?["team"] = team
///     }
///
/// A step object is valid until the closure of the step returns.
public final class StoreMigrationStep {
  /// The store as it was before the migration. Entities and properties have their old names. Changes to these objects are lost.
  public let old: ManagedObjectContext
  /// The store with the new version of the model, in the transaction of the migration.
  public let new: ManagedObjectContext
  private let oldBinding: StoreBinding
  private let newBinding: StoreBinding
  /// The new table of each old table.
  private let tables: [Int: Int]
  /// The old names of the entities whose objects were kept.
  private let kept: Set<String>
  /// The old name of each new entity that existed before.
  private let formerNames: [String: String]
  /// Whether objects are not valid yet. If so, all changes are written at the end of the step.
  private var isWaiting = false

  init(_ old: ManagedObjectContext, _ new: ManagedObjectContext, _ mapping: LayoutMapping) {
    guard let oldBinding = old.binding, let newBinding = new.binding else {
      preconditionFailure("a migration needs contexts with stores")
    }
    (self.old, self.new, self.oldBinding, self.newBinding) = (old, new, oldBinding, newBinding)
    tables = Dictionary(
      mapping.new.tables.indices.compactMap { new in mapping.oldTable(of: new).map { ($0, new) } },
      uniquingKeysWith: { first, _ in first })
    kept = Set(mapping.entities.values)
    formerNames = mapping.entities
  }

  /// Returns the new object that an old object became; nil if its entity was removed or replaced, or the new object was deleted.
  public func counterpart(of object: ManagedObject) throws(StoreError) -> ManagedObject? {
    precondition(object.context === old, "the object does not belong to 'old'")
    guard kept.contains(object.entity.name), let table = tables[object.table] else { return nil }
    let id = oldBinding.id(object.table, object.number)
    try newBinding.loadMissing([id], of: table)
    guard let row = newBinding.rowsByID[table][id] else { return nil }
    let counterpart = new.object(table, row)
    return counterpart.isDeleted ? nil : counterpart
  }

  /// Returns the old name of a new entity; nil if it was added or replaced.
  func formerName(of entity: String) -> String? { formerNames[entity] }

  /// Calls a closure with each object of an old entity and its sub-entities, and with the new object that it became, as returned by
  /// ``counterpart(of:)``.
  ///
  /// Placeholders are skipped, because they have only an identity.
  ///
  /// Changes by the closure are written after every thousand objects, and objects that the program does not hold are removed from memory,
  /// so an entity of any size requires only a limited amount of memory. If objects are not valid by then, because a later pass completes
  /// them, the changes stay in memory until the step ends.
  ///
  /// - Parameters:
  ///   - entity: the old name of the entity or, for stores of several versions with different names, its current name.
  ///   - body: a closure that receives the old object and the new object, which is nil if there is none.
  /// - Throws: any error that the closure throws, or a ``StoreError`` if there is no such entity, or the store cannot be read or written.
  public func forEach(_ entity: String, _ body: (_ old: ManagedObject, _ new: ManagedObject?) throws -> Void) throws {
    let isOld = old.model.plan.entity(named: entity) != nil
    let found = try old.entity(named: isOld ? entity : formerName(of: entity) ?? entity)
    let table = old.model.plan.layouts[found.index].table
    let query = StoreQuery(table: table, entities: oldBinding.positions(of: found.index))
    let ids = try oldBinding.snapshot().ids(selectedBy: query)
    for start in stride(from: 0, to: ids.count, by: 1000) {
      let part = ids[start..<min(start + 1000, ids.count)]
      try oldBinding.loadMissing(Set(part), of: table)
      if let newTable = tables[table] { try newBinding.loadMissing(Set(part), of: newTable) }
      for id in part {
        // The closure may have caused the object to be evicted.
        try oldBinding.loadMissing([id], of: table)
        guard let row = oldBinding.rowsByID[table][id] else { continue }
        let object = old.object(table, row)
        if !object.isPlaceholder { try body(object, try counterpart(of: object)) }
      }
      try writeIfValid()
      new.evictIfNeeded()
      old.evictIfNeeded()
    }
  }

  private func writeIfValid() throws {
    if isWaiting { return }
    do { try new.commit() } catch is ValidationError { isWaiting = true }
  }

  /// Writes the remaining changes if they are valid by now. Otherwise, a later step writes them.
  func pause() throws {
    isWaiting = false
    try writeIfValid()
  }

  /// Writes all remaining changes.
  func end() throws {
    isWaiting = false
    try new.commit()
  }
}
