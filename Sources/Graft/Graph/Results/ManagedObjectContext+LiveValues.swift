#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Values that stay current. Like the functions that compute such a value once, they throw a ``StoreError``.
extension ManagedObjectContext {
  /// Returns the number of objects of a class and its subclasses that satisfy predicates. It follows the changes of the context.
  ///
  ///     let count = try context.liveCount(Hero.self, where: #Predicate { $0.publisher == nil })
  ///
  /// The context keeps the row number of each counted object in memory.
  public func liveCount<Object: ManagedObject>(
    _ type: Object.Type, where predicates: Predicate<Object>...
  ) throws(StoreError) -> LiveValue<Int> {
    try liveCount(ObjectQuery(self, type, predicates))
  }

  /// Returns the number of objects of an entity and its sub-entities that satisfy a condition. It follows the changes of the context.
  ///
  ///     let count = try context.liveCount(ofEntity: "Hero", where: "publisher is null")
  ///
  /// Without a condition, all objects are counted.
  public func liveCount(
    ofEntity name: String, where condition: ObjectCondition? = nil
  ) throws(StoreError) -> LiveValue<Int> {
    try liveCount(query(name, condition))
  }

  /// Returns the number of objects of a class and its subclasses that satisfy a condition. It follows the changes of the context.
  public func liveCount<Object: ManagedObject>(
    _ type: Object.Type, where condition: ObjectCondition
  ) throws(StoreError) -> LiveValue<Int> {
    try liveCount(ofEntity: Object.entityName, where: condition)
  }

  private func liveCount(_ query: ObjectQuery) throws(StoreError) -> LiveValue<Int> {
    let query = try ResultQuery(query, self, section: nil, [SortKey<ManagedObject>](), nil, 0)
    return LiveValue(CountSource(try ResultList(self, query)))
  }

  /// Returns the sum of an attribute; 0 if there are no values. It follows the changes of the context.
  ///
  ///     let likes = try context.liveSum(\Post.likes, where: #Predicate { $0.author?.name == name })
  public func liveSum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> LiveValue<Value.QueriedValue>
  where Value.QueriedValue: Numeric & Equatable & Sendable {
    try liveSum(AggregateQuery(self, property, predicates))
  }

  /// Returns the smallest value of an attribute; nil if there are no values. It follows the changes of the context.
  public func liveMinimum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> LiveValue<Value.QueriedValue?> where Value.QueriedValue: Comparable & Sendable {
    try liveValue(.minimum, AggregateQuery(self, property, predicates))
  }

  /// Returns the largest value of an attribute; nil if there are no values. It follows the changes of the context.
  public func liveMaximum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> LiveValue<Value.QueriedValue?> where Value.QueriedValue: Comparable & Sendable {
    try liveValue(.maximum, AggregateQuery(self, property, predicates))
  }

  /// Returns the average of an attribute; nil if there are no values. It follows the changes of the context.
  public func liveAverage<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where predicates: Predicate<Object>...
  ) throws(StoreError) -> LiveValue<Double?> where Value.QueriedValue: Numeric {
    try liveAverage(AggregateQuery(self, property, predicates))
  }

  // MARK: With conditions as text

  /// Returns the sum of an attribute over the objects that satisfy a condition. It follows the changes of the context.
  ///
  ///     let likes = try context.liveSum(\Post.likes, where: "author.name = \(name)")
  public func liveSum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where condition: ObjectCondition
  ) throws(StoreError) -> LiveValue<Value.QueriedValue>
  where Value.QueriedValue: Numeric & Equatable & Sendable {
    try liveSum(AggregateQuery(self, property, condition))
  }

  /// Returns the smallest value of an attribute over the objects that satisfy a condition. It follows the changes of the context.
  public func liveMinimum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where condition: ObjectCondition
  ) throws(StoreError) -> LiveValue<Value.QueriedValue?> where Value.QueriedValue: Comparable & Sendable {
    try liveValue(.minimum, AggregateQuery(self, property, condition))
  }

  /// Returns the largest value of an attribute over the objects that satisfy a condition. It follows the changes of the context.
  public func liveMaximum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where condition: ObjectCondition
  ) throws(StoreError) -> LiveValue<Value.QueriedValue?> where Value.QueriedValue: Comparable & Sendable {
    try liveValue(.maximum, AggregateQuery(self, property, condition))
  }

  /// Returns the average of an attribute over the objects that satisfy a condition. It follows the changes of the context.
  public func liveAverage<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where condition: ObjectCondition
  ) throws(StoreError) -> LiveValue<Double?> where Value.QueriedValue: Numeric {
    try liveAverage(AggregateQuery(self, property, condition))
  }

  // MARK: Computing

  private func liveSum<Object: ManagedObject, Value: QueryableValue>(
    _ query: AggregateQuery<Object, Value>
  ) throws(StoreError) -> LiveValue<Value.QueriedValue>
  where Value.QueriedValue: Numeric & Equatable & Sendable {
    try liveValue(query.query) { () throws(StoreError) in try query.renewed().value(.sum) ?? .zero }
  }

  private func liveValue<Object: ManagedObject, Value: QueryableValue>(
    _ function: StoreAggregate.Function, _ query: AggregateQuery<Object, Value>
  ) throws(StoreError) -> LiveValue<Value.QueriedValue?> where Value.QueriedValue: Comparable & Sendable {
    try liveValue(query.query) { () throws(StoreError) in try query.renewed().value(function) }
  }

  private func liveAverage<Object: ManagedObject, Value: QueryableValue>(
    _ query: AggregateQuery<Object, Value>
  ) throws(StoreError) -> LiveValue<Double?> where Value.QueriedValue: Numeric {
    try liveValue(query.query) { () throws(StoreError) in try query.renewed().average() }
  }

  private func liveValue<Value: Equatable & Sendable>(
    _ query: ObjectQuery, _ compute: @escaping () throws(StoreError) -> Value
  ) throws(StoreError) -> LiveValue<Value> {
    LiveValue(try ComputedSource(self, query, compute))
  }
}
