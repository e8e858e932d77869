/// The description of a model: its entities, and the names of their properties in JSON ([M2](doc:Rules#M2)).
///
/// A description is a plain value, read from a model file or built in Swift. ``ManagedObjectModel`` checks it and prepares
/// it for use.
public struct ModelDescription: Sendable {
  /// A strategy for the JSON keys of properties without a `JSONKeyPath` ([M7](doc:Rules#M7)).
  public enum KeyStrategy: String, Sendable, CaseIterable {
    /// A property without a key path is neither imported nor exported.
    case explicit
    /// The property's own name.
    case sameName
    /// The property's name in snake case: `realName` becomes `real_name`.
    case snakeCase
  }

  /// The model's name. Informational only.
  public var name: String?
  /// The model's version, such as `2` or `1.10`. Each migration step leads to a version, and a program with an older version must not
  /// change a newer store ([S17](doc:Rules#S17)).
  public var version: String?
  /// The strategy for the JSON keys of properties without a `JSONKeyPath`. The entities of a loaded model already have
  /// the resulting key paths.
  public var keyStrategy: KeyStrategy = .explicit
  /// The JSON values that all properties read as null, unless they list their own ([M20](doc:Rules#M20)).
  public var nulls: [JSON] = []
  /// Entities, and properties as `Entity.property`, that earlier versions of the model had and that stores may lose.
  public var removed: [String] = []
  /// The entities, in the order of the file.
  public var entities: [EntityDescription]
  /// Custom data that Graft stores but does not use.
  public var userInfo: [String: JSON] = [:]
  /// A description of the model in prose.
  public var documentation: String?

  /// The text that the model was read from, for messages.
  package var source: SourceText?
  /// The elements of ``removed`` in that text.
  package var removedSource = DescriptionSource()
  /// The elements of ``nulls`` in that text.
  package var nullsSource = DescriptionSource()

  /// Creates a description of a model with entities.
  public init(name: String? = nil, entities: [EntityDescription] = []) {
    self.name = name
    self.entities = entities
  }
}
