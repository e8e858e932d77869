/// Fetching, filtering, sorting and counting ([C2](doc:Rules#C2)).
extension ManagedObjectContext {
  // MARK: Fetching

  /// Returns objects of a class and its subclasses, in insertion order or sorted. The result includes placeholders.
  ///
  ///     let heroes = try context.fetch(Hero.self, sortedBy: .descending(\.appearances), .ascending(\.name), limit: 10)
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - keys: the sort keys, or arrays of them. Each key decides the order of objects that are equal according to the keys before it.
  ///   - limit: the maximum number of objects to return.
  ///   - offset: the number of objects to skip.
  /// - Throws: a ``StoreError`` if the store cannot be read, if the model does not have the entity or the attribute that a sort key
  ///   names, or if limit or offset is negative.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sortedBy keys: [SortKey<Object>]..., limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> [Object] {
    try fetch(entity(of: type), keys.flatMap(\.self), limit, offset)
  }

  /// Returns the objects of a class and its subclasses for which a closure returns true.
  ///
  ///     let agile = try context.fetch(Hero.self, limit: 3) { $0.powers.contains(agility) }
  ///
  /// In a context with a store, this loads all objects of the class. A `#Predicate` is evaluated by the store instead; see
  /// ``fetch(_:where:_:sortedBy:limit:offset:)-(_,_,_,[SortKey<Object>]...,_,_)``.
  ///
  /// - Throws: the closure's error, or a ``StoreError`` if the store cannot be read by this method or by the closure.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, sortedBy keys: [SortKey<Object>]..., limit: Int? = nil, offset: Int = 0,
    where isIncluded: (Object) throws -> Bool
  ) throws -> [Object] {
    try fetch(entity(of: type), keys.flatMap(\.self), limit, offset, where: isIncluded)
  }

  /// Returns the first object of a class and its subclasses for which a closure returns true, or nil if there is none.
  ///
  ///     let agile = try context.fetchOne(Hero.self) { $0.powers.contains(agility) }
  ///
  /// In a context with a store, this loads all objects of the class, as
  /// ``fetch(_:sortedBy:limit:offset:where:)-(_,[SortKey<Object>]...,_,_,_)`` does.
  ///
  /// - Throws: the closure's error, or a ``StoreError`` if the store cannot be read by this method or by the closure.
  public func fetchOne<Object: ManagedObject>(
    _ type: Object.Type, sortedBy keys: [SortKey<Object>]..., where isIncluded: (Object) throws -> Bool
  ) throws -> Object? {
    try fetch(entity(of: type), keys.flatMap(\.self), 1, 0, where: isIncluded).first
  }

  /// Returns whether a closure returns true for any object of a class and its subclasses.
  ///
  ///     if try context.exists(Hero.self, where: { $0.powers.isEmpty }) { ... }
  ///
  /// In a context with a store, this loads all objects of the class. A `#Predicate` is evaluated by the store instead; see
  /// ``exists(_:where:_:)``.
  ///
  /// - Throws: the closure's error, or a ``StoreError`` if the store cannot be read by this method or by the closure.
  public func exists<Object: ManagedObject>(
    _ type: Object.Type, where isIncluded: (Object) throws -> Bool
  ) throws -> Bool {
    try fetchOne(type, where: isIncluded) != nil
  }

  /// Deletes the objects of a class and its subclasses for which a closure returns true, according to the delete rules of their
  /// relationships ([M6](doc:Rules#M6)). The deletion is written to the store by the next commit.
  ///
  ///     try context.delete(Hero.self) { $0.powers.isEmpty }
  ///
  /// - Returns: the number of objects for which the closure returned true.
  /// - Throws: the closure's error, a ``StoreError`` if the store cannot be read by this method or by the closure, or a ``PropertyError``
  ///   if a `deny` relationship of one of the objects is not empty. In that case, nothing is deleted.
  @discardableResult
  public func delete<Object: ManagedObject>(
    _ type: Object.Type, where isIncluded: (Object) throws -> Bool
  ) throws -> Int {
    let objects = try fetch(type, where: isIncluded)
    try delete(objects)
    return objects.count
  }

  /// Returns objects of an entity and its sub-entities, in insertion order or sorted. The result includes placeholders.
  ///
  /// - Throws: a ``StoreError`` if the store cannot be read, if the model does not have the entity or the attribute that a sort key
  ///   names, or if limit or offset is negative.
  public func fetch(
    ofEntity name: String, sortedBy keys: [SortKey<ManagedObject>]..., limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> [ManagedObject] {
    try fetch(entity(named: name), keys.flatMap(\.self), limit, offset)
  }

  /// Returns the objects of an entity and its sub-entities for which a closure returns true.
  ///
  /// - Throws: the closure's error, or a ``StoreError`` if the store cannot be read by this method or by the closure.
  public func fetch(
    ofEntity name: String, sortedBy keys: [SortKey<ManagedObject>]..., limit: Int? = nil, offset: Int = 0,
    where isIncluded: (ManagedObject) throws -> Bool
  ) throws -> [ManagedObject] {
    try fetch(entity(named: name), keys.flatMap(\.self), limit, offset, where: isIncluded)
  }

  // MARK: Counting

  /// Returns the number of objects of an entity and its sub-entities, including placeholders.
  ///
  /// - Throws: a ``StoreError`` if the store cannot be read, or if the model does not have the entity.
  public func count(ofEntity name: String) throws(StoreError) -> Int {
    try takeOverChanges()
    let entity = try entity(named: name)
    if binding == nil, entity.parent == nil {
      let table = state.layouts[entity.index].table
      hub.noteExtent(table, .members)
      return state.tables[table].rowCount - state.pointee.deletedCounts[table]
    }
    if let binding, !binding.knowledge.hasAll(of: entity.index) {
      return try ObjectQuery(self, entity, .always).count()
    }
    var count = 0
    try forEachRow(of: entity, .members) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Returns the number of objects of a class and its subclasses, including placeholders.
  ///
  /// - Throws: a ``StoreError`` if the store cannot be read, or if the model does not have the entity.
  public func count<Object: ManagedObject>(_ type: Object.Type) throws(StoreError) -> Int {
    try count(ofEntity: Object.entityName)
  }

  /// Returns the number of objects of a class and its subclasses for which a closure returns true.
  ///
  /// - Throws: the closure's error, or a ``StoreError`` if the store cannot be read by this method or by the closure.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, where isIncluded: (Object) throws -> Bool
  ) throws -> Int {
    try fetch(type, where: isIncluded).count
  }

  /// The placeholders: objects known only by their identifier.
  ///
  /// Reading them throws a ``StoreError`` if the store cannot be read.
  public var placeholders: [ManagedObject] {
    get throws(StoreError) {
      try takeOverChanges()
      var found: [ManagedObject] = []
      for (table, plan) in model.plan.tables.enumerated() {
        if binding != nil {
          let query = ObjectQuery(self, model.plan.entities[plan.root], .isPlaceholder(StorePath()))
          found += try query.rows([SortKey<ManagedObject>](), nil, 0).map { object(table, $0) }
          continue
        }
        hub.noteExtent(table, .members)
        for row in 0..<UInt32(state.tables[table].rowCount) {
          let header = state.row(table, row).header
          if header.isPlaceholder, !header.isDeleted { found.append(object(table, row)) }
        }
      }
      return found
    }
  }

  // MARK: Rows

  /// The first rows of an entity and its sub-entities, in the order of insertion.
  func rows(
    of entity: EntityPlan, _ extent: ObservationHub.Extent = .members, atMost most: Int = .max
  ) throws(StoreError) -> [UInt32] {
    // With a store, rows are in the order in which they were loaded.
    let end = binding == nil ? most : .max
    var rows: [UInt32] = []
    try forEachRow(of: entity, extent) { row in
      if rows.count < end { rows.append(row) }
      return rows.count < end
    }
    if binding == nil { return rows }
    return Array(state.pointee.asInserted(rows, state.layouts[entity.index].table).prefix(most))
  }

  /// Iterates over the rows of an entity and its sub-entities until the closure returns false.
  private func forEachRow(
    of entity: EntityPlan, _ extent: ObservationHub.Extent, _ body: (UInt32) -> Bool
  ) throws(StoreError) {
    try binding?.loadAll(entity.index)
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
    // If all objects of an entity are in memory, a fault among its rows belongs to another entity, or was removed.
    if !header.isLoaded { return false }
    return layout.pointee.hierarchy.contains(state.layouts[header.entity].hierarchy.lowerBound)
  }

  private func fetch<Object: ManagedObject>(
    _ entity: EntityPlan, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int
  ) throws(StoreError) -> [Object] {
    try checkPage(limit, offset)
    try takeOverChanges()
    let found = try found(entity, keys, limit, offset)
    // Sorting may have read objects that are not in memory.
    try throwReadFailure()
    return found
  }

  private func found<Object: ManagedObject>(
    _ entity: EntityPlan, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int
  ) throws(StoreError) -> [Object] {
    let table = state.layouts[entity.index].table
    let sorter = try RowSorter(self, entity, keys)
    if let rows = try pageOfStore(entity, sorter.order, limit, offset) {
      return rows.map { object(table, $0, as: Object.self) }
    }
    let most = most(keys, limit, offset)
    let rows = try rows(of: entity, keys.isEmpty ? .members : .everything, atMost: most)
    func objects(_ rows: some Sequence<UInt32>) -> [Object] { rows.map { object(table, $0, as: Object.self) } }
    if sorter.readsObjects { return Array(page(sorter.sorted(objects(rows)), limit, offset)) }
    return objects(page(keys.isEmpty ? rows : sorter.sorted(rows, atMost: end(limit, offset)), limit, offset))
  }

  private func fetch<Object: ManagedObject>(
    _ entity: EntityPlan, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int,
    where isIncluded: (Object) throws -> Bool
  ) throws -> [Object] {
    try checkPage(limit, offset)
    try takeOverChanges()
    let sorter = try RowSorter(self, entity, keys)
    try binding?.loadAll(entity.index)
    let layout = state.layouts[entity.index]
    let most = most(keys, limit, offset)
    hub.noteExtent(layout.table, .everything)
    // The closure may insert objects, which are not included, and change, delete and commit other objects.
    var rows =
      binding == nil
      ? HeldRows(self, allOf: layout.table) : HeldRows(self, layout.table, try rows(of: entity, .everything))
    var objects: [Object] = []
    while objects.count < most, let row = rows.next() {
      guard isMember(row, state.layouts + entity.index) else { continue }
      let object = object(layout.table, row, as: Object.self)
      if try isIncluded(object) { objects.append(object) }
    }
    objects.removeAll(where: \.isGone)
    if !keys.isEmpty { objects = sorter.sorted(objects) }
    // The closure and the sorting may have read objects that are not in memory.
    try throwReadFailure()
    return Array(page(objects, limit, offset))
  }

  /// Returns the number of objects to find. Without sort keys, a fetch stops as soon as it has found this number.
  private func most<Object: ManagedObject>(_ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int) -> Int {
    keys.isEmpty ? end(limit, offset) : .max
  }

  func checkPage(_ limit: Int?, _ offset: Int) throws(StoreError) {
    if let limit, limit < 0 { throw .negative("limit", limit) }
    if offset < 0 { throw .negative("offset", offset) }
  }

  /// Returns the position after the end of a page.
  func end(_ limit: Int?, _ offset: Int) -> Int {
    let sum = (limit ?? .max).addingReportingOverflow(offset)
    return sum.overflow ? .max : sum.partialValue
  }

  /// Returns the elements from the offset up to the limit.
  func page<Element>(_ found: [Element], _ limit: Int?, _ offset: Int) -> ArraySlice<Element> {
    found.dropFirst(offset).prefix(limit ?? .max)
  }
}
