// Classes and validations that a program registers.
extension DiagnosticCode {
  /// A class is registered for an entity that the model does not have.
  public static let classWithoutEntity = Self("class-without-entity")
  /// Two classes are registered for one entity.
  public static let twoClasses = Self("two-classes")
  /// The class of a sub-entity does not inherit from the class of its parent.
  public static let classOutsideHierarchy = Self("class-outside-hierarchy")
  /// A generated class does not match the model.
  public static let outdatedClass = Self("outdated-class")
  /// A class lists a queryable property that its entity does not have.
  public static let unknownQueryableProperty = Self("unknown-queryable-property")
  /// A validation is registered for an attribute that the entity does not have.
  public static let unknownAttribute = Self("unknown-attribute")
}
