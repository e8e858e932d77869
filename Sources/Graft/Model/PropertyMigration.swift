/// How an attribute gets its values from a store of an earlier version of the model ([S21](doc:Rules#S21)).
///
///     "lastName": {"type": "string", "migratedFrom": {"version": "2", "attributes": "name", "separator": " ", "part": 1}}
///     "address": {"type": "string", "migratedFrom": {"version": "2", "attributes": ["street", "city"], "separator": ", "}}
///     "age": {"type": "integer64", "migratedFrom": {"version": "2", "attributes": "age", "JSONTransformerName": "StringToInteger"}}
public struct AttributeMigration: Sendable {
  /// The first version of the model in which the attribute has this form.
  public var version: String
  /// The attributes of the earlier version. The texts of several attributes are joined, without nil values. The attributes are also found
  /// under the names in `renamedFrom`. Names that are no longer in the model can also be listed; only the names that a store contains are
  /// used.
  public var attributes: [String]
  /// The string between the texts of several attributes, or between the parts of one.
  public var separator: String?
  /// The index of the part of the attribute's text, counted from 0. The last part that any attribute takes is the rest of the text.
  public var part: Int?
  /// The number of parts, if the attributes take only some of these parts. The last part is the rest of the text, even if no attribute
  /// takes it.
  public var parts: Int?
  /// The value transformers that read the value. If there are none, every form that can be read without loss is accepted, as by `Lenient`;
  /// a number that the type cannot hold exactly is an error.
  public var transformerNames: [String] = []

  /// The declaration in the model file.
  package var source = DescriptionSource()

  /// Creates a description of a migration.
  public init(to version: String, attributes: [String], separator: String? = nil, part: Int? = nil, parts: Int? = nil) {
    self.version = version
    self.attributes = attributes
    self.separator = separator
    self.part = part
    self.parts = parts
  }

  /// Returns whether both migrations take parts of the same text.
  func takesPartOfSameText(as other: AttributeMigration) -> Bool {
    ModelVersion.isSame(version, other.version) && attributes == other.attributes && separator == other.separator
  }
}

/// How a to-one relationship gets its object from a store of an earlier version of the model, from attributes that the destination now has
/// ([S21](doc:Rules#S21)).
///
///     "team": {"destination": "Team", "migratedFrom": {"version": "3", "attributes": {"name": "teamName", "city": "teamCity"}}}
public struct RelationshipMigration: Sendable {
  /// The first version of the model that has the relationship.
  public var version: String
  /// The attributes of the destination, each with the attribute of the earlier version that has its values.
  public var attributes: [(name: String, formerName: String)]

  /// The declaration in the model file.
  package var source = DescriptionSource()

  /// Creates a description of a migration.
  public init(to version: String, attributes: [(name: String, formerName: String)]) {
    self.version = version
    self.attributes = attributes
  }
}

/// A migration stored outside its description, because descriptions are copied often and seldom have a migration.
final class MigrationBox<Migration: Sendable>: Sendable {
  let value: Migration

  init(_ value: Migration) { self.value = value }
}
