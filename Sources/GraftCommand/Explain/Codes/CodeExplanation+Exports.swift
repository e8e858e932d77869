import Graft

extension CodeExplanation {
  static let exports = [
    CodeExplanation(
      .unknownRelationship, "`representations` names a relationship that the entity does not have.",
      example: #"ExportOptions(representations: ["Hero": ["teem": .identifier]])"#, fix: "Correct the name."),
    CodeExplanation(
      .unmappedRelationship, "`representations` names a relationship without a key path, which is not exported.",
      example: #"ExportOptions(representations: ["Hero": ["team": .identifier]])   // "team" has no JSONKeyPath"#,
      fix: "Add a `JSONKeyPath` to the relationship, or leave it out."),
    CodeExplanation(
      .incompleteRelationship,
      "A relationship would be exported without some of its objects, and importing the result would unlink or delete them.",
      example: "A to-many below `maxDepth` whose objects have no identity.",
      fix:
        "Raise `maxDepth`, give the objects an identity, or set `incompleteRelationships` to leave such relationships out."
    ),
    CodeExplanation(
      .unreadableObject, "An import could not tell which entity the exported object belongs to.",
      example: "A Villain in a list of Heroes whose mapper does not list Villain.",
      fix: "Add the sub-entity to the mapper, or export its objects separately."),
    CodeExplanation(
      .duplicateObjectKey, "Two objects of a collection by keys have the same key, so one would replace the other.",
      example: #"{"en": {…}, "en": {…}}          // "JSONKeyPath": "@key""#,
      fix: "Give the attribute its own key path, with `@key` as an alias, or make it the identity."),
    CodeExplanation(
      .missingObjectKey, "An object of a collection by keys has no value for its key.",
      example: #"The attribute with "JSONKeyPath": "@key" is nil."#,
      fix: "Set the value, or give the attribute its own key path, with `@key` as an alias."),
    CodeExplanation(
      .misplacedKey,
      "The first key path of an attribute is `@key`, but its object is not exported in a collection by keys.",
      example: "A to-one relationship to an object whose identity is `@key`.",
      fix: "Give the attribute its own key path, with `@key` as an alias."),
    CodeExplanation(
      .misplacedObject,
      "An object is exported by itself, so part of its identity is not written: its owner, or its position in an array (`@index`). An import would not recognize it.",
      example: #"try jsonData(from: line)          // "identityAttributes": ["order", "position"]"#,
      fix: "Export the owner, or add a key path to the position and one to the relationship that refers to the owner."),
    CodeExplanation(
      .misplacedValue,
      "The first key path of a property is `@value`, but its object also has other values, or has no value for it.",
      example: #"{"en": "Hello"} has no place for another value."#,
      fix: "Give the attribute its own key path, with `@value` as an alias."),
    CodeExplanation(
      .invalidExport, "A reverse transformer returned a value that is not JSON.",
      example: "A value that is nested thousands of levels deep.", fix: "Return a value that an import could read."),
    CodeExplanation(
      .otherForm,
      "`json(from:)` returns a dictionary for one object and an array for several, but the export has another form.",
      example:
        "A placeholder, whose export is its identifier, or a collection by keys, whose export is one dictionary.",
      fix: "Write it with `jsonData(from:)`, and read the result with `JSONSerialization`."),
    CodeExplanation(
      .unwritableFile,
      "The file for an export cannot be written, or the closure that receives the pieces of an export threw an error.",
      example: #"try writeJSON(from: heroes, to: URL(filePath: "/heroes.json"))     // permission denied"#,
      fix: "The message contains the reason. An existing file is unchanged."),
  ]

  static let program = [
    CodeExplanation(
      .conversion,
      "Part of a Core Data model has no counterpart in a model file. `graft convert` leaves it out or replaces it.",
      example: "A transformable attribute, or a fetched property.",
      fix: "Read the message, which shows what was chosen, and edit the model file if you want something else."),
    CodeExplanation(
      .malformedCoreDataModel, "A file is not a Core Data model.",
      example: "graft convert Comics.json", fix: "Pass an .xcdatamodeld or .xcdatamodel, or the `contents` in it."),
    CodeExplanation(
      .takenClassName, "A generated class would have the same name as another declaration in the generated code.",
      example: #"An entity named "ManagedObject"."#,
      fix: "Give the entity another `class`, or use `--prefix` or `--namespace`."),
    CodeExplanation(
      .collidingClassNames, "Two generated classes would have the same name, or names that differ only in case.",
      example: #"Entities "hero" and "Hero"."#, fix: "Give one of them another `class`."),
    CodeExplanation(
      .collidingPropertyNames, "Two properties would have the same name in Swift.",
      example: #""first_name" and "firstName" in one entity."#, fix: "Rename one of them in the model."),
    CodeExplanation(
      .hiddenType, "A generated class hides a type of Swift or Foundation in its module.",
      example: #"An entity named "Task"."#, fix: "Use `--namespace` or `--prefix`, or give the entity another `class`."),
  ]
}
