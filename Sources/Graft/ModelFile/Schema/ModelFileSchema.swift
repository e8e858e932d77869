/// The JSON Schema (2020-12) of model files, for editors: completion, hover text, and most mistakes while typing.
///
/// The schema is generated from the same list of keys that the checks use. It never rejects anything that the checks accept, but it
/// accepts more, because only the checks find unknown names or colliding key paths.
///
/// Editors show the message of the innermost keyword that fails. The schema therefore contains no `oneOf` or `anyOf`; rules
/// that depend on another key use `if` and `then`.
package enum ModelFileSchema {
  /// The schema.
  package static var json: JSON {
    var members: [JSONObject.Member] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"),
      ("$comment", "Printed by 'graft schema'."),
      ("title", "Graft model file"),
      // Hints for Visual Studio Code, because the files are named *.json.
      ("allowComments", true),
      ("allowTrailingCommas", true),
    ]
    members += self.members(of: .model)
    let definitions = ModelFileLevel.allCases.dropFirst().map { level in
      (key: level.rawValue, value: object(self.members(of: level)))
    }
    members.append(("$defs", object(definitions)))
    return object(members)
  }

  /// Returns the schema of the objects of a level.
  private static func members(of level: ModelFileLevel) -> [JSONObject.Member] {
    let fields = level.fields
    let required = fields.filter(\.isRequired).map { JSON.string($0.key.rawValue) }
    var members: [JSONObject.Member] = [
      ("type", level == .attribute ? ["object", "string"] : "object"), ("markdownDescription", .string(level.summary)),
      ("defaultSnippets", snippets(for: level)),
      ("properties", object(fields.map { ($0.key.rawValue, property($0, at: level)) })),
      ("additionalProperties", false),
    ]
    if !required.isEmpty { members.append(("required", .array(required))) }
    let rules = self.rules(for: level)
    if !rules.isEmpty { members.append(("allOf", .array(rules))) }
    return members
  }

  /// Returns the schema of a key: its values and its meaning.
  private static func property(_ field: ModelFileField, at level: ModelFileLevel) -> JSON {
    var members: [JSONObject.Member] = [
      ("description", .string(field.summary.filter { $0 != "`" })),
      ("markdownDescription", .string("\(field.summary)\n\n```jsonc\n\(field.example)\n```")),
    ]
    members += values(of: field.kind, at: level)
    if let replacement = field.replacement {
      members.append(("deprecated", true))
      members.append(("deprecationMessage", .string("Use '\(replacement.rawValue)' instead.")))
    }
    if let snippets = snippets(for: field.key, at: level) { members.append(("defaultSnippets", snippets)) }
    return object(members)
  }

  /// Returns the schema of the values of a kind.
  private static func values(of kind: ModelFileField.Kind, at level: ModelFileLevel) -> [JSONObject.Member] {
    switch kind {
    case .text: return [("type", "string")]
    case .texts(let orOne):
      return [
        ("type", orOne ? ["string", "array"] : "array"), ("items", ["type": "string", "minLength": 1]),
        ("uniqueItems", true),
      ]
    case .className: return [("type", "string"), ("maxLength", length)] + ModelFilePattern.className.members
    case .names:
      return [
        ("type", ["string", "array"]), ("items", ["type": "string", "minLength": 1]), ("minItems", 1),
        ("uniqueItems", true),
      ] + ModelFilePattern.names.members
    case .nameLists:
      let names: JSON = [
        "type": ["string", "array"], "minLength": 1, "items": ["type": "string", "minLength": 1], "minItems": 1,
        "uniqueItems": true,
      ]
      return [("type", "array"), ("items", names), ("minItems", 1), ("uniqueItems", true)]
    case .flag(let ifAbsent): return [("type", "boolean"), ("default", .boolean(ifAbsent))]
    case .count(let least): return [("type", "integer"), ("minimum", .number(JSONNumber(least)))]
    case .word(let words, let ifAbsent):
      let enumeration: [JSONObject.Member] = [("type", "string")] + enumeration(words)
      return enumeration + (ifAbsent.map { [("default", .string($0))] } ?? [])
    case .keyPath(let isNullable): return keyPath(at: level, isNullable: isNullable)
    case .identifierKeyPath:
      return keyPath(at: level, isNullable: true).map { member in
        member.key == "type" ? ("type", ["string", "array", "object", "null"]) : member
      } + [("additionalProperties", object(keyPath(at: .mapper, isNullable: false))), ("minProperties", 1)]
    case .nulls:
      return [
        ("type", "array"),
        ("items", ["type": ["string", "number", "boolean", "array", "object"], "maxItems": 0, "maxProperties": 0]),
        ("uniqueItems", true),
      ]
    case .keyPaths:
      return [("type", "array"), ("items", object(keyPath(at: level, isNullable: false))), ("uniqueItems", true)]
    case .transformerName:
      let names = TransformerRegistry.standard.valueTransformerNames.map(JSON.string)
      return [
        ("type", ["string", "array"]),
        ("items", object([("type", "string")] + ModelFilePattern.transformerName.members)),
        ("minItems", 1), ("examples", .array(names)),
      ] + ModelFilePattern.transformerName.members
    case .value: return []
    case .bound: return [("type", "number")]
    case .values:
      let types = ["string", "number", "boolean", "object", "array"].map { JSON.string($0) }
      return [
        ("type", "array"), ("items", ["type": .array(types)]), ("minItems", 1), ("uniqueItems", true),
      ]
    case .objects(let inner):
      let pattern: ModelFilePattern = inner == .entity ? .entityName : .propertyName
      return [
        ("type", "object"), ("additionalProperties", reference(inner)),
        ("propertyNames", object([("maxLength", length)] + pattern.members)),
      ]
    case .object(let inner): return [("$ref", .string("#/$defs/\(inner.rawValue)"))]
    case .entityNames, .attributeNames:
      return [("type", "object"), ("additionalProperties", ["type": "string"]), ("minProperties", 1)]
    case .entityNameOrNull: return [("type", ["string", "null"])]
    case .scalar: return [("type", ["string", "number", "boolean"])]
    case .userInfo: return [("type", "object"), ("propertyNames", ["maxLength": length])]
    }
  }

  /// Returns the schema of a string or an array of keys. It can be a single schema, because each of its keywords applies to
  /// one type.
  private static func keyPath(at level: ModelFileLevel, isNullable: Bool) -> [JSONObject.Member] {
    [
      ("type", isNullable ? ["string", "array", "null"] : ["string", "array"]), ("items", ["type": "string"]),
      ("minItems", 1), ("maxItems", .number(JSONNumber(ModelChecker.mostKeys))),
    ] + ModelFilePattern.keyPath(at: level).members
  }

  /// Returns the schema of a list of words with their meanings.
  static func enumeration(_ words: [(word: String, summary: String)]) -> [JSONObject.Member] {
    [
      ("enum", .array(words.map { .string($0.word) })),
      ("enumDescriptions", .array(words.map { .string($0.summary.filter { $0 != "`" }) })),
      ("markdownEnumDescriptions", .array(words.map { .string($0.summary) })),
    ]
  }

  static func reference(_ level: ModelFileLevel) -> JSON { ["$ref": .string("#/$defs/\(level.rawValue)")] }

  /// Returns an object of members whose keys are known to be unique.
  static func object(_ members: [JSONObject.Member]) -> JSON { .object(JSONObject(members)) }

  /// The maximum number of characters in a name. The checks count bytes, and a name never has fewer bytes than characters.
  private static let length = JSON.number(JSONNumber(NameRules.longest))
}
