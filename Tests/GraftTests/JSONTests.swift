import Foundation
import Graft
import Testing

@Suite("JSON values") struct JSONTests {
  @Test("A literal has the expected value and is printed as compact JSON")
  func literals() {
    let value: JSON = ["a": [1, -2.5, true, nil], "b": ["c": "d\"\\\n\u{1}é"], "e": [], "f": [:]]
    #expect(value.description == #"{"a":[1,-2.5,true,null],"b":{"c":"d\"\\\n\u0001é"},"e":[],"f":{}}"#)
    #expect(value["a"]?[1]?.numberValue?.double == -2.5)
    #expect(value["b"]?["c"]?.stringValue == "d\"\\\n\u{1}é")
    #expect(value["a"]?[3]?.isNull == true)
    #expect(value["x"] == nil && value["a"]?[9] == nil && value["a"]?["b"] == nil && value["b"]?[0] == nil)
  }

  static let equal: [(JSON, JSON)] = [
    (["a": 1, "b": 2], ["b": 2, "a": 1]), ([1, [2]], [1.0, [2]]), (nil, nil), ("é", "é"),
    (
      .object(JSONObject((0..<20).map { ("k\($0)", JSON.number(JSONNumber($0))) })),
      .object(JSONObject((0..<20).reversed().map { ("k\($0)", JSON.number(JSONNumber($0))) }))
    ),
  ]

  @Test("I2: values with the same meaning are equal", arguments: equal)
  func equality(left: JSON, right: JSON) {
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
  }

  static let different: [(JSON, JSON)] = [
    (1, "1"), (1, true), (0, false), (nil, false), ("\u{E9}", "e\u{301}"), (["\u{E9}": 1], ["e\u{301}": 1]),
    ([1, 2], [2, 1]),
    (["a": 1], ["a": 2]), (["a": 1], ["a": 1, "b": 1]), ([], [:]), ("", nil),
  ]

  @Test("I2: values of different kinds are never equal, and strings are not normalized", arguments: different)
  func inequality(left: JSON, right: JSON) {
    #expect(left != right)
  }

  static let sameNumbers = [
    ["1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000"], ["0", "-0", "0.0", "0e5", "-0e999999999999999999999999"],
    ["100", "1e2", "1E+2", "100.00"], ["1e1000000000000000000", "10e999999999999999999", "0.1e1000000000000000001"],
    ["-1e-1000000000000000000", "-10e-1000000000000000001"], ["1e99999999999999999999", "1000e99999999999999999996"],
    ["123456789012345678901234567890", "1.2345678901234567890123456789e29"],
  ]

  @Test("I2: numbers with the same exact value are equal, regardless of their spelling", arguments: sameNumbers)
  func numbers(texts: [String]) throws {
    let numbers = try texts.map { try #require(JSONNumber($0)) }
    #expect(Set(numbers).count == 1)
    for other in JSONTests.sameNumbers.joined() where !texts.contains(other) {
      #expect(try numbers[0] != #require(JSONNumber(other)))
    }
  }

  static let integers: [(String, Int64?)] = [
    ("0", 0), ("-0", 0), ("1.0", 1), ("1e2", 100), ("-12.50e1", -125), ("1.5", nil), ("9223372036854775807", .max),
    ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
    ("99999999999999999999", nil), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil), ("1e999999999", nil),
    ("1e-999999999", nil), ("0e999999999", 0), ("1e99999999999999999999999", nil), ("1e-99999999999999999999999", nil),
    ("1000000000000000000000e-21", 1), ("0.000000000000000000001e21", 1),
    ("123456789012345678", 123_456_789_012_345_678),
  ]

  @Test("M5: a number without a fractional part is an integer if it fits", arguments: integers)
  func int64(text: String, value: Int64?) throws {
    #expect(try #require(JSONNumber(text)).int64 == value)
  }

  @Test(
    "Number syntax follows RFC 8259",
    arguments: [
      "", "-", "+1", "01", "-01", ".5", "5.", "1e", "1e+", "0x1", "1 ", " 1", "NaN", "Infinity", "1.e2", "--1", "１",
    ])
  func notNumbers(text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test("Numbers converted from Swift's own types keep all their digits")
  func fromSwift() throws {
    #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
    #expect(JSONNumber(0.1).text == "0.1")
    #expect(JSONNumber(Float(0.1))?.text == "0.1")
    #expect(JSONNumber(4.0 as Double)?.text == "4")
    #expect(JSONNumber(Double.nan) == nil && JSONNumber(Double.infinity) == nil && JSONNumber(Decimal.nan) == nil)
    #expect(JSONNumber(Decimal(string: "12.50")!)?.text == "12.5")
    #expect(JSONNumber("1e400")?.double == nil)
    #expect(JSONNumber("1e-400")?.double == 0)
  }

  @Test("A member of an object can be replaced in place, appended or removed")
  func members() {
    var members: JSONObject = ["id": 1, "name": "Batman"]
    members["id"] = 2
    members["age"] = 30
    members["name"] = nil as JSON?
    #expect(members.description == #"{"id":2,"age":30}"#)
    #expect(members.map(\.key) == ["id", "age"])
    #expect(members["e\u{301}"] == nil)
  }
}
