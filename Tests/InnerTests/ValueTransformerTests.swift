import Foundation
import Testing

@testable import Graft

@Suite("Value transformers") struct ValueTransformerTests {
  struct Failure: Error {}

  @Test("T3: an input of another type causes an error that names the accepted type")
  func otherType() throws {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    let slug = try #require(registry.valueTransformer(named: "Slug"))
    #expect(try slug.forward("A B") == .string("a b"))
    #expect(slug.input == "a string" && slug.output == "a string" && slug.builtIn == nil && slug.reverse == nil)
    for json in [1, true, [], [:]] as [JSON] {
      #expect(throws: TransformerInputError(expected: "a string")) { try slug.forward(json) }
    }
  }

  @Test("T3: a closure that returns nil sets nil, and an error thrown by the closure is rethrown unchanged")
  func nilAndErrors() throws {
    var registry = TransformerRegistry()
    registry.registerValueTransformer(named: "X") { (text: String) throws -> Int? in
      if text == "boom" { throw Failure() }
      return Int(text)
    }
    let transformer = try #require(registry.valueTransformer(named: "X"))
    #expect(try transformer.forward("4") == .integer(4))
    #expect(try transformer.forward("four") == nil)
    #expect(throws: Failure.self) { try transformer.forward("boom") }
  }

  @Test("T4: the reverse closure receives the stored value, but is not called for nil")
  func reverse() throws {
    var registry = TransformerRegistry()
    registry.registerValueTransformer(named: "X") { (text: String) in
      Int(text)
    } reverse: {
      $0 < 0 ? nil : "\($0)"
    }
    let write = try #require(registry.valueTransformer(named: "X")?.reverse)
    #expect(try write(.integer(4)) == "4")
    #expect(try write(.integer(-4)) == nil)
    #expect(try write(.double(4)) == "4")
    #expect(throws: TransformerInputError(expected: "an integer")) { try write(.double(4.5)) }
  }

  @Test("T1: if a name is registered twice, the later registration wins, even over a built-in transformer")
  func twice() throws {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Lowercase") { (text: String) in text.uppercased() }
    var other = TransformerRegistry()
    other.registerValueTransformer(named: "X") { (text: String) in text }
    registry.registerValueTransformer(named: "X") { (text: String) in text + text }
    #expect(try registry.valueTransformer(named: "Lowercase")?.forward("a") == .string("A"))
    #expect(try registry.valueTransformer(named: "X")?.forward("a") == .string("aa"))
    registry.merge(other)
    #expect(try registry.valueTransformer(named: "X")?.forward("a") == .string("a"))
  }

  static let strict: [(any AttributeConvertible.Type, [JSON], [JSON])] = [
    (Int.self, [1, 1.0, -5], ["1", 1.5, true, nil, 1e19]), (Int8.self, [127, -128], [128, -129, "1"]),
    (UInt64.self, [0, .number(JSONNumber(UInt64.max))], [-1, 1.5, 1e20]), (Double.self, [1, 0.5], ["1", true]),
    (Float.self, [0.5], [1e39, "0.5"]), (Bool.self, [true, false], [1, 0, "true"]),
    (String.self, ["", "x"], [1, nil]),
    (Decimal.self, [0.1, 5], ["1", 1e200]), (Date.self, ["2014-08-31T00:29:15Z"], [0, "2014-08-31"]),
    (Data.self, ["Zm9v"], ["Zm9", 1]), (UUID.self, ["123e4567-e89b-12d3-a456-42661417400f"], ["x", 1]),
    (URL.self, ["https://a.b"], ["", "a b", 1]), (JSON.self, [1, nil, "x", [:]], []),
    (JSONNumber.self, [1, 1e20], ["1"]),
    ([Int].self, [[1, 2], []], [[1, "2"], 1, [:]]), ([String: Int].self, [["a": 1], [:]], [["a": "b"], []]),
  ]

  @Test("M5: Swift types are read strictly, and their values round-trip through the attribute", arguments: strict)
  func types(type: any AttributeConvertible.Type, read: [JSON], refused: [JSON]) {
    func check<Value: AttributeConvertible>(_ type: Value.Type) {
      let reader = ValueReader<Value>()
      for json in read {
        let value = reader.read(json)
        #expect(value?.attributeValue.jsonValue == json, "\(type) \(json)")
        #expect(value.flatMap { Value(attributeValue: $0.attributeValue) }?.attributeValue == value?.attributeValue)
      }
      for json in refused { #expect(reader.read(json) == nil, "\(type) \(json)") }
    }
    check(type)
    #expect(!NounPhrase.of(type).isEmpty)
  }

  enum Alignment: String, AttributeConvertible { case good, evil }
  enum Level: Int, AttributeConvertible, CaseIterable { case low = 1, high }
  enum Sign: Character, AttributeConvertible {
    case plus = "+"
    init?(attributeValue: AttributeValue) {
      guard case .string(let text) = attributeValue, let sign = text.first.flatMap(Sign.init) else { return nil }
      self = sign
    }
    var attributeValue: AttributeValue { .string(String(rawValue)) }
  }
  struct Moment: AttributeConvertible {
    let date: Date
    init?(attributeValue: AttributeValue) {
      guard case .date(let date) = attributeValue else { return nil }
      self.date = date
    }
    var attributeValue: AttributeValue { .date(date) }
  }

  @Test("T1: a value of a program's own type is read from JSON like the attribute that stores it")
  func adopted() {
    #expect(ValueReader<Alignment>().read("evil") == .evil && ValueReader<Alignment>().read("neutral") == nil)
    #expect(ValueReader<Level>().read(2) == .high && ValueReader<Level>().read("2") == nil)
    #expect(ValueReader<[Sign]>().read(["+"]) == [.plus] && ValueReader<[Sign]>().read(["-"]) == nil)
    #expect(ValueReader<Moment>().read("1970-01-01T00:00:05Z")?.date == Date(timeIntervalSince1970: 5))
    #expect(NounPhrase.of(Alignment.self) == "a string" && NounPhrase.of(Level.self) == "one of 1, 2")
    #expect(NounPhrase.of(Moment.self) == "a value of type 'Moment'")
  }

  @Test("E3: by option, the writer sorts and indents keys")
  func writer() {
    let value: JSON = ["b": [1, [], [:]], "a": ["c": nil]]
    var bytes: [UInt8] = []
    JSONWriter(sortedKeys: true, pretty: true).append(value, to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {
          "a": {
            "c": null
          },
          "b": [
            1,
            [],
            {}
          ]
        }
        """)
  }
}
