/// Properties by slot, as generated classes read and set them: `self[slot: 3]` where a class written by hand says
/// `self["name"]`. Nothing is looked up. A property of a subclass can have any name without getting in the way of these.
extension ManagedObject {
  /// The value of an integer attribute; nil means nil.
  ///
  /// - Precondition: the slot is an integer attribute; for setting, the value fits, and no other object has the identity
  ///   that the change would give this one.
  public subscript(slot slot: Int) -> Int? {
    get { integer(slot: slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a string attribute; nil means nil.
  ///
  /// - Precondition: the slot is a string attribute; for setting, no other object has the identity that the change would
  ///   give this one.
  public subscript(slot slot: Int) -> String? {
    get { string(slot: slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of an attribute; nil means nil.
  ///
  /// - Precondition: the slot is an attribute that can be read as this type; for setting, no other object has the
  ///   identity that the change would give this one.
  public subscript<Value: AttributeConvertible>(slot slot: Int) -> Value? {
    get { attribute(slot: slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The object of a to-one relationship. The inverse follows when it is set.
  ///
  /// - Precondition: the slot is a to-one relationship to objects of this class; for setting, in the same context.
  public subscript<Object: ManagedObject>(slot slot: Int) -> Object? {
    get { toOne(slot: slot) }
    set { setToOne(newValue, slot: slot) }
  }

  /// The objects of a to-many relationship. The inverse follows when they are set.
  ///
  /// - Precondition: the slot is a to-many relationship to objects of this class; for setting, in the same context.
  public subscript<Object: ManagedObject>(slot slot: Int) -> RelatedObjects<Object> {
    get { RelatedObjects(owner: self, slot: slot) }
    set { setToMany(Array(newValue), slot: slot) }
  }

  /// The value of an integer attribute that is there.
  ///
  /// - Precondition: the attribute is not nil, and as for reading it as an optional.
  public subscript(required slot: Int) -> Int {
    get { integer(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a string attribute that is there.
  ///
  /// - Precondition: the attribute is not nil, and as for reading it as an optional.
  public subscript(required slot: Int) -> String {
    get { string(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of an attribute that is there.
  ///
  /// - Precondition: the attribute is not nil, and as for reading it as an optional.
  public subscript<Value: AttributeConvertible>(required slot: Int) -> Value {
    get { attribute(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  private func missing<Value>(_ slot: Int) -> Value {
    let reason =
      isDeleted
      ? "it was deleted" : isPlaceholder ? "it is a placeholder" : "it has not been set since the object was inserted"
    let name = isDetached ? "a property" : "'\(entityPlan.properties[slot].name)'"
    preconditionFailure("\(name) of '\(self)' has no value: \(reason)")
  }
}
