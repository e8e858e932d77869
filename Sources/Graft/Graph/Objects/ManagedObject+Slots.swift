#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Access to properties by slot, for generated classes: `self[slot: 3]` instead of the `self["name"]` of a handwritten class.
/// No name is looked up, and no property of a subclass can collide with these subscripts.
extension ManagedObject {
  /// The value of an integer attribute, or nil.
  ///
  /// - Precondition: the slot is an integer attribute. A new value fits the attribute, and does not give this object the
  ///   identity of another object.
  public subscript(slot slot: Int) -> Int? {
    get { integer(slot: slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a string attribute, or nil.
  ///
  /// - Precondition: the slot is a string attribute. A new value does not give this object the identity of another object.
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
  ///   of another object.
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
    @inlinable get { RelatedObjects(owner: self, slot: slot) }
    set { setToMany(Array(newValue), slot: slot) }
  }

  /// The value of a required integer attribute.
  ///
  /// If a hook or another closure reads a value that is missing, the import, export or validation fails, and the closure gets an arbitrary
  /// value of the type ([I20](doc:Rules#I20)).
  ///
  /// - Precondition: the attribute is not nil. The preconditions of the optional value also apply.
  public subscript(required slot: Int) -> Int {
    get { integer(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a required string attribute.
  ///
  /// - Precondition: the attribute is not nil. The preconditions of the optional value also apply.
  public subscript(required slot: Int) -> String {
    get { string(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a required double attribute.
  ///
  /// - Precondition: the attribute is not nil, so the object is not a placeholder, not deleted, and not a new object without a value.
  public subscript(required slot: Int) -> Double {
    get { number(slot: slot) ?? attribute(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a required boolean attribute.
  ///
  /// - Precondition: the attribute is not nil, so the object is not a placeholder, not deleted, and not a new object without a value.
  public subscript(required slot: Int) -> Bool {
    get { boolean(slot: slot) ?? attribute(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// The value of a required attribute.
  ///
  /// - Precondition: the attribute is not nil. The preconditions of the optional value also apply.
  public subscript<Value: AttributeConvertible>(required slot: Int) -> Value {
    get { attribute(slot: slot) ?? missing(slot) }
    set { setAttribute(newValue, slot: slot) }
  }

  /// Handles a missing required value. If the value is read by a closure that the library calls during its work, the work fails
  /// (I20). Anywhere else, the read is a programming error, and traps.
  private func missing<Value: AttributeConvertible>(_ slot: Int) -> Value {
    let reason =
      isDeleted
      ? "it was deleted" : isPlaceholder ? "it is a placeholder" : "it has not been set since the object was inserted"
    let name = isDetached ? "a property" : "'\(entityPlan.properties[slot].name)'"
    let words = "\(name) of '\(self)', which has no value because \(reason)"
    if !isDetached, let value = standIn(slot) as Value?, context.isMissingNil() || context.isReadInClosure(words) {
      return value
    }
    preconditionFailure("\(name) of '\(self)' has no value: \(reason)")
  }

  /// Reads a value that objects are sorted by; nil if a required value on its path is missing, as in a placeholder.
  func readingMissingAsNil<Value>(_ body: () -> Value?) -> Value? {
    let activity = context.activity
    let outer = activity.pointee.missing
    activity.pointee.missing = (true, false)
    defer { activity.pointee.missing = outer }
    let value = body()
    return activity.pointee.missing.occurred ? nil : value
  }

  /// An arbitrary value of an attribute's type, in place of a missing value.
  private func standIn<Value: AttributeConvertible>(_ slot: Int) -> Value? {
    guard let attribute = entityPlan.properties[slot].attribute else { return nil }
    let values = [attribute.type.anyValue] + (attribute.validation.allowedValues ?? [])
    let candidates = attribute.isList ? [.list([])] : values
    if let value = candidates.lazy.compactMap({ Value(attributeValue: $0) }).first { return value }
    guard let type = Value.self as? any CaseIterable.Type else { return nil }
    return ManagedObject.anyCase(type) as? Value
  }

  private static func anyCase<Cases: CaseIterable>(_ type: Cases.Type) -> Any? { type.allCases.first }
}

extension AttributeType {
  /// An arbitrary value of the type.
  fileprivate var anyValue: AttributeValue {
    switch self {
    case .integer16, .integer32, .integer64: .integer(0)
    case .double: .double(0)
    case .float: .float(0)
    case .decimal: .decimal(0)
    case .boolean: .boolean(false)
    case .string: .string("")
    case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
    case .binary: .binary(Data())
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .uri: URIText.url("about:blank").map { .uri($0) } ?? .json(.null)
    case .json: .json(.null)
    }
  }
}
