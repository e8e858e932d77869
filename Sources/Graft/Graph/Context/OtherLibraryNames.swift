// Names from GRDB, Realm and SwiftData that have a different name here. If code uses these names, the compiler reports what to call
// instead.

extension ManagedObjectContext {
  @available(*, unavailable, renamed: "fetch(_:)")
  public func objects<Object: ManagedObject>(_ type: Object.Type) -> [Object] { [] }

  @available(*, unavailable, renamed: "fetch(_:)")
  public func fetchAll<Object: ManagedObject>(_ type: Object.Type) -> [Object] { [] }

  @available(*, unavailable, renamed: "count(_:)")
  public func fetchCount<Object: ManagedObject>(_ type: Object.Type) -> Int { 0 }

  @available(*, unavailable, renamed: "find(_:identity:)")
  public func object<Object: ManagedObject>(ofType type: Object.Type, forPrimaryKey key: Any) -> Object? { nil }

  @available(*, unavailable, renamed: "find(_:identity:)")
  public func model<Object: ManagedObject>(for id: Any) -> Object? { nil }

  @available(*, unavailable, renamed: "find(_:id:)")
  public func find<Object: ManagedObject>(_ type: Object.Type, _ id: Any) -> Object? { nil }

  @available(
    *, unavailable, message: "list the values that identify the object: 'find(Class.self, identity: \"a\", 2)'"
  )
  public func find<Object: ManagedObject>(_ type: Object.Type, id: [any AttributeConvertible]) -> Object? { nil }

  @available(
    *, unavailable, message: "list the values that identify the object: 'find(ofEntity: \"Class\", identity: \"a\", 2)'"
  )
  public func find(ofEntity name: String, id: [any AttributeConvertible]) -> ManagedObject? { nil }

  @available(
    *, unavailable,
    message: "sort by a key path: 'sortedBy: \\.name'; for descending order, 'sortedBy: .descending(\\.name)'"
  )
  public func fetch<Object: ManagedObject>(_ type: Object.Type, sortedBy name: String) -> [Object] { [] }

  @available(*, unavailable, message: "write 'sortedBy: .ascending(\"name\")'")
  public func fetch(ofEntity entity: String, sortedBy name: String) -> [ManagedObject] { [] }

  @available(*, unavailable, renamed: "atomically(_:)")
  public func write<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  @available(*, unavailable, message: "call 'insert(Class.self)', or 'Class(context: context)'")
  public func add(_ object: ManagedObject) {}

  @available(*, unavailable, message: "call 'delete(context.fetch(Class.self))'")
  public func delete<Object: ManagedObject>(model type: Object.Type) {}

  @available(*, unavailable, message: "call 'merge()', which adopts the commits of other contexts and programs")
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) {}

  @available(*, unavailable, message: "call 'merge()', which adopts the commits of other contexts and programs")
  public func refreshAllObjects() {}

  @available(*, unavailable, message: "call 'merge()', which adopts the commits of other contexts and programs")
  public func refresh() {}

  @available(*, unavailable, message: "call 'find(Class.self, id: id)', or 'object(Class.self, fromJSON: json)'")
  public func object<Object: ManagedObject>(_ type: Object.Type, id: Any) -> Object? { nil }

  @available(*, unavailable, message: "call 'delete(context.fetch(Class.self))'")
  public func deleteAll<Object: ManagedObject>(_ type: Object.Type) {}

  @available(*, unavailable, renamed: "results(_:where:sortedBy:sectionedBy:limit:)")
  public func liveResults<Object: ManagedObject>(_ type: Object.Type) -> [Object] { [] }

  @available(
    *, unavailable, message: "call 'results(Class.self)' for a list that stays current, or 'updates()' for changes"
  )
  public func observe<Object: ManagedObject>(_ type: Object.Type) {}

  @available(
    *, unavailable, message: "call 'delete(Class.self, where: predicate)', or 'delete(context.fetch(Class.self))'"
  )
  public func delete<Object: ManagedObject>(_ type: Object.Type) {}

  @available(
    *, unavailable, message: "call 'results(Class.self)' for a list that stays current, or 'updates()' for changes"
  )
  public func observe<Object: ManagedObject>(_ type: Object.Type, _ body: (Object) -> Void) {}

  @available(*, unavailable, message: "call 'jsonData(from: context.fetch(Class.self))'")
  public func export<Object: ManagedObject>(_ type: Object.Type) -> Never? { nil }
}

@available(*, unavailable, message: "name the entity: 'object(ofEntity: \"Class\", fromJSON: json, in: context)'")
public func object(_ name: String, fromJSON json: Any, in context: ManagedObjectContext) -> ManagedObject {
  ManagedObject(context: context)
}

@available(*, unavailable, message: "name the entity: 'objects(ofEntity: \"Class\", fromJSON: json, in: context)'")
public func objects(_ name: String, fromJSON json: Any, in context: ManagedObjectContext) -> [ManagedObject] { [] }

extension ManagedObject {
  @available(*, unavailable, message: "call 'context.delete(object)'")
  public func delete() {}

  @available(*, unavailable, message: "write 'object[\"name\"] = value', or call 'setValue(value, of: \"name\")'")
  public func set(_ name: String, to value: Any?) {}

  @available(*, unavailable, message: "call 'object(fromJSON:in:)', which finds the object if there is one already")
  public convenience init(fromJSON json: Any, in context: ManagedObjectContext) { self.init(context: context) }

  @available(*, unavailable, message: "call 'jsonString(from: object)'")
  public func jsonString() -> String { "" }

  @available(*, unavailable, message: "call 'context.fetch(Class.self)'")
  public static func fetchAll(_ context: ManagedObjectContext) -> Never? { nil }

  @available(*, unavailable, message: "call 'context.fetchOne(Class.self, where: predicate)'")
  public static func fetchOne(_ context: ManagedObjectContext) -> Never? { nil }

  @available(*, unavailable, message: "call 'context.count(Class.self)'")
  public static func fetchCount(_ context: ManagedObjectContext) -> Never? { nil }

  @available(*, unavailable, message: "call 'context.fetch(Class.self, where: predicate)'")
  public static func filter<Condition>(_ condition: Condition) -> Never? { nil }

  @available(*, unavailable, message: "call 'context.commit()', which writes all changes")
  public func save(_ context: ManagedObjectContext) {}

  @available(*, unavailable, message: "call 'context.delete(object)'")
  public func delete(_ context: ManagedObjectContext) {}
}
