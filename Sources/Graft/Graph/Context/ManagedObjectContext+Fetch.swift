/// Listing, filtering, sorting and counting (C2).
extension ManagedObjectContext {
  // MARK: Lists

  /// The objects of a class and its sub-classes: all of them, or a part, in order of insertion or sorted. Placeholders count.
  ///
  ///     let heroes = context.fetch(Hero.self, sortedBy: [.descending(\.appearances), .ascending(\.name)], limit: 10)
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - keys: by what to sort; later ones decide where earlier ones are alike.
  ///   - limit: the most objects to give.
  ///   - offset: how many of the first objects to leave out.
  /// - Precondition: the model has the entity; limit and offset are not negative.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sortedBy keys: [SortKey<Object>] = [], limit: Int? = nil, offset: Int = 0
  ) -> [Object] {
    fetch(entityPlan(Object.entityName), keys, limit, offset)
  }

  /// The objects of a class and its sub-classes for which a closure says yes.
  ///
  ///     let agile = context.fetch(Hero.self, limit: 3) { $0.powers.contains(agility) }
  ///
  /// - Throws: what the closure throws.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sortedBy keys: [SortKey<Object>] = [], limit: Int? = nil, offset: Int = 0,
    where isIncluded: (Object) throws -> Bool
  ) rethrows -> [Object] {
    try fetch(entityPlan(Object.entityName), keys, limit, offset, where: isIncluded)
  }

  /// The objects of an entity and its sub-entities by the entity's name: all of them, or a part, in order of insertion or
  /// sorted. Placeholders count.
  public func fetch(
    entityNamed name: String, sortedBy keys: [SortKey<ManagedObject>] = [], limit: Int? = nil, offset: Int = 0
  ) -> [ManagedObject] {
    fetch(entityPlan(name), keys, limit, offset)
  }

  /// The objects of an entity and its sub-entities for which a closure says yes.
  ///
  /// - Throws: what the closure throws.
  public func fetch(
    entityNamed name: String, sortedBy keys: [SortKey<ManagedObject>] = [], limit: Int? = nil, offset: Int = 0,
    where isIncluded: (ManagedObject) throws -> Bool
  ) rethrows -> [ManagedObject] {
    try fetch(entityPlan(name), keys, limit, offset, where: isIncluded)
  }

  // MARK: Numbers

  /// The number of objects of an entity and its sub-entities, placeholders included.
  public func count(of name: String) -> Int {
    var count = 0
    forEachRow(of: entityPlan(name), .members) { _ in
      count += 1
      return true
    }
    return count
  }

  /// The number of objects of a class and its sub-classes, placeholders included.
  public func count<Object: ManagedObject>(_ type: Object.Type) -> Int { count(of: Object.entityName) }

  /// The number of objects of a class and its sub-classes for which a closure says yes.
  ///
  /// - Throws: what the closure throws.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, where isIncluded: (Object) throws -> Bool
  ) rethrows -> Int {
    try fetch(type, where: isIncluded).count
  }

  /// The objects that are known by their identifier only (I4).
  public var placeholders: [ManagedObject] {
    (0..<state.pointee.tableCount).flatMap { table in
      hub.noteExtent(table, .members)
      return (0..<UInt32(state.pointee.tables[table].rowCount)).compactMap { row -> ManagedObject? in
        let header = state.pointee.row(table, row)[0]
        let isPlaceholder = header & RowHeader.placeholder != 0 && header & RowHeader.deleted == 0
        return isPlaceholder ? object(table, row) : nil
      }
    }
  }

  // MARK: Rows

  func rows(of entity: EntityPlan) -> [UInt32] {
    var rows: [UInt32] = []
    forEachRow(of: entity, .members) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// Walks over the rows of an entity and its sub-entities, until the closure says that it has enough.
  private func forEachRow(
    of entity: EntityPlan, _ extent: ObservationHub.Extent, _ body: (UInt32) throws -> Bool
  ) rethrows {
    let layout = state.pointee.layouts[entity.index]
    hub.noteExtent(layout.table, extent)
    // The closure may insert objects, which do not count, and take some back.
    let count = state.pointee.tables[layout.table].rowCount
    var row: UInt32 = 0
    while row < min(count, state.pointee.tables[layout.table].rowCount) {
      let header = state.pointee.row(layout.table, row)[0]
      let number = state.pointee.layouts[RowHeader.entity(header)].hierarchyNumber
      if header & RowHeader.deleted == 0, number >= layout.firstInHierarchy, number <= layout.lastInHierarchy {
        guard try body(row) else { return }
      }
      row += 1
    }
  }

  private func fetch<Object: ManagedObject>(
    _ entity: EntityPlan, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int
  ) -> [Object] {
    let table = state.pointee.layouts[entity.index].table
    let rows = rows(of: entity, keys, limit, offset, keys.isEmpty ? .members : .everything) { _ in true }
    return rows.map { object(table, $0, as: Object.self) }
  }

  private func fetch<Object: ManagedObject>(
    _ entity: EntityPlan, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int,
    where isIncluded: (Object) throws -> Bool
  ) rethrows -> [Object] {
    let table = state.pointee.layouts[entity.index].table
    // They stay alive until they are given to the caller.
    var objects: [Object] = []
    let rows = try rows(of: entity, keys, limit, offset, .everything) { row in
      let object = object(table, row, as: Object.self)
      guard try isIncluded(object) else { return false }
      objects.append(object)
      return true
    }
    return withExtendedLifetime(objects) { rows.map { object(table, $0, as: Object.self) } }
  }

  /// The rows that a closure chooses, sorted, without those before the offset and beyond the limit.
  private func rows<Object: ManagedObject>(
    of entity: EntityPlan, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int, _ extent: ObservationHub.Extent,
    where isIncluded: (UInt32) throws -> Bool
  ) rethrows -> [UInt32] {
    precondition(limit ?? 0 >= 0 && offset >= 0, "limit and offset must not be negative")
    // Without an order the walk ends as soon as there are enough.
    let sum = (limit ?? .max).addingReportingOverflow(offset)
    let enough = keys.isEmpty && !sum.overflow ? sum.partialValue : .max
    var rows: [UInt32] = []
    try forEachRow(of: entity, extent) { row in
      if rows.count < enough, try isIncluded(row) { rows.append(row) }
      return rows.count < enough
    }
    if !keys.isEmpty { rows = RowSorter(self, entity, keys).sorted(rows) }
    return Array(rows.dropFirst(offset).prefix(limit ?? .max))
  }
}
