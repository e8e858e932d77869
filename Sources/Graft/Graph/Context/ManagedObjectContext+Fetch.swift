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
    ofEntity name: String, sortedBy keys: [SortKey<ManagedObject>] = [], limit: Int? = nil, offset: Int = 0
  ) -> [ManagedObject] {
    fetch(entityPlan(name), keys, limit, offset)
  }

  /// The objects of an entity and its sub-entities for which a closure says yes.
  ///
  /// - Throws: what the closure throws.
  public func fetch(
    ofEntity name: String, sortedBy keys: [SortKey<ManagedObject>] = [], limit: Int? = nil, offset: Int = 0,
    where isIncluded: (ManagedObject) throws -> Bool
  ) rethrows -> [ManagedObject] {
    try fetch(entityPlan(name), keys, limit, offset, where: isIncluded)
  }

  // MARK: Numbers

  /// The number of objects of an entity and its sub-entities, placeholders included.
  public func count(ofEntity name: String) -> Int {
    var count = 0
    forEachRow(of: entityPlan(name), .members) { _ in
      count += 1
      return true
    }
    return count
  }

  /// The number of objects of a class and its sub-classes, placeholders included.
  public func count<Object: ManagedObject>(_ type: Object.Type) -> Int { count(ofEntity: Object.entityName) }

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
  private func forEachRow(of entity: EntityPlan, _ extent: ObservationHub.Extent, _ body: (UInt32) -> Bool) {
    let layout = state.pointee.layouts[entity.index]
    hub.noteExtent(layout.table, extent)
    for row in 0..<UInt32(state.pointee.tables[layout.table].rowCount) where isMember(row, layout) {
      guard body(row) else { return }
    }
  }

  /// Whether a row of a table is an object of an entity or of its sub-entities.
  private func isMember(_ row: UInt32, _ layout: EntityLayout) -> Bool {
    let header = state.pointee.row(layout.table, row)[0]
    let number = state.pointee.layouts[RowHeader.entity(header)].hierarchyNumber
    return header & RowHeader.deleted == 0 && number >= layout.firstInHierarchy && number <= layout.lastInHierarchy
  }

  private func fetch<Object: ManagedObject>(
    _ entity: EntityPlan, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int
  ) -> [Object] {
    let table = state.pointee.layouts[entity.index].table
    let most = most(keys, limit, offset)
    var rows: [UInt32] = []
    forEachRow(of: entity, keys.isEmpty ? .members : .everything) { row in
      if rows.count < most { rows.append(row) }
      return rows.count < most
    }
    func objects(_ rows: some Sequence<UInt32>) -> [Object] { rows.map { object(table, $0, as: Object.self) } }
    let sorter = RowSorter(self, entity, keys)
    if sorter.readsObjects { return Array(page(sorter.sorted(objects(rows)), limit, offset)) }
    return objects(page(keys.isEmpty ? rows : sorter.sorted(rows), limit, offset))
  }

  private func fetch<Object: ManagedObject>(
    _ entity: EntityPlan, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int,
    where isIncluded: (Object) throws -> Bool
  ) rethrows -> [Object] {
    let layout = state.pointee.layouts[entity.index]
    let most = most(keys, limit, offset)
    hub.noteExtent(layout.table, .everything)
    // The closure may insert objects, which do not count, and change, delete and commit others.
    var rows = HeldRows(self, allOf: layout.table)
    var objects: [Object] = []
    while objects.count < most, let row = rows.next() {
      guard isMember(row, layout) else { continue }
      let object = object(layout.table, row, as: Object.self)
      if try isIncluded(object) { objects.append(object) }
    }
    objects.removeAll(where: \.isGone)
    if !keys.isEmpty { objects = RowSorter(self, entity, keys).sorted(objects) }
    return Array(page(objects, limit, offset))
  }

  /// How many objects a fetch must find: without an order it ends as soon as there are enough.
  private func most<Object: ManagedObject>(_ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int) -> Int {
    precondition(limit ?? 0 >= 0 && offset >= 0, "limit and offset must not be negative")
    let sum = (limit ?? .max).addingReportingOverflow(offset)
    return keys.isEmpty && !sum.overflow ? sum.partialValue : .max
  }

  /// What is left without those before the offset and beyond the limit.
  private func page<Element>(_ found: [Element], _ limit: Int?, _ offset: Int) -> ArraySlice<Element> {
    found.dropFirst(offset).prefix(limit ?? .max)
  }
}
