import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("String escapes in all output") struct StringEscapeTests {
  /// All control characters, and other characters that JSON writers escape differently.
  private static let scalars =
    (0..<0x20).map { Unicode.Scalar($0)! } + ["\u{7F}", "\"", "\\", "/", "\u{2028}", "\u{2029}", "'", "é", "😀"]

  /// The string as Foundation writes it, without the quotes.
  private static func expected(_ scalar: Unicode.Scalar) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(String(decoding: try encoder.encode([String(scalar)]), as: UTF8.self).dropFirst(2).dropLast(2))
  }

  private func model(_ key: String) throws -> ManagedObjectModel {
    let path = String(decoding: try JSONEncoder().encode([key]), as: UTF8.self)
    return try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {"X": {
          "identityAttributes": "id",
          "attributes": {"id": "string", "text": {"type": "string", "JSONKeyPath": \#(path)}, "json": "json",
            "short": {"type": "string", "JSONTransformerName": "Same"}}}}}
        """#, transformers: Self.registry)
  }

  private static let registry: TransformerRegistry = {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Same") { (text: String) in
      text
    } reverse: { (text: String) in
      text
    }
    return registry
  }()

  @Test(
    "E1: attributes, `json` attributes, keys and closure results are escaped as Foundation escapes them",
    arguments: scalars)
  func exports(scalar: Unicode.Scalar) throws {
    let escape = try Self.expected(scalar)
    // Short strings are written one byte at a time, long strings eight bytes at a time.
    for padding in ["", "0123456789abcdef"] {
      let text = "\(padding)\(scalar)\(padding)"
      let written = "\(padding)\(escape)\(padding)"
      let context = ManagedObjectContext(model: try model(text))
      let object = context.insert(ofEntity: "X")
      for name in ["id", "text", "short"] { try object.setValue(.string(text), of: name) }
      try object.setValue(.json(.object([text: .string(text)])), of: "json")
      let json = #"{"\#(written)":"\#(written)"}"#
      #expect(
        try context.text(object)
          == #"{"id":"\#(written)","\#(written)":"\#(written)","json":\#(json),"short":"\#(written)"}"#)
      #expect(JSON.object([text: .string(text)]).description == json)
      let copy = ManagedObjectContext(model: context.model)
      try copy.load(context.exported("X"), "X")
      #expect(copy.dumpText == context.dumpText)
      #expect(try copy.exported("X") == context.exported("X"))
    }
  }

  @Test("E1: dumps, reports and the values in them are escaped in the same way", arguments: scalars)
  func dumps(scalar: Unicode.Scalar) throws {
    let escape = try Self.expected(scalar)
    let context = ManagedObjectContext(model: try model("text"))
    let value = JSON.string("a\(scalar)b")
    let payload = JSON.object(["id": value, "text": value, "json": .array([value]), "short": value])
    try context.importJSON(payload, ofEntity: "X")
    let dump = context.dumpText
    #expect(
      dump.contains(#""id": "a\#(escape)b", "text": "a\#(escape)b", "json": ["a\#(escape)b"], "short": "a\#(escape)b""#)
    )
    let changed = JSON.object(["id": value, "text": "other"])
    let report = try context.importJSON(changed, ofEntity: "X", options: ImportOptions(reportsDetails: true))
    let change = try #require(report.details.first?.changes.first)
    #expect(change.old.description == #""a\#(escape)b""#)
    let pretty = JSONWriter(pretty: true)
    var bytes: [UInt8] = []
    pretty.append(.object(["k": change.old]), to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "{\n  \"k\": \"a\(escape)b\"\n}")
  }

  @Test(
    "I11: JSON diagnostics are escaped in the same way, and terminal control characters are escaped as well",
    arguments: scalars)
  func diagnostics(scalar: Unicode.Scalar) throws {
    let diagnostic = Diagnostic(.error, code: DiagnosticCode(rawValue: "x"), "a\(scalar)b")
    let text = DiagnosticRenderer(style: .json).render([diagnostic])
    let steers = ["\u{7F}", "\u{2028}", "\u{2029}"].contains(scalar)
    let escape =
      steers ? "\\u" + String(0x10000 + scalar.value, radix: 16).dropFirst() : try Self.expected(scalar)
    #expect(text.contains(#""message": "a\#(escape)b""#))
    let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    #expect(read?[0]["message"] as? String == "a\(scalar)b")
  }
}
