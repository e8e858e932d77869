/// A model whose names Swift, Foundation, Graft or the generated code use for other purposes, or cannot express at all.
///
/// - Parameter members: additional names of properties.
func nastyModel(members: some Sequence<String>) -> String {
  let words = """
    self Self Type init Protocol class super nil true as is in func var let if subscript deinit operator await async some
    any each get set willSet open final lazy weak actor macro throws nonisolated isolated _ __ _x a_b 2nd $dollar a-b 🎉 `x`
    #if String Int Bool Data URL context description debugDescription hash hashValue entityName find load text classes
    newValue required slot größe 日本 Ελλάδα @objc c.b 1 + - Hero hero
    """.split { $0.isWhitespace }.map(String.init)
  let properties = Set(words).union(members).union(["real name", "\\\\", "\\\"", "é"]).sorted()
  let entities = """
    Array Any Optional Graft JSON Result Error Type Set Task Character Never Sendable Hashable Void Self Protocol Dictionary
    RawRepresentable Equatable Encodable Observable ManagedObject ManagedObjectContext RelatedObjects EntityDescription
    AttributeValue PropertyValue AttributeType Place blog_post 2nd été 日本 🎉 class init + Foundation Swift CaseIterable
    StoreError
    """.split { $0.isWhitespace }.map(String.init)
  let cases = """
    default class self Self Type init none some rawValue RawValue allCases AllCases hashValue hash attributeValue nounPhrase
    Protocol - _ 1 -1 +1 16:9 169 in_progress inProgress IN-PROGRESS Open open OPEN A A+ A- C# C++ 100% 🎉 🎉🎉 日本 été
    \\" \\\\ \\t \\u0000 \\n HTTPError iOS a.b true nil \\u0301 \\u202e description init_ self_
    """.split { $0 == " " || $0 == "\n" }.map(String.init) + ["", " ", "  ", "in progress"]
  func list(_ values: [String]) -> String {
    values.map { "\"\($0)\"" }.joined(separator: ", ")
  }
  return #"""
    {
      "name": "nasty names",
      "doc": "Two lines\nof */ words, \"quoted\" \\ and\u2028odd\u0007. \"\"\"# \\{x}",
      "entities": {
        "Date": {
          "identityAttributes": ["in", "default", "inout", "kind"],
          "attributes": {
            "in": {"type": "integer64", "JSONKeyPath": "in"}, "default": {"type": "string", "JSONKeyPath": "d"},
            "inout": {"type": "date", "JSONKeyPath": "io"},
            "kind": {"type": "string", "JSONKeyPath": "kind", "enum": ["a"]}
          }
        },
        "Day": {"parent": "Date", "identityAttributes": "super", "attributes": {"super": {"type": "uuid", "JSONKeyPath": "s"}}},
        "Data": {
          "attributes": {
            "data": "binary", "date": "date", "url": "uri", "uuid": "uuid", "decimal": "decimal", "json": "json",
            "string": "string", "integer": "integer16", "float": "float", "double": "double", "boolean": "boolean"
          }
        },
        "String": {"attributes": {"Hero": "string"}},
        "Root": {"identityAttributes": "id", "attributes": {"id": "integer64", "Root": "string", "Root_": "string"},
          "relationships": {"parts": {"destination": "RootPart", "toMany": true, "inverse": "root"}}},
        "RootPart": {"identityAttributes": ["root", "rootId"],
          "attributes": {"rootId": "string", "Self": "string", "state": {"type": "string", "enum": ["y"], "extensible": true}},
          "relationships": {"root": {"destination": "Root", "inverse": "parts", "JSONKeyPath": null}}},
        "hero": {
          "relationships": {
            "hero": {"destination": "hero", "inverse": "heroes"},
            "heroes": {"destination": "hero", "inverse": "hero", "toMany": true},
            "Hero": {"destination": "hero"}, "Date": {"destination": "Date"}, "String": {"destination": "String"},
            "date": {"destination": "Date", "toMany": true}
          }
        },
        "Words": {"attributes": {\#(properties.map { "\"\($0)\": \"string\"" }.joined(separator: ", "))}},
        "Enums": {
          "attributes": {
            "type": {"type": "string", "enum": [\#(list(cases))]}, "date": {"type": "string", "enum": ["x"]},
            "enums": {"type": "string", "enum": ["x"]}, "status": {"type": "string", "enum": ["x"]},
            "Status": {"type": "string", "enum": ["x"]}, "order_status": {"type": "string", "enum": ["x"]},
            "place": {"type": "string", "enum": ["x"]}, "number": {"type": "integer16", "enum": [1, 2]},
            "Hero": {"type": "string", "enum": ["x"]}
          }
        },
        "SubEnums": {"parent": "Enums", "attributes": {"STATUS": {"type": "string", "enum": ["z"]}}},
        \#(entities.map { "\"\($0)\": {}" }.joined(separator: ", "))
      }
    }
    """#
}
