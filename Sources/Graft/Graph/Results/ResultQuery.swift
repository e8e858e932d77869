/// The query of a live list: the condition, the order, and the part that is shown.
struct ResultQuery {
  let entity: EntityPlan
  let table: Int
  let condition: StoreCondition
  let renewal: ObjectQuery.Renewal?
  /// The sort keys, as columns of a store.
  let order: [StoreQuery.Order]
  /// The sort keys, as slots of rows.
  let rowOrder: RowOrder
  /// Whether the first sort key divides the list into sections.
  let isSectioned: Bool
  let limit: Int?
  let offset: Int

  /// - Parameter section: the sort key that divides the list into sections.
  /// - Throws: a ``StoreError`` if a key does not name an attribute, or if limit or offset is negative.
  init<Object: ManagedObject>(
    _ query: ObjectQuery, _ context: ManagedObjectContext, section: SortKey<Object>?, _ keys: [SortKey<Object>],
    _ limit: Int?, _ offset: Int
  ) throws(StoreError) {
    try context.checkPage(limit, offset)
    entity = query.entity
    table = query.table
    condition = query.condition
    renewal = query.renewal
    let keys = (section.map { [$0] } ?? []) + keys
    let sorter = try RowSorter(context, entity, keys, hasColumns: true)
    guard let order = sorter.order else {
      throw StoreError(
        .untranslatablePredicate,
        "a live list cannot be sorted by a closure, because it cannot know what the closure reads; name the attribute, as in '.ascending(\"publisher.name\")'"
      )
    }
    self.order = order
    rowOrder = sorter.rowOrder
    isSectioned = section != nil
    self.limit = limit
    self.offset = offset
  }

  /// Whether only a part of the list is shown.
  var isPage: Bool { limit != nil || offset > 0 }

  /// The slots that lead to the value that divides the list into sections.
  var sectionPath: [SlotPlan]? { isSectioned ? rowOrder.keys.first?.path : nil }
}
