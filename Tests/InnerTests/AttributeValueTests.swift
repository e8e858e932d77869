import Foundation
import Testing

@testable import Graft

@Suite("Attribute values") struct AttributeValueTests {
  static let date = Date(microsecondsSince1970: 1_409_444_955_250_000)

  static let both: [(JSON, AttributeType, AttributeValue)] = [
    (4, .integer16, .integer(4)), (-32768, .integer16, .integer(-32768)),
    (2_147_483_647, .integer32, .integer(2_147_483_647)),
    (-9_223_372_036_854_775_808, .integer64, .integer(.min)), (0.5, .float, .float(0.5)), (0.1, .double, .double(0.1)),
    (4, .double, .double(4)),
    (.number(JSONNumber(uncheckedText: "12.50")), .decimal, .decimal(Decimal(string: "12.5")!)),
    (true, .boolean, .boolean(true)), ("é", .string, .string("é")),
    ("2014-08-31T00:29:15.25Z", .date, .date(date)), ("Zm9v", .binary, .binary(Data("foo".utf8))),
    (
      "123e4567-e89b-12d3-a456-42661417400f", .uuid,
      .uuid(UUID(uuidString: "123E4567-E89B-12D3-A456-42661417400F")!)
    ), ("https://a.b/c", .uri, .uri(URL(string: "https://a.b/c")!)), (["a": [1, nil]], .json, .json(["a": [1, nil]])),
    (nil, .json, .json(nil)),
  ]

  @Test("M5: a JSON value is read as its attribute's type and written as the same JSON value", arguments: both)
  func readAndWritten(json: JSON, type: AttributeType, value: AttributeValue) throws {
    #expect(try AttributeValue(json: json, type: type) == value)
    #expect(value.jsonValue == json)
    #expect(try value.converted(to: type) == value)
  }

  static let misfits: [(JSON, AttributeType, String)] = [
    ("4", .integer64, #"expected an integer, found the string "4""#),
    (1.5, .integer16, "expected an integer, found the number 1.5"),
    (true, .integer32, "expected an integer, found true"), (nil, .integer64, "expected an integer, found null"),
    (70000, .integer16, "expected an integer from -32768 to 32767, found the number 70000"),
    (-2_147_483_649, .integer32, "expected an integer from -2147483648 to 2147483647, found the number -2147483649"),
    (
      .number(JSONNumber(uncheckedText: "9223372036854775808")), .integer64,
      "expected an integer from -9223372036854775808 to 9223372036854775807, found the number 9223372036854775808"
    ),
    (
      .number(JSONNumber(uncheckedText: "1e999999999")), .integer64,
      "expected an integer from -9223372036854775808 to 9223372036854775807, found the number 1e999999999"
    ),
    (
      .number(JSONNumber(uncheckedText: "1e-999999999")), .integer64,
      "expected an integer, found the number 1e-999999999"
    ),
    (1, .boolean, "expected true or false, found the number 1"),
    ("true", .boolean, #"expected true or false, found the string "true""#),
    (1e39, .float, "expected a number that a float can hold (up to 3.4e38), found the number 1e+39"),
    (
      .number(JSONNumber(uncheckedText: "1e400")), .double,
      "expected a number that a double can hold (up to 1.8e308), found the number 1e400"
    ), ("1", .double, #"expected a number, found the string "1""#),
    (
      .number(JSONNumber(uncheckedText: "1e200")), .decimal,
      "expected a decimal number of at most 38 digits and an exponent from -128 to 127, found the number 1e200"
    ), ("1", .decimal, #"expected a decimal number, found the string "1""#),
    (1, .string, "expected a string, found the number 1"),
    ("2014", .date, #"expected a date (RFC 3339 text), found the string "2014""#),
    (0, .date, "expected a date (RFC 3339 text), found the number 0"),
    ("Zg", .binary, #"expected base64 text, found the string "Zg""#),
    ("x", .uuid, #"expected a UUID, found the string "x""#), ("a b", .uri, #"expected a URI, found the string "a b""#),
    ([1], .string, "expected a string, found an array"), ([:], .string, "expected a string, found an object"),
  ]

  @Test("M5: a value of another type causes an error and is never coerced", arguments: misfits)
  func misfit(json: JSON, type: AttributeType, message: String) {
    let error = #expect(throws: AttributeValueError.self) { try AttributeValue(json: json, type: type) }
    #expect(error?.description == message)
  }

  @Test("D9: tiny numbers underflow to zero; -0.0 is preserved and equals 0")
  func zero() throws {
    let tiny = JSON.number(JSONNumber(uncheckedText: "1e-400"))
    #expect(try AttributeValue(json: tiny, type: .double) == .double(0))
    #expect(try AttributeValue(json: tiny, type: .float) == .float(0))
    #expect(AttributeValue.double(-0.0) == .double(0))
    #expect(AttributeValue.double(-0.0).hashValue == AttributeValue.double(0).hashValue)
    #expect(AttributeValue.double(-0.0).description == "-0")
  }

  @Test("I2: strings are compared by their bytes, numbers by value, and values of different kinds are never equal")
  func equality() {
    #expect(AttributeValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(AttributeValue.decimal(Decimal(string: "1.50")!) == .decimal(Decimal(string: "1.5")!))
    #expect(AttributeValue.integer(1) != .double(1))
    #expect(AttributeValue.boolean(true) != .integer(1))
    #expect(Set<AttributeValue>([.integer(1), .double(1), .string("1"), .integer(1)]).count == 3)
  }

  static let conversions: [(AttributeValue, AttributeType, AttributeValue?)] = [
    (.integer(4), .double, .double(4)), (.integer(4), .float, .float(4)), (.integer(4), .decimal, .decimal(4)),
    (.integer(70000), .integer16, nil), (.double(4), .integer64, .integer(4)), (.double(4.5), .integer64, nil),
    (.double(0.1), .decimal, .decimal(Decimal(string: "0.1")!)), (.double(0.1), .float, .float(0.1)),
    (.float(0.1), .double, .double(Double(Float(0.1)))), (.double(.nan), .double, nil),
    (.float(.infinity), .double, nil),
    (.integer((1 << 53) + 1), .double, nil), (.decimal(.nan), .decimal, nil), (.string("4"), .integer64, nil),
    (.integer(1), .boolean, nil), (.boolean(true), .integer64, nil), (.json(4), .integer64, .integer(4)),
    (.json("2014-08-31T00:29:15.25Z"), .date, .date(date)), (.date(date), .json, .json("2014-08-31T00:29:15.25Z")),
    (.integer(4), .json, .json(4)), (.double(.nan), .json, nil), (.date(date), .string, nil),
  ]

  @Test(
    "T1: a closure's result is converted to the attribute's type if the conversion is lossless", arguments: conversions)
  func conversion(value: AttributeValue, type: AttributeType, expected: AttributeValue?) {
    #expect((try? value.converted(to: type)) == expected)
  }

  @Test(
    "I11: values in messages are readable, shortened and escaped",
    arguments: [
      ("4", #"the string "4""#), ("a\"b\\c", #"the string "a\"b\\c""#), ("\u{1B}[31m", #"the string "\u001b[31m""#),
      ("\u{202E}x\n\u{2066}", #"the string "\u202ex\n\u2066""#), ("é😀", #"the string "é😀""#),
      (String(repeating: "x", count: 80), "the string \"\(String(repeating: "x", count: 80))\""),
      (String(repeating: "x", count: 81), "the string \"\(String(repeating: "x", count: 80))…\""),
      (String(repeating: "x", count: 79) + "é", "the string \"\(String(repeating: "x", count: 79))…\""),
    ])
  func found(text: String, phrase: String) {
    #expect(FoundPhrase.of(.string(text)) == phrase)
  }
}
