import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Running transformers on their own") struct TransformerTrialTests {
  struct Failure: Error {}

  private static let registry: TransformerRegistry = {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Half") { (number: Int) throws -> Double? in
      if number == 13 { throw Failure() }
      return number < 0 ? nil : Double(number) / 2
    } reverse: {
      if $0 == 13 { throw Failure() }
      return $0 < 0 ? nil : Int($0 * 2)
    }
    registry.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    return registry
  }()

  private func message(_ work: () throws -> Void) -> String? {
    let error = #expect(throws: TransformerError.self) { try work() }
    return error.map { "\($0.diagnostics[0].code.rawValue): \($0)" }
  }

  @Test("T7: a transformer run on its own returns what an import stores, and nil for null")
  func forward() throws {
    #expect(try Self.registry.value("Slug", from: "Bat Man") == .string("bat man"))
    #expect(try Self.registry.value("Half", from: 3) == .double(1.5))
    #expect(try Self.registry.value("Half", from: 4, as: .integer16) == .integer(2))
    #expect(try Self.registry.value("Half", from: -1) == nil)
    #expect(try Self.registry.value("Half", from: nil) == nil)
    #expect(try Self.registry.value("StringToInteger", from: "42") == .integer(42))
    #expect(try Self.registry.value("Lenient", from: " 007", as: .integer16) == .integer(7))
    #expect(try Self.registry.value("Lenient", from: 1, as: .boolean) == .boolean(true))
    #expect(try Self.registry.value("Lenient", from: 1) == .json(1))
  }

  @Test("T7: a transformer run in reverse returns what an export writes (T4)")
  func reverse() throws {
    #expect(try Self.registry.json("Half", from: .double(1.5)) == 3)
    #expect(try Self.registry.json("Half", from: .double(-1)) == .null)
    #expect(try Self.registry.json("Half", from: nil) == .null)
    #expect(try Self.registry.json("Slug", from: .string("x")) == "x")
    #expect(try Self.registry.json("UnixTime", from: .date(Date(timeIntervalSince1970: 60))) == 60)
    #expect(try Self.registry.json("Lenient", from: .boolean(true)) == true)
  }

  @Test("T7: unknown names and values that do not fit cause errors with messages")
  func refusals() {
    #expect(
      message { _ = try Self.registry.value("Slugg", from: "x") }
        == "unknown-transformer: there is no value transformer named 'Slugg'; did you mean 'Slug'?")
    #expect(
      message { _ = try Self.registry.json("DateFormat(jj)", from: .string("x")) }
        == "unknown-transformer: the transformer 'DateFormat(jj)' is malformed: 'j' is not a date field; put literal letters in quotes"
    )
    #expect(
      message { _ = try Self.registry.value("Slug", from: 5) }
        == "wrong-transformer-input: expected a string, which the transformer 'Slug' takes, found the number 5")
    #expect(
      message { _ = try Self.registry.json("Half", from: .string("x")) }
        == "wrong-transformer-input: expected a number, which the reverse of the transformer 'Half' takes, found the string \"x\""
    )
    #expect(
      message { _ = try Self.registry.value("Half", from: 3, as: .integer16) }
        == "wrong-transformer-output: the transformer 'Half' returned the number 1.5, which an attribute of type 'integer16' cannot hold"
    )
  }

  @Test("T7: an error that a closure throws is rethrown")
  func thrown() {
    #expect(throws: Failure.self) { try Self.registry.value("Half", from: 13) }
    #expect(throws: Failure.self) { try Self.registry.json("Half", from: .double(13)) }
  }

  @Test("T6: an import with Lenient reads different forms as one identity, and an export writes the type's own form")
  func imported() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {"Order": {"identityAttributes": "id", "attributes": {
          "id": {"type": "integer64", "JSONTransformerName": "Lenient"},
          "zip": {"type": "string", "optional": true, "JSONTransformerName": "Lenient"},
          "paid": {"type": "boolean", "optional": true, "JSONTransformerName": "Lenient"},
          "extra": {"type": "json", "optional": true, "JSONTransformerName": "Lenient"}}}}}
        """)
    let context = ManagedObjectContext(model: model)
    let payload = """
      [{"id": "0042", "zip": 2134, "paid": "no", "extra": {"a": 1}}, {"id": 42, "paid": 1}, {"id": " +42 "}]
      """
    let orders = try objects(ofEntity: "Order", fromJSON: payload, in: context)
    #expect(try context.count(ofEntity: "Order") == 1)
    #expect(
      String(decoding: try jsonData(from: orders[0]), as: UTF8.self)
        == #"{"id":42,"zip":"2134","paid":true,"extra":{"a":1}}"#)
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Order", fromJSON: #"[{"id": "4 2"}]"#, in: context)
    }
    #expect(
      error?.diagnostics.map(\.message) == [
        "expected an integer from -9223372036854775808 to 9223372036854775807, or a string that contains one for 'Order.id', "
          + "found the string \"4 2\""
      ])
  }

  @Test("T8, E4: a date read by StringToInteger and UnixTime is exported as it was imported")
  func chainThroughLargeInteger() throws {
    let context = try Fixture.context(
      #"""
      "P": {"identityAttributes": "id", "attributes": {"id": "integer64",
        "at": {"type": "date", "JSONTransformerName": ["StringToInteger", "UnixTime"]}}}
      """#)
    try context.load(#"[{"id": 1, "at": "1409444955"}]"#, "P")
    #expect(try context.exported("P") == #"[{"id":1,"at":"1409444955"}]"#)
  }

  @Test("T8, E4: a value read by StringToInteger and a closure is exported as it was imported")
  func chainThroughClosure() throws {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Half") { (number: Int) -> Int? in
      number / 2
    } reverse: { (number: Int) -> Int? in
      number * 2
    }
    let context = try Fixture.context(
      #"""
      "P": {"identityAttributes": "id", "attributes": {"id": "integer64",
        "n": {"type": "integer64", "JSONTransformerName": ["StringToInteger", "Half"]}}}
      """#, transformers: registry)
    try context.load(#"[{"id": 1, "n": "20"}, {"id": 2, "n": "40000"}]"#, "P")
    #expect(try context.exported("P") == #"[{"id":1,"n":"20"},{"id":2,"n":"40000"}]"#)
  }

  @Test("T7: a reverse transformer that is run on its own does not trap for a very distant date")
  func distantReferenceTime() {
    let date = Date(timeIntervalSinceReferenceDate: -1e13)
    #expect(throws: Never.self) { try TransformerRegistry.standard.json("ReferenceTime", from: .date(date)) }
  }
}
