import Foundation
import Graft
import Testing

@Suite("Transformer registry") struct TransformerRegistryTests {
  enum Alignment: String, AttributeConvertible { case good, evil }
  enum Level: Int, AttributeConvertible, CaseIterable { case low = 1, high }

  struct Failure: Error {}

  @Test("T1: the types of a transformer are the types in its closure's signature")
  func typed() {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    registry.registerValueTransformer(named: "Year") { (year: Int) in Date(timeIntervalSince1970: Double(year)) }
    registry.registerValueTransformer(named: "Sum") { (numbers: [Int]) -> JSON in
      .number(JSONNumber(numbers.reduce(0, +)))
    }
    registry.registerValueTransformer(named: "Text") { (value: JSON) -> String in value.description }
    registry.registerValueTransformer(named: "Maybe") { (text: String) -> Int? in Int(text) }
    registry.registerValueTransformer(named: "Throws") { (text: String) throws -> Int? in
      guard let value = Int(text) else { throw Failure() }
      return value
    }
    registry.registerValueTransformer(named: "Side") { (text: String) in Alignment(rawValue: text) }
    registry.registerValueTransformer(named: "Both") { (text: String) in
      Int(text)
    } reverse: {
      String($0)
    }
    registry.registerValueTransformer(named: "Table") { (table: [String: Double]) in table["x"] }
    registry.registerValueTransformer(named: "URL") { (text: String) in URL(string: text) }
    registry.registerDictionaryTransformer(named: "Unwrap") { $0["hero"] as? [String: Any] }
    registry.registerEntityMapper(named: "Message") { $0["text"] == nil ? "PhotoMessage" : "TextMessage" }
    for name in ["Slug", "Year", "Sum", "Text", "Maybe", "Throws", "Side", "Both", "Table", "URL", "StringToInteger"] {
      #expect(registry.valueTransformerNames.contains(name))
    }
    #expect(registry.dictionaryTransformerNames == ["Unwrap"])
    #expect(registry.entityMapperNames == ["Message"])
    #expect(TransformerRegistry.standard.valueTransformerNames.count == 16)
  }

  @Test("Enum values are converted from their raw values")
  func enums() {
    #expect(Alignment(attributeValue: .string("evil")) == .evil)
    #expect(Level.high.attributeValue == .integer(2))
    #expect(Alignment(attributeValue: .string("neutral")) == nil)
  }
}
