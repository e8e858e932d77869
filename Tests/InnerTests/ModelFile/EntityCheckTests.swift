import GraftTestSupport
import Testing

@testable import Graft

@Suite("Checks of entities") struct EntityCheckTests {
  @Test("M9: parents exist, without cycles", arguments: parents)
  func checkParents(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let parents: [(String, [String])] = [
    (
      #""Team": {}, "A": {"parent": 1️⃣"Teem"}"#,
      ["1️⃣ error: the parent 'Teem' of entity 'A' is no entity; did you mean 'Team'?"]
    ),
    (#""A": {"parent": 1️⃣"A"}"#, ["1️⃣ error: entity 'A' inherits from itself: A < A"]),
    (
      #""A": {"parent": 1️⃣"B"}, "B": {"parent": 2️⃣"C"}, "C": {"parent": 3️⃣"A"}, "D": {"parent": "A"}"#,
      [
        "1️⃣ error: entity 'A' inherits from itself: A < B < C < A", "  2️⃣ note: 'B' inherits from 'C' here",
        "  3️⃣ note: 'C' inherits from 'A' here",
      ]
    ),
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
      #""A": {"attributes": {1️⃣"x": "string"}, "relationships": {2️⃣"x": {"destination": "A"}}}"#,
      ["2️⃣ error: 'x' is declared twice in entity 'A'", "  1️⃣ note: it is declared here first"]
    ),
    (
      #""C": {"parent": "B", "attributes": {2️⃣"x": "string"}}, "A": {"attributes": {1️⃣"x": "string"}}, "B": {"parent": "A"}"#,
      ["2️⃣ error: 'x' of entity 'C' is already declared in its ancestor 'A'", "  1️⃣ note: it is declared here first"]
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
    (#"1️⃣"": {}"#, ["1️⃣ error: '' cannot be the name of an entity: it is empty"]),
    (
      #"1️⃣"A(1)": {}, 2️⃣"B#2": {}, 3️⃣"C\u001b": {}, "Ärger": {}, 4️⃣" D": {}"#,
      [
        "1️⃣ error: 'A(1)' cannot be the name of an entity: it contains '('",
        "2️⃣ error: 'B#2' cannot be the name of an entity: it contains '#'",
        #"3️⃣ error: 'C\u{1B}' cannot be the name of an entity: it contains a control character or an invisible one"#,
        "4️⃣ error: ' D' cannot be the name of an entity: it begins or ends with a space",
      ]
    ),
    (
      "1️⃣\"\u{C4}\": {}, 2️⃣\"A\u{308}\": {}",
      ["2️⃣ error: entity 'A\u{308}' is declared twice", "  1️⃣ note: it is declared here first"]
    ),
    (
      #""A": {"attributes": {1️⃣"": "string", 2️⃣"a,b": "string", "a b": "string", "a.b": "string"}}"#,
      [
        "1️⃣ error: '' cannot be the name of an attribute: it is empty",
        "2️⃣ error: 'a,b' cannot be the name of an attribute: it contains ','",
      ]
    ),
    (
      #""A": {"class": 1️⃣"class"}, "B": {"class": 2️⃣"A-B"}, "C": {"class": 3️⃣"1A"}, "D": {"class": "_Ä1"}"#,
      [
        "1️⃣ error: the class 'class' of entity 'A' is no name of a Swift type",
        "2️⃣ error: the class 'A-B' of entity 'B' is no name of a Swift type",
        "3️⃣ error: the class '1A' of entity 'C' is no name of a Swift type",
      ]
    ),
    (
      #"1️⃣"A": {}, "B": {"class": 2️⃣"A"}"#,
      [
        "2️⃣ error: entities 'A' and 'B' have the same class 'A': each needs one of its own",
        "  1️⃣ note: the other one is here",
      ]
    ),
  ]

  @Test("M9: identity attributes are attributes that can tell objects apart", arguments: identities)
  func identity(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let identities: [(String, [String])] = [
    (
      #""A": {"identityAttributes": "id, 1️⃣nam", "attributes": {"id": "string", "name": "string"}}"#,
      ["1️⃣ error: the identity attribute 'nam' is no attribute of entity 'A'; did you mean 'name'?"]
    ),
    (
      #""A": {"identityAttributes": ["id", 1️⃣"id"], "attributes": {"id": "string"}}"#,
      ["1️⃣ error: the identity attribute 'id' of entity 'A' is given twice"]
    ),
    (
      #""A": {"identityAttributes": [1️⃣"b"], "relationships": {2️⃣"b": {"destination": "A"}}}"#,
      [
        "1️⃣ error: 'b' is a relationship of entity 'A': only attributes can tell objects apart",
        "  2️⃣ note: it is declared here",
      ]
    ),
    (
      #""A": {"identityAttributes": "1️⃣id", "attributes": {"id": 2️⃣"json"}}"#,
      [
        "1️⃣ error: the identity attribute 'id' of entity 'A' is of type 'json', which cannot tell objects apart",
        "  2️⃣ note: its type is given here",
      ]
    ),
    (
      #""A": {"identityAttributes": "1️⃣id", "attributes": {2️⃣"id": "string", "n": {"type": "string", "JSONKeyPath": "n"}}}"#,
      [
        "1️⃣ error: the identity attribute 'id' of entity 'A' has no 'JSONKeyPath': no payload could say which object is meant",
        "  2️⃣ note: 'id' is declared here",
      ]
    ),
    (
      #""A": {"identityAttributes": ["id"], "attributes": {"id": {"type": "string", "optional": true, "JSONKeyPath": "id"}}}"#,
      []
    ),
    (#""A": {"identityAttributes": "id", "attributes": {"id": "string"}}"#, []),
    (
      #""A": {"identityAttributes": "1️⃣id", "attributes": {2️⃣"id": "string"}}, "B": {"relationships": {"a": {"destination": "A", "JSONKeyPath": "a"}}}"#,
      [
        "1️⃣ error: the identity attribute 'id' of entity 'A' has no 'JSONKeyPath': no payload could say which object is meant",
        "  2️⃣ note: 'id' is declared here",
      ]
    ),
    (#""A": {"identityAttributes": "id", "parent": 1️⃣"X"}"#, ["1️⃣ error: the parent 'X' of entity 'A' is no entity"]),
  ]

  @Test("M9: a default of an identity attribute is never used, and gets a warning")
  func identityDefault() {
    #expect(
      findings(
        entities: """
          "A": {
            "identityAttributes": "2️⃣id",
            "attributes": {"id": {"type": "integer64", "default": 1️⃣5, "JSONKeyPath": "id"}}
          }
          """) == [
          "1️⃣ warning: the default of 'id' is never used: the objects of entity 'A' are told apart by it",
          "  2️⃣ note: it is an identity attribute here",
        ])
  }

  @Test("M8: a sub-entity that extends the identity of its parent gets a warning", arguments: extended)
  func checkExtended(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let extended: [(String, [String])] = [
    (
      #""A": {"identityAttributes": 1️⃣"x", "attributes": {"x": "string"}}, "B": {"parent": "A", "identityAttributes": 2️⃣"y", "attributes": {"y": "string"}}"#,
      [
        "2️⃣ warning: entity 'B' extends the identity of 'A': identifiers and partial updates that come through 'A' do not find its objects",
        "  1️⃣ note: the identity of 'A'",
      ]
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
      [
        "1️⃣ error: the mapper of entity 'A' leads to 'A', which is abstract: no object can be made of it",
        "  5️⃣ note: 'A' is declared here",
        "2️⃣ error: the mapper of entity 'A' leads to 'Cee', which does not inherit from it; did you mean 'Bee'?",
        "  4️⃣ note: 'Cee' is declared here",
        "3️⃣ error: the mapper of entity 'A' leads to 'Be', which is no entity; did you mean 'Bee'?",
      ]
    ),
    (
      #""A": {"entityMapper": {"JSONKeyPath": 1️⃣"@key", "entities": 2️⃣{}}}"#,
      [
        "1️⃣ error: '@key' cannot be the key path of the mapper of entity 'A': a mapper looks into the object",
        "2️⃣ error: the mapper of entity 'A' has no entities",
      ]
    ),
    (
      #""A": {"entityMapper": {"JSONKeyPath": 1️⃣"a..b", "entities": {"a": "A"}}}"#,
      ["1️⃣ error: malformed key path 'a..b' of the mapper of entity 'A': it has an empty key"]
    ),
    (
      #""A": {"entityMapperName": 1️⃣"M", "entityMapper": 2️⃣{"JSONKeyPath": "t", "entities": {"a": "A"}}}"#,
      [
        "1️⃣ error: the entity mapper 'M' of entity 'A' is not registered",
        "2️⃣ error: entity 'A' has both 'entityMapperName' and 'entityMapper': only one of them counts",
        "  1️⃣ note: 'entityMapperName' is given here",
      ]
    ),
  ]

  @Test("D11: a mapped relationship leads to something that can become an object", arguments: abstracts)
  func abstract(entities: String, expected: [String]) {
    #expect(findings(entities: entities) == expected)
  }

  static let abstracts: [(String, [String])] = [
    (#""A": {"abstract": true}, "B": {"relationships": {"a": {"destination": "A"}}}"#, []),
    (
      #"2️⃣"A": {"abstract": true}, "B": {"relationships": {"a": {"destination": 1️⃣"A", "JSONKeyPath": "a"}}}"#,
      [
        "1️⃣ error: relationship 'B.a' leads to the abstract entity 'A', which has no concrete sub-entity",
        "  2️⃣ note: 'A' is declared here",
      ]
    ),
    (
      #"2️⃣"A": {"abstract": true}, "C": {"parent": "A"}, "B": {"relationships": {"a": {"destination": 1️⃣"A", "JSONKeyPath": "a"}}}"#,
      [
        "1️⃣ error: relationship 'B.a' leads to the abstract entity 'A', which has no entity mapper: no dictionary could become an object",
        "  2️⃣ note: 'A' is declared here",
      ]
    ),
    (
      #""P": {"entityMapper": {"JSONKeyPath": "t", "entities": {"d": "D"}}}, 2️⃣"A": {"abstract": true, "parent": "P"}, "C": {"parent": "A"}, "D": {"parent": "P"}, "B": {"relationships": {"a": {"destination": 1️⃣"A", "JSONKeyPath": "a"}}}"#,
      [
        "1️⃣ error: relationship 'B.a' leads to the abstract entity 'A', but the mapper of entity 'P' lists no sub-entity of it",
        "  2️⃣ note: 'A' is declared here",
      ]
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
    #expect(
      findings(entities: entities, transformers: transformers) == [
        "1️⃣ error: the entity mapper 'Maper' of entity 'A' is not registered; did you mean 'Mapper'?",
        "2️⃣ error: the dictionary transformer 'Flaten' of entity 'A' is not registered; did you mean 'Flatten'?",
        "3️⃣ error: the transformer 'StringToInt' of attribute 'A.n' is neither built in nor registered; did you mean 'StringToInteger'?",
      ])
    #expect(
      findings(entities: entities, unregisteredNames: .warning) == [
        "1️⃣ warning: the entity mapper 'Maper' of entity 'A' is not registered",
        "2️⃣ warning: the dictionary transformer 'Flaten' of entity 'A' is not registered",
        "3️⃣ warning: the transformer 'StringToInt' of attribute 'A.n' is neither built in nor registered; did you mean 'StringToInteger'?",
      ])
  }
}
