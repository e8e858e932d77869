/// Objects of an entity, selected by a condition and sort keys, both as text, and by a limit.
///
///     publisher.name = "DC" and appearances > 10        -appearances,name        20
package struct ObjectSelection {
  private let context: ManagedObjectContext
  private let entity: EntityPlan
  private let condition: StoreCondition
  private let keys: [SortKey<ManagedObject>]
  private let limit: Int?

  /// - Parameters:
  ///   - condition: the text of a condition, and its name in messages.
  ///   - order: the attributes to sort by, separated by commas, and the name of this list in messages. A minus before an attribute means
  ///     that the largest value comes first.
  /// - Precondition: the model has the entity.
  package init(
    of entityName: String, in context: ManagedObjectContext, where condition: (text: String, name: String)? = nil,
    sortedBy order: (text: String, name: String)? = nil, limit: Int? = nil
  ) throws(ConditionError) {
    self.context = context
    self.limit = limit
    entity = context.entityPlan(entityName)
    if let condition {
      let text = ConditionText(condition.text, name: condition.name)
      self.condition = try ConditionTextTranslator(text, context).condition(of: entity)
    } else {
      self.condition = .always
    }
    guard let order else {
      keys = []
      return
    }
    keys = try SortKeyText(ConditionText(order.text, name: order.name), context, entity).keys()
  }

  /// Whether the selection has an order.
  var isSorted: Bool { !keys.isEmpty }

  /// Returns the rows. Without sort keys, a limit selects the first objects by identity.
  func rows() throws(StoreError) -> [UInt32] {
    var keys = keys
    if limit != nil, keys.isEmpty {
      keys = identityPaths(of: entity).map { .named($0, isDescending: false) }
    }
    return try ObjectQuery(context, entity, condition).rows(keys, limit, 0)
  }

  /// Returns the store query that selects the objects.
  ///
  /// - Precondition: the context has a store.
  package func storeQuery() throws(StoreError) -> StoreQuery {
    let table = context.model.plan.layouts[entity.index].table
    let entities = context.binding?.positions(of: entity.index)
    let order = try RowSorter(context, context.model.plan.entities[entity.index], keys).order ?? []
    return StoreQuery(table: table, entities: entities, condition: condition, order: order, limit: limit)
  }

  /// The paths to the values that identify an object. An owner (M12) is replaced by the paths to its own identity.
  private func identityPaths(of entity: EntityPlan) -> [[String]] {
    entity.identitySlots.flatMap { slot -> [[String]] in
      let name = entity.properties[slot].name
      guard entity.properties[slot].relationship != nil else { return [[name]] }
      let plan = context.model.plan
      let owner = plan.entities[plan.layouts[entity.index].slots[slot].destination]
      return identityPaths(of: owner).map { [name] + $0 }
    }
  }
}

/// Reads sort keys: `publisher.name,-appearances`.
private struct SortKeyText {
  private let text: ConditionText
  private let names: ConditionNames
  private let row: PredicateRow

  init(_ text: ConditionText, _ context: ManagedObjectContext, _ entity: EntityPlan) {
    self.text = text
    names = ConditionNames(text, PredicateTranslator(context))
    row = PredicateRow(path: StorePath(), entity: entity.index)
  }

  func keys() throws(ConditionError) -> [SortKey<ManagedObject>] {
    var keys: [SortKey<ManagedObject>] = []
    var offset = 0
    for part in text.source.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      keys.append(try key(part, offset))
      offset += part.count + 1
    }
    return keys
  }

  private func key(_ part: ArraySlice<UInt8>, _ start: Int) throws(ConditionError) -> SortKey<ManagedObject> {
    let isDescending = part.first == UInt8(ascii: "-")
    var path = ConditionExpression.Path(names: [])
    var offset = start + (isDescending ? 1 : 0)
    for name in part.dropFirst(isDescending ? 1 : 0).split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    {
      path.names.append(
        (String(decoding: name, as: UTF8.self), SourceRange(offset: offset, length: max(1, name.count))))
      offset += name.count + 1
    }
    guard path.names.allSatisfy({ !$0.text.isEmpty }) else {
      throw text.error(
        "expected the name of an attribute, such as name or -publisher.name",
        SourceRange(offset: start, length: max(1, part.count)))
    }
    guard case .scalar(_, let property?) = try names.value(path, row) else {
      throw text.error("'\(names.title(path))' is not an attribute to sort by", path.range)
    }
    guard let attribute = property.attribute, attribute.storedType != .json else {
      let kind = property.attribute?.isList == true ? "a list" : "JSON"
      throw text.error("'\(names.title(path))' is \(kind), which has no order", path.range)
    }
    return .named(path.names.map(\.text), isDescending: isDescending)
  }
}
