// Names of Core Data, so that the compiler says what is called otherwise here. None of them can be used; the setters are there for
// the compiler to name the property that is set.

extension ManagedObjectContext {
  @available(*, unavailable, renamed: "commit()")
  public func save() throws { try commit() }

  @available(*, unavailable, renamed: "rollBack()")
  public func rollback() { rollBack() }

  @available(*, unavailable, renamed: "find(_:)")
  public func object(with id: ManagedObjectID) -> ManagedObject? { find(id) }

  @available(*, unavailable, renamed: "find(_:)")
  public func existingObject(with id: ManagedObjectID) -> ManagedObject? { find(id) }

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
}

extension ManagedObject {
  @available(*, unavailable, renamed: "context")
  public var managedObjectContext: ManagedObjectContext? { context }

  @available(*, unavailable, renamed: "value(of:as:)")
  public func value(forKey name: String) -> Any? { try? value(of: name, as: JSON.self) }

  @available(*, unavailable, renamed: "setValue(_:of:)")
  public func setValue(_ value: Any?, forKey name: String) throws(PropertyError) {
    try setValue((value as? any AttributeConvertible)?.attributeValue, of: name)
  }
}
