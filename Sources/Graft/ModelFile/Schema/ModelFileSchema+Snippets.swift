/// The snippets that editors offer. `${1:name}` is a field to fill in, in the order of the numbers.
extension ModelFileSchema {
  /// Returns the snippets for a whole object of a level.
  static func snippets(for level: ModelFileLevel) -> JSON {
    switch level {
    case .model: [["label": "Model file", "description": "A model with one entity.", "bodyText": .string(file)]]
    case .entity:
      [
        snippet("Entity", "An entity with an identity.", entity(first: 1)),
        snippet(
          "Entity without identity", "Every object in JSON is a new object.",
          ["attributes": ["${1:name}": ["type": "${2:string}", "JSONKeyPath": "${3:name}"]]]),
        snippet(
          "Sub-entity", "An entity that extends another.",
          [
            "parent": "${1:Parent}",
            "attributes": ["${2:name}": ["type": "${3:string}", "JSONKeyPath": "${4:name}"]],
          ]),
        snippet(
          "Abstract entity with a mapper", "A value in JSON selects the sub-entity of an object.",
          [
            "abstract": true, "identityAttributes": "${1:identifier}", "entityMapper": mapper(first: 2),
            "attributes": ["${1:identifier}": ["type": "${5:integer64}", "JSONKeyPath": "${6:id}"]],
          ]),
      ]
    case .mapper: [snippet("Mapper", "A value in JSON selects the sub-entity of an object.", mapper(first: 1))]
    case .deletion:
      [
        snippet(
          "Deletion mark", "A value in JSON marks an object as deleted.",
          ["JSONKeyPath": "${1:is_deleted}", "equals": "^${2:true}"])
      ]
    case .attributeMigration:
      [
        snippet(
          "Part", "A part of an attribute's string.",
          ["version": "${1:2}", "attributes": "${2:name}", "separator": "${3: }", "part": "^${4:0}"]),
        snippet(
          "Joined", "Several strings, joined.",
          ["version": "${1:2}", "attributes": ["${2:first}", "${3:second}"], "separator": "${4: }"]),
        snippet(
          "Converted", "A value of another type.",
          ["version": "${1:2}", "attributes": "${2:name}", "JSONTransformerName": "${3:StringToInteger}"]),
      ]
    case .relationshipMigration:
      [
        snippet(
          "Extracted", "Attributes that become an object.",
          ["version": "${1:2}", "attributes": ["${2:name}": "${3:formerName}"]])
      ]
    case .attribute: .array(attributes)
    case .relationship:
      [
        snippet(
          "To-one", "At most one object.",
          ["destination": "${1:Entity}", "inverse": "${2:inverse}", "JSONKeyPath": "${3:key}"]),
        snippet(
          "To-many", "Many objects.",
          ["destination": "${1:Entity}", "toMany": true, "inverse": "${2:inverse}", "JSONKeyPath": "${3:key}"]),
        snippet(
          "To-many, ordered", "Many objects, in the order of the array.",
          [
            "destination": "${1:Entity}", "toMany": true, "ordered": true, "inverse": "${2:inverse}",
            "JSONKeyPath": "${3:key}",
          ]),
        snippet(
          "To-many, owned", "Many objects that are deleted with their owner, or when it no longer lists them.",
          [
            "destination": "${1:Entity}", "toMany": true, "inverse": "${2:inverse}", "deleteRule": "cascade",
            "deleteOrphans": true, "JSONKeyPath": "${3:key}",
          ]),
        snippet(
          "Inverse", "The inverse of a relationship; it is not part of JSON.",
          ["destination": "${1:Entity}", "toMany": "^${2:true}", "inverse": "${3:inverse}"]),
      ]
    }
  }

  /// Returns the snippets for a key.
  static func snippets(for key: ModelFileKey, at level: ModelFileLevel) -> JSON? {
    switch (level, key) {
    case (.model, .entities): [snippet("Entities", "One entity.", ["${1:Hero}": entity(first: 2)])]
    case (.entity, .attributes):
      [
        snippet(
          "Attributes", "One attribute.", ["${1:name}": ["type": "${2:string}", "JSONKeyPath": "${3:name}"]])
      ]
    case (.entity, .relationships):
      [
        snippet(
          "Relationships", "One relationship.",
          ["${1:name}": ["destination": "${2:Entity}", "inverse": "${3:inverse}", "JSONKeyPath": "${4:key}"]])
      ]
    case (.attribute, .JSONTransformerName):
      [snippet("DateFormat", "Dates in strings, by a Unicode date pattern.", "DateFormat(${1:yyyy-MM-dd})")]
    default: nil
    }
  }

  /// The snippet for a file, written as text because `$schema` must not be taken for a field to fill in.
  private static let file = #"""
    {
    \t"\$schema": "${1:./model.schema.json}",
    \t"name": "${2:Name}",
    \t"entities": {
    \t\t"${3:Hero}": {
    \t\t\t"identityAttributes": "${4:identifier}",
    \t\t\t"attributes": {
    \t\t\t\t"${4:identifier}": { "type": "${5:integer64}", "JSONKeyPath": "${6:id}" },
    \t\t\t\t"${7:name}": { "type": "string", "JSONKeyPath": "${8:name}" }
    \t\t\t}
    \t\t}
    \t}
    }
    """#.replacing(#"\t"#, with: "\t")

  /// The snippets for the full forms, and for the short form with each type.
  private static var attributes: [JSON] {
    let full = [
      snippet("Attribute", "A required value.", ["type": "${1:string}", "JSONKeyPath": "${2:key}"]),
      snippet(
        "Attribute, optional", "A value that may be null.",
        ["type": "${1:string}", "optional": true, "JSONKeyPath": "${2:key}"]),
      snippet(
        "Attribute with a transformer", "A value that has another form in JSON.",
        ["type": "${1:integer64}", "JSONKeyPath": "${2:id}", "JSONTransformerName": "${3:StringToInteger}"]),
      snippet(
        "Attribute with a list of values", "One of a list of values.",
        ["type": "string", "JSONKeyPath": "${1:key}", "enum": ["${2:first}", "${3:second}"]]),
    ]
    return full + AttributeType.allCases.map { snippet($0.rawValue, $0.summary, .string($0.rawValue)) }
  }

  private static func entity(first: Int) -> JSON {
    [
      "identityAttributes": .string("${\(first):identifier}"),
      "attributes": [
        "${\(first):identifier}": [
          "type": .string("${\(first + 1):integer64}"), "JSONKeyPath": .string("${\(first + 2):id}"),
        ],
        "${\(first + 3):name}": ["type": "string", "JSONKeyPath": .string("${\(first + 4):name}")],
      ],
    ]
  }

  private static func mapper(first: Int) -> JSON {
    [
      "JSONKeyPath": .string("${\(first):type}"),
      "entities": ["${\(first + 1):value}": .string("${\(first + 2):Entity}")],
    ]
  }

  private static func snippet(_ label: String, _ description: String, _ body: JSON) -> JSON {
    [
      "label": .string(label), "description": .string(description.filter { $0 != "`" }), "body": body,
    ]
  }
}
