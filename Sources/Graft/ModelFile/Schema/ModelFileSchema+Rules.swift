/// Rules that depend on another key.
extension ModelFileSchema {
  static func rules(for level: ModelFileLevel) -> [JSON] {
    switch level {
    case .model: [aliasesNeedKeyPath]
    case .entity:
      [
        rule(ifPresent: .identityAttributes, then: [(.identityAttribute, false)]),
        rule(ifPresent: .entityMapper, then: [(.entityMapperName, false)]),
      ]
    case .mapper, .deletion, .relationshipMigration: []
    case .attributeMigration:
      [rule(if: [(.part, [:])], require: .separator), rule(if: [(.parts, [:])], require: .part)]
    case .attribute: [shortForm, optedOut, exportedOnly, extensible, single] + AttributeType.allCases.map(rule(for:))
    case .relationship: [optedOut, toOne, orphans]
    }
  }

  // MARK: Attributes

  /// The short form of an attribute: only its type.
  private static var shortForm: JSON {
    let words = AttributeType.allCases.map { (word: $0.rawValue, summary: $0.summary) }
    return ["if": ["type": "string"], "then": object(enumeration(words))]
  }

  /// `extensible` opens an `enum` (M14).
  private static var extensible: JSON { rule(if: [(.extensible, ["const": true])], require: .enum) }

  /// Only a list can limit its number of elements (M13).
  private static var single: JSON {
    [
      "if": ["properties": [ModelFileKey.list.rawValue: ["const": false]]],
      "then": ["properties": [ModelFileKey.minCount.rawValue: false, ModelFileKey.maxCount.rawValue: false]],
    ]
  }

  /// A required attribute that is only exported needs a default (M16).
  private static var exportedOnly: JSON {
    [
      "if": [
        "required": [.string(ModelFileKey.JSONDirection.rawValue)],
        "properties": [
          ModelFileKey.JSONDirection.rawValue: ["const": .string(JSONDirection.export.rawValue)],
          ModelFileKey.optional.rawValue: ["const": false],
        ],
      ],
      "then": ["required": [.string(ModelFileKey.default.rawValue)]],
    ]
  }

  /// Returns the rule for the keys that accompany a type: values must have that type, and keywords that do not apply to it are not
  /// allowed (D11).
  private static func rule(for type: AttributeType) -> JSON {
    let value = values(of: type)
    var properties: [(ModelFileKey, JSON)] = []
    if type != .json { properties.append((.enum, ["items": object(value)])) }
    for (word, _) in ModelFileKey.bounds {
      if !word.fits(type) {
        properties.append((word, false))
      } else if word == .minimum || word == .maximum {
        properties.append((word, object(value)))
      }
    }
    if let pattern = ModelFilePattern.transformerName(giving: type) {
      properties.append((.JSONTransformerName, object(pattern.members)))
    }
    let list = condition([(.list, ["const": true])])
    let elements: JSON = type == .json ? ["type": ["string", "number", "boolean", "array", "object"]] : object(value)
    let array: JSON = ["type": ["array", "null"], "items": elements]
    return [
      "if": condition([(.type, ["const": .string(type.rawValue)])]),
      "then": [
        "properties": named(properties), "if": list, "then": ["properties": named([(.default, array)])],
        "else": ["properties": named(type == .json ? [] : [(.default, object(value.allowingNull))])],
      ],
    ]
  }

  /// Returns the schema of a value of a type, in its JSON form without a transformer (D5).
  private static func values(of type: AttributeType) -> [JSONObject.Member] {
    switch type {
    case .integer16, .integer32, .integer64:
      let range = type.integerRange ?? Int64.min...Int64.max
      return [
        ("type", "integer"), ("minimum", .number(JSONNumber(range.lowerBound))),
        ("maximum", .number(JSONNumber(range.upperBound))),
      ]
    case .float, .double, .decimal: return [("type", "number")]
    case .boolean: return [("type", "boolean")]
    case .string, .date, .binary, .uuid, .uri:
      return [("type", "string")] + (ModelFilePattern.text(of: type)?.members ?? [])
    case .json: return []
    }
  }

  // MARK: Relationships

  /// A to-one relationship must not have the keys for to-many relationships (M6), unless they have no effect.
  private static var toOne: JSON {
    let unchanged = RelationshipDescription.MergeRule.replace.rawValue
    return [
      "if": ["properties": [ModelFileKey.toMany.rawValue: ["const": false]]],
      "then": [
        "properties": [
          ModelFileKey.ordered.rawValue: ["const": false],
          ModelFileKey.minCount.rawValue: false,
          ModelFileKey.maxCount.rawValue: false,
          ModelFileKey.mergeRule.rawValue: ["const": .string(unchanged)],
        ]
      ],
    ]
  }

  /// `deleteOrphans` requires an inverse (M6).
  private static var orphans: JSON {
    rule(if: [(.deleteOrphans, ["const": true])], require: .inverse)
  }

  // MARK: Key paths

  /// Aliases need a key path, which must not be `null`.
  private static var optedOut: JSON {
    rule(
      if: [(.JSONKeyPath, ["const": .null]), (.JSONKeyPathAliases, ["type": "array", "minItems": 1])],
      then: [(.JSONKeyPathAliases, false)])
  }

  /// Aliases need a key path (M7). If the strategy does not provide one, the property must declare it.
  private static var aliasesNeedKeyPath: JSON {
    let property = rule(if: [(.JSONKeyPathAliases, ["type": "array", "minItems": 1])], require: .JSONKeyPath)
    let properties = [ModelFileKey.attributes, .relationships].map { key in
      (key: key.rawValue, value: JSON.object(["additionalProperties": property]))
    }
    let explicit = JSON.string(ModelDescription.KeyStrategy.explicit.rawValue)
    return [
      "if": ["properties": [ModelFileKey.keyStrategy.rawValue: ["const": explicit]]],
      "then": [
        "properties": [
          ModelFileKey.entities.rawValue: ["additionalProperties": ["properties": object(properties)]]
        ]
      ],
    ]
  }

  // MARK: Making rules

  private static func rule(ifPresent key: ModelFileKey, then properties: [(ModelFileKey, JSON)]) -> JSON {
    ["if": ["required": [.string(key.rawValue)]], "then": ["properties": named(properties)]]
  }

  private static func rule(
    if conditions: [(ModelFileKey, JSON)], then properties: [(ModelFileKey, JSON)]
  ) -> JSON {
    ["if": condition(conditions), "then": ["properties": named(properties)]]
  }

  private static func rule(if conditions: [(ModelFileKey, JSON)], require key: ModelFileKey) -> JSON {
    ["if": condition(conditions), "then": ["required": [.string(key.rawValue)]]]
  }

  private static func condition(_ conditions: [(ModelFileKey, JSON)]) -> JSON {
    ["required": .array(conditions.map { .string($0.0.rawValue) }), "properties": named(conditions)]
  }

  private static func named(_ properties: [(ModelFileKey, JSON)]) -> JSON {
    object(properties.map { (key: $0.0.rawValue, value: $0.1) })
  }
}

extension [JSONObject.Member] {
  /// The same schema, extended to allow null.
  fileprivate var allowingNull: Self {
    map { member in
      member.key == "type" ? (key: "type", value: .array([member.value, "null"])) : member
    }
  }
}
