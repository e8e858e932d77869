/// What a model says about one relationship (M6).
public struct RelationshipDescription: Sendable {
  /// What happens to the other side when an object is deleted.
  public enum DeleteRule: String, Sendable, CaseIterable { case nullify, cascade, deny, noAction }
  /// Whether an array in the payload replaces a to-many or adds to it.
  public enum MergeRule: String, Sendable, CaseIterable { case replace, union }
  /// What an identifier gives that nobody knows at the end of the payload (D1).
  public enum UnresolvedRule: String, Sendable, CaseIterable { case placeholder, skip, deny }
  /// How the relationship is written on export.
  public enum JSONRepresentation: String, Sendable, CaseIterable { case object, identifier, none }

  /// The relationship's name.
  public var name: String
  /// The name of the entity it leads to.
  public var destinationName: String
  /// Whether it holds many objects.
  public var isToMany = false
  /// Whether a to-many keeps its order.
  public var isOrdered = false
  /// The relationship of the destination that leads back.
  public var inverseName: String?
  /// Whether it may be empty.
  public var isOptional = true
  /// The least number of objects in a to-many.
  public var minCount: Int?
  /// The greatest number of objects in a to-many.
  public var maxCount: Int?
  /// What happens to the other side when an object is deleted.
  public var deleteRule = DeleteRule.nullify
  /// Whether an array replaces or adds.
  public var mergeRule = MergeRule.replace
  /// What an unknown identifier gives.
  public var unresolvedRule = UnresolvedRule.placeholder
  /// Whether objects that a `replace` leaves without an owner are deleted.
  public var deletesOrphans = false
  /// How it is written on export.
  public var representation = JSONRepresentation.object
  /// Where it stands in JSON; nil: it takes no part.
  public var keyPath: JSONKeyPath?
  /// Read, in order, when ``keyPath`` is absent (M7).
  public var keyPathAliases: [JSONKeyPath] = []
  /// Anything else that the model's author wants to keep with it.
  public var userInfo: [String: JSON] = [:]
  /// What the relationship is, in words.
  public var documentation: String?

  /// Where the model file says so.
  package var source = DescriptionSource()

  /// Makes a description of a relationship.
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
