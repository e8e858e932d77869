import Graft

extension CodeExplanation {
  static let entities = [
    CodeExplanation(
      .duplicateEntity, "Two entities have the same name. This happens in models built in Swift.",
      example: #"ModelDescription(entities: [EntityDescription("Hero"), EntityDescription("Hero")])"#,
      fix: "Rename one of them."),
    CodeExplanation(
      .duplicateClass, "Two entities have the same class.",
      example: #""Hero": {"class": "Person"}, "Villain": {"class": "Person"}"#,
      fix: "Give each entity its own class; a class may inherit from another."),
    CodeExplanation(
      .parentCycle, "An entity inherits from itself.",
      example: #""A": {"parent": "B"}, "B": {"parent": "A"}"#,
      fix: "Remove one of the `parent` keys."),
    CodeExplanation(
      .redeclaredProperty, "A property is declared twice: in one entity, or in an entity and its ancestor.",
      example: #""Hero": {"parent": "Person", "attributes": {"name": "string"}}     // Person has "name""#,
      fix: "Remove the second declaration; the property is inherited."),
    CodeExplanation(
      .repeatedIdentityAttribute, "An identity attribute is listed twice.",
      example: #""identityAttributes": "id, id""#, fix: "Remove one of the two."),
    CodeExplanation(
      .unusableIdentityAttribute, "An attribute of type `json` cannot identify objects.",
      example: #""identityAttributes": "data", "attributes": {"data": "json"}"#,
      fix: "Identify the objects by an attribute of another type."),
    CodeExplanation(
      .unusableAlternateIdentity,
      "`alternateIdentities` lists a property that cannot tell objects apart: a list, a `json` value, a to-many relationship, or an attribute with a default. Or it lists nothing, contains the identity, or belongs to an entity without an identity.",
      example: #""identityAttributes": "id", "alternateIdentities": [["id", "slug"]]"#,
      fix: "List attributes and to-one relationships that identify objects without the identity: `[\"slug\"]`."),
    CodeExplanation(
      .identityRelationship,
      "A relationship among the identity attributes cannot name the owner of the objects. It is a to-many or has no inverse, its destination has no identity or is identified by the same objects, or its other keys do not allow it.",
      example: #""identityAttributes": ["lines", "position"]          // "lines" is a to-many"#,
      fix: "List a to-one relationship with an inverse, such as `order`, whose destination has an identity."),
    CodeExplanation(
      .identityDefault, "The default of an identity attribute is never used.",
      example: #""identityAttributes": "id", "attributes": {"id": {"type": "integer64", "default": 0}}"#,
      fix: "Remove the default."),
    CodeExplanation(
      .identityWithoutKeyPath, "An identity attribute has no key path, so no payload could identify an object.",
      example: #""identityAttributes": "id", "attributes": {"id": "integer64"}"#,
      fix: "Add a `JSONKeyPath` to the attribute, or a `keyStrategy` to the model."),
    CodeExplanation(
      .extendedIdentity,
      "A sub-entity has more identity attributes than its parent. Identifiers and partial updates imported as the parent entity do not find its objects.",
      example:
        #""Person": {"identityAttributes": "id"}, "Guest": {"parent": "Person", "identityAttributes": "id, party"}"#,
      fix: "If this is intended, ignore the warning. Otherwise remove `identityAttributes` from the sub-entity."),
    CodeExplanation(
      .identityOrder,
      "The identity of a sub-entity must begin with the identity attributes of its parent, in the same order.",
      example:
        #""Person": {"identityAttributes": "id"}, "Guest": {"parent": "Person", "identityAttributes": "party, id"}"#,
      fix: "List the parent's identity attributes first."),
    CodeExplanation(
      .emptyMapper, "An entity mapper lists no values.",
      example: #""entityMapper": {"JSONKeyPath": "type", "entities": {}}"#,
      fix: "List each value with its entity, or remove the mapper."),
    CodeExplanation(
      .duplicateDiscriminator, "An entity mapper lists a value twice. This happens in models built in Swift.",
      example:
        #"EntityDescription.Mapper(keyPath: "type", cases: [.init("text", "TextMessage"), .init("text", "ImageMessage")])"#,
      fix: "Remove one of the two."),
    CodeExplanation(
      .mapperTargetOutsideHierarchy, "An entity mapper lists an entity that does not inherit from its own entity.",
      example: #""Message": {"entityMapper": {"JSONKeyPath": "type", "entities": {"user": "User"}}}"#,
      fix: "List the entity itself or one of its sub-entities."),
    CodeExplanation(
      .abstractMapperTarget, "An entity mapper lists an abstract entity.",
      example: #""entities": {"any": "Message"}          // "Message" is abstract"#,
      fix: "List a concrete sub-entity."),
    CodeExplanation(
      .abstractDestination,
      "The destination of a relationship is an abstract entity, and nothing selects a concrete sub-entity.",
      example: #""shape": {"destination": "Shape"}, "Shape": {"abstract": true}"#,
      fix: "Add an `entityMapper` to the abstract entity, or make a concrete entity the destination."),
    CodeExplanation(
      .unknownModificationAttribute,
      "`modificationAttribute` does not name an attribute of the entity or its ancestors.",
      example: #""modificationAttribute": "updated", "attributes": {"updatedAt": "date"}"#,
      fix: "Name an attribute that the entity declares or inherits."),
    CodeExplanation(
      .unusableModificationAttribute,
      "A property cannot show which version of an object is newer: its values have no order, it is not imported, or never changes.",
      example: #""modificationAttribute": "v", "attributes": {"v": {"type": "string", "JSONKeyPath": "v"}}"#,
      fix: "Use a date or a number with a `JSONKeyPath`. A transformer can read one from text."),
    CodeExplanation(
      .synchronizationWithoutIdentity,
      "An entity has a `modificationAttribute` or `deletedWhen`, but no identity, so stored objects cannot be found.",
      example: #""Hero": {"modificationAttribute": "updatedAt", "attributes": {"updatedAt": "date"}}"#,
      fix: "Add `identityAttributes`, or remove the key."),
    CodeExplanation(
      .unmatchedDeletionMark,
      "An attribute reads the key path of `deletedWhen`, but cannot have the value that marks an object as deleted.",
      example:
        #""deletedWhen": {"JSONKeyPath": "gone", "equals": true}, "attributes": {"gone": {"type": "integer16", "JSONKeyPath": "gone"}}"#,
      fix: "Correct `equals`: it is compared as it is in JSON, so true is not 1. Or correct the type or the `enum`."),
    CodeExplanation(
      .unknownIndexProperty,
      "`indexes` names something that is neither an attribute nor a to-one relationship of the entity or its ancestors.",
      example: #""indexes": ["nmae"], "attributes": {"name": "string"}"#,
      fix: "Name properties that the entity declares or inherits."),
    CodeExplanation(
      .unusableIndex,
      "`indexes` lists a property that has no order: a list, a `json` value or a to-many relationship. Or an index lists nothing.",
      example: #""indexes": ["tags"], "attributes": {"tags": {"type": "string", "list": true}}"#,
      fix: "Remove the property from `indexes`."),
    CodeExplanation(
      .repeatedIndex,
      "`indexes` lists an index twice, or one that an ancestor has; or an index lists a property twice.",
      example: #""indexes": ["name", "name"]"#,
      fix: "Remove one of the two."),
    CodeExplanation(
      .redundantIndex, "`indexes` lists the identity or a single to-one relationship, which stores always index.",
      example: #""identityAttributes": "id", "indexes": ["id"]"#,
      fix: "Remove it: a second index takes space, and time when objects are written."),
  ]

  static let keyPaths = [
    CodeExplanation(
      .sensitiveKey,
      "A sensitive attribute is read from the key of its object. Messages and JSON paths contain keys, so they would show the value.",
      example: #""email": {"type": "string", "JSONKeyPath": "@key", "sensitive": true}"#,
      fix: "Read the attribute from a value, or remove `sensitive`."),
    CodeExplanation(
      .malformedKeyPath, "A key path is empty, or has an empty key.",
      example: #""JSONKeyPath": "home..city""#,
      fix:
        #"Separate keys with single dots. Write a key that is empty or contains a dot in an array: `["a.b", "c"]`."#),
    CodeExplanation(
      .foreignKeyPath,
      "A key path looks like the syntax of another language. It is read literally, so it probably finds nothing.",
      example: #""JSONKeyPath": "$.items[0].name""#,
      fix:
        "Separate the keys with dots. A key path cannot lead to one element of an array: collect from all of them with `name[].family`, or make the elements a to-many relationship. Write a key that itself contains dots in an array: `[\"@odata.etag\"]`."
    ),
    CodeExplanation(
      .collidingKeyPaths, "Two properties have the same key path, so both would be written to the same place.",
      example: #""name": {"JSONKeyPath": "n"}, "number": {"JSONKeyPath": "n"}"#,
      fix: "Give each property its own key path."),
    CodeExplanation(
      .nestedKeyPaths, "A key path leads into a value that another property reads as a whole.",
      example: #""home": {"JSONKeyPath": "home"}, "city": {"JSONKeyPath": "home.city"}"#,
      fix: "Read the whole value or its parts, not both."),
    CodeExplanation(
      .aliasWithoutKeyPath, "A property has `JSONKeyPathAliases`, but no `JSONKeyPath`.",
      example: #""name": {"type": "string", "JSONKeyPathAliases": ["title"]}"#,
      fix: "Make the first alias the `JSONKeyPath`."),
    CodeExplanation(
      .misplacedKeyWord, "A word that begins with `@`, such as `@key`, is used where it has no meaning.",
      example: #""JSONKeyPath": "home.@key""#,
      fix:
        "Use these words alone: `@key` for the key of objects in a collection, `@value` for the element itself, `@index` for an integer attribute. Begin a key path with `@parent` or `@root` only if it is the last key path of its property, and the property is not part of an identity. Use a path through an array, such as `edges[].node`, only for a list or a to-many."
    ),
    CodeExplanation(
      .misplacedForm,
      "A key that describes forms of values is used where it has no meaning, such as `lenient` on a single value.",
      example: #""name": {"type": "string", "lenient": true}"#,
      fix: "Remove the key, or change what the message names."),
    CodeExplanation(
      .misplacedMigration,
      "`migratedFrom` does not fit its property, or leads to a version that the model has not reached.",
      example:
        #""lastName": {"type": "string", "migratedFrom": {"version": "2", "attributes": "name", "part": 1}}   // parts need a separator"#,
      fix: "Change what the message names. `version` must not be later than the model's version."),
    CodeExplanation(
      .wrongIdentifierPaths,
      "A `JSONKeyPath` that is an object must have a key path for each identity attribute of a to-one's destination, and no others.",
      example:
        #""product": {"destination": "Product", "JSONKeyPath": {"shop": "shop_id"}}   // identified by shop and sku"#,
      fix:
        "List the identity attributes of the destination, and `@type` if its mapper needs a key that is not one of them."
    ),
    CodeExplanation(
      .misplacedDirection,
      "A property has a `JSONDirection` that contradicts its other keys: an identity, or a property without a key path, cannot have one.",
      example: #""identityAttributes": "id", "attributes": {"id": {"type": "string", "JSONDirection": "import"}}"#,
      fix: "Remove the `JSONDirection`, or the key that the message names."),
    CodeExplanation(
      .misplacedList,
      "An attribute is a list, but the `entityMapper` or `deletedWhen` of its entity reads a single value at its key path.",
      example:
        #""deletedWhen": {"JSONKeyPath": "gone", "equals": true}, "attributes": {"gone": {"type": "boolean", "list": true, "JSONKeyPath": "gone"}}"#,
      fix: "Give the attribute another `JSONKeyPath`, or remove its `list`."),
    CodeExplanation(
      .missingDefault,
      "A required attribute is only exported, so an import cannot give it a value, and it has no default.",
      example: #""origin": {"type": "string", "JSONKeyPath": "origin", "JSONDirection": "export"}"#,
      fix: #"Add a `default` or `"optional": true`."#),
  ]
}
