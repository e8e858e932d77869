/// The description of one entity of a model ([M3](doc:Rules#M3)).
public struct EntityDescription: Sendable {
  /// A declarative mapper: a table that maps the value at a key path to a sub-entity.
  public struct Mapper: Sendable {
    /// One row of the table.
    public struct Case: Sendable {
      /// The discriminator's value. Numbers and booleans are compared by their JSON text ([D4](doc:Rules#D4)).
      public var value: String
      /// The name of the entity for this value.
      public var entityName: String

      /// Creates a row of the table.
      public init(_ value: String, _ entityName: String) {
        self.value = value
        self.entityName = entityName
      }
    }

    /// What happens to dictionaries with a discriminator that the table does not list ([M15](doc:Rules#M15)).
    public enum Fallback: Sendable, Hashable {
      /// Such dictionaries describe objects of this entity.
      case entity(String)
      /// Such dictionaries are skipped.
      case skip
    }

    /// The key path of the discriminator in a dictionary.
    public var keyPath: JSONKeyPath
    /// The table, in the order of the file. If two values map to the same entity, the first is exported ([D4](doc:Rules#D4)).
    public var cases: [Case]
    /// What happens to discriminators that the table does not list. If it is nil, the mapper does not select an
    /// entity for them ([D4](doc:Rules#D4)).
    public var otherwise: Fallback?

    /// Creates a mapper.
    public init(keyPath: JSONKeyPath, cases: [Case], otherwise: Fallback? = nil) {
      self.keyPath = keyPath
      self.cases = cases
      self.otherwise = otherwise
    }

    /// Returns the row of the table for a discriminator. Values are compared by their bytes.
    package func listed(_ value: String) -> Case? { cases.first { UTF8Key($0.value) == UTF8Key(value) } }
  }

  /// The entity's name.
  public var name: String
  /// The name of the entity that this one inherits from.
  public var parentName: String?
  /// Whether only sub-entities of this entity can have objects.
  public var isAbstract = false
  /// The name of the generated class.
  public var className: String?
  /// The attributes that identify an object, in order. Inherited attributes come first and are not repeated here.
  public var identityAttributes: [String] = []
  /// Other properties whose values are unique to each object. They are used to find an object if a dictionary does not contain its
  /// identity ([M27](doc:Rules#M27)). Inherited alternate identities are not repeated here.
  public var alternateIdentities: [PropertyNames] = []
  /// The name of a registered entity mapper.
  public var entityMapperName: String?
  /// A declarative entity mapper.
  public var entityMapper: Mapper?
  /// The name of a registered dictionary transformer.
  public var dictionaryTransformerName: String?
  /// The attribute that decides which of two versions of an object is newer. A dictionary whose value is not newer than the stored value is
  /// skipped ([M17](doc:Rules#M17)).
  public var modificationAttribute: String?
  /// The value that marks a dictionary as the deletion of its object ([M17](doc:Rules#M17)).
  public var deletedWhen: DeletionMark?
  /// The indexes that let SQLite stores find and sort objects faster ([M28](doc:Rules#M28)). Inherited indexes are not repeated here.
  public var indexes: [PropertyNames] = []
  /// The attributes declared here, in the order of the file.
  public var attributes: [AttributeDescription]
  /// The relationships declared here, in the order of the file.
  public var relationships: [RelationshipDescription]
  /// Custom data that Graft stores but does not use.
  public var userInfo: [String: JSON] = [:]
  /// A description of the entity in prose.
  public var documentation: String?

  /// The former names of the entity, in any earlier version. A store of such a version has its data under one of them.
  public var renamedFrom: [String] = []

  /// The declaration in the model file.
  package var source = DescriptionSource()

  /// Creates a description of an entity.
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
