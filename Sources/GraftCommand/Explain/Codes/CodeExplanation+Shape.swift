import Graft
import GraftTools

extension CodeExplanation {
  static let shape = [
    CodeExplanation(
      .unknownKey,
      "A key is unknown in this place. In a model file, this is always an error. In a payload, it is an error only with `unknownKeys: .error`.",
      example: #""name": {"type": "string", "optinal": true}"#,
      fix:
        "Correct the spelling, or move the key to where it belongs. In a payload, map the key or leave `unknownKeys` at `.ignore`."
    ),
    CodeExplanation(
      .missingKey, "A key that the model file requires is missing.",
      example: #""powers": {"toMany": true}"#,
      fix: #"Add the key: a relationship requires a `"destination"`, for example."#),
    CodeExplanation(
      .conflictingKeys, "Two keys of a model file contradict each other, or express the same thing in two ways.",
      example: #""identityAttribute": "id", "identityAttributes": ["id"]"#,
      fix: "Keep one of them."),
    CodeExplanation(
      .wrongType,
      "A value does not have the required type. Values are never converted: `\"4\"` is not a number, and `1` is not `true`.",
      example: #"{"id": "4"}          // "id" is declared integer64"#,
      fix:
        "Correct the value, or let the model accept it: change the type, or add a transformer such as `StringToInteger`."
    ),
    CodeExplanation(
      .unknownWord, "The value of a key is not one of the allowed words.",
      example: #""deleteRule": "nullfy""#,
      fix: "Use one of the words that the message lists."),
    CodeExplanation(
      .oldSpelling, "A key has an old name, which still works.",
      example: #""identityAttribute": "id""#,
      fix: "Use the new name, `identityAttributes`."),
    CodeExplanation(
      .badName,
      "A name cannot be used for an entity or a property: it is empty or contains illegal characters. Or a former name, in `renamedFrom` or `removed`, is still in use.",
      example: #""first name": "string""#,
      fix:
        "Use letters, digits and underscores, and begin with a letter. The JSON key may differ: set `JSONKeyPath`."),
    CodeExplanation(
      .badClassName, "The class name of an entity is not a valid Swift type name.",
      example: #""Hero": {"class": "My-Hero"}"#,
      fix: "Use letters, digits and underscores, do not begin with a digit, and avoid Swift's keywords."),
    CodeExplanation(
      .tooDeep, "A model file is nested too deeply, or an entity has too many ancestors.",
      example: "An array nested in hundreds of other arrays in `userInfo`.",
      fix: "Flatten it."),
    CodeExplanation(
      .tooLarge, "A model has more entities, hierarchies or properties than the engine supports.",
      example: "70,000 entities: the limit is 65,535.",
      fix: "Divide the model. Contexts with different models can exist side by side."),
    CodeExplanation(
      .tooManyFindings, "A model has so many findings that the rest are only counted.",
      example: "A payload that is checked as a model.",
      fix: "Fix the findings that are shown, and run again. Check that the file is a model file."),
  ]

  static let names = [
    CodeExplanation(
      .unknownEntity, "There is no entity with this name.",
      example: #""team": {"destination": "Teem"}"#,
      fix: "Correct the spelling, or declare the entity."),
    CodeExplanation(
      .unknownInverse, "The destination has no relationship with the name of the inverse.",
      example: #""team": {"destination": "Team", "inverse": "heros"}"#,
      fix: "Name a relationship of the destination that points back to this entity."),
    CodeExplanation(
      .unknownIdentityAttribute,
      "`identityAttributes` names a property that the entity does not have, or that cannot identify objects.",
      example: #""identityAttributes": "identifer""#,
      fix: "Name an attribute of the entity, or a to-one relationship to its owner."),
    CodeExplanation(
      .unknownTransformer,
      "No value transformer has this name. In `graft lint` this is a warning, because a program may register it.",
      example: #""JSONTransformerName": "StringToInt""#,
      fix:
        "Use a built-in transformer, or register yours before the model is loaded: `registry.registerValueTransformer(named:)`."
    ),
    CodeExplanation(
      .unknownDictionaryTransformer, "No dictionary transformer has this name.",
      example: #""JSONDictionaryTransformerName": "Flaten""#,
      fix: "Register it before the model is loaded: `registry.registerDictionaryTransformer(named:)`."),
    CodeExplanation(
      .unknownMapper, "No entity mapper has this name.",
      example: #""entityMapperName": "HeroKind""#,
      fix: "Register it before the model is loaded, or declare an `entityMapper` in the model, which needs no code."),
  ]
}
