/// Queries with conditions written as text.
extension ManagedObjectContext {
  /// Returns the objects of an entity and its sub-entities that satisfy a condition, in insertion order or sorted. The result
  /// includes placeholders.
  ///
  ///     let heroes = try context.fetch(
  ///       ofEntity: "Hero", where: "team.city = \(city) and age > 30", sortedBy: .ascending("name"), limit: 20)
  ///
  /// In a context with a store, the store selects the objects, and only these are loaded. Pending changes are taken into account.
  ///
  /// - Parameters:
  ///   - name: the name of the entity.
  ///   - condition: the condition. Interpolated values cannot change its meaning.
  ///   - keys: the sort keys, or arrays of them.
  ///   - limit: the maximum number of objects to return.
  ///   - offset: the number of objects to skip.
  /// - Throws: a ``StoreError`` with the code ``DiagnosticCode/invalidCondition``, which shows the location in the text, if the
  ///   condition has an error or names a property that the entity does not have. Otherwise, throws the same errors as
  ///   ``fetch(ofEntity:sortedBy:limit:offset:)``.
  public func fetch(
    ofEntity name: String, where condition: ObjectCondition, sortedBy keys: [SortKey<ManagedObject>]...,
    limit: Int? = nil, offset: Int = 0
  ) throws(StoreError) -> [ManagedObject] {
    try fetch(name, condition, keys.flatMap(\.self), limit, offset)
  }

  /// Returns the first object of an entity and its sub-entities that satisfies a condition, or nil if there is none. Only this object
  /// is loaded.
  ///
  ///     let oldest = try context.fetchOne(ofEntity: "Hero", where: "team is null", sortedBy: .descending("age"))
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does.
  public func fetchOne(
    ofEntity name: String, where condition: ObjectCondition, sortedBy keys: [SortKey<ManagedObject>]...
  ) throws(StoreError) -> ManagedObject? {
    try fetch(name, condition, keys.flatMap(\.self), 1, 0).first
  }

  private func fetch<Object: ManagedObject>(
    _ name: String, _ condition: ObjectCondition, _ keys: [SortKey<Object>], _ limit: Int?, _ offset: Int
  ) throws(StoreError) -> [Object] {
    let query = try query(name, condition)
    return try query.rows(keys, limit, offset).map { object(query.table, $0, as: Object.self) }
  }

  /// Returns the number of objects of an entity and its sub-entities that satisfy a condition. A store counts the objects without
  /// loading them. If changes are pending, only the changed objects are tested here.
  ///
  ///     let count = try context.count(ofEntity: "Hero", where: "team is null")
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does.
  public func count(ofEntity name: String, where condition: ObjectCondition) throws(StoreError) -> Int {
    try query(name, condition).count()
  }

  /// Returns whether an object of an entity or its sub-entities satisfies a condition.
  ///
  ///     if try context.exists(ofEntity: "Hero", where: "name = \(wanted)") { ... }
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does.
  public func exists(ofEntity name: String, where condition: ObjectCondition) throws(StoreError) -> Bool {
    try !query(name, condition).rows([SortKey<ManagedObject>](), 1, 0).isEmpty
  }

  /// Deletes the objects of an entity and its sub-entities that satisfy a condition, according to the delete rules of their relationships
  /// ([M6](doc:Rules#M6)). The objects are loaded first. The deletion is written to the store by the next commit.
  ///
  ///     try context.delete(ofEntity: "Hero", where: "appearances = 0")
  ///
  /// - Returns: the number of objects that satisfied the condition.
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does, or a ``PropertyError`` if a `deny`
  ///   relationship of one of the objects is not empty. In that case, nothing is deleted.
  @discardableResult
  public func delete(ofEntity name: String, where condition: ObjectCondition) throws -> Int {
    let objects = try fetch(ofEntity: name, where: condition)
    try delete(objects)
    return objects.count
  }

  // MARK: By class

  /// Returns the objects of a class and its subclasses that satisfy a condition, in insertion order or sorted. The result includes
  /// placeholders.
  ///
  ///     let heroes = try context.fetch(Hero.self, where: "team.city = \(city) and age > 30", sortedBy: \.name, limit: 20)
  ///
  /// The condition can name all properties of the model, including those that the class does not list in
  /// ``ManagedObject/queryableProperties``.
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, where condition: ObjectCondition, sortedBy keys: [SortKey<Object>]..., limit: Int? = nil,
    offset: Int = 0
  ) throws(StoreError) -> [Object] {
    try fetch(entity(of: type).name, condition, keys.flatMap(\.self), limit, offset)
  }

  /// Returns the first object of a class and its subclasses that satisfies a condition, or nil if there is none. Only this object is
  /// loaded.
  ///
  ///     let hero = try context.fetchOne(Hero.self, where: "name = \(name)")
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does.
  public func fetchOne<Object: ManagedObject>(
    _ type: Object.Type, where condition: ObjectCondition, sortedBy keys: [SortKey<Object>]...
  ) throws(StoreError) -> Object? {
    let found: [Object] = try fetch(entity(of: type).name, condition, keys.flatMap(\.self), 1, 0)
    return found.first
  }

  /// Returns the number of objects of a class and its subclasses that satisfy a condition. A store counts the objects without loading
  /// them. If changes are pending, only the changed objects are tested here.
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does.
  public func count<Object: ManagedObject>(
    _ type: Object.Type, where condition: ObjectCondition
  ) throws(StoreError) -> Int {
    try count(ofEntity: Object.entityName, where: condition)
  }

  /// Returns whether an object of a class or its subclasses satisfies a condition.
  ///
  /// - Throws: a ``StoreError``, as ``fetch(ofEntity:where:sortedBy:limit:offset:)`` does.
  public func exists<Object: ManagedObject>(
    _ type: Object.Type, where condition: ObjectCondition
  ) throws(StoreError) -> Bool {
    try exists(ofEntity: Object.entityName, where: condition)
  }

  /// Deletes the objects of a class and its subclasses that satisfy a condition, according to the delete rules of their relationships
  /// ([M6](doc:Rules#M6)). The objects are loaded first. The deletion is written to the store by the next commit.
  ///
  /// - Returns: the number of objects that satisfied the condition.
  /// - Throws: a ``StoreError`` or a ``PropertyError``, as ``delete(ofEntity:where:)`` does. In that case, nothing is deleted.
  @discardableResult
  public func delete<Object: ManagedObject>(_ type: Object.Type, where condition: ObjectCondition) throws -> Int {
    try delete(ofEntity: Object.entityName, where: condition)
  }

  /// - Parameter condition: the condition; nil selects all objects.
  func query(_ name: String, _ condition: ObjectCondition?) throws(StoreError) -> ObjectQuery {
    try takeOverChanges()
    let entity = try entity(named: name)
    guard let condition else { return ObjectQuery(self, entity, .always) }
    let text = ConditionText(condition)
    do throws(ConditionError) {
      return ObjectQuery(self, entity, try ConditionTextTranslator(text, self).condition(of: entity))
    } catch {
      throw StoreError([error.diagnostic])
    }
  }
}
