import GraftTestSupport
import Testing

@testable import Graft

// Faulty entities are in Tests/Fixtures/bad-models/names, inheritance, identity and mappers.
@Suite("Checks of entities") struct EntityCheckTests {
  @Test(
    "M3, M8, D11: unusual but valid entities are accepted",
    arguments: [
      // Unusual names, and siblings with the same property.
      #""Ärger": {}, "A": {"class": "_Ä1", "attributes": {"a b": "string", "a.b": "string"}}"#,
      #""A": {}, "B": {"parent": "A", "attributes": {"x": "string"}}, "C": {"parent": "A", "attributes": {"x": "date"}}"#,
      // An identity that can be nil, that is never in JSON, that repeats the parent's identity, or that is the first identity in the
      // hierarchy.
      #""A": {"identityAttributes": ["id"], "attributes": {"id": {"type": "string", "optional": true, "JSONKeyPath": "id"}}}"#,
      #""A": {"identityAttributes": "id", "attributes": {"id": "string"}}"#,
      #""A": {"identityAttributes": "x", "attributes": {"x": "string"}}, "B": {"parent": "A", "identityAttributes": "x"}"#,
      #""A": {}, "B": {"parent": "A", "identityAttributes": "y", "attributes": {"y": "string"}}"#,
      // An abstract entity that no key path reaches, or for which a mapper of its parent chooses a sub-entity.
      #""A": {"abstract": true}, "B": {"relationships": {"a": {"destination": "A"}}}"#,
      #""P": {"entityMapper": {"JSONKeyPath": "t", "entities": {"d": "C"}}}, "A": {"abstract": true, "parent": "P"}, "C": {"parent": "A"}, "B": {"relationships": {"a": {"destination": "A", "JSONKeyPath": "a"}}}"#,
    ])
  func legal(entities: String) {
    #expect(findings(entities: entities) == [])
  }

  @Test("M3: two properties cannot have the same full name, because stores use full names")
  func fullNames() {
    let entities = #""A": {"attributes": {1️⃣"b.c": "string"}}, "A.b": {"attributes": {2️⃣"c": "string"}}"#
    #expect(
      findings(entities: entities) == [
        "2️⃣ error: 'c' cannot be the name of a property of 'A.b': it has the same full name as another property, 'A.b.c'",
        "  1️⃣ note: the other property is declared here",
      ])
  }

  @Test("M9: an entity can have at most 64 ancestors")
  func ancestors() {
    let chain = { (count: Int) in
      (0...count).map { $0 == 0 ? #""E0": {}"# : #""E\#($0)": {"parent": "E\#($0 - 1)"}"# }.joined(separator: ",\n")
    }
    #expect(findings(entities: chain(64)) == [])
    #expect(findings(entities: chain(200)) == ["67:19: error: entity 'E65' has more than 64 ancestors"])
  }

  @Test("M9: a cycle of parents is reported once, without the entities that only lead into the cycle")
  func cycle() {
    let entities = #""A": {"parent": 1️⃣"B"}, "B": {"parent": 2️⃣"A"}, "C": {"parent": "A"}, "D": {"parent": "C"}"#
    #expect(
      findings(entities: entities) == [
        "1️⃣ error: entity 'A' inherits from itself: A < B < A", "  2️⃣ note: 'B' inherits from 'A' here",
      ])
  }

  @Test("M9: a property that an ancestor already declares is found, regardless of the order of entities")
  func redeclared() {
    let entities =
      #""C": {"parent": "B", "attributes": {2️⃣"x": "string"}}, "A": {"attributes": {1️⃣"x": "string"}}, "B": {"parent": "A"}"#
    #expect(
      findings(entities: entities) == [
        "2️⃣ error: 'x' of entity 'C' is inherited: its ancestor 'A' already declares it",
        "  1️⃣ note: it is declared here first",
      ])
  }

  @Test("M9: an entity needs an identity in JSON even if only a relationship leads to the entity")
  func identityWithoutKeyPath() {
    let entities =
      #""A": {"identityAttributes": "1️⃣id", "attributes": {2️⃣"id": "string"}}, "B": {"relationships": {"a": {"destination": "A", "JSONKeyPath": "a"}}}"#
    #expect(
      findings(entities: entities) == [
        "1️⃣ error: the identity attribute 'id' of entity 'A' has no 'JSONKeyPath', so payloads cannot identify objects; add one, such as \"JSONKeyPath\": \"id\"",
        "  2️⃣ note: 'id' is declared here",
      ])
  }

  @Test("M9: unregistered names cause errors in a program and warnings in the linter")
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
