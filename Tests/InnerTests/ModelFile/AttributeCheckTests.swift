import GraftTestSupport
import Testing

@testable import Graft

// What is wrong stands in Tests/Fixtures/bad-models/values and transformers.
@Suite("Checks of attributes") struct AttributeCheckTests {
  private func check(_ attribute: String) -> [String] {
    findings(entities: #""A": {"attributes": {"x": {\#(attribute)}}}"#)
  }

  @Test(
    "D5, D11: values of the attribute's own type, in stored form, and words that fit it, are fine",
    arguments: [
      #""type": "integer64", "default": 1e2"#, #""type": "json", "default": {"a": [1, null]}"#,
      #""type": "string", "default": null"#, #""type": "string", "pattern": "o", "default": "Bob""#,
      #""type": "string", "pattern": "^[A-Z]{2,3}$""#,
      #""type": "integer16", "JSONTransformerName": "StringToInteger""#,
      #""type": "date", "JSONTransformerName": "DateFormat(dd.MM.yyyy)""#,
    ])
  func legal(attribute: String) {
    #expect(check(attribute) == [])
  }

  @Test("M9: a pattern is neither very long nor very deep, so that compiling it ends")
  func hugePatterns() {
    func fault(_ pattern: String) -> String {
      String(check(#""type": "string", "pattern": 1️⃣"\#(pattern)""#).joined().split(separator: ": ").last ?? "")
    }
    #expect(fault(String(repeating: "(", count: 100_000)) == "it is longer than 10000 bytes")
    let nested = String(repeating: "(", count: 60) + "a" + String(repeating: ")", count: 60)
    #expect(fault(nested) == "its groups are nested deeper than 50")
  }

  @Test("M9: a one-way transformer is fine where nothing is exported")
  func oneWay() {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    let attribute = #""A": {"attributes": {"x": {"type": "string", "JSONTransformerName": "Slug"}}}"#
    #expect(findings(entities: attribute, transformers: transformers) == [])
  }
}
