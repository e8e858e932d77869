/// Access to properties by slot, for generated classes: `self[slot: 3]` instead of the `self["name"]` of a handwritten class.
/// No name is looked up, and no property of a subclass can collide with these subscripts.
extension ManagedObject {
  /// The value of an integer attribute, or nil.
  ///
  /// - Precondition: the slot is an integer attribute. A new value fits the attribute, and does not give this object the
  ///   identity of another one.
  public subscript(slot slot: Int) -> Int? {
    get { integer(slot: slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a string attribute, or nil.
  ///
  /// - Precondition: the slot is a string attribute. A new value does not give this object the identity of another one.
  public subscript(slot slot: Int) -> String? {
    get { string(slot: slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a double attribute, or nil.
  public subscript(slot slot: Int) -> Double? {
    get { number(slot: slot) ?? attribute(slot: slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a boolean attribute, or nil.
  public subscript(slot slot: Int) -> Bool? {
    get { boolean(slot: slot) ?? attribute(slot: slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of an attribute, or nil.
  ///
  /// - Precondition: the slot is an attribute that can be read as this type. A new value does not give this object the identity
  ///   of another one.
  public subscript<Value: AttributeConvertible>(slot slot: Int) -> Value? {
    get { attribute(slot: slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The object of a to-one relationship. Setting it updates the inverse.
  ///
  /// - Precondition: the slot is a to-one relationship to objects of this class. A new object is in the same context.
  public subscript<Object: ManagedObject>(slot slot: Int) -> Object? {
    get { toOne(slot: slot) }
    set { setToOne(newValue, slot: slot) }
  }

  /// The objects of a to-many relationship. Setting them updates the inverse.
  ///
  /// - Precondition: the slot is a to-many relationship to objects of this class. New objects are in the same context.
  public subscript<Object: ManagedObject>(slot slot: Int) -> RelatedObjects<Object> {
    get { RelatedObjects(owner: self, slot: slot) }
    set { setToMany(Array(newValue), slot: slot) }
  }

  /// The value of a required integer attribute.
  ///
  /// - Precondition: the attribute is not nil; otherwise as for the optional value.
  public subscript(required slot: Int) -> Int {
    get { integer(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a required string attribute.
  ///
  /// - Precondition: the attribute is not nil; otherwise as for the optional value.
  public subscript(required slot: Int) -> String {
    get { string(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a required double attribute.
  ///
  /// - Precondition: the object has a value: it is neither a placeholder nor deleted, nor new without one.
  public subscript(required slot: Int) -> Double {
    get { number(slot: slot) ?? attribute(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a required boolean attribute.
  ///
  /// - Precondition: the object has a value: it is neither a placeholder nor deleted, nor new without one.
  public subscript(required slot: Int) -> Bool {
    get { boolean(slot: slot) ?? attribute(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a required attribute.
  ///
  /// - Precondition: the attribute is not nil; otherwise as for the optional value.
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
