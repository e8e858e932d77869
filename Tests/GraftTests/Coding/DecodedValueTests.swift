import Foundation
import Graft
import GraftTestSupport
import Testing

/// Which values an import receives from a decoder.
@Suite("Values from decoders") struct DecodedValueTests {
  private static let entities = #"""
    "Thing": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64",
        "integer": {"type": "integer64", "optional": true},
        "decimal": {"type": "decimal", "optional": true},
        "double": {"type": "double", "optional": true},
        "float": {"type": "float", "optional": true},
        "boolean": {"type": "boolean", "optional": true},
        "text": {"type": "string", "optional": true},
        "date": {"type": "date", "optional": true},
        "binary": {"type": "binary", "optional": true},
        "uuid": {"type": "uuid", "optional": true},
        "uri": {"type": "uri", "optional": true},
        "any": {"type": "json", "optional": true}
      }
    }
    """#

  final class Thing: ManagedObject, Decodable {}

  private static func context() throws -> ManagedObjectContext {
    try Fixture.context(entities, classes: [Thing.self])
  }

  @Test(
    "C4: JSONDecoder produces the same values as an import of the same JSON text",
    arguments: [
      #"{"id": 1, "integer": -9223372036854775808, "boolean": true, "text": "ä\u0000\n😀"}"#,
      #"{"id": 1, "integer": 9223372036854775807, "boolean": false, "text": ""}"#,
      #"{"id": 1, "integer": 1e2, "decimal": 12345678901234567890123456789012345678}"#,
      #"{"id": 1, "decimal": 0.12345678901234567890123456789012345678}"#,
      #"{"id": 1, "decimal": -12.50}"#,
      #"{"id": 1, "double": 12.350636104367496, "float": 0.1}"#,
      #"{"id": 1, "double": 1.7976931348623157e308, "float": 3.4028235e38}"#,
      #"{"id": 1, "double": 5e-324, "float": -1e-45}"#,
      #"{"id": 1, "double": -0.0, "float": 0}"#,
      #"{"id": 1, "double": 18446744073709551615, "any": 18446744073709551615}"#,
      #"{"id": 1, "date": "2014-08-31T00:29:15.25+02:00", "binary": "AAECAw==", "uri": "https://example.org/a%20b"}"#,
      #"{"id": 1, "uuid": "123e4567-e89b-12d3-a456-426614174000", "any": null, "text": null}"#,
      #"{"id": 1, "any": {"b": [1, 2.5, "x", null, true, {"c": []}, {}], "a": 1e300}}"#,
      #"{"id": 1, "any": [[[[]]], [{"a": {"b": {}}}], 1, "1", true, 1]}"#,
    ])
  func likeText(_ text: String) throws {
    let direct = try Self.context()
    try direct.load(text, "Thing")
    let decoded = try Self.context()
    let thing = try JSONDecoder(decoded).decode(Thing.self, from: Data(text.utf8))
    // The keys of an object have no order in a decoder, so `JSON` values are compared instead of text.
    let expected = try JSON(foundation: json(from: direct.fetch(Thing.self)[0]))
    #expect(try JSON(foundation: json(from: thing)) == expected)
    if !text.contains("{\"b\"") { #expect(decoded.dumpText == direct.dumpText) }
  }

  @Test("C4, D9: -0.0 keeps its sign, regardless of the preceding value of the key")
  func negativeZero() throws {
    for previous in ["1", "1.5", "0", "-0.0", #""x""#, "true"] {
      let context = try Self.context()
      let text =
        #"[{"id": 1, "any": \#(previous), "double": 1.5}, {"id": 2, "any": -0.0, "double": -0.0}, {"id": 3, "any": 0, "double": 0}]"#
      _ = try JSONDecoder(context).decode([Thing].self, from: Data(text.utf8))
      let direct = try Self.context()
      try direct.load(text, "Thing")
      // A decoder does not reveal whether a number was written with a fraction.
      #expect(context.dumpText == direct.dumpText.replacing("-0.0", with: "-0"), "after \(previous)")
    }
  }

  @Test("C4: a key can have values of different kinds in consecutive objects")
  func changingKinds() throws {
    let values = ["1", #""1""#, "[1]", #"[[],{},1,"x"]"#, #"{"any":1}"#, "true", "1.5", "18446744073709551615", #""""#]
    let all = values.flatMap { one in values.map { "\(one),\($0)" } }.joined(separator: ",")
    let text = "[\(all)]"
    #expect(try JSONDecoder().decode(JSON.self, from: Data(text.utf8)).description == text)
    let context = try Self.context()
    let things = try JSONDecoder(context).decode(
      [Thing].self,
      from: Data("[\(values.map { #"{"id":1,"any":\#($0)},{"any":\#($0),"id":2}"# }.joined(separator: ","))]".utf8))
    #expect(things.count == 2 * values.count)
    #expect(try context.exported("Thing", ExportOptions(omitsNil: true)) == #"[{"id":1,"any":""},{"id":2,"any":""}]"#)

    let date = Date(timeIntervalSince1970: 0)
    let parts: [(value: Any, json: JSON)] = [
      (1, 1), (true, true), (1.5, 1.5), ("x", "x"), (date, "1970-01-01T00:00:00Z"), (Data([1]), "AQ=="), ([1], [1]),
      (["a": 0], ["a": 0]), (false, false), (0, 0),
    ]
    let list = parts.flatMap { one in parts.flatMap { [one.value, $0.value] } }
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
      let expected = parts.flatMap { one in parts.flatMap { [one.json, $0.json] } }
      #expect(try PropertyListDecoder().decode(JSON.self, from: data) == .array(expected))
    }
    // The same key has a date in a property list, and then a number in JSON.
    let dated = try PropertyListSerialization.data(fromPropertyList: ["id": 3, "any": date], format: .xml, options: 0)
    let decoder = PropertyListDecoder()
    decoder.userInfo[.managedObjectContext] = context
    let thing = try decoder.decode(Thing.self, from: dated)
    #expect(thing["any"] as JSON? == "1970-01-01T00:00:00Z")
    _ = try JSONDecoder(context).decode(Thing.self, from: Data(#"{"id": 3, "any": 5}"#.utf8))
    #expect(thing["any"] as JSON? == 5)
  }

  @Test("C4: a number that the decoder cannot represent is rejected by the decoder or by the model")
  func hugeNumbers() throws {
    let context = try Self.context()
    #expect(complaint { _ = try decode(#"{"id": 1, "double": 1e400}"#, context) } != "nothing")
    #expect(
      complaint { _ = try decode(#"{"id": 1, "integer": 9223372036854775808}"#, context) }
        .contains("for 'Thing.integer', found the number 9223372036854775808 (at $.integer)"))
    #expect(try context.count(Thing.self) == 0)
  }

  private func decode(_ text: String, _ context: ManagedObjectContext) throws -> Thing {
    try JSONDecoder(context).decode(Thing.self, from: Data(text.utf8))
  }

  @Test("C4: a property list can be decoded, including its dates and data")
  func propertyList() throws {
    let context = try Self.context()
    let list: [String: Any] = [
      "id": 1, "integer": -5, "double": 2.5, "boolean": true, "text": "plist", "decimal": 12.25,
      "date": Date(timeIntervalSince1970: 1_409_444_955), "binary": Data([1, 2, 3]),
      "any": ["a": [1, 2.5, false, "x"], "b": ["c": 1]],
    ]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: ["things": [list]], format: format, options: 0)
      let decoder = PropertyListDecoder()
      decoder.userInfo[.managedObjectContext] = context
      let things = try decoder.decode([String: [Thing]].self, from: data)
      #expect(
        try context.text(things["things"]?[0], ExportOptions(omitsNil: true, sortsKeys: true))
          == #"{"any":{"a":[1,2.5,false,"x"],"b":{"c":1}},"binary":"AQID","boolean":true,"date":"2014-08-31T00:29:15Z","#
          + #""decimal":12.25,"double":2.5,"id":1,"integer":-5,"text":"plist"}"#)
    }
    #expect(try context.count(Thing.self) == 1)
  }

  @Test("C4: JSON values are encoded and decoded without loss by any coder")
  func jsonValues() throws {
    let value: JSON = [
      "null": nil, "yes": true, "text": "ä\"\\", "list": [1, [2, [3]], [:], []], "object": ["a": ["b": nil]],
      "small": -1, "big": .number(JSONNumber("18446744073709551615")!), "half": 0.5,
      "digits": .number(JSONNumber("0.12345678901234567890123456789012345678")!), "huge": .number(JSONNumber("1e300")!),
    ]
    let data = try JSONEncoder().encode(["value": value])
    #expect(try JSONDecoder().decode([String: JSON].self, from: data) == ["value": value])
    let list = try PropertyListEncoder().encode(["value": value])
    #expect(try PropertyListDecoder().decode([String: JSON].self, from: list) == ["value": value])

    struct Holder: Codable, Equatable {
      var number: JSONNumber
      var object: JSONObject
    }
    let holder = Holder(number: 1.5, object: ["a": 1])
    #expect(try JSONDecoder().decode(Holder.self, from: JSONEncoder().encode(holder)) == holder)
    #expect(
      complaint { _ = try JSONDecoder().decode(Holder.self, from: Data(#"{"number": "1", "object": {}}"#.utf8)) }
        == "[number] expected a number")
    #expect(
      complaint { _ = try JSONDecoder().decode(Holder.self, from: Data(#"{"number": 1, "object": []}"#.utf8)) }
        == "[object] expected an object")
  }

  @Test("I15: values nested as deeply as JSONDecoder allows are decoded and encoded on a small stack")
  func depth() throws {
    let same = try onSmallStack {
      let text = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
      let value = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
      return String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == text
    }
    #expect(same)
    let context = try Self.context()
    let deep = String(repeating: #"{"a":"#, count: 511) + "1" + String(repeating: "}", count: 511)
    #expect(
      complaint { _ = try decode(#"{"id": 1, "any": \#(deep)}"#, context) } == "nothing")
  }

  @Test("C4: decoding an array of ten thousand objects produces the same graph as importing the array")
  func many() throws {
    let text =
      "[" + (0..<10_000).map { #"{"id": \#($0), "text": "t\#($0 % 7)", "double": \#($0).5}"# }.joined(separator: ",")
      + "]"
    let direct = try Self.context()
    try direct.load(text, "Thing")
    let decoded = try Self.context()
    #expect(try JSONDecoder(decoded).decode([Thing].self, from: Data(text.utf8)).count == 10_000)
    #expect(decoded.dumpText == direct.dumpText)
  }
}
