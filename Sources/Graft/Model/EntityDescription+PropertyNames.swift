extension EntityDescription {
  /// One or more properties of an entity: an index ([M28](doc:Rules#M28)), or another identity ([M27](doc:Rules#M27)).
  ///
  ///     entity.indexes = ["name", ["lastName", "firstName"]]
  ///     entity.alternateIdentities = ["slug"]
  public struct PropertyNames: Sendable {
    /// The names of attributes and to-one relationships that the entity declares or inherits. An index sorts by them in this order.
    public var properties: [String]

    /// The declaration in the model file.
    package var source = DescriptionSource()

    /// Creates a list of properties.
    public init(_ properties: [String]) { self.properties = properties }
  }
}

extension EntityDescription.PropertyNames: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// Creates a list of one property.
  public init(stringLiteral name: String) { self.init([name]) }

  /// Creates a list of several properties.
  public init(arrayLiteral names: String...) { self.init(names) }
}
