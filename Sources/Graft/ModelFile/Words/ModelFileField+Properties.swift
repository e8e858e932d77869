extension ModelFileField {
  /// The keys of an attribute (M4).
  static let ofAttribute: [ModelFileField] = [
    .documentation("The name on the cover."),
    .renamedFrom("title"),
    .init(
      .migratedFrom, .object(.attributeMigration),
      "The values of the attribute in stores of earlier versions: a part of a string, several strings joined, or another type.",
      example: #""migratedFrom": { "version": "2", "attributes": "age", "JSONTransformerName": "StringToInteger" }"#),
    .init(
      .type, .word(of: AttributeType.self), isRequired: true,
      "The type of the values. Types are never coerced: a number in a string is an error unless a transformer reads it.",
      example: #""type": "integer64""#),
    .init(
      .list, .flag(ifAbsent: false),
      "Whether the attribute holds a list of such values, an array in JSON. The transformer and validation keywords apply to each "
        + "element; elements cannot be `null`.",
      example: #""type": "string", "list": true"#),
    .init(
      .optional, .flag(ifAbsent: false),
      "Whether the attribute may be nil, `null` in JSON. Otherwise every object must have a value.",
      example: #""optional": true"#),
    .init(
      .default, .value,
      "The value of a new object if the JSON has none: a value of its type, as written in JSON without a transformer; "
        + "for a list, an array of values.",
      example: #""default": "common""#),
    .init(
      .JSONKeyPath, .keyPath(isNullable: true),
      "The key path in JSON: keys separated by dots, or an array of keys if one contains a dot. `@key` is the key "
        + "of the object itself, `@value` the element itself when it is not an object, `@index` the position of the "
        + "object in its array. A path that begins with `@parent` starts at the object that contains this one, and a path "
        + "that begins with `@root` at the whole document; exports write neither. A list may collect values from all elements of "
        + "an array: `tags[].name`. Without a key path, "
        + "the attribute is not part of JSON unless `keyStrategy` gives it one; `null` keeps it out.",
      example: #""JSONKeyPath": "image.url""#),
    .init(
      .JSONKeyPathAliases, .keyPaths,
      "Other key paths, read in order if there is no value at `JSONKeyPath`. Exports do not write them. A path that begins "
        + "with `@parent` or `@root` must be the last.",
      example: #""JSONKeyPath": "id", "JSONKeyPathAliases": ["@key", "identifier"]"#),
    .init(
      .JSONDirection, .word(of: JSONDirection.self, ifAbsent: .both),
      "Whether the property is read from JSON, written to JSON, or both.", example: #""JSONDirection": "import""#),
    .init(
      .JSONTransformerName, .transformerName,
      "The name of a value transformer, which converts the value from JSON and back: a built-in one, or a closure that "
        + "the program registers. Several names in an array are applied in order, and in reverse on export.",
      example: #""JSONTransformerName": "StringToInteger""#),
    .nulls("the property reads"),
    .init(
      .lenient, .flag(ifAbsent: false),
      "Whether a list also reads a single element, and an object with the keys `0`, `1` and so on. Exports write an array.",
      example: #""list": true, "lenient": true"#),
    .init(.minimum, .bound, "The minimum value of a number.", example: #""minimum": 0"#),
    .init(.maximum, .bound, "The maximum value of a number.", example: #""maximum": 100"#),
    .init(
      .minLength, .count(atLeast: 0),
      "The minimum length, in Unicode scalars for strings and in bytes for binary data.",
      example: #""minLength": 1"#),
    .init(
      .maxLength, .count(atLeast: 0),
      "The maximum length, in Unicode scalars for strings and in bytes for binary data.",
      example: #""maxLength": 60"#),
    .init(
      .pattern, .text, "A regular expression that must match somewhere in the string; `^` and `$` anchor it.",
      example: #""pattern": "^[A-Z]{3}$""#),
    .init(
      .minCount, .count(atLeast: 0), "The minimum number of elements in a list.",
      example: #""list": true, "minCount": 1"#
    ),
    .init(
      .maxCount, .count(atLeast: 1), "The maximum number of elements in a list.",
      example: #""list": true, "maxCount": 10"#),
    .init(
      .enum, .values, "The only legal values, as written in JSON without a transformer.",
      example: #""enum": ["common", "rare"]"#),
    .init(
      .extensible, .flag(ifAbsent: false),
      "Whether values that `enum` does not list are also legal. They are kept, and imports report them as warnings.",
      example: #""enum": ["common", "rare"], "extensible": true"#),
    .init(
      .sensitive, .flag(ifAbsent: false),
      "Whether the values are sensitive: messages, reports, traces and dumps show `<hidden>` instead. Exports and stores contain "
        + "them.",
      example: #""sensitive": true"#),
    .userInfo(#"{ "column": 3 }"#),
  ]

  /// The keys of a relationship (M6).
  static let ofRelationship: [ModelFileField] = [
    .documentation("Who publishes the hero."),
    .renamedFrom("company"),
    .init(
      .migratedFrom, .object(.relationshipMigration),
      "The related object in stores of earlier versions: the attributes that become attributes of the destination.",
      example: #""migratedFrom": { "version": "2", "attributes": { "name": "teamName" } }"#),
    .init(
      .destination, .text, isRequired: true, "The entity of the related objects.",
      example: #""destination": "Publisher""#),
    .init(
      .toMany, .flag(ifAbsent: false), "Whether the relationship holds any number of objects, an array in JSON.",
      example: #""toMany": true"#),
    .init(
      .ordered, .flag(ifAbsent: false), "Whether a to-many keeps the order of the array.",
      example: #""toMany": true, "ordered": true"#),
    .init(
      .inverse, .text,
      "The relationship of the destination that points back. Both sides name each other, and always agree.",
      example: #""inverse": "heroes""#),
    .init(
      .optional, .flag(ifAbsent: true),
      "Whether the relationship may be empty. With `false`, a to-one must have an object, and a to-many at least one.",
      example: #""optional": false"#),
    .init(
      .minCount, .count(atLeast: 0), "The minimum number of objects in a to-many.",
      example: #""toMany": true, "minCount": 1"#),
    .init(
      .maxCount, .count(atLeast: 1), "The maximum number of objects in a to-many.",
      example: #""toMany": true, "maxCount": 3"#),
    .init(
      .deleteRule, .word(of: RelationshipDescription.DeleteRule.self, ifAbsent: .nullify),
      "What happens to the related objects when an object is deleted.", example: #""deleteRule": "cascade""#),
    .init(
      .mergeRule, .word(of: RelationshipDescription.MergeRule.self, ifAbsent: .replace),
      "How an array in a payload changes a to-many.", example: #""toMany": true, "mergeRule": "union""#),
    .init(
      .unresolvedRule, .word(of: RelationshipDescription.UnresolvedRule.self, ifAbsent: .placeholder),
      "What happens to an identifier that matches no object at the end of the payload.",
      example: #""unresolvedRule": "skip""#),
    .init(
      .deleteOrphans, .flag(ifAbsent: false),
      "Whether objects that a payload removes from the relationship are deleted unless another object still has them in "
        + "this relationship. Requires an `inverse`.",
      example: #""inverse": "course", "deleteOrphans": true"#),
    .init(
      .JSONRepresentation, .word(of: RelationshipDescription.JSONRepresentation.self, ifAbsent: .object),
      "How exports write the related objects.", example: #""JSONRepresentation": "identifier""#),
    .init(
      .JSONKeyPath, .identifierKeyPath,
      "The key path in JSON: keys separated by dots, or an array of keys if one contains a dot. `@value` is the "
        + "element itself: a list of objects for a to-many; for a to-one, an identifier, or the same dictionary. "
        + "A to-many may collect objects from all elements of an array: "
        + "`issues.edges[].node`. If the key path is an object, it gives each identity attribute of a to-one's destination, and its "
        + "mapper's key as `@type`, a key path of its own. A path that begins with `@parent` starts at the "
        + "object that contains this one, and a path that begins with `@root` at the whole document; for a to-one, "
        + "its value is an identifier. "
        + "Without a key path, the relationship is not part of JSON "
        + "unless `keyStrategy` gives it one; `null` keeps it out.",
      example: #""JSONKeyPath": "publisher""#),
    .init(
      .JSONKeyPathAliases, .keyPaths,
      "Other key paths, read in order if there is no value at `JSONKeyPath`. Exports do not write them.",
      example: #""JSONKeyPath": "members", "JSONKeyPathAliases": ["team.members"]"#),
    .init(
      .JSONDirection, .word(of: JSONDirection.self, ifAbsent: .both),
      "Whether the property is read from JSON, written to JSON, or both.", example: #""JSONDirection": "import""#),
    .init(
      .JSONTransformerName, .transformerName,
      "The name of a value transformer, or an array of names, which makes an identifier from each value that is not an "
        + "object: `LastPathSegment`, `Split(/)`, another built-in transformer, or a closure that the program registers.",
      example: #""JSONTransformerName": "LastPathSegment""#),
    .nulls("the property reads"),
    .init(
      .JSONReferences, .flag(ifAbsent: false),
      "Whether an object in JSON whose only mapped keys belong to its identity and mapper is read as an identifier.",
      example: #""JSONReferences": true"#),
    .init(
      .lenient, .flag(ifAbsent: false),
      "Whether a single element is read as an array; an array of one, `[]`, `\"\"` and `false` as an object or `null`; and "
        + "an object with the keys `0`, `1` and so on as an array.",
      example: #""lenient": true"#),
    .userInfo(#"{ "color": "red" }"#),
  ]
}
