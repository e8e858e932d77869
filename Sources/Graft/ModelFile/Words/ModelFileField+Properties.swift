extension ModelFileField {
  /// The keys of an attribute (M4).
  static let ofAttribute: [ModelFileField] = [
    .documentation("The name on the cover."),
    .renamedFrom("title"),
    .init(
      .type, .word(of: AttributeType.self), isRequired: true,
      "What it holds. No type guesses: a number in a string is an error, unless a transformer reads it.",
      example: #""type": "integer64""#),
    .init(
      .list, .flag(ifAbsent: false),
      "Whether it holds a list of such values, an array in JSON. The transformer and the validation keywords apply to each "
        + "element, and no element is `null`.",
      example: #""type": "string", "list": true"#),
    .init(
      .optional, .flag(ifAbsent: false), "Whether it may be nil, `null` in JSON. Otherwise an object must have it.",
      example: #""optional": true"#),
    .init(
      .default, .value,
      "What a new object has when the JSON does not say: a value of its type, in the form of JSON without a transformer; "
        + "for a list, an array of values.",
      example: #""default": "common""#),
    .init(
      .JSONKeyPath, .keyPath(isNullable: true),
      "Its key path in JSON: keys separated by dots, or an array of keys if one contains a dot. `@key` is the key "
        + "of the object itself, `@value` the value under that key when it is not an object, `@index` the position of the "
        + "object in its array. A path that begins with `@parent` leads from the object that contains this one, one that begins "
        + "with `@root` from the whole document; both are only read. Without a key path, "
        + "it takes no part in JSON unless `keyStrategy` gives it one; `null` keeps it out.",
      example: #""JSONKeyPath": "image.url""#),
    .init(
      .JSONKeyPathAliases, .keyPaths,
      "Other places in JSON, read in order when there is nothing at `JSONKeyPath`. Export does not write them. One that begins "
        + "with `@parent` or `@root` is the last.",
      example: #""JSONKeyPath": "id", "JSONKeyPathAliases": ["@key", "identifier"]"#),
    .init(
      .JSONDirection, .word(of: JSONDirection.self, ifAbsent: .both),
      "Whether it is read from JSON, written to it, or both.", example: #""JSONDirection": "import""#),
    .init(
      .JSONTransformerName, .transformerName,
      "The name of a value transformer, which reads what JSON has and writes it back: a built-in one, or a closure that "
        + "the program registers.",
      example: #""JSONTransformerName": "StringToInteger""#),
    .init(.minimum, .bound, "The least value of a number.", example: #""minimum": 0"#),
    .init(.maximum, .bound, "The greatest value of a number.", example: #""maximum": 100"#),
    .init(
      .minLength, .count(atLeast: 0), "The least length: of a string in Unicode scalars, of binary data in bytes.",
      example: #""minLength": 1"#),
    .init(
      .maxLength, .count(atLeast: 0), "The greatest length: of a string in Unicode scalars, of binary data in bytes.",
      example: #""maxLength": 60"#),
    .init(
      .pattern, .text, "A regular expression that a string must contain a match of; `^` and `$` anchor it.",
      example: #""pattern": "^[A-Z]{3}$""#),
    .init(
      .minCount, .count(atLeast: 0), "The least number of elements in a list.", example: #""list": true, "minCount": 1"#
    ),
    .init(
      .maxCount, .count(atLeast: 1), "The greatest number of elements in a list.",
      example: #""list": true, "maxCount": 10"#),
    .init(
      .enum, .values, "The only values it may have, in the form of JSON without a transformer.",
      example: #""enum": ["common", "rare"]"#),
    .init(
      .extensible, .flag(ifAbsent: false),
      "Whether `enum` lists only the known values. Other values are kept, and imports report them as warnings.",
      example: #""enum": ["common", "rare"], "extensible": true"#),
    .userInfo(#"{ "column": 3 }"#),
  ]

  /// The keys of a relationship (M6).
  static let ofRelationship: [ModelFileField] = [
    .documentation("Who publishes the hero."),
    .renamedFrom("company"),
    .init(
      .destination, .text, isRequired: true, "The entity that it leads to.", example: #""destination": "Publisher""#),
    .init(
      .toMany, .flag(ifAbsent: false), "Whether it leads to many objects, an array in JSON.",
      example: #""toMany": true"#),
    .init(
      .ordered, .flag(ifAbsent: false), "Whether a to-many keeps the order of the array.",
      example: #""toMany": true, "ordered": true"#),
    .init(
      .inverse, .text,
      "The relationship of the destination that leads back. Both sides name each other, and always agree.",
      example: #""inverse": "heroes""#),
    .init(
      .optional, .flag(ifAbsent: true),
      "Whether it may be empty. With `false` a to-one must lead to an object, a to-many to at least one.",
      example: #""optional": false"#),
    .init(
      .minCount, .count(atLeast: 0), "The least number of objects in a to-many.",
      example: #""toMany": true, "minCount": 1"#),
    .init(
      .maxCount, .count(atLeast: 1), "The greatest number of objects in a to-many.",
      example: #""toMany": true, "maxCount": 3"#),
    .init(
      .deleteRule, .word(of: RelationshipDescription.DeleteRule.self, ifAbsent: .nullify),
      "What happens to the other side when an object is deleted.", example: #""deleteRule": "cascade""#),
    .init(
      .mergeRule, .word(of: RelationshipDescription.MergeRule.self, ifAbsent: .replace),
      "What an array in a payload does to a to-many.", example: #""toMany": true, "mergeRule": "union""#),
    .init(
      .unresolvedRule, .word(of: RelationshipDescription.UnresolvedRule.self, ifAbsent: .placeholder),
      "What an identifier does that no object is known by at the end of the payload.",
      example: #""unresolvedRule": "skip""#),
    .init(
      .deleteOrphans, .flag(ifAbsent: false),
      "Whether objects that a payload takes out of the relationship are deleted when nothing else holds them by it. "
        + "It needs an `inverse`.",
      example: #""inverse": "course", "deleteOrphans": true"#),
    .init(
      .JSONRepresentation, .word(of: RelationshipDescription.JSONRepresentation.self, ifAbsent: .object),
      "How it is written on export.", example: #""JSONRepresentation": "identifier""#),
    .init(
      .JSONKeyPath, .keyPath(isNullable: true),
      "Its key path in JSON: keys separated by dots, or an array of keys if one contains a dot. `@value` is the "
        + "value under the key of the object itself, for a to-many. A path that begins with `@parent` leads to a value of the "
        + "object that contains this one, and a path that begins with `@root` to a value of the whole document; for a to-one, "
        + "that is an identifier. "
        + "Without a key path, it takes no part in JSON "
        + "unless `keyStrategy` gives it one; `null` keeps it out.",
      example: #""JSONKeyPath": "publisher""#),
    .init(
      .JSONKeyPathAliases, .keyPaths,
      "Other places in JSON, read in order when there is nothing at `JSONKeyPath`. Export does not write them.",
      example: #""JSONKeyPath": "members", "JSONKeyPathAliases": ["team.members"]"#),
    .init(
      .JSONDirection, .word(of: JSONDirection.self, ifAbsent: .both),
      "Whether it is read from JSON, written to it, or both.", example: #""JSONDirection": "import""#),
    .userInfo(#"{ "color": "red" }"#),
  ]
}
