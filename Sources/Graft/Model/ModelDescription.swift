/// What a model says: its entities and how their properties are named in JSON (M2).
///
/// A description is a plain value. It comes from a model file or is built in Swift (M10); ``ManagedObjectModel`` checks
/// it and makes it ready for use.
public struct ModelDescription: Sendable {
  /// How properties without a `JSONKeyPath` are named in JSON (M7).
  public enum KeyStrategy: String, Sendable, CaseIterable {
    /// A property without a key path takes no part in JSON.
    case explicit
    /// The property's own name.
    case sameName
    /// The property's name in snake case: `realName` is `real_name`.
    case snakeCase
  }

  /// The model's name, for people.
  public var name: String?
  /// The model's version, for people.
  public var version: String?
  /// How properties without a `JSONKeyPath` are named in JSON. Already applied in the entities of a loaded model.
  public var keyStrategy: KeyStrategy = .explicit
  /// The entities, in the order of the file.
  public var entities: [EntityDescription]
  /// Anything else that the model's author wants to keep with it.
  public var userInfo: [String: JSON] = [:]
  /// What the model is for, in words.
  public var documentation: String?

  /// The text this model was read from, for messages.
  package var source: SourceText?

  /// Makes a description of entities.
  public init(name: String? = nil, entities: [EntityDescription] = []) {
    self.name = name
    self.entities = entities
  }
}
