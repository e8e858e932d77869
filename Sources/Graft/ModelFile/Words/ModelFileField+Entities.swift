extension ModelFileField {
  /// The keys of the file itself (M2).
  static let ofModel: [ModelFileField] = [
    .init(
      .schema, .text, "Where the JSON Schema of model files stands, for editors. `graft schema` prints it.",
      example: ##""$schema": "./model.schema.json""##),
    .init(.name, .text, "The model's name, for people.", example: #""name": "Comics""#),
    .init(.version, .text, "The model's version, for people.", example: #""version": "1""#),
    .documentation("Heroes and their publishers."),
    .init(
      .keyStrategy, .word(of: ModelDescription.KeyStrategy.self, ifAbsent: .explicit),
      "Where properties without a `JSONKeyPath` stand in JSON. A property opts out with `\"JSONKeyPath\": null`.",
      example: #""keyStrategy": "snakeCase""#),
    .init(
      .removed, .texts(orOne: false),
      "What earlier versions had, and stores may lose: entities, and properties as `Entity.property`. Without it, a store "
        + "with values of something that the model no longer declares is not opened.",
      example: #""removed": ["Sidekick", "Hero.nickname"]"#),
    .init(
      .entities, .objects(.entity), isRequired: true, "The entities by their names: the kinds of objects there are.",
      example: #""entities": { "Hero": { "attributes": { "name": "string" } } }"#),
    .userInfo(#"{ "team": "catalogue" }"#),
  ]

  /// The keys of an entity (M3).
  static let ofEntity: [ModelFileField] = [
    .documentation("One hero."),
    .renamedFrom("Character"),
    .init(
      .parent, .text,
      "The entity that this one extends. It has its parent's attributes, relationships, identity and transformers too.",
      example: #""parent": "Message""#),
    .init(
      .abstract, .flag(ifAbsent: false),
      "Whether there are objects of its sub-entities only. A mapper says which sub-entity an object in JSON is.",
      example: #""abstract": true"#),
    .init(
      .class, .className, "The Swift class of its objects, where it is not named as the entity is.",
      example: #""class": "TextMessageObject""#),
    .init(
      .identityAttributes, .names,
      "The attributes that tell objects apart, in the order in which an identifier in JSON lists them. Two mentions of "
        + "the same values are the same object. Without them, every object in JSON is a new one. A to-one relationship may be "
        + "among them: the object is then identified inside the object that it leads to.",
      example: #""identityAttributes": ["setCode", "number"]"#),
    .init(
      .identityAttribute, .names, replacement: .identityAttributes, "The old spelling of `identityAttributes`.",
      example: #""identityAttribute": "identifier""#),
    .init(
      .entityMapperName, .text,
      "The name of an entity mapper: a closure that the program registers, and that says which sub-entity an object is. "
        + "A table in `entityMapper` needs no code.",
      example: #""entityMapperName": "MessageKind""#),
    .init(
      .entityMapper, .object(.mapper), "Which sub-entity an object in JSON is, by one of its values.",
      example: #""entityMapper": { "JSONKeyPath": "type", "entities": { "text": "TextMessage" } }"#),
    .init(
      .JSONDictionaryTransformerName, .text,
      "The name of a dictionary transformer: a closure that the program registers, and that changes a whole JSON object "
        + "before it is read.",
      example: #""JSONDictionaryTransformerName": "FlattenMessage""#),
    .init(
      .modificationAttribute, .text,
      "The attribute, a date or a number, that tells which of two versions of an object is newer. An object in JSON whose "
        + "value is not newer than the stored one is skipped with everything in it.",
      example: #""modificationAttribute": "updatedAt""#),
    .init(
      .deletedWhen, .object(.deletion),
      "The value that marks an object in JSON as deleted: the object with its identity is deleted, and none is inserted.",
      example: #""deletedWhen": { "JSONKeyPath": "is_deleted", "equals": true }"#),
    .init(
      .attributes, .objects(.attribute), "The attributes by their names: the values that an object holds.",
      example: #""attributes": { "name": { "type": "string", "JSONKeyPath": "name" } }"#),
    .init(
      .relationships, .objects(.relationship), "The relationships by their names: the objects that an object leads to.",
      example:
        #""relationships": { "powers": { "destination": "Power", "toMany": true, "JSONKeyPath": "powers" } }"#),
    .userInfo(#"{ "icon": "hero.png" }"#),
  ]

  /// The keys of an entity mapper (M3).
  static let ofMapper: [ModelFileField] = [
    .documentation("By type."),
    .init(
      .JSONKeyPath, .keyPath(isNullable: false), isRequired: true,
      "Where the value stands that tells the sub-entities apart: keys between dots, or an array of keys.",
      example: #""JSONKeyPath": "type""#),
    .init(
      .entities, .entityNames, isRequired: true,
      "The names of entities by the values that mean them. Of two values for one entity, the first is written on export.",
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
      .equals, .scalar, isRequired: true, "The value of an object that is deleted: text, a number or a boolean.",
      example: #""equals": true"#),
  ]
}
