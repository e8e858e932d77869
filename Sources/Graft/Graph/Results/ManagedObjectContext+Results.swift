#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Lists that stay current.
extension ManagedObjectContext {
  /// Returns a list of the objects of a class and its subclasses that satisfy predicates. It follows the changes of the context.
  ///
  ///     let heroes = try context.results(
  ///       Hero.self, where: #Predicate { $0.publisher?.name == dc }, sortedBy: .ascending(\.name),
  ///       sectionedBy: .ascending("publisher.name"))
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - predicates: the conditions, which must all be satisfied. Without conditions, the list contains all objects.
  ///   - keys: the sort keys, or arrays of them: attributes identified by a name, a path, or a key path that the class lists. A list cannot
  ///     be sorted by a closure or by a key path through a relationship; write `.ascending("publisher.name")` instead.
  ///   - section: the sort key that divides the list into sections. It comes before the other sort keys.
  ///   - limit: the maximum number of objects to show.
  ///   - offset: the number of objects to skip.
  /// - Throws: a ``StoreError``, as ``fetch(_:where:_:sortedBy:limit:offset:)-(_,_,_,[SortKey<Object>]...,_,_)`` does.
  public func results<Object: ManagedObject>(
    _ type: Object.Type, where predicates: Predicate<Object>..., sortedBy keys: [SortKey<Object>]...,
    sectionedBy section: SortKey<Object>? = nil, limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> LiveResults<Object> {
    try results(ObjectQuery(self, type, predicates), section, keys.flatMap(\.self), limit, offset)
  }

  /// Returns a list of the objects of a class and its subclasses that satisfy predicates, sorted by a property, smallest values first. Nil
  /// comes last.
  ///
  ///     let heroes = try context.results(Hero.self, sortedBy: \.name)
  ///
  /// - Throws: a ``StoreError``, as ``fetch(_:where:_:sortedBy:limit:offset:)-(_,_,_,[SortKey<Object>]...,_,_)`` does.
  public func results<Object: ManagedObject, Value: QueryableValue>(
    _ type: Object.Type, where predicates: Predicate<Object>..., sortedBy property: KeyPath<Object, Value>,
    sectionedBy section: SortKey<Object>? = nil, limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> LiveResults<Object> where Value.QueriedValue: Comparable {
    try results(ObjectQuery(self, type, predicates), section, [.ascending(attribute: property)], limit, offset)
  }

  /// Returns a list of the objects of a class and its subclasses that satisfy a condition. It follows the changes of the context.
  ///
  ///     let heroes = try context.results(Hero.self, where: "publisher.name = \(name)", sortedBy: .descending("age"))
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does, or if a sort key does not name an attribute.
  public func results<Object: ManagedObject>(
    _ type: Object.Type, where condition: ObjectCondition, sortedBy keys: [SortKey<Object>]...,
    sectionedBy section: SortKey<Object>? = nil, limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> LiveResults<Object> {
    try results(query(entity(of: type).name, condition), section, keys.flatMap(\.self), limit, offset)
  }

  /// Returns a list of the objects of an entity and its sub-entities that satisfy a condition. It follows the changes of the context.
  ///
  ///     let heroes = try context.results(ofEntity: "Hero", where: "age > 30", sortedBy: .ascending("name"))
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does, or if a sort key does not name an attribute.
  public func results(
    ofEntity name: String, where condition: ObjectCondition? = nil, sortedBy keys: [SortKey<ManagedObject>]...,
    sectionedBy section: SortKey<ManagedObject>? = nil, limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> LiveResults<ManagedObject> {
    try results(query(name, condition), section, keys.flatMap(\.self), limit, offset)
  }

  private func results<Object: ManagedObject>(
    _ query: ObjectQuery, _ section: SortKey<Object>?, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int
  ) throws(StoreError) -> LiveResults<Object> {
    let query = try ResultQuery(query, self, section: section, keys, limit, offset)
    return LiveResults(try ResultList(self, query))
  }
}
