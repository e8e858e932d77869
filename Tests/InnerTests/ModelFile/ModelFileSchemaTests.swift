import GraftTestSupport
import Testing

@testable import Graft

@Suite("The JSON Schema of model files") struct ModelFileSchemaTests {
  /// The member of the schema at the given keys.
  private func schema(_ keys: String...) -> JSON? {
    keys.reduce(ModelFileSchema.json) { value, key in
      guard case .object(let object)? = value else { return nil }
      return object[key]
    }
  }

  /// All objects in the schema, with their paths.
  private func objects(_ value: JSON = ModelFileSchema.json, _ path: String = "$") -> [(
    path: String, object: JSONObject
  )] {
    switch value {
    case .object(let object): [(path, object)] + object.flatMap { objects($0.value, "\(path).\($0.key)") }
    case .array(let elements): elements.enumerated().flatMap { objects($0.element, "\(path)[\($0.offset)]") }
    default: []
    }
  }

  @Test("M2: every key of the model file is described, once on each level that allows the key")
  func words() {
    for level in ModelFileLevel.allCases { #expect(Set(level.keys).count == level.keys.count) }
    #expect(Set(ModelFileLevel.allCases.flatMap(\.keys)) == Set(ModelFileKey.allCases))
    for level in ModelFileLevel.allCases { #expect(level.keys.contains(.doc)) }
  }

  @Test("Each example is valid within a model", arguments: ModelFileLevel.allCases)
  func examples(level: ModelFileLevel) throws {
    // In the examples, names do not refer to existing declarations, and values might not fit the type.
    let isShape = { (diagnostic: Diagnostic) in
      [.syntaxError, .unknownKey, .wrongType, .unknownWord, .malformedKeyPath, .toManyOnly, .badName]
        .contains(diagnostic.code)
    }
    for field in level.fields {
      let entity: (String) -> String = { #"{"entities": {"A": {\#($0)}}}"# }
      let source =
        switch level {
        case .model: "{\(field.example)}"
        case .entity: entity(field.example)
        case .mapper: entity(#""entityMapper": {\#(field.example)}"#)
        case .deletion: entity(#""deletedWhen": {\#(field.example)}"#)
        case .attribute: entity(#""attributes": {"n": {\#(field.example)}}"#)
        case .relationship: entity(#""relationships": {"r": {\#(field.example)}}"#)
        case .attributeMigration: entity(#""attributes": {"n": {"migratedFrom": {\#(field.example)}}}"#)
        case .relationshipMigration: entity(#""relationships": {"r": {"migratedFrom": {\#(field.example)}}}"#)
        }
      let text = SourceText(name: "m.json", bytes: Array(source.utf8))
      let findings = ModelFile.read(text, transformers: .standard, unregisteredNames: .warning).diagnostics
      #expect(findings.filter(isShape).map(\.description) == [], "\(source)")
      #expect(field.example.contains("\"\(field.key.rawValue)\":"))
    }
  }

  @Test("Descriptions of keys are sentences", arguments: ModelFileLevel.allCases)
  func texts(level: ModelFileLevel) {
    for text in [level.summary] + level.fields.map(\.summary) {
      #expect(text.hasSuffix(".") && text.first?.isLowercase == false, "\(text)")
      #expect(text.count { $0 == "`" } % 2 == 0, "\(text)")
    }
  }

  @Test(
    "An editor shows help with an example for each key, in the formatter's order", arguments: ModelFileLevel.allCases)
  func hovers(level: ModelFileLevel) throws {
    let properties =
      level == .model ? schema("properties") : schema("$defs", level.rawValue, "properties")
    guard case .object(let properties)? = properties else { return #expect(Bool(false), "no properties") }
    #expect(properties.map(\.key) == level.keys.map(\.rawValue))
    for (field, property) in zip(level.fields, properties) {
      guard case .object(let property) = property.value, case .string(let text)? = property["markdownDescription"]
      else { return #expect(Bool(false), "\(field.key) has no text") }
      #expect(text == "\(field.summary)\n\n```jsonc\n\(field.example)\n```")
    }
  }

  @Test("Enumerations list the accepted values, each with its meaning")
  func enumerations() {
    let legal: [(String, String, [String])] = [
      ("attribute", "type", AttributeType.allCases.map(\.rawValue)),
      ("relationship", "deleteRule", RelationshipDescription.DeleteRule.allCases.map(\.rawValue)),
      ("relationship", "mergeRule", RelationshipDescription.MergeRule.allCases.map(\.rawValue)),
      ("relationship", "unresolvedRule", RelationshipDescription.UnresolvedRule.allCases.map(\.rawValue)),
      ("relationship", "JSONRepresentation", RelationshipDescription.JSONRepresentation.allCases.map(\.rawValue)),
    ]
    for (level, key, words) in legal {
      #expect(schema("$defs", level, "properties", key, "enum") == .array(words.map { .string($0) }))
    }
    let strategies = ModelDescription.KeyStrategy.allCases.map { JSON.string($0.rawValue) }
    #expect(schema("properties", "keyStrategy", "enum") == .array(strategies))
    for (path, object) in objects() where !path.hasSuffix(".body") {
      guard case .array(let words)? = object["enum"] else { continue }
      for key in ["enumDescriptions", "markdownEnumDescriptions"] {
        guard case .array(let texts)? = object[key] else {
          #expect(Bool(false), "\(path) has no \(key)")
          continue
        }
        #expect(texts.count == words.count, "\(path)")
      }
    }
  }

  @Test("The schema does not use oneOf, anyOf and not, so editors show the innermost fault")
  func readable() {
    for (path, object) in objects() {
      for key in ["oneOf", "anyOf", "not"] { #expect(object[key] == nil, "\(path)") }
      if object["pattern"] != nil, object["type"] == "string" {
        #expect(object["patternErrorMessage"] != nil, "\(path)")
      }
    }
  }

  @Test("An object with known keys allows no other keys")
  func closed() {
    #expect(schema("additionalProperties") == false)
    for level in ModelFileLevel.allCases where level != .model {
      #expect(schema("$defs", level.rawValue, "additionalProperties") == false)
    }
  }

  @Test("M1: the schema tells editors that comments and trailing commas are allowed")
  func comments() {
    #expect(schema("allowComments") == true)
    #expect(schema("allowTrailingCommas") == true)
    #expect(schema("$schema") == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test("The schema's patterns accept and reject the same names as the checks", arguments: patterns)
  func pattern(pattern: ModelFilePattern, legal: [String], illegal: [String]) throws {
    let expression = try Regex(pattern.expression)
    for text in legal { #expect(text.contains(expression), "\(pattern.expression) \(text)") }
    for text in illegal { #expect(!text.contains(expression), "\(pattern.expression) \(text)") }
  }

  static let patterns: [(ModelFilePattern, [String], [String])] = [
    (.entityName, ["A", "Hero", "my hero", "Äther", "a.b", "@key"], ["", " ", "A ", " A", "A(", "#", "a=b", "a,b"]),
    (.propertyName, ["n", "a b", "a(b)", "ß"], ["", " n", "n ", "a,b"]),
    (
      .className, ["Hero", "_A", "A1", "Ärger", "Selfish", "inner"],
      ["", "_", "1A", "A B", "A.B", "Self", "in", "class"]
    ),
    (.names, ["id", "a, b", " a"], ["", " ", ",", ", ,"]),
    (
      .keyPath(at: .attribute), ["a", "a.b.c", "@key", "@value", "@id", "@keys.a", "a b"],
      ["", ".", "a.", ".a", "a..b", "@key.a", "a.@value", "a.@key.b"]
    ),
    (.keyPath(at: .relationship), ["a", "@value", "@keys"], ["", "@key", "a.@value"]),
    (.keyPath(at: .mapper), ["type", "a.b"], ["", "@key", "@value", "a.@key"]),
    (
      .transformerName, ["Lowercase", "DateFormat(yyyy)", "MyDateFormat"],
      ["DateFormat", "DateFormat(yyyy", "DateFormats"]
    ),
  ]

  @Test("D5: the schema's patterns for values accept the same strings as the attribute types", arguments: values)
  func value(type: AttributeType, texts: [String]) throws {
    let pattern = try #require(ModelFilePattern.text(of: type))
    let expression = try Regex(pattern.expression)
    for text in texts {
      let isValue = (try? AttributeValue(json: .string(text), type: type)) != nil
      #expect(text.contains(expression) == isValue, "\(type) \(text)")
    }
  }

  static let values: [(AttributeType, [String])] = [
    (
      .date,
      [
        "2014-08-31T00:29:15Z", "2014-08-31t00:29:15.25z", "2014-08-31 00:29:15+02:00", "2014-08-31T00:29:15-00:00",
        "2014-08-31", "2014-08-31T00:29Z", "2014-08-31T00:29:15", "2014-08-31T00:29:15.Z", "2014-08-31T00:29:15+0200",
        "",
        "2014-08-31T00:29:15Z ", "12014-08-31T00:29:15Z",
      ]
    ),
    (.binary, ["", "AAEC", "AA==", "AAE=", "AB==", "AAF=", "AA", "AAE", "A A=", "AA=A", "AA--", "AAEC="]),
    (
      .uuid,
      [
        "123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000", "",
        "123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}",
        "123e4567-e89b-12d3-a456-42661417400g",
      ]
    ),
    (.uri, ["https://example.org", "a", "/path?x=1#y", "", " ", "a b", "https://example.org/\u{7F}"]),
  ]
}
