import GraftTestSupport
import Testing

@testable import Graft

@Suite("Checks of entities") struct EntityCheckTests {
  @Test("M9: parents exist, without cycles", arguments: parents)
  func checkParents(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let parents: [(String, [String])] = [
    (#""Team": {}, "A": {"parent": 1️⃣"Teem"}"#, ["?"]),
    (#""A": {"parent": 1️⃣"A"}"#, ["?"]),
    (#""A": {"parent": 1️⃣"B"}, "B": {"parent": 2️⃣"C"}, "C": {"parent": 3️⃣"A"}, "D": {"parent": "A"}"#, ["?"]),
  ]

  @Test("M9: an entity has at most 64 ancestors")
  func ancestors() {
    let chain = { (count: Int) in
      (0...count).map { $0 == 0 ? #""E0": {}"# : #""E\#($0)": {"parent": "E\#($0 - 1)"}"# }.joined(separator: ",\n")
    }
    #expect(findings(entities: chain(64)) == [])
    #expect(findings(entities: chain(200)) == ["67:19: error: entity 'E65' has more than 64 ancestors"])
  }

  @Test("M9: a property is declared once, ancestors included", arguments: redeclared)
  func checkRedeclared(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let redeclared: [(String, [String])] = [
    (
      #""A": {"attributes": {1️⃣"x": "string"}, "relationships": {2️⃣"x": {"destination": "A"}}}"#, ["?"]
    ),
    (
      #""C": {"parent": "B", "attributes": {2️⃣"x": "string"}}, "A": {"attributes": {1️⃣"x": "string"}}, "B": {"parent": "A"}"#,
      ["?"]
    ),
    (
      #""A": {}, "B": {"parent": "A", "attributes": {"x": "string"}}, "C": {"parent": "A", "attributes": {"x": "date"}}"#,
      []
    ),
  ]

  @Test("M9: names can be shown and told apart", arguments: names)
  func checkNames(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let names: [(String, [String])] = [
    (#"1️⃣"": {}"#, ["?"]),
    (#"1️⃣"A(1)": {}, 2️⃣"B#2": {}, 3️⃣"C\u001b": {}, "Ärger": {}, 4️⃣" D": {}"#, ["?"]),
    ("1️⃣\"\u{C4}\": {}, 2️⃣\"A\u{308}\": {}", ["?"]),
    (#""A": {"attributes": {1️⃣"": "string", 2️⃣"a,b": "string", "a b": "string", "a.b": "string"}}"#, ["?"]),
    (#""A": {"class": 1️⃣"class"}, "B": {"class": 2️⃣"A-B"}, "C": {"class": 3️⃣"1A"}, "D": {"class": "_Ä1"}"#, ["?"]),
    (#"1️⃣"A": {}, "B": {"class": 2️⃣"A"}"#, ["?"]),
  ]

  @Test("M9: identity attributes are attributes that can tell objects apart", arguments: identities)
  func identity(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let identities: [(String, [String])] = [
    (#""A": {"identityAttributes": "id, 1️⃣nam", "attributes": {"id": "string", "name": "string"}}"#, ["?"]),
    (#""A": {"identityAttributes": ["id", 1️⃣"id"], "attributes": {"id": "string"}}"#, ["?"]),
    (#""A": {"identityAttributes": [1️⃣"b"], "relationships": {2️⃣"b": {"destination": "A"}}}"#, ["?"]),
    (#""A": {"identityAttributes": "1️⃣id", "attributes": {"id": 2️⃣"json"}}"#, ["?"]),
    (
      #""A": {"identityAttributes": "1️⃣id", "attributes": {2️⃣"id": "string", "n": {"type": "string", "JSONKeyPath": "n"}}}"#,
      ["?"]
    ),
    (
      #""A": {"identityAttributes": ["id"], "attributes": {"id": {"type": "string", "optional": true, "JSONKeyPath": "id"}}}"#,
      []
    ),
    (#""A": {"identityAttributes": "id", "attributes": {"id": "string"}}"#, []),
    (
      #""A": {"identityAttributes": "1️⃣id", "attributes": {2️⃣"id": "string"}}, "B": {"relationships": {"a": {"destination": "A", "JSONKeyPath": "a"}}}"#,
      ["?"]
    ),
    (#""A": {"identityAttributes": "id", "parent": 1️⃣"X"}"#, ["?"]),
  ]

  @Test("M8: a sub-entity that extends the identity of its parent gets a warning", arguments: extended)
  func checkExtended(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let extended: [(String, [String])] = [
    (
      #""A": {"identityAttributes": 1️⃣"x", "attributes": {"x": "string"}}, "B": {"parent": "A", "identityAttributes": 2️⃣"y", "attributes": {"y": "string"}}"#,
      ["?"]
    ),
    (
      #""A": {"identityAttributes": "x", "attributes": {"x": "string"}}, "B": {"parent": "A", "identityAttributes": "x"}"#,
      []
    ),
    (#""A": {}, "B": {"parent": "A", "identityAttributes": "y", "attributes": {"y": "string"}}"#, []),
  ]

  @Test("M9: mappers lead to concrete entities of the hierarchy", arguments: mappers)
  func mapper(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let mappers: [(String, [String])] = [
    (
      #"5️⃣"A": {"abstract": true, "entityMapper": {"JSONKeyPath": "t", "entities": {"a": 1️⃣"A", "b": "Bee", "c": 2️⃣"Cee", "d": 3️⃣"Be"}}}, "Bee": {"parent": "A"}, 4️⃣"Cee": {}"#,
      ["?"]
    ),
    (#""A": {"entityMapper": {"JSONKeyPath": 1️⃣"@key", "entities": 2️⃣{}}}"#, ["?"]),
    (#""A": {"entityMapper": {"JSONKeyPath": 1️⃣"a..b", "entities": {"a": "A"}}}"#, ["?"]),
    (
      #""A": {"entityMapperName": 1️⃣"M", "entityMapper": 2️⃣{"JSONKeyPath": "t", "entities": {"a": "A"}}}"#, ["?"]
    ),
  ]

  @Test("D11: a mapped relationship leads to something that can become an object", arguments: abstracts)
  func abstract(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let abstracts: [(String, [String])] = [
    (#""A": {"abstract": true}, "B": {"relationships": {"a": {"destination": "A"}}}"#, []),
    (
      #"2️⃣"A": {"abstract": true}, "B": {"relationships": {"a": {"destination": 1️⃣"A", "JSONKeyPath": "a"}}}"#, ["?"]
    ),
    (
      #"2️⃣"A": {"abstract": true}, "C": {"parent": "A"}, "B": {"relationships": {"a": {"destination": 1️⃣"A", "JSONKeyPath": "a"}}}"#,
      ["?"]
    ),
    (
      #""P": {"entityMapper": {"JSONKeyPath": "t", "entities": {"d": "D"}}}, 2️⃣"A": {"abstract": true, "parent": "P"}, "C": {"parent": "A"}, "D": {"parent": "P"}, "B": {"relationships": {"a": {"destination": 1️⃣"A", "JSONKeyPath": "a"}}}"#,
      ["?"]
    ),
    (
      #""P": {"entityMapper": {"JSONKeyPath": "t", "entities": {"d": "C"}}}, "A": {"abstract": true, "parent": "P"}, "C": {"parent": "A"}, "B": {"relationships": {"a": {"destination": "A", "JSONKeyPath": "a"}}}"#,
      []
    ),
  ]

  @Test("M9: names that nobody registered are errors for a program and warnings for the linter")
  func unregistered() {
    let entities = #"""
      "A": {
        "entityMapperName": 1️⃣"Maper",
        "JSONDictionaryTransformerName": 2️⃣"Flaten",
        "attributes": {"n": {"type": "integer16", "JSONTransformerName": 3️⃣"StringToInt"}}
      }
      """#
    var transformers = TransformerRegistry.standard
    transformers.registerEntityMapper(named: "Mapper") { _ in nil }
    transformers.registerDictionaryTransformer(named: "Flatten") { $0 }
    #expect(findings(entities: entities, transformers: transformers) == ["?"])
    #expect(findings(entities: entities, unregisteredNames: .warning) == ["?"])
  }
}
