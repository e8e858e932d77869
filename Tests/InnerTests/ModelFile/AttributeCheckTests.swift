import GraftTestSupport
import Testing

@testable import Graft

@Suite("Checks of attributes") struct AttributeCheckTests {
  private func check(_ attribute: String) -> [String] {
    findings(entities: #""A": {"attributes": {"x": {\#(attribute)}}}"#)
  }

  @Test("D5: defaults are of the attribute's type, in stored form", arguments: defaults)
  func defaultValue(attribute: String, expected: [String]) {
    #expect(check(attribute) == expected)
  }

  static let defaults: [(String, [String])] = [
    (#""type": "integer16", "default": 1️⃣70000"#, ["?"]),
    (#""type": "integer64", "default": 1️⃣"4""#, ["?"]),
    (#""type": "integer64", "default": 1e2"#, []),
    (#""type": "double", "default": 1️⃣1e999"#, ["?"]),
    (#""type": "boolean", "default": 1️⃣1"#, ["?"]),
    (#""type": "date", "default": 1️⃣"yesterday""#, ["?"]),
    (#""type": "binary", "default": 1️⃣"a""#, ["?"]),
    (#""type": "uuid", "default": 1️⃣"a""#, ["?"]),
    (#""type": "uri", "default": 1️⃣"a b""#, ["?"]),
    (#""type": "json", "default": {"a": [1, null]}"#, []),
    (#""type": "string", "default": null"#, []),
  ]

  @Test("M9: defaults and listed values meet the attribute's own validation", arguments: validations)
  func validation(attribute: String, expected: [String]) {
    #expect(check(attribute) == expected)
  }

  static let validations: [(String, [String])] = [
    (#""type": "integer16", "minimum": 2️⃣3, "default": 1️⃣2"#, ["?"]),
    (#""type": "decimal", "maximum": 2️⃣0.1, "default": 1️⃣0.11"#, ["?"]),
    (#""type": "string", "minLength": 2️⃣3, "default": 1️⃣"ab""#, ["?"]),
    (#""type": "binary", "maxLength": 2️⃣1, "default": 1️⃣"AAEC""#, ["?"]),
    (#""type": "string", "pattern": 2️⃣"^[a-z]+$", "default": 1️⃣"Bob""#, ["?"]),
    (#""type": "string", "pattern": "o", "default": "Bob""#, []),
    (#""type": "string", "enum": 2️⃣["low", "high"], "default": 1️⃣"mid""#, ["?"]),
    (#""type": "integer16", "maximum": 2️⃣2, "enum": [1, 2, 1️⃣3], "default": 1"#, ["?"]),
  ]

  @Test("D11: bounds can be met, and validation words fit the type", arguments: bounds)
  func checkBounds(attribute: String, expected: [String]) {
    #expect(check(attribute) == expected)
  }

  static let bounds: [(String, [String])] = [
    (#""type": "float", "minimum": 1️⃣2, "maximum": 2️⃣1.5"#, ["?"]),
    (#""type": "string", "minLength": 1️⃣3, "maxLength": 2️⃣2"#, ["?"]),
    (#""type": "string", "minLength": 1️⃣-1"#, ["?"]),
    (#""type": "integer16", "minimum": 1️⃣1.5"#, ["?"]),
    (#""type": "string", "minimum": 1️⃣1"#, ["?"]),
    (#""type": "date", "maximum": 1️⃣"2014""#, ["?"]),
    (#""type": "integer16", "maxLength": 1️⃣3"#, ["?"]),
    (#""type": "uri", "pattern": 1️⃣"^https""#, ["?"]),
    (#""type": "string", "enum": 1️⃣[]"#, ["?"]),
    (#""type": "string", "enum": [2️⃣"a", "b", 1️⃣"a"]"#, ["?"]),
    (#""type": "decimal", "enum": [2️⃣1.0, 1️⃣1]"#, ["?"]),
    (#""type": "integer16", "enum": [1, 1️⃣"2"]"#, ["?"]),
  ]

  @Test("M9: malformed patterns are errors", arguments: patterns)
  func pattern(pattern: String, expected: [String]) {
    #expect(check(#""type": "string", "pattern": 1️⃣"\#(pattern)""#) == expected)
  }

  static let patterns: [(String, [String])] = [
    ("^[A-Z]{2,3}$", []),
    ("[a-z", ["?"]),
    ("(a", ["?"]),
    ("*", ["?"]),
    (String(repeating: "(", count: 100_000), ["?"]),
    (String(repeating: "(", count: 60) + String(repeating: ")", count: 60), ["?"]),
  ]

  @Test("M9: transformers are known and fit; a one-way transformer is a warning", arguments: transformers)
  func transformer(attribute: String, expected: [String]) {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    #expect(findings(entities: #""A": {"attributes": {"x": {\#(attribute)}}}"#, transformers: transformers) == expected)
  }

  static let transformers: [(String, [String])] = [
    (#""type": "integer16", "JSONTransformerName": "StringToInteger""#, []),
    (#""type": 2️⃣"string", "JSONTransformerName": 1️⃣"StringToInteger""#, ["?"]),
    (#""type": 2️⃣"string", "JSONTransformerName": 1️⃣"UnixTime""#, ["?"]),
    (#""type": "date", "JSONTransformerName": "DateFormat(dd.MM.yyyy)""#, []),
    (#""type": "date", "JSONTransformerName": 1️⃣"DateFormat""#, ["?"]),
    (#""type": "date", "JSONTransformerName": 1️⃣"DateFormat()""#, ["?"]),
    (#""type": "date", "JSONTransformerName": 1️⃣"UnxTime""#, ["?"]),
    (#""type": "string", "JSONTransformerName": "Slug""#, []),
    (#""type": "string", "JSONTransformerName": 1️⃣"Slug", "JSONKeyPath": "x""#, ["?"]),
    (#""type": "string", "JSONTransformerName": 1️⃣"slug""#, ["?"]),
  ]
}
