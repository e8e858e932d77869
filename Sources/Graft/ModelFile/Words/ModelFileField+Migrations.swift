extension ModelFileField {
  /// The keys of an attribute's `migratedFrom` (S21).
  static let ofAttributeMigration: [ModelFileField] = [
    .documentation("Version 2 has two names."),
    .version,
    .init(
      .attributes, .texts(orOne: true), isRequired: true,
      "The attribute of the earlier version, or several attributes whose strings are joined. If an attribute had other names before, list those names as well.",
      example: #""attributes": ["street", "city"]"#),
    .init(
      .separator, .text, "The separator between the strings of several attributes, or between the parts of one string.",
      example: #""separator": ", ""#),
    .init(
      .part, .count(atLeast: 0),
      "The number of a part of one attribute's string, from 0. The last part that an attribute of the entity takes is the rest of the string.",
      example: #""separator": " ", "part": 1"#),
    .init(
      .parts, .count(atLeast: 1),
      "The number of parts, if attributes of the entity take only some of them. The last part is the rest of the string; "
        + "parts that no attribute takes are lost.",
      example: #""separator": " ", "part": 0, "parts": 2"#),
    .init(
      .JSONTransformerName, .transformerName,
      "The name of a value transformer that reads the value, or an array of names. Without it, every form that loses "
        + "nothing is read, as with `Lenient`.",
      example: #""JSONTransformerName": "StringToInteger""#),
  ]

  /// The keys of a relationship's `migratedFrom` (S21).
  static let ofRelationshipMigration: [ModelFileField] = [
    .documentation("Version 2 has teams."),
    .version,
    .init(
      .attributes, .attributeNames, isRequired: true,
      "The attributes of the destination, each with the attribute of the earlier version that has its values. Objects with the "
        + "same identity become one object.",
      example: #""attributes": { "name": "teamName", "city": "teamCity" }"#),
  ]

  private static let version = ModelFileField(
    .version, .text, isRequired: true,
    "The first `version` of the model in which it has this form. Stores of earlier versions are migrated.",
    example: #""version": "2""#)
}
