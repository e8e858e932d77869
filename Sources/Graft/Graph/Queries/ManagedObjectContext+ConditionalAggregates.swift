/// Aggregates over the objects that satisfy a condition written as text. The same rules apply as for
/// predicates.
extension ManagedObjectContext {
  // MARK: Over all objects

  /// Returns the sum of an attribute over the objects that satisfy a condition; 0 if there are no values.
  ///
  ///     let appearances = try context.sum(\Hero.appearances, where: "publisher.name = \(name)")
  public func sum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where condition: ObjectCondition
  ) throws(StoreError) -> Value.QueriedValue where Value.QueriedValue: Numeric {
    let query = try AggregateQuery(self, property, condition)
    return try query.value(.sum) ?? .zero
  }

  /// Returns the smallest value of an attribute among the objects that satisfy a condition; nil if there is none.
  public func minimum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where condition: ObjectCondition
  ) throws(StoreError) -> Value.QueriedValue? where Value.QueriedValue: Comparable {
    try AggregateQuery(self, property, condition).value(.minimum)
  }

  /// Returns the largest value of an attribute among the objects that satisfy a condition; nil if there is none.
  public func maximum<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where condition: ObjectCondition
  ) throws(StoreError) -> Value.QueriedValue? where Value.QueriedValue: Comparable {
    try AggregateQuery(self, property, condition).value(.maximum)
  }

  /// Returns the average of an attribute over the objects that satisfy a condition; nil if there are no values.
  public func average<Object: ManagedObject, Value: QueryableValue>(
    _ property: KeyPath<Object, Value>, where condition: ObjectCondition
  ) throws(StoreError) -> Double? where Value.QueriedValue: Numeric {
    try AggregateQuery(self, property, condition).average()
  }

  // MARK: By group

  /// Returns the number of objects that satisfy a condition for each value of an attribute, sorted by value.
  ///
  ///     for group in try context.count(groupedBy: \Hero.alignment, where: "age > 30") { print(group.key ?? "-", group.value) }
  public func count<Object: ManagedObject, Key: QueryableValue>(
    groupedBy key: KeyPath<Object, Key>, where condition: ObjectCondition
  ) throws(StoreError) -> [QueryGroup<Key, Int>] {
    try AggregateQuery(self, key, condition).counts()
  }

  /// Returns the sum of an attribute for each value of another attribute, over the objects that satisfy a condition.
  public func sum<Object: ManagedObject, Value: QueryableValue, Key: QueryableValue>(
    _ property: KeyPath<Object, Value>, groupedBy key: KeyPath<Object, Key>, where condition: ObjectCondition
  ) throws(StoreError) -> [QueryGroup<Key, Value.QueriedValue>] where Value.QueriedValue: Numeric {
    try AggregateQuery(self, property, condition).groups(.sum, key).map {
      QueryGroup(key: $0.key, value: $0.value ?? .zero)
    }
  }

  /// Returns the smallest value of an attribute for each value of another attribute, over the objects that satisfy a condition.
  public func minimum<Object: ManagedObject, Value: QueryableValue, Key: QueryableValue>(
    _ property: KeyPath<Object, Value>, groupedBy key: KeyPath<Object, Key>, where condition: ObjectCondition
  ) throws(StoreError) -> [QueryGroup<Key, Value.QueriedValue?>] where Value.QueriedValue: Comparable {
    try AggregateQuery(self, property, condition).groups(.minimum, key)
  }

  /// Returns the largest value of an attribute for each value of another attribute, over the objects that satisfy a condition.
  public func maximum<Object: ManagedObject, Value: QueryableValue, Key: QueryableValue>(
    _ property: KeyPath<Object, Value>, groupedBy key: KeyPath<Object, Key>, where condition: ObjectCondition
  ) throws(StoreError) -> [QueryGroup<Key, Value.QueriedValue?>] where Value.QueriedValue: Comparable {
    try AggregateQuery(self, property, condition).groups(.maximum, key)
  }

  /// Returns the average of an attribute for each value of another attribute, over the objects that satisfy a condition.
  public func average<Object: ManagedObject, Value: QueryableValue, Key: QueryableValue>(
    _ property: KeyPath<Object, Value>, groupedBy key: KeyPath<Object, Key>, where condition: ObjectCondition
  ) throws(StoreError) -> [QueryGroup<Key, Double?>] where Value.QueriedValue: Numeric {
    try AggregateQuery(self, property, condition).averages(key)
  }
}
