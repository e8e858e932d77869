import Foundation
import Testing

@testable import Graft

@Suite("Built-in transformers") struct BuiltInTransformerTests {
  static func moment(_ text: String) -> AttributeValue {
    .date(Date(microsecondsSince1970: text.bytes { DateText.microseconds($0) } ?? 0))
  }

  static func number(_ text: String) -> JSON { .number(JSONNumber(uncheckedText: text)) }

  static let both: [(String, JSON, AttributeValue)] = [
    ("StringToInteger", "42", .integer(42)), ("StringToInteger", "-7", .integer(-7)),
    ("StringToInteger", "0", .integer(0)),
    ("StringToInteger", "9223372036854775807", .integer(.max)),
    ("StringToInteger", "-9223372036854775808", .integer(.min)),
    ("StringToDecimal", "12.5", .decimal(Decimal(string: "12.5")!)),
    ("StringToDecimal", "-0.001", .decimal(Decimal(string: "-0.001")!)),
    ("StringToDouble", "0.5", .double(0.5)), ("StringToDouble", "1e+22", .double(1e22)),
    ("StringToDouble", "4", .double(4)),
    ("StringToDouble", "12.350636104367496", .double(12.350636104367496)),
    ("UnixTime", 0, moment("1970-01-01T00:00:00Z")), ("UnixTime", 1_409_444_955, moment("2014-08-31T00:29:15Z")),
    ("UnixTime", number("1409444955.000001"), moment("2014-08-31T00:29:15.000001Z")),
    ("UnixTime", number("-0.5"), moment("1969-12-31T23:59:59.5Z")),
    ("UnixTimeMilliseconds", 1_409_444_955_250, moment("2014-08-31T00:29:15.25Z")),
    ("UnixTimeMilliseconds", number("0.001"), moment("1970-01-01T00:00:00.000001Z")),
    ("UnixTimeMilliseconds", -1, moment("1969-12-31T23:59:59.999Z")),
    ("DateFormat(yyyy-MM-dd)", "2014-08-31", moment("2014-08-31T00:00:00Z")),
    ("DateFormat(EEE MMM dd HH:mm:ss Z yyyy)", "Sun Aug 31 00:29:15 +0000 2014", moment("2014-08-31T00:29:15Z")),
    ("DateFormat(dd.MM.yy)", "31.08.14", moment("2014-08-31T00:00:00Z")),
    ("StringToURL", "https://a.b/c?d=e#f", .uri(URL(string: "https://a.b/c?d=e#f")!)),
    (
      "StringToUUID", "123e4567-e89b-12d3-a456-42661417400f",
      .uuid(UUID(uuidString: "123E4567-E89B-12D3-A456-42661417400F")!)
    ), ("Lowercase", "batman", .string("batman")), ("IntegerToBoolean", 0, .boolean(false)),
    ("IntegerToBoolean", 1, .boolean(true)), ("StringToBoolean", "true", .boolean(true)),
    ("StringToBoolean", "false", .boolean(false)),
  ]

  @Test("T2: each transformer reads its form and writes the same form", arguments: both)
  func readAndWritten(name: String, json: JSON, value: AttributeValue) throws {
    let transformer = try #require(TransformerRegistry.standard.valueTransformer(named: name))
    #expect(transformer.name == name)
    #expect(transformer.builtIn == BuiltInTransformer(named: name))
    #expect(try transformer.forward(json) == value)
    #expect(try transformer.reverse?(value) == json)
    // The reverse returns the same JSON for a value stored in any of the attribute types that the transformer supports.
    for type in transformer.builtIn?.attributeTypes ?? [] where type != .float && type != .double {
      guard let stored = try? value.converted(to: type) else { continue }
      #expect(try transformer.reverse?(stored) == json)
    }
  }

  static let oneWay: [(String, JSON, AttributeValue, JSON)] = [
    ("StringToDecimal", "1.50", .decimal(Decimal(string: "1.5")!), "1.5"), ("StringToDouble", "4.0", .double(4), "4"),
    ("UnixTime", 1.0000004, moment("1970-01-01T00:00:01Z"), 1),
    ("UnixTime", number("0.0000005"), moment("1970-01-01T00:00:00.000001Z"), number("0.000001")),
    ("UnixTime", number("1e3"), moment("1970-01-01T00:16:40Z"), 1000),
    (
      "DateFormat(EEE MMM dd HH:mm:ss Z yyyy)", "Sun Aug 31 02:29:15 +0200 2014", moment("2014-08-31T00:29:15Z"),
      "Sun Aug 31 00:29:15 +0000 2014"
    ), ("Lowercase", "BATMÄN", .string("batmän"), "batmän"), ("IntegerToBoolean", 1.0, .boolean(true), 1),
    (
      "StringToUUID", "123E4567-E89B-12D3-A456-42661417400F",
      .uuid(UUID(uuidString: "123E4567-E89B-12D3-A456-42661417400F")!), "123e4567-e89b-12d3-a456-42661417400f"
    ),
  ]

  @Test("T2: a transformer that reads several forms always writes the same form", arguments: oneWay)
  func severalForms(name: String, json: JSON, value: AttributeValue, written: JSON) throws {
    let transformer = try #require(TransformerRegistry.standard.valueTransformer(named: name))
    #expect(try transformer.forward(json) == value)
    #expect(try transformer.reverse?(value) == written)
  }

  static let refused: [(String, [JSON])] = [
    (
      "StringToInteger",
      [
        42, "", "+7", " 7", "7 ", "007", "-0", "1.0", "1e2", "٣", "9223372036854775808", "-9223372036854775809", true,
        [], [:],
      ]
    ),
    (
      "StringToDecimal",
      [1, "", "+1", ".5", "5.", "01", "1,5", "0x1", "NaN", "1e200", " 1", .string("1\(DecimalTextTests.nines)")]
    ),
    ("StringToDouble", [1, "", "+1", ".5", "inf", "nan", "0x1p3", "1e400", " 1", "1 "]),
    ("UnixTime", ["x", "1 ", true, number("1e999999999"), 1e12, number("-62167219201"), []]),
    ("UnixTimeMilliseconds", ["", number("253402300800000"), number("-1e999999999999999999999")]),
    (
      "DateFormat(yyyy-MM-dd)",
      [20140831, "", "2014-8-31", "2014-08-31 ", "2014-02-29", "14-08-31", "２014-08-31", "0000-00-00"]
    ),
    (
      "DateFormat(EEE MMM dd HH:mm:ss Z yyyy)",
      ["Mon Aug 31 00:29:15 +0000 2014", "sun Aug 31 00:29:15 +0000 2014", "Sun Aug 31 00:29:15 2014"]
    ), ("StringToURL", [1, "", "a b", "1:b"]), ("StringToUUID", [1, "", "x", "123e4567e89b12d3a45642661417400f"]),
    ("Lowercase", [1, true, []]), ("IntegerToBoolean", [true, false, 2, -1, 0.5, "1", "true"]),
    ("StringToBoolean", [true, 1, "1", "TRUE", "True", "yes", "", " true"]),
  ]

  @Test("T2: a value that a transformer cannot read causes an error; it is not read as nil", arguments: refused)
  func refusals(name: String, values: [JSON]) throws {
    let transformer = try #require(TransformerRegistry.standard.valueTransformer(named: name))
    for value in values {
      let error = #expect(throws: TransformerInputError.self, "\(value)") { try transformer.forward(value) }
      #expect(error?.expected.isEmpty == false)
    }
  }

  @Test("T2: the error names the expected form")
  func expectations() throws {
    let transformer = try #require(TransformerRegistry.standard.valueTransformer(named: "DateFormat(yyyy-MM-dd)"))
    let error = #expect(throws: TransformerInputError.self) { try transformer.forward("31.8.2014") }
    #expect(error?.expected == "a string with a date in the format 'yyyy-MM-dd'")
  }

  @Test(
    "T8: Blank reads blank strings as nil, LastPathSegment the last segment, and Split a list of parts",
    arguments: [
      ("Blank", "\"\"", "nil"), ("Blank", "\" \\t\\n\"", "nil"), ("Blank", "\"x \"", "\"x \""), ("Blank", "7", "7"),
      ("LastPathSegment", "\"https://example.org/planets/1/\"", "\"1\""),
      ("LastPathSegment", "\"Patient/123\"", "\"123\""),
      ("LastPathSegment", "\"7\"", "\"7\""), ("LastPathSegment", "\"/\"", "-"), ("LastPathSegment", "\"\"", "-"),
      ("LastPathSegment", "7", "-"), ("Split(,)", "\"a,b\"", #"["a","b"]"#), ("Split(,)", "\"\"", "[]"),
      ("Split(,)", "\",\"", #"["",""]"#), ("Split(, )", "\"a,b, c\"", #"["a,b","c"]"#), ("Split(,)", "7", "-"),
      ("Split(\u{301})", "\"e\u{301}x\"", #"["e","x"]"#),
    ])
  func texts(name: String, json: String, expected: String) throws {
    let transformer = try #require(TransformerRegistry.standard.valueTransformer(named: name))
    let value = try JSON(text: json)
    let result: String
    do {
      result = try transformer.forward(value).map { $0.jsonValue.description } ?? "nil"
    } catch is TransformerInputError {
      result = "-"
    }
    #expect(result == expected)
    guard result != "-", result != "nil", let reverse = transformer.reverse else { return }
    // LastPathSegment loses the rest of the path, but reading the written segment produces the same value.
    let read = try #require(try transformer.forward(value))
    let written = try #require(try reverse(read))
    #expect(try transformer.forward(written) == read)
    #expect(written == value || name == "LastPathSegment")
  }

  @Test("M9: each name that errors suggest belongs to a transformer")
  func names() {
    let registry = TransformerRegistry.standard
    #expect(registry.valueTransformerNames.count == 16)
    for name in registry.valueTransformerNames { #expect(registry.valueTransformer(named: name) != nil) }
    #expect(registry.valueTransformer(named: "StringToInt") == nil)
    #expect(registry.valueTransformer(named: "stringtointeger") == nil)
  }
}
