/// The rows of a context, found by the keys of a live list, with the facts that the list needs about them.
///
///     key    5     row 5 of the store, wherever it is in memory
///            -3    row 2, which no store has
///
/// Keys of stored rows remain valid regardless of what is loaded or evicted. Rows are loaded when one of their values is read.
final class ResultRows {
  private unowned let context: ManagedObjectContext
  let query: ResultQuery
  /// The condition, with the current numbers of the rows that it names.
  private(set) var condition: StoreCondition
  private var test: CompiledCondition
  private let layout: PlanReference<EntityLayout>

  init(_ context: ManagedObjectContext, _ query: ResultQuery) {
    self.context = context
    self.query = query
    condition = query.condition
    test = CompiledCondition(
      query.condition, GraphRows(state: context.state, map: context.queryMap), table: query.table)
    layout = context.model.plan.layouts + query.entity.index
  }

  /// Prepares to test rows after changes, because the condition refers to rows by their current numbers.
  ///
  /// - Returns: whether the condition has changed.
  func renew() throws(StoreError) -> Bool {
    test.beginPass()
    guard let new = try query.renewal?.translate(), new != condition else { return false }
    condition = new
    test = CompiledCondition(new, GraphRows(state: state, map: context.queryMap), table: table)
    return true
  }

  private var state: Reference<GraphState> { context.state }
  private var table: Int { query.table }

  // MARK: Rows

  /// Loads the row of a key; nil if there is no such row.
  func row(of key: Int64) -> UInt32? {
    guard key > 0 else {
      let number = -(key + 1)
      return number < Int64(state.tables[table].rowCount) ? UInt32(number) : nil
    }
    guard let binding = context.binding else { return nil }
    if binding.rowsByID[table][key] == nil { load([key]) }
    guard let row = binding.rowsByID[table][key] else { return nil }
    state.loadRow(table, row)
    return row
  }

  /// Loads rows together.
  func load(_ keys: some Sequence<Int64>) {
    guard let binding = context.binding else { return }
    binding.attempt { () throws(StoreError) in try binding.loadMissing(Set(keys.filter { $0 > 0 }), of: table) }
  }

  // MARK: The whole list

  /// The keys of the list in order.
  ///
  /// - Parameter isPage: whether to return only the part that the list shows.
  func keys(isPage: Bool) throws(StoreError) -> [Int64] {
    try ObjectQuery(context, query.entity, condition)
      .keys(orderedBy: query.order, isPage ? query.limit : nil, isPage ? query.offset : 0)
  }

  /// The sections of keys that are in order; nil for a list without sections. In a context with a store, the store counts the objects of
  /// each section.
  func sections(of keys: [Int64]) throws(StoreError) -> ResultSections? {
    guard query.isSectioned else { return nil }
    if let sections = try countedSections(of: keys) { return sections }
    load(keys)
    var sections = ResultSections()
    for key in keys { sections.append(section(of: key)) }
    return sections
  }

  /// The sections, as counted by the store; nil if the store cannot count them. Only the first object of each section is loaded.
  private func countedSections(of keys: [Int64]) throws(StoreError) -> ResultSections? {
    guard context.binding != nil, !state.hasChanges, !query.isPage, let path = query.sectionPath, path.count == 1,
      let first = query.order.first, let type = type(of: path[0])
    else { return nil }
    let groups = try ObjectQuery(context, query.entity, condition).unnoted
      .groups(StoreAggregate(.count, groupedBy: first.column))
    var counts: [AttributeValue?: Int] = [:]
    for group in groups { counts[group.key.attributeValue(type), default: 0] += group.count }
    var sections = ResultSections()
    var position = 0
    while position < keys.count {
      let value = section(of: keys[position])
      guard let count = counts[value], count > 0, position + count <= keys.count else { return nil }
      sections.append(value, count: count)
      position += count
    }
    return sections
  }

  private func type(of slot: SlotPlan) -> AttributeType? {
    let number = (0..<layout.pointee.slotCount).first { layout.pointee.slots[$0].cell == slot.cell }
    return number.flatMap { query.entity.properties[$0].attribute?.storedType }
  }

  // MARK: One object

  /// Whether the list contains the object of a key.
  ///
  /// - Throws: a ``StoreError`` if an integer overflows or is divided by zero.
  func isIncluded(_ key: Int64) throws(StoreError) -> Bool {
    guard let row = row(of: key), context.isMember(row, layout) else { return false }
    return try test.isMet(by: RowPlace(table: table, row: row))
  }

  /// Whether an object comes before another object. Objects that compare equal are in the order of insertion.
  func precedes(_ left: Int64, _ right: Int64) -> Bool {
    if !query.order.isEmpty, let first = row(of: left), let second = row(of: right) {
      switch query.rowOrder.order(first, second) {
      case .before: return true
      case .behind: return false
      case .same: break
      }
    }
    return isEarlier(left, right)
  }

  private func isEarlier(_ left: Int64, _ right: Int64) -> Bool {
    guard let binding = context.binding else { return left > right }
    return binding.age(ofKey: left, table) < binding.age(ofKey: right, table)
  }

  /// The value that determines the section of an object.
  func section(of key: Int64) -> AttributeValue? {
    guard let path = query.sectionPath, let last = path.last, let number = row(of: key) else { return nil }
    let reader = RowReader(state)
    var row = reader.row(table, number)
    for slot in path.dropLast() {
      guard let target = reader.target(row, slot) else { return nil }
      row = reader.row(slot.destinationTable, target)
    }
    return reader.value(row, last)
  }

  func id(of key: Int64) -> ManagedObjectID {
    guard let row = row(of: key) else {
      return ManagedObjectID(entityName: query.entity.name, key: .number(.none), hidesIdentity: false)
    }
    return context.id(table, row)
  }

  /// The object of a key. If it cannot be loaded, a row is created for it.
  func object<Object: ManagedObject>(of key: Int64, as type: Object.Type) -> Object {
    context.object(table, row(of: key) ?? fault(of: key), as: type)
  }

  private func fault(of key: Int64) -> UInt32 {
    guard let binding = context.binding else { preconditionFailure("a live list has a row that no longer exists") }
    let load = state.beginLoad()
    defer { state.endLoad(load) }
    return binding.number(table, key, entity: query.entity.index)
  }
}

extension StoreBinding {
  /// The age of the object that has a live list's key, like ``age(_:_:)``, but without reading its row.
  func age(ofKey key: Int64, _ table: Int) -> UInt64 {
    if key < 0 { return age(table, UInt32(truncatingIfNeeded: -(key + 1))) }
    return pinned?.age(table, key) ?? UInt64(bitPattern: key)
  }
}
