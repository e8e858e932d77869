#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A query of a context. It is evaluated on the rows in memory, by the store, or by both.
///
///     no pending changes in the tables that it reads     the store selects rows
///     changes in the table of the objects only        the store selects rows; changed rows are tested here
///     changes in other tables that it reads           everything is loaded, and tested here
struct ObjectQuery {
  private let context: ManagedObjectContext
  let entity: EntityPlan
  let table: Int
  private(set) var condition: StoreCondition
  private(set) var renewal: Renewal?
  /// Whether to evaluate the query without the store.
  private var isInMemory = false
  /// Whether the query is registered as a read, so that views follow its results.
  private var isNoted = true

  private enum Route { case memory, store, both }

  /// Updates a condition that refers to rows by number, when the numbers have changed.
  struct Renewal {
    /// A closure that translates the predicates again.
    let translate: () throws(StoreError) -> StoreCondition
    /// The tables whose changes can alter the numbers.
    let tables: Set<Int>
  }

  /// - Throws: a ``StoreError`` if a predicate cannot be translated.
  init<Object: ManagedObject>(
    _ context: ManagedObjectContext, _ type: Object.Type, _ predicates: [Predicate<Object>]
  ) throws(StoreError) {
    try context.takeOverChanges()
    self.context = context
    entity = try context.entity(of: type)
    table = context.model.plan.layouts[entity.index].table
    let index = entity.index
    let translator = PredicateTranslator(context)
    condition = try translator.condition(predicates, entity: index)
    guard !translator.namedTables.isEmpty else { return }
    renewal = Renewal(
      translate: { [unowned context] () throws(StoreError) in
        try PredicateTranslator(context).condition(predicates, entity: index)
      }, tables: translator.namedTables)
  }

  /// A query with a condition that has been translated.
  init(_ context: ManagedObjectContext, _ entity: EntityPlan, _ condition: StoreCondition) {
    self.context = context
    self.entity = entity
    self.condition = condition
    table = context.model.plan.layouts[entity.index].table
  }

  /// This query with the current numbers of the rows that it refers to.
  func renewed() throws(StoreError) -> ObjectQuery {
    guard let renewal else { return self }
    var query = self
    query.condition = try renewal.translate()
    return query
  }

  /// This query, not registered as a read, so that views do not follow its results.
  var unnoted: ObjectQuery {
    var query = self
    query.isNoted = false
    return query
  }

  private var state: Reference<GraphState> { context.state }
  private var rows: GraphRows { GraphRows(state: state, map: context.queryMap) }

  /// Decides where the query runs, and registers its reads for observers.
  private func route(_ order: [StoreQuery.Order]) -> Route {
    let read = ReadTables(condition, order, table: table, context.queryMap.schema).tables
    if isNoted { for table in read.union([table]) { context.hub.noteExtent(table, .everything) } }
    guard context.binding != nil, !isInMemory else { return .memory }
    context.binding?.knowledge.noteShown(table)
    let pending = context.pendingChanges.tables
    if pending.isDisjoint(with: read) { return pending.contains(table) ? .both : .store }
    return .memory
  }

  private func storeQuery(_ binding: StoreBinding, _ order: [StoreQuery.Order] = []) -> StoreQuery {
    StoreQuery(table: table, entities: binding.positions(of: entity.index), condition: condition, order: order)
  }

  /// Evaluates the query, in memory if its store cannot, because SQLite limits the depth of conditions and the number of their values.
  ///
  /// - Throws: the store's error, or the error of a load that failed in code that cannot throw.
  private func evaluated<Result>(
    _ evaluate: (ObjectQuery) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      let result = try evaluate(self)
      try context.throwReadFailure()
      return result
    } catch {
      guard !isInMemory, context.binding != nil, error.diagnostics.first?.code == .untranslatablePredicate else {
        throw error
      }
      var query = self
      query.isInMemory = true
      let result = try evaluate(query)
      try context.throwReadFailure()
      return result
    }
  }

  // MARK: Rows

  /// The rows that the query selects, in order, from the offset up to the limit.
  func rows<Object: ManagedObject>(
    _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int
  ) throws(StoreError) -> [UInt32] {
    try evaluated { (query) throws(StoreError) in try query.selected(keys, limit, offset) }
  }

  private func selected<Object: ManagedObject>(
    _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int
  ) throws(StoreError) -> [UInt32] {
    try context.checkPage(limit, offset)
    let sorter = try RowSorter(context, context.model.plan.entities[entity.index], keys)
    switch route(sorter.order ?? []) {
    case .memory:
      let isUnordered = keys.isEmpty && context.binding == nil
      let most =
        isUnordered
        ? limit.map { $0.addingReportingOverflow(offset) }.flatMap { $0.overflow ? nil : $0.partialValue } : nil
      let found = sorted(try rowsInMemory(atMost: most), sorter, keys, atMost: context.end(limit, offset))
      return Array(context.page(found, limit, offset))
    case .store:
      guard let binding = context.binding else { return [] }
      var query = storeQuery(binding, sorter.order ?? [])
      if sorter.order != nil { (query.limit, query.offset) = (limit, offset) }
      let found = binding.place(try binding.snapshot().rows(selectedBy: query)).filter(isMember)
      return sorter.order != nil ? found : Array(context.page(sorted(found, sorter, keys), limit, offset))
    case .both:
      let found = try changedAndStored(sorter.order, limit, offset)
      return Array(context.page(sorted(found, sorter, keys), limit, offset))
    }
  }

  /// The rows that a query of a child selects, in order, from the offset up to the limit.
  func rows(orderedBy order: [StoreQuery.Order], _ limit: Int?, _ offset: Int) throws(StoreError) -> [UInt32] {
    try evaluated { (query) throws(StoreError) in try query.selected(order, limit, offset) }
  }

  private func selected(
    _ order: [StoreQuery.Order], _ limit: Int?, _ offset: Int
  ) throws(StoreError) -> [UInt32] {
    let found: [UInt32]
    switch route(order) {
    case .memory: found = try rowsInMemory()
    case .store:
      guard let binding = context.binding else { return [] }
      var query = storeQuery(binding, order)
      (query.limit, query.offset) = (limit, offset)
      return binding.place(try binding.snapshot().rows(selectedBy: query)).filter(isMember)
    case .both: found = try changedAndStored(order, limit, offset)
    }
    let sorted = order.sorted(found.map { RowPlace(table: table, row: $0) }, rows, table: table) {
      state.pointee.isEarlier((table, $0.row), (table, $1.row))
    }
    return Array(context.page(sorted.map(\.row), limit, offset))
  }

  /// The keys of the rows that the query selects, in order, for a live list: the numbers of a store's rows, without loading them, and
  /// negative numbers for rows that no store has.
  func keys(orderedBy order: [StoreQuery.Order], _ limit: Int?, _ offset: Int) throws(StoreError) -> [Int64] {
    try unnoted.evaluated { (query) throws(StoreError) in
      guard case .store = query.route(order), let binding = context.binding else {
        return try query.selected(order, limit, offset).map { rows.id(RowPlace(table: table, row: $0)) }
      }
      var stored = query.storeQuery(binding, order)
      (stored.limit, stored.offset) = (limit, offset)
      return try binding.snapshot().ids(selectedBy: stored)
    }
  }

  private func isMember(_ row: UInt32) -> Bool { context.isMember(row, state.layouts + entity.index) }

  /// Sorts rows. Rows that compare equal are in the order of insertion.
  private func sorted<Object: ManagedObject>(
    _ rows: [UInt32], _ sorter: RowSorter<Object>, _ keys: [SortKey<Object>], atMost most: Int = .max
  ) -> [UInt32] {
    let rows = state.pointee.asInserted(rows, table)
    if keys.isEmpty { return rows }
    guard sorter.readsObjects else { return sorter.sorted(rows, atMost: most) }
    return sorter.sorted(rows.map { context.object(table, $0, as: Object.self) }).map(\.number)
  }

  /// The rows in memory that meet the condition, after all objects of the entity have been loaded.
  func rowsInMemory(atMost most: Int? = nil) throws(StoreError) -> [UInt32] {
    try context.binding?.loadAll(entity.index)
    let test = CompiledCondition(condition, rows, table: table)
    var found: [UInt32] = []
    for row in 0..<UInt32(state.tables[table].rowCount) where isMember(row) {
      if found.count == most { break }
      if try test.isMet(by: RowPlace(table: table, row: row)) { found.append(row) }
    }
    return found
  }

  /// The rows that the store selects and that are unchanged in this context, and the changed rows that meet the condition.
  private func changedAndStored(
    _ order: [StoreQuery.Order]?, _ limit: Int?, _ offset: Int
  ) throws(StoreError) -> [UInt32] {
    guard let binding = context.binding else { return [] }
    let changed = context.pendingChanges.rows(of: table)
    try binding.load(
      changed.filter { state.row(table, $0).isFault }.sorted(), of: table)
    var query = storeQuery(binding, order ?? [])
    if order != nil, let limit {
      // Changed rows must not be among the first rows that the store selects, up to the limit.
      let (sum, isTooLarge) = limit.addingReportingOverflow(offset)
      let ids = ids(of: changed, binding)
      if let ids {
        query.condition = .all([condition, .not(.isOne(.id(StorePath()), of: ids))])
      }
      let (most, isLarger) = sum.addingReportingOverflow(ids == nil ? changed.count : 0)
      if !isTooLarge, !isLarger { query.limit = most }
    }
    var found = binding.place(try binding.snapshot().rows(selectedBy: query)).filter {
      isMember($0) && !changed.contains($0)
    }
    found += try matching(changed)
    return found
  }

  private func matching(_ rows: Set<UInt32>) throws(StoreError) -> [UInt32] {
    let test = CompiledCondition(condition, self.rows, table: table)
    var found: [UInt32] = []
    for row in rows where isMember(row) {
      if try test.isMet(by: RowPlace(table: table, row: row)) { found.append(row) }
    }
    return found
  }

  /// The numbers of rows in the store, for use in a query; nil if there are too many. New rows have no number.
  private func ids(of rows: Set<UInt32>, _ binding: StoreBinding) -> [StoreValue]? {
    let ids = rows.map { binding.id(table, $0) }.filter { $0 > 0 }
    return ids.count <= 1_000 ? ids.sorted().map { .integer($0) } : nil
  }

  // MARK: Values

  /// The number of objects that the query selects.
  func count() throws(StoreError) -> Int {
    try evaluated { (query) throws(StoreError) in try query.selectedCount() }
  }

  private func selectedCount() throws(StoreError) -> Int {
    if let binding = context.binding {
      switch route([]) {
      case .memory: break
      case .store:
        return try binding.snapshot().count(selectedBy: storeQuery(binding))
      case .both: if let count = try countOfChangedAndStored(binding) { return count }
      }
    }
    return try rows([SortKey<ManagedObject>](), nil, 0).count
  }

  /// The number of selected rows: unchanged rows that the store selects, and changed rows that meet the condition; nil if too many rows
  /// have changed.
  private func countOfChangedAndStored(_ binding: StoreBinding) throws(StoreError) -> Int? {
    let changed = context.pendingChanges.rows(of: table)
    if changed.count > 1_000 { return nil }
    try binding.load(changed.filter { state.row(table, $0).isFault }.sorted(), of: table)
    guard let ids = ids(of: changed, binding) else { return nil }
    var query = storeQuery(binding)
    var count = try binding.snapshot().count(selectedBy: query)
    if !ids.isEmpty {
      query.condition = .all([.isOne(.id(StorePath()), of: ids), condition])
      count -= try binding.snapshot().count(selectedBy: query)
    }
    count += try matching(changed).count
    return count
  }

  /// Values computed over the objects that the query selects.
  func groups(_ aggregate: StoreAggregate) throws(StoreError) -> [StoreAggregate.Group] {
    try evaluated { (query) throws(StoreError) in try query.computed(aggregate) }
  }

  private func computed(_ aggregate: StoreAggregate) throws(StoreError) -> [StoreAggregate.Group] {
    if case .store = route([]), let binding = context.binding {
      return try binding.snapshot().aggregate(aggregate, over: storeQuery(binding))
    }
    let places = try rows([SortKey<ManagedObject>](), nil, 0).map { RowPlace(table: table, row: $0) }
    return try aggregate.groups(of: places, rows, table: table)
  }
}

extension ManagedObjectContext {
  /// A page of an entity's objects, selected by the store; nil if the objects are in memory anyway, or if all of them are requested.
  func pageOfStore(
    _ entity: EntityPlan, _ order: [StoreQuery.Order]?, _ limit: Int?, _ offset: Int
  ) throws(StoreError) -> [UInt32]? {
    guard let binding, let order, limit != nil || offset > 0, !binding.knowledge.hasAll(of: entity.index) else {
      return nil
    }
    return try ObjectQuery(self, entity, .always).rows(orderedBy: order, limit, offset)
  }
}
