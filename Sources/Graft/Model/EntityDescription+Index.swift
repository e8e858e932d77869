extension EntityDescription {
  /// An index over one or more properties of an entity ([M28](doc:Rules#M28)).
  ///
  ///     entity.indexes = ["name", ["lastName", "firstName"]]
  public struct Index: Sendable {
    /// The names of attributes and to-ones that the entity declares or inherits, in the order in which the index sorts.
    public var properties: [String]

    /// The declaration in the model file.
    package var source = DescriptionSource()

    /// Creates an index.
    public init(_ properties: [String]) { self.properties = properties }
  }
}

extension EntityDescription.Index: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// Creates an index over one property.
  public init(stringLiteral name: String) { self.init([name]) }

  /// Creates an index over several properties.
  public init(arrayLiteral names: String...) { self.init(names) }
}
