#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Sorting by one property, identified only by its key path: `sortedBy: \.name`.
extension ManagedObjectContext {
  /// Returns objects of a class and its subclasses, sorted by a property, smallest values first. Nil comes last.
  ///
  ///     let heroes = try context.fetch(Hero.self, sortedBy: \.name)
  ///
  /// - Throws: a ``StoreError``, as ``fetch(_:sortedBy:limit:offset:)-(_,[SortKey<Object>]...,_,_)`` does.
  public func fetch<Object: ManagedObject, Value: QueryableValue>(
    _ type: Object.Type, sortedBy property: KeyPath<Object, Value>, limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> [Object] where Value.QueriedValue: Comparable {
    try fetch(type, sortedBy: [.ascending(attribute: property)], limit: limit, offset: offset)
  }

  /// Returns the objects of a class and its subclasses for which a closure returns true, sorted by a property, smallest values first.
  /// Nil comes last.
  ///
  /// - Throws: the closure's error, or a ``StoreError`` if the store cannot be read, including by the closure.
  public func fetch<Object: ManagedObject, Value: QueryableValue>(
    _ type: Object.Type, sortedBy property: KeyPath<Object, Value>, limit: Int? = nil, offset: Int = 0,
    where isIncluded: (Object) throws -> Bool
  ) throws -> [Object] where Value.QueriedValue: Comparable {
    try fetch(type, sortedBy: [.ascending(attribute: property)], limit: limit, offset: offset, where: isIncluded)
  }

  /// Returns the objects of a class and its subclasses that satisfy predicates, sorted by a property, smallest values first. Nil comes
  /// last.
  ///
  /// - Throws: a ``StoreError``, as ``fetch(_:where:_:sortedBy:limit:offset:)-(_,_,_,[SortKey<Object>]...,_,_)`` does.
  public func fetch<Object: ManagedObject, Value: QueryableValue>(
    _ type: Object.Type, where predicate: Predicate<Object>, _ more: Predicate<Object>...,
    sortedBy property: KeyPath<Object, Value>, limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> [Object] where Value.QueriedValue: Comparable {
    try fetch(type, [predicate] + more, [.ascending(attribute: property)], limit, offset)
  }

  /// Returns the objects of a class and its subclasses that satisfy a condition, sorted by a property, smallest values first. Nil comes
  /// last.
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does.
  public func fetch<Object: ManagedObject, Value: QueryableValue>(
    _ type: Object.Type, where condition: ObjectCondition, sortedBy property: KeyPath<Object, Value>,
    limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> [Object] where Value.QueriedValue: Comparable {
    try fetch(type, where: condition, sortedBy: [.ascending(attribute: property)], limit: limit, offset: offset)
  }

  /// Returns the object with the smallest value of a property among the objects of a class and its subclasses that satisfy predicates, or
  /// nil if there is none.
  ///
  /// - Throws: a ``StoreError``, as ``fetch(_:where:_:sortedBy:limit:offset:)-(_,_,_,[SortKey<Object>]...,_,_)`` does.
  public func fetchOne<Object: ManagedObject, Value: QueryableValue>(
    _ type: Object.Type, where predicate: Predicate<Object>, _ more: Predicate<Object>...,
    sortedBy property: KeyPath<Object, Value>
  ) throws(StoreError) -> Object? where Value.QueriedValue: Comparable {
    try fetch(type, [predicate] + more, [.ascending(attribute: property)], 1, 0).first
  }

  /// Returns the object with the smallest value of a property among the objects of a class and its subclasses that satisfy a condition, or
  /// nil if there is none.
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does.
  public func fetchOne<Object: ManagedObject, Value: QueryableValue>(
    _ type: Object.Type, where condition: ObjectCondition, sortedBy property: KeyPath<Object, Value>
  ) throws(StoreError) -> Object? where Value.QueriedValue: Comparable {
    try fetchOne(type, where: condition, sortedBy: [.ascending(attribute: property)])
  }
}
