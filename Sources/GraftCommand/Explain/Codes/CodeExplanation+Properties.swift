import Graft

extension CodeExplanation {
  static let attributes = [
    CodeExplanation(
      .unfitValue, "A value in the model, such as a default, does not fit the type of its attribute.",
      example: #""level": {"type": "integer16", "default": 40000}"#,
      fix: "Correct the value, or choose a type that can hold it."),
    CodeExplanation(
      .brokenValidation, "A default or a listed value violates the validation of its own attribute.",
      example: #""level": {"type": "integer16", "minimum": 1, "default": 0}"#,
      fix: "Correct the value or the validation."),
    CodeExplanation(
      .unfitValidation,
      "A validation does not fit the type of its attribute, or a registered one does not accept the attribute's values.",
      example: #""name": {"type": "string", "minimum": 1}"#,
      fix: "Use a validation for the type: `minLength` for text, `minimum` for numbers and dates."),
    CodeExplanation(
      .impossibleBounds, "No value can satisfy both bounds, or a bound is negative.",
      example: #""name": {"type": "string", "minLength": 5, "maxLength": 3}"#,
      fix: "Correct one of the bounds."),
    CodeExplanation(
      .emptyEnum, "An `enum` lists no values, so no value would be valid.",
      example: #""kind": {"type": "string", "enum": []}"#, fix: "List the values, or remove the key."),
    CodeExplanation(
      .repeatedEnumValue, "An `enum` lists a value twice.",
      example: #""kind": {"type": "string", "enum": ["a", "b", "a"]}"#, fix: "Remove one of the two."),
    CodeExplanation(
      .malformedPattern,
      "A pattern is not a regular expression, or uses something that the engine does not support, such as a back-reference.",
      example: #""pattern": "[a-z""#,
      fix: "Correct the pattern. Patterns match in linear time, so back-references and look-around are not supported."),
    CodeExplanation(
      .unfitTransformer, "A transformer returns values of a type that does not fit its attribute.",
      example: #""name": {"type": "string", "JSONTransformerName": "UnixTime"}"#,
      fix: "Change the type of the attribute, or use another transformer."),
    CodeExplanation(
      .oneWayTransformer,
      "A transformer has no reverse, so an export writes the stored value, which an import may not accept.",
      example: #"registry.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }"#,
      fix: "Pass a `reverse` closure, or ignore the warning if the attribute is never exported."),
    CodeExplanation(
      .lossyDateFormat,
      "`DateFormat(A|B)` reads both patterns, and writes A, which cannot represent everything that B reads.",
      example:
        #""day": {"type": "date", "JSONTransformerName": "DateFormat(yyyy|yyyy-MM-dd)"}     // 2015-04-24 is written as 2015"#,
      fix: "Put the pattern with the most parts first."),
    CodeExplanation(
      .defaultMeansNull,
      "An export writes the default of an attribute in a form that `JSONNulls` or `Blank` reads as null. Importing the export changes the value.",
      example: #""note": {"type": "string", "default": "", "JSONTransformerName": "Blank"}"#,
      fix: "Use another default, or none with `\"optional\": true`."),
  ]

  static let relationships = [
    CodeExplanation(
      .inverseDoesNotPointBack, "The inverse of a relationship does not point back to it.",
      example: #""team": {"destination": "Team", "inverse": "heroes"}   // "heroes" of Team names another inverse"#,
      fix: "Let both relationships name each other."),
    CodeExplanation(
      .toManyOnly, "A key is for to-many relationships only.",
      example: #""team": {"destination": "Team", "ordered": true}"#,
      fix: #"Add `"toMany": true`, or remove the key."#),
    CodeExplanation(
      .orphansWithoutInverse,
      "`deleteOrphans` requires an inverse: only the inverse shows whether an object still has an owner.",
      example: #""lines": {"destination": "Line", "toMany": true, "deleteOrphans": true}"#,
      fix: "Declare the inverse relationship in the destination, and name it as `inverse`."),
    CodeExplanation(
      .identifierWithoutIdentity, "A relationship is exported as identifiers, but its objects have no identity.",
      example: #""price": {"destination": "Price", "JSONRepresentation": "identifier"}"#,
      fix: "Add `identityAttributes` to the destination, or export objects."),
  ]

  static let advice = [
    CodeExplanation(
      .unmappedEntity, "An entity has no key paths, so imports and exports ignore its properties.",
      example: #""Hero": {"attributes": {"name": "string"}}"#,
      fix:
        #"Add `JSONKeyPath` to the properties, or a `keyStrategy` to the model. If this is intended, add `"JSONKeyPath": null` to one property."#
    ),
    CodeExplanation(
      .unfilledAttribute,
      "A required attribute has neither a key path nor a default, so each imported object would be invalid.",
      example: #""name": {"type": "string", "JSONKeyPath": null}"#,
      fix: #"Add a `JSONKeyPath`, a `default` or `"optional": true`."#),
    CodeExplanation(
      .ignoredMinCount, #"`"minCount": 0` has no effect, because `"optional": false` requires at least one object."#,
      example: #""heroes": {"destination": "Hero", "toMany": true, "optional": false, "minCount": 0}"#,
      fix: "Remove one of the two keys."),
    CodeExplanation(
      .missingInverse, "A relationship that owns its objects has no inverse.",
      example: #""lines": {"destination": "Line", "toMany": true, "deleteRule": "cascade"}"#,
      fix: "Declare the inverse relationship, and name it as `inverse`."),
    CodeExplanation(
      .unreachedEntity, "No mapper or relationship reaches a sub-entity, so no payload creates its objects.",
      example: #""Villain": {"parent": "Hero"}          // no mapper lists it"#,
      fix: "Add it to the `entityMapper` of its parent."),
    CodeExplanation(
      .oneWayClosure,
      "A mapper or dictionary transformer is a closure, so an export cannot write what the closure reads.",
      example: #""entityMapperName": "HeroKind""#,
      fix: "Declare an `entityMapper` in the model. If exports are not imported again, ignore the warning."),
    CodeExplanation(
      .oneWayFallback,
      "An entity mapper has an entity for values that it does not list, but an export of that entity's objects writes no such value.",
      example:
        #""entityMapper": {"JSONKeyPath": "type", "entities": {"text": "TextMessage"}, "otherwise": "UnknownMessage"}"#,
      fix: "Give the entity an attribute with the key path of the mapper, or list a value for it in `entities`."),
    CodeExplanation(
      .unexportedAttribute,
      "A required attribute is only imported, so an export lacks it and cannot be imported into another graph.",
      example: #""price": {"type": "decimal", "JSONKeyPath": "price", "JSONDirection": "import"}"#,
      fix: #"Add a `default` or `"optional": true`, or remove the `JSONDirection`."#),
    CodeExplanation(
      .unexportedRelationship, "The links of a relationship are lost when an export is imported.",
      example: #""team": {"destination": "Team", "JSONRepresentation": "none"}"#,
      fix: "Export the relationship or its inverse."),
  ]

  static let classes = [
    CodeExplanation(
      .classWithoutEntity, "A class is registered, but the model has no entity with its `entityName`.",
      example: "ManagedObjectModel(contentsOf: url, classes: [Heroe.self])",
      fix: "Rename the class, or override `entityName`."),
    CodeExplanation(
      .twoClasses, "Two classes are registered for one entity.",
      example: "ManagedObjectModel(contentsOf: url, classes: [Hero.self, OldHero.self])",
      fix: "Register one of them."),
    CodeExplanation(
      .classOutsideHierarchy, "The class of a sub-entity does not inherit from the class of its parent entity.",
      example: "final class Villain: ManagedObject {}          // Villain's parent is Hero",
      fix: "Let the class inherit: `final class Villain: Hero`."),
    CodeExplanation(
      .outdatedClass, "A generated class does not match the loaded model.",
      example: "A property was renamed in the model file, and the classes were not generated again.",
      fix: "Run `graft generate` again."),
    CodeExplanation(
      .unknownQueryableProperty, "A class lists a queryable property that its entity does not have.",
      example: #"[.init(\Hero.name, "nam")]"#,
      fix: "Use the name of the property in the model."),
    CodeExplanation(
      .unknownAttribute, "A validation is registered for an attribute that the entity does not have.",
      example: #"registry.registerValidation(ofEntity: "Event", attribute: "cod") { (code: String) in }"#,
      fix: "Correct the name. A validation of a relationship is registered for the whole entity."),
  ]
}
