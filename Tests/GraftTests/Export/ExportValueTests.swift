import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Export: values and transformers") struct ExportValueTests {
  /// The type of an attribute, a value in a payload, and the exported value if it is different.
  static let values: [(String, String, String?)] = [
    ("integer16", "-32768", nil), ("integer32", "2147483647", nil), ("integer64", "-9223372036854775808", nil),
    ("integer64", "1e2", "100"), ("integer64", "1.0", "1"),
    ("double", "12.350636104367496", nil), ("double", "0.1", nil), ("double", "5e-324", nil),
    ("double", "1.7976931348623157e308", "1.7976931348623157e+308"), ("double", "-0.0", "-0"), ("double", "100", nil),
    ("double", "1e-400", "0"), ("double", "9007199254740993", "9007199254740992"),
    ("float", "0.1", nil), ("float", "3.4028235e38", "3.4028235e+38"), ("float", "16777217", "16777216"),
    ("decimal", "12345678901234567890123456789012345678", nil), ("decimal", "0.10", "0.1"), ("decimal", "-0.001", nil),
    ("decimal", "1e3", "1000"),
    ("boolean", "true", nil), ("boolean", "false", nil),
    ("string", #""""#, nil), ("string", #""e\u0301 é""#, "\"e\u{301} é\""),
    ("string", #""\u0000\u001f\b\t\n\f\r\"\\\/\ud83e\udd87""#, #""\u0000\u001f\b\t\n\f\r\"\\/🦇""#),
    ("date", #""2014-08-31T02:29:15+02:00""#, #""2014-08-31T00:29:15Z""#),
    ("date", #""1969-12-31T23:59:59.999999Z""#, nil),
    ("date", #""2024-02-29 12:00:00.5Z""#, #""2024-02-29T12:00:00.5Z""#),
    ("binary", #""""#, nil), ("binary", #""/+8=""#, nil), ("binary", #""Zm9vYg==""#, nil),
    ("uuid", #""123E4567-E89B-12D3-A456-42661417400F""#, #""123e4567-e89b-12d3-a456-42661417400f""#),
    ("uri", #""https://de.wikipedia.org/wiki/Österreich?q=ä#ß""#, nil), ("uri", #""mailto:a@b.c""#, nil),
    ("uri", #""https://a.b/%C3%96""#, nil), ("uri", #""https://例え.jp/""#, nil), ("uri", #""urn:x:y""#, nil),
    ("json", #"{"b":[1,1.50,null,"x"],"a":{"c":true}}"#, nil), ("json", "12345678901234567890.10", nil),
    ("json", #" [ 1 , { } ] "#, "[1,{}]"), ("json", #""text""#, nil),
  ]

  @Test("E4: an exported value equals the original, and importing it again changes nothing", arguments: values)
  func exact(type: String, value: String, exported: String?) throws {
    let context = try Fixture.context(
      #""X": {"identityAttributes": "id", "attributes": {"id": "integer64", "v": {"type": "\#(type)", "optional": true}}}"#
    )
    let object = try context.load(#"{"id": 1, "v": \#(value)}"#, "X")[0]
    let text = try context.text(object)
    #expect(text == #"{"id":1,"v":\#(exported ?? value)}"#)
    let before = context.dumpText
    let report = try context.importJSON(Array(text.utf8), ofEntity: "X")
    #expect(report.unchanged == ["X": 1] && report.updated.isEmpty)
    #expect(context.dumpText == before)
  }

  @Test("E4: an exported identity value finds the same object", arguments: values)
  func identities(type: String, value: String, exported: String?) throws {
    guard type != "json" else { return }
    let context = try Fixture.context(#""X": {"identityAttributes": "id", "attributes": {"id": "\#(type)"}}"#)
    let object = try context.load(#"[{"id": \#(value)}]"#, "X")[0]
    #expect(try context.text(object) == #"{"id":\#(exported ?? value)}"#)
    try context.load(try context.exported("X"), "X")
    try context.load("[\(exported ?? value)]", "X")
    #expect(try context.count(ofEntity: "X") == 1)
    #expect(try context.placeholders.isEmpty)
    #expect(context.checkInvariants() == [])
  }

  @Test(
    "E1: an export to dictionaries contains the same values as an export to bytes, including numbers with many digits")
  func foundationNumbers() throws {
    let context = try Fixture.context(
      #""X": {"attributes": {"d": "double", "i": "integer64", "m": "decimal", "f": "float"}}"#)
    let object = try context.load(
      #"{"d": 12.350636104367496, "i": 9223372036854775807, "m": 12345678901234567890.123, "f": 0.1}"#, "X")[0]
    let copy = ManagedObjectContext(model: context.model)
    try objects(ofEntity: "X", fromJSON: json(from: object), in: copy)
    #expect(copy.dumpText == context.dumpText)
  }

  // MARK: Transformers

  struct Broken: Error, CustomStringConvertible { let description = "it is broken" }

  static var transformers: TransformerRegistry {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Shout") { (text: String) in text.uppercased() }
    registry.registerValueTransformer(named: "Stars") { (stars: String) in
      stars.count
    } reverse: { count in
      if count > 4 { throw Broken() }
      return count == 0 ? nil : String(repeating: "*", count: count)
    }
    return registry
  }

  private func starred(_ stars: Int) throws -> ManagedObject {
    let context = try Fixture.context(
      #"""
      "X": {"identityAttributes": "id", "attributes": {"id": "integer64",
        "name": {"type": "string", "optional": true, "JSONTransformerName": "Shout"},
        "stars": {"type": "integer64", "optional": true, "JSONTransformerName": "Stars"}}}
      """#, transformers: Self.transformers)
    let object = context.insert(ofEntity: "X")
    try object.setValue(.integer(1), of: "id")
    try object.setValue(.string("A"), of: "name")
    try object.setValue(.integer(Int64(stars)), of: "stars")
    return object
  }

  @Test("T4: the result of the reverse closure is written; without a reverse closure, the stored value is written")
  func reverses() throws {
    let object = try starred(3)
    #expect(try object.context.text(object) == #"{"id":1,"name":"A","stars":"***"}"#)
  }

  @Test("T4: a reverse closure that returns nil writes null, even if nil is omitted")
  func reverseOfNil() throws {
    let object = try starred(0)
    #expect(try object.context.text(object) == #"{"id":1,"name":"A","stars":null}"#)
    try object.setValue(nil, of: "stars")
    var options = ExportOptions()
    options.omitsNil = true
    #expect(try object.context.text(object, options) == #"{"id":1,"name":"A"}"#)
  }

  @Test(
    "T4: a reverse closure that throws stops the export; the error has a location and the closure's error as its cause")
  func reverseThatThrows() throws {
    let object = try starred(5)
    let error = try #require(throws: ExportError.self) { try jsonData(from: object) }
    #expect(error.underlyingError is Broken)
    #expect(
      error.diagnostics.map(\.message)
        == ["the reverse of the transformer 'Stars' of 'X.stars' failed: it is broken"])
    #expect(object.context.checkInvariants() == [])
    try object.setValue(.integer(1), of: "stars")
    #expect(try object.context.text(object) == #"{"id":1,"name":"A","stars":"*"}"#)
  }

  @Test(
    "T2: a built-in transformer writes the same form that it reads",
    arguments: [
      ("integer64", "StringToInteger", #""-12""#), ("decimal", "StringToDecimal", #""12.5""#),
      ("double", "StringToDouble", #""0.5""#), ("date", "UnixTime", "1409444955"),
      ("date", "UnixTimeMilliseconds", "1409444955123"), ("date", "DateFormat(yyyy-MM-dd)", #""2014-08-31""#),
      ("uri", "StringToURL", #""https://a.b/c""#), ("uuid", "StringToUUID", #""123e4567-e89b-12d3-a456-42661417400f""#),
      ("boolean", "IntegerToBoolean", "1"), ("boolean", "StringToBoolean", #""true""#),
    ])
  func builtIn(type: String, name: String, value: String) throws {
    let context = try Fixture.context(
      #"""
      "X": {"identityAttributes": "id", "attributes": {"id": {"type": "\#(type)", "JSONTransformerName": "\#(name)"}},
        "relationships": {"other": {"destination": "X"}}}
      """#)
    let object = try context.load(#"{"id": \#(value), "other": \#(value)}"#, "X")[0]
    #expect(try context.text(object) == #"{"id":\#(value),"other":\#(value)}"#)
    #expect(try context.count(ofEntity: "X") == 1)
  }

  @Test("T5: a reverse closure that exports from its own context, or imports into it, throws an error")
  func reentrance() throws {
    final class Box: @unchecked Sendable { var object: ManagedObject? }
    let box = Box()
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Again") { (text: String) in
      text
    } reverse: { text in
      guard let object = box.object else { return text }
      if text == "export" { return String(decoding: try jsonData(from: object), as: UTF8.self) }
      try objects(ofEntity: "X", fromJSON: #"{"v": "new"}"#, in: object.context)
      return text
    }
    let context = try Fixture.context(
      #""X": {"attributes": {"v": {"type": "string", "JSONTransformerName": "Again"}}}"#, transformers: registry)
    for text in ["export", "import"] {
      let object = try context.load(#"{"v": "\#(text)"}"#, "X")[0]
      box.object = object
      let error = try #require(throws: ExportError.self) { try jsonData(from: object) }
      #expect(error.underlyingError is ExportError || error.underlyingError is ImportError)
      box.object = nil
      #expect(try context.text(object) == #"{"v":"\#(text)"}"#)
    }
    #expect(try context.count(ofEntity: "X") == 2)
    #expect(context.checkInvariants() == [])
  }
}
