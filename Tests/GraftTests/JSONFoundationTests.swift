import Foundation
import Graft
import Testing

@Suite("JSON and Foundation") struct JSONFoundationTests {
  @Test("I1: values that JSONSerialization reads equal the values in the text, to the last digit")
  func serialization() throws {
    let text = #"""
      {"a":true,"b":false,"c":1,"d":0,"e":12.350636104367496,"f":1.5,"g":18446744073709551615,"h":1e2,"i":-7,
       "j":0.1,"k":[null,"x",{}],"l":9223372036854775808,"m":1e300,"n":-9223372036854775808}
      """#
    let value = try JSON(foundation: JSONSerialization.jsonObject(with: Data(text.utf8)))
    #expect(
      value == [
        "a": true, "b": false, "c": 1, "d": 0, "e": 12.350636104367496, "f": 1.5, "g": .number(JSONNumber(UInt64.max)),
        "h": 100, "i": -7, "j": 0.1, "k": [nil, "x", [:]], "l": .number(JSONNumber(UInt64(1) << 63)), "m": 1e300,
        "n": .number(JSONNumber(Int64.min)),
      ])
  }

  @Test("I1: Swift's own types convert to the matching JSON values")
  func swiftValues() throws {
    let value: [String: Any] = [
      "z": 1, "a": [1.5, true, NSNull(), "x", UInt64.max, Float(0.1), Decimal(string: "0.10")!] as [Any],
      "o": Optional<Int>.none as Any, "p": Optional(4) as Any, "j": JSON.array([1]), "n": NSNumber(value: true),
      "i": NSNumber(value: Int8(1)),
    ]
    #expect(
      try JSON(foundation: value).description
        == #"{"a":[1.5,true,null,"x",18446744073709551615,0.1,0.1],"i":1,"j":[1],"n":true,"o":null,"p":4,"z":1}"#)
  }

  private enum Side: String { case good, evil }
  private enum Level: Int { case low = 1 }

  @Test("I1: string types become strings, and enums become their raw values, at any depth")
  func texts() throws {
    let text = "one two"
    let value: [String: Any] = [
      "a": text.prefix(3), "b": NSString("ns"), "c": NSMutableString(string: "m"), "d": Character("é"),
      "e": [Optional(text.suffix(3)) as Any, Side.evil, Optional(Side.good) as Any, Level.low],
      "f": Optional<Substring>.none as Any, "g": NSArray(array: [NSString("x"), NSNumber(value: 1)]),
      "h": NSDictionary(dictionary: ["k": NSNumber(value: 2.5)]),
    ]
    #expect(
      try JSON(foundation: value).description
        == #"{"a":"one","b":"ns","c":"m","d":"é","e":["two","evil","good",1],"f":null,"g":["x",1],"h":{"k":2.5}}"#)
  }

  @Test("I11: a Swift value that is not JSON is rejected with its path")
  func refused() {
    func message(_ value: Any) -> String? {
      do { return try JSON(foundation: value).description } catch { return error.description }
    }
    #expect(message(["a": [1, Date()]]) == "a Date is not a JSON value (at $.a[1])")
    #expect(message(["a.b": Double.nan]) == "nan is not a JSON number (at $['a.b'])")
    #expect(message([Double.infinity]) == "inf is not a JSON number (at $[0])")
    #expect(message(Data()) == "a Data is not a JSON value (at $)")
    #expect(message(["it's": [Set([1])]]) == #"a Set<Int> is not a JSON value (at $['it\'s'][0])"#)
  }

  @Test("I15: values nested up to 512 levels are converted, without recursion")
  func depth() {
    func nested(_ depth: Int) -> Any { (0..<depth).reduce("x" as Any) { inner, _ in [inner] } }
    #expect(throws: Never.self) { try JSON(foundation: nested(512)) }
    let error = #expect(throws: JSONConversionError.self) { try JSON(foundation: nested(513)) }
    #expect(error?.message == "arrays and dictionaries are nested deeper than 512")
  }

  @Test("E1: a JSON number converts to the first Foundation type that can represent the number")
  func numbers() throws {
    func value(_ text: String) throws -> Any { try #require(JSONNumber(text)).foundationValue }
    #expect(try value("4") as? Int == 4)
    #expect(try value("18446744073709551615") as? UInt64 == .max)
    #expect(
      try value("123456789012345678901234567890") as? Decimal == Decimal(string: "123456789012345678901234567890"))
    #expect(try value("1.0") as? Double == 1)
    #expect(try value("0.1") as? Double == 0.1)
    #expect(try value("0.12345678901234567890123") as? Decimal == Decimal(string: "0.12345678901234567890123"))
    #expect(try value("1e400") as? Double == .infinity)
  }

  @Test("D9: a negative zero keeps its sign in every spelling")
  func negativeZero() throws {
    for text in ["-0", "-0.0", "-0e5"] {
      let value = try #require(JSONNumber(text)).foundationValue
      #expect((value as? Double)?.sign == .minus, "\(text)")
    }
  }

  @Test("E4: a JSON value round-trips through Foundation's types")
  func roundTrip() throws {
    let value: JSON = [
      "a": [1, 2.5, "x", nil, true, ["b": [:]]], "c": 1e300, "d": .number(JSONNumber("0.12345678901234567890")!),
    ]
    #expect(try JSON(foundation: value.foundationValue) == value)
    #expect((value.foundationValue as? [String: Any])?["c"] as? Double == 1e300)
  }
}
