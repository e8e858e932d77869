#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Core Data names that have a different name here, or no counterpart. If code uses these names, the compiler reports what to call
// instead. The setters let the compiler name the property that is set.

extension ManagedObjectContext {
  @available(*, unavailable, renamed: "commit()")
  public func save() throws { try commit() }

  @available(*, unavailable, renamed: "rollBack()")
  public func rollback() { rollBack() }

  @available(*, unavailable, renamed: "find(_:)")
  public func object(with id: ManagedObjectID) -> ManagedObject? { nil }

  @available(*, unavailable, renamed: "find(_:)")
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject? { try find(id) }

  @available(*, unavailable, renamed: "find(_:_:)")
  public func find<Object: ManagedObject>(_ type: Object.Type, id: ManagedObjectID) throws -> Object? {
    try find(type, id)
  }

  @available(*, unavailable, message: "the label is 'where': 'context.fetch(Class.self, where: #Predicate { ... })'")
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, predicate: Predicate<Object>, limit: Int? = nil
  ) throws -> [Object] { [] }

  @available(*, unavailable, message: "the label is 'where': 'context.fetch(Class.self, where: \"name = 'x'\")'")
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, predicate: ObjectCondition, limit: Int? = nil
  ) throws -> [Object] { [] }

  @available(*, unavailable, message: "the label is 'where': 'context.count(Class.self, where: #Predicate { ... })'")
  public func count<Object: ManagedObject>(_ type: Object.Type, predicate: Predicate<Object>) throws -> Int { 0 }

  @available(*, unavailable, renamed: "conflictPolicy")
  public var mergePolicy: ConflictPolicy {
    get { conflictPolicy }
    set {}
  }

  @available(*, unavailable, renamed: "mergesChanges")
  public var automaticallyMergesChangesFromParent: Bool {
    get { mergesChanges }
    set {}
  }

  @available(
    *, unavailable, message: "call the context directly; from other threads, use a BackgroundContext and its 'perform'"
  )
  public func performAndWait<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  @available(
    *, unavailable, message: "call the context directly; from other threads, use a BackgroundContext and its 'perform'"
  )
  public func perform<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  @available(
    *, unavailable,
    message:
      "use 'rollBack()' to discard all changes, or edit in a child context ('makeChild()') to discard only the changes of a form; without a store, take a 'snapshot()' before each step and 'restore(_:)' it"
  )
  public func undo() {}

  @available(
    *, unavailable,
    message:
      "without a store, take a 'snapshot()' of each state and 'restore(_:)' it; with one, edit in a child context: 'makeChild()'"
  )
  public func redo() {}

  @available(
    *, unavailable,
    message:
      "without a store, take a 'snapshot()' of each state and 'restore(_:)' it; with one, edit in a child context: 'makeChild()'"
  )
  public var undoManager: Never? {
    get { nil }
    set {}
  }

  @available(*, unavailable, renamed: "atomically(_:)")
  public func transaction<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  @available(*, unavailable, message: "call 'insert(Class.self)', or 'Class(context: context)'")
  public func insert(_ object: ManagedObject) {}

  @available(*, unavailable, message: "call 'parent.makeChild()'")
  public convenience init(parent: ManagedObjectContext) { self.init(model: parent.model) }

  @available(*, unavailable, message: "create one for the store: 'BackgroundContext(store: store)'")
  public func newBackgroundContext() -> Never? { nil }

  @available(*, unavailable, message: "create one for the store: 'BackgroundContext(store: store)'")
  public func performBackgroundTask(_ body: (ManagedObjectContext) throws -> Void) rethrows {}

  @available(*, unavailable, message: "use 'changes.inserted', and pass its IDs to 'find(_:)'")
  public var insertedObjects: Set<ManagedObject> { [] }

  @available(*, unavailable, message: "use 'changes.updated', which also lists what changed in each object")
  public var updatedObjects: Set<ManagedObject> { [] }

  @available(*, unavailable, message: "use 'changes.deleted'")
  public var deletedObjects: Set<ManagedObject> { [] }
}

extension ManagedObjectModel {
  @available(*, unavailable, renamed: "init(contentsOf:)")
  public convenience init(url: URL) throws(ModelError) { try self.init(contentsOf: url) }

  @available(*, unavailable, message: "call 'ManagedObjectModel(contentsOf: URL(fileURLWithPath: path))'")
  public convenience init(path: String) throws(ModelError) { try self.init(text: path) }

  @available(*, unavailable, message: "call 'ManagedObjectModel(contentsOf: url)' with the URL of the model file")
  public convenience init(named name: String) throws(ModelError) { try self.init(text: name) }

  @available(*, unavailable, renamed: "init(text:)")
  public convenience init(json text: String) throws(ModelError) { try self.init(text: text) }

  @available(*, unavailable, renamed: "init(text:)")
  public convenience init(string text: String) throws(ModelError) { try self.init(text: text) }

  @available(*, unavailable, message: "call 'ManagedObjectModel(text: String(decoding: data, as: UTF8.self))'")
  public convenience init(data: Data) throws(ModelError) {
    try self.init(text: String(decoding: data, as: UTF8.self))
  }
}

extension ConflictPolicy {
  @available(*, unavailable, renamed: "refuse")
  public static var error: ConflictPolicy { .refuse }

  @available(*, unavailable, renamed: "storeWins")
  public static var rollback: ConflictPolicy { .storeWins }

  @available(*, unavailable, renamed: "contextWins")
  public static var overwrite: ConflictPolicy { .contextWins }

  @available(*, unavailable, renamed: "mergeByProperty")
  public static var mergeByPropertyObjectTrump: ConflictPolicy { .mergeByProperty }

  @available(*, unavailable, message: "use 'mergeByProperty', or 'storeWins'")
  public static var mergeByPropertyStoreTrump: ConflictPolicy { .storeWins }
}

extension ManagedObject {
  @available(*, unavailable, message: "objects belong to a context: call 'Class(context: context)'")
  public convenience init() { fatalError("unavailable") }

  @available(*, unavailable, renamed: "context")
  public var managedObjectContext: ManagedObjectContext? { context }

  @available(*, unavailable, renamed: "value(of:as:)")
  public func value(forKey name: String) -> Any? { try? value(of: name, as: JSON.self) }

  @available(*, unavailable, renamed: "setValue(_:of:)")
  public func setValue(_ value: Any?, forKey name: String) throws(PropertyError) {
    try setValue((value as? any AttributeConvertible)?.attributeValue, of: name)
  }

  @available(
    *, unavailable,
    message: "use 'context.changes', which lists inserted, updated and deleted objects by their 'objectID'"
  )
  public var hasChanges: Bool { false }

  @available(*, unavailable, message: "use 'context.changes.updated.first { $0.id == objectID }'")
  public func changedValues() -> [String: Any] { [:] }

  @available(*, unavailable, message: "use 'context.changes.updated.first { $0.id == objectID }'")
  public func committedValues(forKeys keys: [String]?) -> [String: Any] { [:] }

  @available(
    *, unavailable, message: "call 'context.fetch(Class.self, where: predicate, sortedBy: keys, limit: count)'"
  )
  public static func fetchRequest() -> Never? { nil }
}
