#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value that was computed over the objects of a group.
public struct QueryGroup<Key, Value> {
  /// The value that the objects of the group have in common.
  public let key: Key
  /// The computed value.
  public let value: Value
}

extension QueryGroup: Sendable where Key: Sendable, Value: Sendable {}
extension QueryGroup: Equatable where Key: Equatable, Value: Equatable {}

/// Aggregates over the values of attributes.
///
/// The store computes all aggregates without loading objects, unless changes are pending. The methods throw a ``StoreError`` if a
/// predicate cannot be translated, if the text of a condition has an error, if the class does not list the attribute in
/// ``ManagedObject/queryableProperties``, if a sum does not fit into 64 bits, if a value does not fit the property's type (such as a sum
/// of `Int16` that is too large for `Int16`), or if the store cannot be read.
extension ManagedObjectContext {
  // MARK: Over all objects

  /// Returns the sum of an attribute; 0 if there are no values. Nils are ignored.
  ///
  ///     let appearances = try context.sum(\Hero.appearances, where: #Predicate { $0.publisher?.name == "DC" })
  public func sum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> Value.QueriedValue where Value.QueriedValue: Numeric {
    let query = try AggregateQuery(self, property, predicates)
    return try query.value(.sum) ?? .zero
  }

  /// Returns the smallest value of an attribute; nil if there are no values. Text is compared by its bytes.
  public func minimum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> Value.QueriedValue? where Value.QueriedValue: Comparable {
    try AggregateQuery(self, property, predicates).value(.minimum)
  }

  /// Returns the largest value of an attribute; nil if there are no values. Text is compared by its bytes.
  public func maximum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> Value.QueriedValue? where Value.QueriedValue: Comparable {
    try AggregateQuery(self, property, predicates).value(.maximum)
  }

  /// Returns the average of an attribute; nil if there are no values. Nils are ignored.
  public func average<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> Double? where Value.QueriedValue: Numeric {
    try AggregateQuery(self, property, predicates).average()
  }

  // MARK: By group

  /// Returns the number of objects for each value of an attribute, sorted by value. Nil comes first.
  ///
  ///     for group in try context.count(groupedBy: \Hero.alignment) { print(group.key ?? "-", group.value) }
  public func count<Object: ManagedObject, Key: QueryableValue>(
    groupedBy key: KeyPath<Object, Key>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> [QueryGroup<Key, Int>] {
    try AggregateQuery(self, key, predicates).counts()
  }

  /// Returns the sum of an attribute for each value of another attribute.
  public func sum<Object: ManagedObject, Value: QueryableValue, Key: QueryableValue>(
    _ property: KeyPath<Object, Value>, groupedBy key: KeyPath<Object, Key>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> [QueryGroup<Key, Value.QueriedValue>] where Value.QueriedValue: Numeric {
    try AggregateQuery(self, property, predicates).groups(.sum, key).map {
      QueryGroup(key: $0.key, value: $0.value ?? .zero)
    }
  }

  /// Returns the smallest value of an attribute for each value of another attribute.
  public func minimum<Object: ManagedObject, Value: QueryableValue, Key: QueryableValue>(
    _ property: KeyPath<Object, Value>, groupedBy key: KeyPath<Object, Key>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> [QueryGroup<Key, Value.QueriedValue?>] where Value.QueriedValue: Comparable {
    try AggregateQuery(self, property, predicates).groups(.minimum, key)
  }

  /// Returns the largest value of an attribute for each value of another attribute.
  public func maximum<Object: ManagedObject, Value: QueryableValue, Key: QueryableValue>(
    _ property: KeyPath<Object, Value>, groupedBy key: KeyPath<Object, Key>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> [QueryGroup<Key, Value.QueriedValue?>] where Value.QueriedValue: Comparable {
    try AggregateQuery(self, property, predicates).groups(.maximum, key)
  }

  /// Returns the average of an attribute for each value of another attribute.
  public func average<Object: ManagedObject, Value: QueryableValue, Key: QueryableValue>(
    _ property: KeyPath<Object, Value>, groupedBy key: KeyPath<Object, Key>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> [QueryGroup<Key, Double?>] where Value.QueriedValue: Numeric {
    try AggregateQuery(self, property, predicates).averages(key)
  }
}

/// The values of an attribute of the objects that satisfy a condition.
struct AggregateQuery<Object: ManagedObject, Value: QueryableValue> {
  private(set) var query: ObjectQuery
  private let context: ManagedObjectContext
  private let attribute: (column: Int, type: AttributeType)

  init(
    _ context: ManagedObjectContext, _ property: KeyPath<Object, Value>, _ predicates: [Predicate<Object>]
  ) throws(StoreError) {
    try self.init(context, property, ObjectQuery(context, Object.self, predicates))
  }

  init(
    _ context: ManagedObjectContext, _ property: KeyPath<Object, Value>, _ condition: ObjectCondition
  ) throws(StoreError) {
    try self.init(context, property, context.query(context.entity(of: Object.self).name, condition))
  }

  private init(
    _ context: ManagedObjectContext, _ property: KeyPath<Object, Value>, _ query: ObjectQuery
  ) throws(StoreError) {
    (self.context, self.query) = (context, query)
    attribute = try AggregateQuery.attribute(property, context)
  }

  /// The column of a key path, and the type of its values.
  private static func attribute(
    _ keyPath: AnyKeyPath, _ context: ManagedObjectContext
  ) throws(StoreError) -> (column: Int, type: AttributeType) {
    let type = Swift.type(of: keyPath)
    guard let place = context.model.queryableSlots[keyPath] else {
      throw StoreError(
        .untranslatablePredicate,
        "the property of type '\(type.valueType)' is not among '\(type.rootType).queryableProperties'; add it with its name in the model, even if it is inherited"
      )
    }
    let property = context.model.plan.entities[place.entity].properties[place.slot]
    guard let attribute = property.attribute,
      case .column(let column) = context.queryMap.schema.places[place.entity][place.slot]
    else {
      throw StoreError(
        .untranslatablePredicate, "'\(property.name)' is a relationship; use an attribute")
    }
    return (column, attribute.storedType)
  }

  /// This query with the current numbers of the rows that it refers to.
  func renewed() throws(StoreError) -> AggregateQuery {
    var renewed = self
    renewed.query = try query.renewed()
    return renewed
  }

  func value(_ function: StoreAggregate.Function) throws(StoreError) -> Value.QueriedValue? {
    guard let group = try query.groups(StoreAggregate(function, column: attribute.column)).first else { return nil }
    return try converted(group.value)
  }

  func groups<Key: QueryableValue>(
    _ function: StoreAggregate.Function, _ key: KeyPath<Object, Key>
  ) throws(StoreError) -> [QueryGroup<Key, Value.QueriedValue?>] {
    var converted: [QueryGroup<Key, Value.QueriedValue?>] = []
    for group in try groups(function, key, column: attribute.column) {
      converted.append(QueryGroup(key: group.key, value: try self.converted(group.value)))
    }
    return converted
  }

  func average() throws(StoreError) -> Double? {
    guard let group = try query.groups(StoreAggregate(.average, column: attribute.column)).first else { return nil }
    return try finite(group.value)
  }

  func averages<Key: QueryableValue>(_ key: KeyPath<Object, Key>) throws(StoreError) -> [QueryGroup<Key, Double?>] {
    var averages: [QueryGroup<Key, Double?>] = []
    for group in try groups(.average, key, column: attribute.column) {
      averages.append(QueryGroup(key: group.key, value: try finite(group.value)))
    }
    return averages
  }

  /// An average; nil if there are no values.
  private func finite(_ value: StoreValue) throws(StoreError) -> Double? {
    if let average = value.double, !average.isFinite { throw tooLarge("double") }
    return value.double
  }

  /// Counts the objects, grouped by this attribute.
  func counts() throws(StoreError) -> [QueryGroup<Value, Int>] {
    var counts: [QueryGroup<Value, Int>] = []
    for group in try query.groups(StoreAggregate(.count, groupedBy: attribute.column)) {
      guard let key: Value = try self.key(group, attribute.type) else { continue }
      counts.append(QueryGroup(key: key, value: group.count))
    }
    return counts
  }

  private func groups<Key: QueryableValue>(
    _ function: StoreAggregate.Function, _ key: KeyPath<Object, Key>, column: Int
  ) throws(StoreError) -> [QueryGroup<Key, StoreValue>] {
    let grouping = try AggregateQuery.attribute(key, context)
    var groups: [QueryGroup<Key, StoreValue>] = []
    for group in try query.groups(StoreAggregate(function, column: column, groupedBy: grouping.column)) {
      guard let key: Key = try self.key(group, grouping.type) else { continue }
      groups.append(QueryGroup(key: key, value: group.value))
    }
    return groups
  }

  /// The key of a group; nil for the group of objects without a value, if the property is not optional.
  private func key<Key: QueryableValue>(
    _ group: StoreAggregate.Group, _ type: AttributeType
  ) throws(StoreError) -> Key? {
    let value = group.key.attributeValue(type)
    if let value, Key.QueriedValue(attributeValue: value) == nil { throw unfit(value, Key.QueriedValue.self) }
    return Key.queried(value)
  }

  private func converted(_ value: StoreValue) throws(StoreError) -> Value.QueriedValue? {
    guard let value = value.attributeValue(attribute.type) else { return nil }
    switch value {
    case .float(let value) where !value.isFinite: throw tooLarge("float")
    case .double(let value) where !value.isFinite: throw tooLarge("double")
    default: break
    }
    guard let converted = Value.QueriedValue(attributeValue: value) else {
      throw unfit(value, Value.QueriedValue.self)
    }
    return converted
  }

  private func tooLarge(_ type: String) -> StoreError {
    StoreError(.untranslatablePredicate, "a sum is too large for the type '\(type)'")
  }

  private func unfit(_ value: AttributeValue, _ type: Any.Type) -> StoreError {
    StoreError(
      .untranslatablePredicate,
      "\(value) is not a value of \(type), the type of the property; declare the property with a type that includes it")
  }
}

extension StoreValue {
  /// The value of an attribute; nil if it is nil.
  func attributeValue(_ type: AttributeType) -> AttributeValue? {
    switch self {
    case .null: return nil
    case .integer(let value):
      switch type {
      case .boolean: return .boolean(value != 0)
      case .date: return .date(Date(microsecondsSince1970: value))
      case .float: return .float(Float(value))
      case .double: return .double(Double(value))
      default: return .integer(value)
      }
    case .double(let value): return type == .float ? .float(Float(value)) : .double(value)
    case .binary(let bytes): return .binary(Data(bytes))
    case .text(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      switch type {
      case .decimal: return LentBytes.with(bytes) { DecimalText.decimal($0) }.map { .decimal($0) }
      case .uuid: return UUID(uuidString: text).map { .uuid($0) }
      case .uri: return URIText.url(text).map { .uri($0) }
      case .json: return (try? LentBytes.with(bytes) { try JSONBuilder.json($0) }).map { .json($0) }
      default: return .string(text)
      }
    }
  }

  /// The value of a number; nil if it is nil.
  fileprivate var double: Double? {
    if case .text(let bytes) = self { return Double(String(decoding: bytes, as: UTF8.self)) }
    return number
  }
}
