extension ModelFileField {
  /// The keys of the file itself (M2).
  static let ofModel: [ModelFileField] = [
    .init(
      .schema, .text, "The location of the JSON Schema of model files, for editors. `graft schema` prints it.",
      example: ##""$schema": "./model.schema.json""##),
    .init(.name, .text, "The name of the model, for readers.", example: #""name": "Comics""#),
    .init(.version, .text, "The version of the model, for readers.", example: #""version": "1""#),
    .documentation("Heroes and their publishers."),
    .init(
      .keyStrategy, .word(of: ModelDescription.KeyStrategy.self, ifAbsent: .explicit),
      "The keys of properties without a `JSONKeyPath`. A property opts out with `\"JSONKeyPath\": null`.",
      example: #""keyStrategy": "snakeCase""#),
    .nulls("properties without `JSONNulls` of their own read"),
    .init(
      .removed, .texts(orOne: false),
      "Entities, and properties as `Entity.property`, that earlier versions declared and whose data stores may lose. A store "
        + "with other data that the model no longer declares cannot be opened.",
      example: #""removed": ["Sidekick", "Hero.nickname"]"#),
    .init(
      .entities, .objects(.entity), isRequired: true, "The entities by name: the kinds of objects in the graph.",
      example: #""entities": { "Hero": { "attributes": { "name": "string" } } }"#),
    .userInfo(#"{ "team": "catalog" }"#),
  ]

  /// The keys of an entity (M3).
  static let ofEntity: [ModelFileField] = [
    .documentation("One hero."),
    .renamedFrom("Character"),
    .init(
      .parent, .text,
      "The entity that this one extends. Attributes, relationships, identity and transformers of the parent are inherited.",
      example: #""parent": "Message""#),
    .init(
      .abstract, .flag(ifAbsent: false),
      "Whether only sub-entities of the entity have objects. A mapper selects the sub-entity of an object in JSON.",
      example: #""abstract": true"#),
    .init(
      .class, .className, "The Swift class of the objects, if the class has a different name than the entity.",
      example: #""class": "TextMessageObject""#),
    .init(
      .identityAttributes, .names,
      "The attributes that identify an object, in the order in which an identifier in JSON lists them. Objects in JSON with "
        + "the same values are the same object. Without identity attributes, every object in JSON is a new object. They may "
        + "include a to-one relationship: the object is then identified inside the related object.",
      example: #""identityAttributes": ["setCode", "number"]"#),
    .init(
      .identityAttribute, .names, replacement: .identityAttributes, "The old spelling of `identityAttributes`.",
      example: #""identityAttribute": "identifier""#),
    .init(
      .alternateIdentities, .nameLists,
      "Other properties whose values no two objects share: names of attributes and to-one relationships, or arrays of "
        + "names. An object in JSON without the identity is the object with these values.",
      example: #""alternateIdentities": ["slug", ["challenge", "user"]]"#),
    .init(
      .entityMapperName, .text,
      "The name of an entity mapper: a closure that the program registers and that selects the sub-entity of an object. "
        + "A table in `entityMapper` needs no code.",
      example: #""entityMapperName": "MessageKind""#),
    .init(
      .entityMapper, .object(.mapper), "Selects the sub-entity of an object in JSON by one of its values.",
      example: #""entityMapper": { "JSONKeyPath": "type", "entities": { "text": "TextMessage" } }"#),
    .init(
      .JSONDictionaryTransformerName, .text,
      "The name of a dictionary transformer: a closure that the program registers and that changes a whole JSON object "
        + "before it is read.",
      example: #""JSONDictionaryTransformerName": "FlattenMessage""#),
    .init(
      .modificationAttribute, .text,
      "The attribute, a date or a number, that decides which of two versions of an object is newer. An object in JSON whose "
        + "value is not newer than the stored value is skipped with everything in it.",
      example: #""modificationAttribute": "updatedAt""#),
    .init(
      .deletedWhen, .object(.deletion),
      "The value that marks an object in JSON as deleted: the object with its identity is deleted or, if unknown, not inserted.",
      example: #""deletedWhen": { "JSONKeyPath": "is_deleted", "equals": true }"#),
    .init(
      .indexes, .nameLists,
      "The indexes that SQLite stores use to find and sort objects faster: names of attributes and to-one relationships, or "
        + "arrays of names for indexes over several properties. Identities and to-one relationships are always indexed.",
      example: #""indexes": ["name", ["lastName", "firstName"]]"#),
    .init(
      .attributes, .objects(.attribute), "The attributes by name: the values of an object.",
      example: #""attributes": { "name": { "type": "string", "JSONKeyPath": "name" } }"#),
    .init(
      .relationships, .objects(.relationship), "The relationships by name: the related objects of an object.",
      example:
        #""relationships": { "powers": { "destination": "Power", "toMany": true, "JSONKeyPath": "powers" } }"#),
    .userInfo(#"{ "icon": "hero.png" }"#),
  ]

  /// The keys of an entity mapper (M3).
  static let ofMapper: [ModelFileField] = [
    .documentation("By type."),
    .init(
      .JSONKeyPath, .keyPath(isNullable: false), isRequired: true,
      "The key path of the value that selects the sub-entity: keys separated by dots, or an array of keys.",
      example: #""JSONKeyPath": "type""#),
    .init(
      .entities, .entityNames, isRequired: true,
      "The entity names by the values that select them. If two values select the same entity, exports write the first.",
      example: #""entities": { "text": "TextMessage", "image": "ImageMessage" }"#),
    .init(
      .otherwise, .entityNameOrNull,
      "The entity for values that `entities` does not list. With `null`, objects with such values are skipped.",
      example: #""otherwise": "UnknownMessage""#),
  ]

  /// The keys of a deletion mark (M17).
  static let ofDeletion: [ModelFileField] = [
    .documentation("Deleted by a moderator."),
    .init(
      .JSONKeyPath, .keyPath(isNullable: false), isRequired: true,
      "The key path of the value: keys separated by dots, or an array of keys.",
      example: #""JSONKeyPath": "is_deleted""#),
    .init(
      .equals, .scalar, isRequired: true, "The value that marks an object as deleted: a string, a number or a boolean.",
      example: #""equals": true"#),
  ]
}
