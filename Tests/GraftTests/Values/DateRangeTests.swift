import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Dates that JSON text cannot contain") struct DateRangeTests {
  final class Event: ManagedObject {}

  private static let model = #"""
    "Event": {"identityAttributes": "id", "attributes": {"id": "integer64", "at": {"type": "date", "optional": true},
      "all": {"type": "date", "list": true, "optional": true},
      "slug": {"type": "date", "optional": true, "JSONTransformerName": "Odd"}}}
    """#

  /// Each date, and how messages describe it.
  static let refused: [(Double, String)] = [
    (.nan, "the date nan seconds after 1970"), (.infinity, "the date inf seconds after 1970"),
    (-.infinity, "the date -inf seconds after 1970"), (1e300, "the date 1e+300 seconds after 1970"),
    (253_402_300_801, "the date +10000-01-01T00:00:01Z"), (-62_167_219_201, "the date -0001-12-31T23:59:59Z"),
  ]

  private static func context(_ odd: Double = 0) throws -> ManagedObjectContext {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Odd") { (_: String) in Date(timeIntervalSince1970: odd) }
    return try Fixture.context(Self.model, transformers: registry, classes: [Event.self])
  }

  @Test("D9: a date that RFC 3339 cannot represent is refused", arguments: refused)
  func setters(_ seconds: Double, _ phrase: String) throws {
    let context = try Self.context(seconds)
    let event = try context.load(#"{"id": 1, "at": "2024-01-01T00:00:00Z"}"#, "Event")[0]
    let date = Date(timeIntervalSince1970: seconds)
    let error = #expect(throws: PropertyError.self) { try event.setValue(date, of: "at") }
    #expect(error?.diagnostics.map(\.code) == [.wrongType])
    #expect(
      error?.description
        == "'Event.at' is declared date: it cannot hold \(phrase), which is not in the years 0000 to 9999")
    #expect(throws: PropertyError.self) { try event.setValue([date], of: "all") }
    // A setter cannot throw, but the transaction around the setter throws the error.
    let refusal = #expect(throws: PropertyError.self) { try context.atomically { () throws in event["at"] = date } }
    #expect(refusal?.description == error?.description)
    #expect(try context.text(event) == #"{"id":1,"at":"2024-01-01T00:00:00Z","all":null,"slug":null}"#)
    #expect(!context.hasChanges)

    let fault = #expect(throws: ImportError.self) { try context.load(#"{"id": 2, "slug": "x"}"#, "Event") }
    #expect(fault?.diagnostics.map(\.code) == [.wrongTransformerOutput])
    #expect(fault?.description.contains("the transformer 'Odd' returned \(phrase)") == true, "\(fault as Any)")
    struct Encoded: Encodable {
      var id: Int
      var at: Date
    }
    let encoded = #expect(throws: ImportError.self) {
      try object(Event.self, fromEncodable: Encoded(id: 1, at: date), in: context)
    }
    #expect(encoded?.diagnostics.map(\.code) == [.wrongType])
    #expect(try context.count(ofEntity: "Event") == 1 && context.checkInvariants() == [])
  }

  @Test("D9, E4: the first and the last possible date are stored, exported and imported again")
  func accepted() throws {
    let context = try Self.context()
    let event = try context.load(#"{"id": 1, "at": "0000-01-01T00:00:00Z"}"#, "Event")[0]
    for text in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999Z"] {
      try context.load(#"{"id": 2, "at": "\#(text)"}"#, "Event")
      // A date that is read from one object can be set on another object unchanged, although a `Date` cannot represent the last
      // microseconds.
      event["at"] = try context.find(ofEntity: "Event", identity: 2)?["at"] as Date?
      #expect(try context.text(event) == #"{"id":1,"at":"\#(text)","all":null,"slug":null}"#)
      #expect(try context.importJSON(context.exported("Event"), ofEntity: "Event").updated.isEmpty)
    }
    for date in [Date.distantPast, .distantFuture] {
      try event.setValue(date, of: "at")
      #expect(event["at"] == date)
    }
  }

  @Test("A date whose time interval is NaN has no JSON form")
  func json() {
    #expect(AttributeValue.date(Date(timeIntervalSince1970: .nan)).jsonValue == .null)
    #expect(AttributeValue.date(Date(timeIntervalSince1970: -.infinity)).jsonValue == .null)
    #expect(AttributeValue.date(Date(timeIntervalSince1970: 0)).jsonValue == "1970-01-01T00:00:00Z")
  }

  @Test(
    "D9: within the last microsecond of 9999, further digits are rounded down, in every form of a date",
    arguments: [
      ("", #""9999-12-31T23:59:59.9999999Z""#), (#", "JSONTransformerName": "UnixTime""#, "253402300799.9999999"),
      (#", "JSONTransformerName": "UnixTimeMilliseconds""#, "253402300799999.9999"),
      (#", "JSONTransformerName": "Lenient""#, "253402300799999.9999"),
    ])
  func lastMicrosecond(transformer: String, value: String) throws {
    let context = try Fixture.context(#""T": {"attributes": {"d": {"type": "date"\#(transformer)}}}"#)
    #expect(refusals(#"[{"d": \#(value)}]"#, of: "T", in: context) == [])
  }

  @Test("D9, T6: a time before 1970 is read as the same date from a number and from a string")
  func halfMicrosecondBefore1970() throws {
    let context = try Fixture.context(
      #""E": {"identityAttributes": "id", "attributes": {"id": "integer64", "at": {"type": "date", "JSONTransformerName": "Lenient"}}}"#
    )
    try context.load(
      #"[{"id": 1, "at": "1969-12-31T23:59:59.9999985Z"}, {"id": 2, "at": "1969-12-31T23:59:58.0000005Z"}]"#, "E")
    let text = try context.fetch(ofEntity: "E").map { $0["at"] as Date? }
    try context.load(#"[{"id": 1, "at": -0.0000015}, {"id": 2, "at": -1.9999995}]"#, "E")
    let number = try context.fetch(ofEntity: "E").map { $0["at"] as Date? }
    #expect(text == number)
  }
}
