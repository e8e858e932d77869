#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Queries with predicates.
extension ManagedObjectContext {
  /// Returns the objects of a class and its subclasses that satisfy predicates, in insertion order or sorted. The result
  /// includes placeholders.
  ///
  ///     let wanted = "Batman"
  ///     let heroes = try context.fetch(
  ///       Hero.self, where: #Predicate { $0.name == wanted && $0.publisher?.name == "DC" }, sortedBy: \.name, limit: 20)
  ///
  /// In a context with a store, the store selects the objects, and only these are loaded. Pending changes are taken into account. Without a
  /// store, the predicate is compiled once and tested on each object. Either way, a predicate can name the properties that
  /// classes list in ``ManagedObject/queryableProperties``.
  ///
  /// Values are compared as they are stored: text by its bytes, so two spellings of `é` differ. A comparison with nil is
  /// false, except with `==` and `!=`. To find objects that are related to a given object, capture its ID:
  ///
  ///     let dc = publisher.objectID
  ///     let heroes = try context.fetch(Hero.self, where: #Predicate { $0.publisher?.objectID == dc })
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - predicate: the condition.
  ///   - more: further conditions, which must also be satisfied.
  ///   - keys: the sort keys, or arrays of them. A store can sort by attributes that are identified by name, or that the class lists.
  ///   - limit: the maximum number of objects to return.
  ///   - offset: the number of objects to skip.
  /// - Throws: a ``StoreError`` with the code ``DiagnosticCode/untranslatablePredicate`` if an expression cannot be translated or
  ///   an integer overflows. Otherwise, throws the same errors as ``fetch(_:sortedBy:limit:offset:)-(_,[SortKey<Object>]...,_,_)``.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, _ more: Predicate<Object>...,
    sortedBy keys: [SortKey<Object>]..., limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> [Object] {
    try fetch(type, [predicate] + more, keys.flatMap(\.self), limit, offset)
  }

  /// Returns the first object of a class and its subclasses that satisfies predicates, or nil if there is none. Only this object is
  /// loaded.
  ///
  ///     let newest = try context.fetchOne(
  ///       Hero.self, where: #Predicate { $0.publisher?.name == "DC" }, sortedBy: .descending(\.id))
  ///
  /// - Throws: a ``StoreError``, as ``fetch(_:where:_:sortedBy:limit:offset:)-(_,_,_,[SortKey<Object>]...,_,_)`` does.
  public func fetchOne<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, _ more: Predicate<Object>...,
    sortedBy keys: [SortKey<Object>]...
  ) throws(StoreError) -> Object? {
    try fetch(type, [predicate] + more, keys.flatMap(\.self), 1, 0).first
  }

  func fetch<Object: ManagedObject>(
    _ type: Object.Type, _ predicates: [Predicate<Object>], _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int
  ) throws(StoreError) -> [Object] {
    let query = try ObjectQuery(self, type, predicates)
    return try query.rows(keys, limit, offset).map { object(query.table, $0, as: Object.self) }
  }

  /// Returns the number of objects of a class and its subclasses that satisfy predicates. A store counts the objects without loading
  /// them. If changes are pending, only the changed objects are tested here.
  ///
  ///     let count = try context.count(Hero.self, where: #Predicate { $0.publisher == nil })
  ///
  /// - Throws: a ``StoreError``, as ``fetch(_:where:_:sortedBy:limit:offset:)-(_,_,_,[SortKey<Object>]...,_,_)`` does.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, _ more: Predicate<Object>...
  ) throws(StoreError) -> Int {
    try ObjectQuery(self, type, [predicate] + more).count()
  }

  /// Returns whether an object of a class or its subclasses satisfies predicates.
  ///
  ///     if try context.exists(Hero.self, where: #Predicate { $0.name == wanted }) { ... }
  ///
  /// - Throws: a ``StoreError``, as ``fetch(_:where:_:sortedBy:limit:offset:)-(_,_,_,[SortKey<Object>]...,_,_)`` does.
  public func exists<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, _ more: Predicate<Object>...
  ) throws(StoreError) -> Bool {
    try !ObjectQuery(self, type, [predicate] + more).rows([SortKey<Object>](), 1, 0).isEmpty
  }

  /// Deletes the objects of a class and its subclasses that satisfy predicates, according to the delete rules of their relationships
  /// ([M6](doc:Rules#M6)). The objects are loaded first. The deletion is written to the store by the next commit.
  ///
  ///     try context.delete(Hero.self, where: #Predicate { $0.appearances == 0 })
  ///
  /// - Returns: the number of objects that satisfied the predicates.
  /// - Throws: a ``StoreError``, as ``fetch(_:where:_:sortedBy:limit:offset:)-(_,_,_,[SortKey<Object>]...,_,_)`` does, or a
  ///   ``PropertyError`` if a `deny` relationship of one of the objects is not empty. In that case, nothing is deleted.
  @discardableResult
  public func delete<Object: ManagedObject>(
    _ type: Object.Type, where predicate: Predicate<Object>, _ more: Predicate<Object>...
  ) throws -> Int {
    let objects = try fetch(type, [predicate] + more, [], nil, 0)
    try delete(objects)
    return objects.count
  }
}
