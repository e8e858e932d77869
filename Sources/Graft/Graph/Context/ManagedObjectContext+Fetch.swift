/// Fetching, filtering, sorting and counting ([C2](doc:Rules#C2)).
extension ManagedObjectContext {
  // MARK: Fetching

  /// Returns objects of a class and its subclasses, in insertion order or sorted. The result includes placeholders.
  ///
  ///     let heroes = context.fetch(Hero.self, sortedBy: [.descending(\.appearances), .ascending(\.name)], limit: 10)
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - keys: the sort keys. Each one decides where those before it compare equal. A single one needs no brackets.
  ///   - limit: the maximum number of objects to return.
  ///   - offset: the number of objects to skip.
  /// - Precondition: the model has the entity; limit and offset are not negative.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sortedBy keys: [SortKey<Object>] = [], limit: Int? = nil, offset: Int = 0
  ) -> [Object] {
    fetch(entityPlan(Object.entityName), keys, limit, offset)
  }

  /// Returns the objects of a class and its subclasses for which a closure returns true.
  ///
  ///     let agile = context.fetch(Hero.self, limit: 3) { $0.powers.contains(agility) }
  ///
  /// In a context with a store, this loads all objects of the class. A `#Predicate` is evaluated by the store instead; see
  /// ``fetch(_:where:_:sortedBy:limit:offset:)``.
  ///
  /// - Throws: what the predicate throws.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sortedBy keys: [SortKey<Object>] = [], limit: Int? = nil, offset: Int = 0,
    where isIncluded: (Object) throws -> Bool
  ) rethrows -> [Object] {
    try fetch(entityPlan(Object.entityName), keys, limit, offset, where: isIncluded)
  }

  /// Returns objects of an entity and its sub-entities, in insertion order or sorted. The result includes placeholders.
  public func fetch(
    ofEntity name: String, sortedBy keys: [SortKey<ManagedObject>] = [], limit: Int? = nil, offset: Int = 0
  ) -> [ManagedObject] {
    fetch(entityPlan(name), keys, limit, offset)
  }

  /// Returns the objects of an entity and its sub-entities that satisfy a predicate.
  ///
  /// - Throws: what the predicate throws.
  public func fetch(
    ofEntity name: String, sortedBy keys: [SortKey<ManagedObject>] = [], limit: Int? = nil, offset: Int = 0,
    where isIncluded: (ManagedObject) throws -> Bool
  ) rethrows -> [ManagedObject] {
    try fetch(entityPlan(name), keys, limit, offset, where: isIncluded)
  }

  // MARK: Counting

  /// Returns the number of objects of an entity and its sub-entities, including placeholders.
  public func count(ofEntity name: String) -> Int {
    takeOverChanges()
    let entity = entityPlan(name)
    if binding == nil, entity.parent == nil {
      let table = state.layouts[entity.index].table
      hub.noteExtent(table, .members)
      return state.tables[table].rowCount - state.pointee.deletedCounts[table]
    }
    if let binding, !binding.knowledge.hasAll(of: entity.index) {
      var count = 0
      binding.attempt { () throws(StoreError) in count = try ObjectQuery(self, entity, .always).count() }
      return count
    }
    var count = 0
    forEachRow(of: entity, .members) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Returns the number of objects of a class and its subclasses, including placeholders.
  public func count<Object: ManagedObject>(_ type: Object.Type) -> Int { count(ofEntity: Object.entityName) }

  /// Returns the number of objects of a class and its subclasses that satisfy a predicate.
  ///
  /// - Throws: what the predicate throws.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, where isIncluded: (Object) throws -> Bool
  ) rethrows -> Int {
    try fetch(type, where: isIncluded).count
  }

  /// The placeholders: objects of which only the identifier is known.
  public var placeholders: [ManagedObject] {
    takeOverChanges()
    return model.plan.tables.enumerated().flatMap { table, plan in
      guard binding == nil else {
        let query = ObjectQuery(self, model.plan.entities[plan.root], .isPlaceholder(StorePath()))
        return rows(query).map { object(table, $0) }
      }
      hub.noteExtent(table, .members)
      return (0..<UInt32(state.tables[table].rowCount)).compactMap { row -> ManagedObject? in
        let header = state.row(table, row).header
        return header.isPlaceholder && !header.isDeleted ? object(table, row) : nil
      }
    }
  }

  // MARK: Rows

  /// The first rows of an entity and its sub-entities, in the order of insertion.
  func rows(
    of entity: EntityPlan, _ extent: ObservationHub.Extent = .members, atMost most: Int = .max
  ) -> [UInt32] {
    // With a store, rows are in the order of loading.
    let end = binding == nil ? most : .max
    var rows: [UInt32] = []
    forEachRow(of: entity, extent) { row in
      if rows.count < end { rows.append(row) }
      return rows.count < end
    }
    if binding == nil { return rows }
    return Array(state.pointee.asInserted(rows, state.layouts[entity.index].table).prefix(most))
  }

  /// Iterates over the rows of an entity and its sub-entities until the closure returns false.
  private func forEachRow(of entity: EntityPlan, _ extent: ObservationHub.Extent, _ body: (UInt32) -> Bool) {
    loadAll(entity.index)
    let layout = state.layouts[entity.index]
    hub.noteExtent(layout.table, extent)
    let place = state.layouts + entity.index
    for row in 0..<UInt32(state.tables[layout.table].rowCount) where isMember(row, place) {
      guard body(row) else { return }
    }
  }

  /// Whether a row of a table is an object of an entity or one of its sub-entities.
  func isMember(_ row: UInt32, _ layout: PlanReference<EntityLayout>) -> Bool {
    let header = state.row(layout.pointee.table, row).header
    // A fault among the rows of an entity that is in memory belongs to another entity, or was removed.
    if !header.isLoaded { return false }
    return layout.pointee.hierarchy.contains(state.layouts[header.entity].hierarchy.lowerBound)
  }

  private func fetch<Object: ManagedObject>(
    _ entity: EntityPlan, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int
  ) -> [Object] {
    takeOverChanges()
    let table = state.layouts[entity.index].table
    let most = most(keys, limit, offset)
    let sorter = RowSorter(self, entity, keys)
    if let rows = pageOfStore(entity, sorter.order, limit, offset) {
      return rows.map { object(table, $0, as: Object.self) }
    }
    let rows = rows(of: entity, keys.isEmpty ? .members : .everything, atMost: most)
    func objects(_ rows: some Sequence<UInt32>) -> [Object] { rows.map { object(table, $0, as: Object.self) } }
    if sorter.readsObjects { return Array(page(sorter.sorted(objects(rows)), limit, offset)) }
    return objects(page(keys.isEmpty ? rows : sorter.sorted(rows, atMost: end(limit, offset)), limit, offset))
  }

  private func fetch<Object: ManagedObject>(
    _ entity: EntityPlan, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int,
    where isIncluded: (Object) throws -> Bool
  ) rethrows -> [Object] {
    takeOverChanges()
    loadAll(entity.index)
    let layout = state.layouts[entity.index]
    let most = most(keys, limit, offset)
    hub.noteExtent(layout.table, .everything)
    // The closure may insert objects, which are not included, and change, delete and commit others.
    var rows =
      binding == nil
      ? HeldRows(self, allOf: layout.table) : HeldRows(self, layout.table, rows(of: entity, .everything))
    var objects: [Object] = []
    while objects.count < most, let row = rows.next() {
      guard isMember(row, state.layouts + entity.index) else { continue }
      let object = object(layout.table, row, as: Object.self)
      if try isIncluded(object) { objects.append(object) }
    }
    objects.removeAll(where: \.isGone)
    if !keys.isEmpty { objects = RowSorter(self, entity, keys).sorted(objects) }
    return Array(page(objects, limit, offset))
  }

  /// Returns the number of objects to find. Without sort keys, a fetch stops as soon as it has enough.
  private func most<Object: ManagedObject>(_ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int) -> Int {
    precondition(limit ?? 0 >= 0 && offset >= 0, "limit and offset must not be negative")
    return keys.isEmpty ? end(limit, offset) : .max
  }

  /// One more than the last position of a page.
  func end(_ limit: Int?, _ offset: Int) -> Int {
    let sum = (limit ?? .max).addingReportingOverflow(offset)
    return sum.overflow ? .max : sum.partialValue
  }

  /// Returns the elements from the offset up to the limit.
  func page<Element>(_ found: [Element], _ limit: Int?, _ offset: Int) -> ArraySlice<Element> {
    found.dropFirst(offset).prefix(limit ?? .max)
  }
}
