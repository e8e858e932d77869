/// The description of one relationship of a model ([M6](doc:Rules#M6)).
public struct RelationshipDescription: Sendable {
  /// The effect on the other side when an object is deleted.
  public enum DeleteRule: String, Sendable, CaseIterable { case nullify, cascade, deny, noAction }
  /// Whether an array in the payload replaces the objects of a to-many relationship or adds to them.
  public enum MergeRule: String, Sendable, CaseIterable { case replace, union }
  /// The effect of an identifier that is still unknown at the end of the payload ([D1](doc:Rules#D1)).
  public enum UnresolvedRule: String, Sendable, CaseIterable { case placeholder, skip, deny }
  /// The form of the relationship's objects on export.
  public enum JSONRepresentation: String, Sendable, CaseIterable { case object, identifier, none }

  /// The relationship's name.
  public var name: String
  /// The name of the destination entity.
  public var destinationName: String
  /// Whether the relationship is a to-many relationship.
  public var isToMany = false
  /// Whether a to-many relationship is ordered.
  public var isOrdered = false
  /// The name of the inverse relationship, declared by the destination.
  public var inverseName: String?
  /// Whether the relationship may be empty.
  public var isOptional = true
  /// The minimum number of objects in a to-many relationship.
  public var minCount: Int?
  /// The maximum number of objects in a to-many relationship.
  public var maxCount: Int?
  /// The effect on the other side when an object is deleted.
  public var deleteRule = DeleteRule.nullify
  /// Whether an array in the payload replaces the objects or adds to them.
  public var mergeRule = MergeRule.replace
  /// The effect of an unknown identifier.
  public var unresolvedRule = UnresolvedRule.placeholder
  /// Whether objects that a `replace` leaves without an owner are deleted.
  public var deletesOrphans = false
  /// The form of the objects on export.
  public var representation = JSONRepresentation.object
  /// The key path in JSON. If it is nil, the relationship is neither imported nor exported.
  public var keyPath: JSONKeyPath?
  /// The key paths that are read, in order, when ``keyPath`` is absent ([M7](doc:Rules#M7)).
  public var keyPathAliases: [JSONKeyPath] = []
  /// A part of an identifier with its own key in JSON.
  public struct IdentifierKeyPath: Sendable, Hashable {
    /// The name of the destination's identity attribute, or `@type` for the key of its mapper.
    public var name: String
    /// The key path of the value.
    public var keyPath: JSONKeyPath

    /// Creates a part.
    public init(_ name: String, keyPath: JSONKeyPath) {
      self.name = name
      self.keyPath = keyPath
    }
  }

  /// The parts of the identifier of a to-one relationship's object, if each part has a key of its own ([M24](doc:Rules#M24)). ``keyPath``
  /// is the key path of the first part.
  public var identifierKeyPaths: [IdentifierKeyPath] = [] {
    didSet { if let first = identifierKeyPaths.first { keyPath = first.keyPath } }
  }
  /// The names of the value transformers that apply to each identifier before the object is looked up, in order. Exports apply their
  /// reverses in the opposite order ([M26](doc:Rules#M26)).
  public var transformerNames: [String] = []
  /// The JSON values that are read as null before any transformer is applied. They replace the model's list ([M20](doc:Rules#M20)).
  public var nulls: [JSON]?
  /// Whether a dictionary whose only mapped value is an identity is read as an identifier ([M21](doc:Rules#M21)).
  public var hasReferences = false
  /// Whether a single element is also read as a list, a list as its only element, and an object with the keys `0`, `1` and so on as a list
  /// ([M22](doc:Rules#M22)).
  public var isLenient = false
  /// Whether the relationship is imported, exported, or both.
  public var direction = JSONDirection.both
  /// Custom data that Graft stores but does not use.
  public var userInfo: [String: JSON] = [:]
  /// A description of the relationship in prose.
  public var documentation: String?

  /// The former names of the relationship, in any earlier version. A store of such a version has its data under one of them.
  public var renamedFrom: [String] = []
  /// How the relationship gets its object from a store of an earlier version in which no relationship has one of its names.
  public var migration: RelationshipMigration? {
    get { migrationBox?.value }
    set { migrationBox = newValue.map(MigrationBox.init) }
  }
  private var migrationBox: MigrationBox<RelationshipMigration>?

  /// The declaration in the model file.
  package var source = DescriptionSource()

  /// Creates a description of a relationship.
  public init(
    _ name: String, to destinationName: String, isToMany: Bool = false, inverse: String? = nil,
    keyPath: JSONKeyPath? = nil
  ) {
    self.name = name
    self.destinationName = destinationName
    self.isToMany = isToMany
    self.inverseName = inverse
    self.keyPath = keyPath
  }
}
