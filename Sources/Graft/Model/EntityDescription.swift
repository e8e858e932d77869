/// What a model says about one entity (M3).
public struct EntityDescription: Sendable {
  /// A declarative mapper: which value under a key path means which sub-entity.
  public struct Mapper: Sendable {
    /// One line of the table.
    public struct Case: Sendable {
      /// The discriminator's value; numbers and booleans are compared by their JSON text (D4).
      public var value: String
      /// The entity it stands for.
      public var entityName: String

      /// Makes a line of the table.
      public init(_ value: String, _ entityName: String) {
        self.value = value
        self.entityName = entityName
      }
    }

    /// Where the discriminator stands in a dictionary.
    public var keyPath: JSONKeyPath
    /// The table, in the order of the file: of two values for one entity the first is written on export (D4).
    public var cases: [Case]

    /// Makes a mapper.
    public init(keyPath: JSONKeyPath, cases: [Case]) {
      self.keyPath = keyPath
      self.cases = cases
    }
  }

  /// The entity's name.
  public var name: String
  /// The entity this one inherits from.
  public var parentName: String?
  /// Whether no object may be of this entity itself, only of its sub-entities.
  public var isAbstract = false
  /// What the class generator calls the class.
  public var className: String?
  /// The attributes that tell objects apart, in order; those of the parents come first and are not repeated here.
  public var identityAttributes: [String] = []
  /// The name of a registered entity mapper.
  public var entityMapperName: String?
  /// A declarative entity mapper.
  public var entityMapper: Mapper?
  /// The name of a registered dictionary transformer.
  public var dictionaryTransformerName: String?
  /// The attributes declared here, in the order of the file.
  public var attributes: [AttributeDescription]
  /// The relationships declared here, in the order of the file.
  public var relationships: [RelationshipDescription]
  /// Anything else that the model's author wants to keep with it.
  public var userInfo: [String: JSON] = [:]
  /// What the entity is, in words.
  public var documentation: String?

  /// Where the model file says so.
  package var source = DescriptionSource()

  /// Makes a description of an entity.
  public init(
    _ name: String, identityAttributes: [String] = [], attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = []
  ) {
    self.name = name
    self.identityAttributes = identityAttributes
    self.attributes = attributes
    self.relationships = relationships
  }
}
