import Foundation
import Graft
import GraftTestSupport
import Testing

/// Every limit, in every form of input, for every way of reading a value (I15).
@Suite("Limits in all forms of input") struct LimitTableTests {
  // MARK: Forms

  /// A form of input, which returns the error codes of an import.
  struct Form: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var load: @Sendable (_ text: String, ManagedObjectContext, ImportOptions) throws -> Void

    func codes(_ text: String, _ context: ManagedObjectContext, _ options: ImportOptions) throws -> [String] {
      do {
        try load(text, context, options)
        return []
      } catch let error as ImportError {
        return error.diagnostics.map(\.code.rawValue)
      } catch let error as DecodingError {
        return try #require(error.importError).diagnostics.map(\.code.rawValue)
      }
    }
  }

  private struct Nodes: Encodable {
    var value: JSON
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  private static func foundation(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  static let forms: [Form] = [
    Form(testDescription: "text") { try $1.importJSON($0, ofEntity: "Node", options: $2) },
    Form(testDescription: "data") { try $1.importJSON(Data($0.utf8), ofEntity: "Node", options: $2) },
    Form(testDescription: "bytes") { try $1.importJSON(Array($0.utf8), ofEntity: "Node", options: $2) },
    Form(testDescription: "JSON") {
      try $1.importJSON(JSON(foundation: foundation($0)), ofEntity: "Node", options: $2)
    },
    Form(testDescription: "dictionaries") { text, context, options in
      let value = try foundation(text)
      if let array = value as? [Any] {
        try context.importJSON(array, ofEntity: "Node", options: options)
      } else {
        try context.importJSON(#require(value as? [String: Any]), ofEntity: "Node", options: options)
      }
    },
    Form(testDescription: "objects(fromJSON: JSON)") {
      try objects(ofEntity: "Node", fromJSON: JSON(foundation: foundation($0)), in: $1, options: $2)
    },
    Form(testDescription: "parts") { try $1.importJSON($0, [.objects(ofEntity: "Node")], options: $2) },
    Form(testDescription: "file") { text, context, options in
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("graft-\(UUID()).json")
      try Data(text.utf8).write(to: url)
      defer { try? FileManager.default.removeItem(at: url) }
      try objects(ofEntity: "Node", fromJSON: url, in: context, options: options)
    },
    Form(testDescription: "encodable") {
      try objects(Node.self, fromEncodable: Nodes(value: JSON(foundation: foundation($0))), in: $1, options: $2)
    },
    Form(testDescription: "decoder") { text, context, options in
      let decoder = JSONDecoder()
      decoder.userInfo[.managedObjectImportOptions] = options
      _ = try context.decode(ManagedObjectsUpsert<Node>.self, from: Data(text.utf8), using: decoder)
    },
    Form(testDescription: "stream") { text, context, options in
      let stream = try ImportStream(ofEntity: "Node", in: context, options: options)
      for byte in text.utf8 { try stream.append(CollectionOfOne(byte)) }
      try stream.finish()
    },
    Form(testDescription: "lines") { text, context, options in
      let stream = try ImportStream(ofEntity: "Node", in: context, format: .lines, options: options)
      try stream.append(text.utf8)
      try stream.finish()
    },
  ]

  final class Node: ManagedObject, Decodable {}

  private static func context(_ attributes: String = "") throws -> ManagedObjectContext {
    try Fixture.context(
      """
      "Node": {
        "identityAttributes": "id",
        "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}\(attributes)},
        "relationships": {"next": {"destination": "Node"}}
      }
      """, classes: [Node.self])
  }

  // MARK: Limits

  static let limits: [(String, String, @Sendable (inout ImportLimits) -> Void)] = [
    ("limit-bytes", #"[{"id":1,"name":"as long as this"}]"#, { $0.bytes = 20 }),
    ("limit-bytes", #"[{"id":1}]"#, { $0.bytes = 0 }),
    ("limit-bytes", #"[{"id":1}]"#, { $0.bytes = .min }),
    ("limit-depth", #"[{"id":1,"next":{"id":2,"next":{"id":3}}}]"#, { $0.depth = 3 }),
    ("limit-depth", #"[{"id":1}]"#, { $0.depth = .min }),
    ("limit-objects", #"[{"id":1,"next":2},{"id":3}]"#, { $0.objects = 2 }),
    ("limit-objects", #"[{"id":1}]"#, { $0.objects = .min }),
    ("limit-string-bytes", #"[{"id":1,"name":"12345"}]"#, { $0.stringBytes = 4 }),
    ("limit-string-bytes", #"[{"id":1,"name":""}]"#, { $0.stringBytes = .min }),
    ("limit-number-bytes", #"[{"id":12345}]"#, { $0.numberBytes = 4 }),
    ("limit-number-bytes", #"[{"id":1}]"#, { $0.numberBytes = .min }),
  ]

  @Test("I15: each limit applies to each form of input", arguments: forms, limits.indices)
  func everywhere(_ form: Form, _ index: Int) throws {
    let (code, text, change) = Self.limits[index]
    let context = try Self.context()
    var options = ImportOptions()
    #expect(try form.codes(text, context, options) == [])
    context.reset()
    change(&options.limits)
    #expect(try form.codes(text, context, options) == [code])
    #expect(try context.count(ofEntity: "Node") == 0 && context.checkInvariants() == [])
  }

  @Test("I15: the greatest and smallest possible values of each limit also work", arguments: forms)
  func extremes(_ form: Form) throws {
    let context = try Self.context()
    let text = #"[{"id":1,"name":7},{"id":"2","name":false},{}]"#
    var options = ImportOptions()
    (options.limits.errors, options.limits.objects, options.limits.depth) = (.max, .max, .max)
    (options.limits.bytes, options.limits.stringBytes, options.limits.numberBytes) = (.max, .max, .max)
    #expect(try form.codes(text, context, options) == ["wrong-type", "wrong-type", "wrong-type", "missing-value"])
    for errors in [1, 0, -1, .min] {
      options.limits.errors = errors
      #expect(try form.codes(text, context, options) == ["wrong-type"])
    }
    options.limits.errors = .max
    #expect(try form.codes(#"[{"id":1,"name":"x"}]"#, context, options) == [])
    // Errors that are found only at the end, and objects that a complete list does not mention.
    #expect(try form.codes(#"[{"name":"x"},{"name":"y"}]"#, context, options) == ["missing-value", "missing-value"])
    #expect(
      try context.importJSON(#"[{"id":2}]"#, [.objects(ofEntity: "Node", missing: .delete)], options: options).deleted
        == ["Node": 1])
  }

  // MARK: Readings

  /// Attributes, each with a value of more than four bytes that the attribute accepts.
  static let texts = [
    (#""string""#, #""12345""#), (#""string""#, #""\u00e4\u00e4a""#),
    (#"{"type": "integer64", "JSONTransformerName": "StringToInteger"}"#, #""12345""#),
    (#"{"type": "decimal", "JSONTransformerName": "StringToInteger"}"#, #""12345""#),
    (#"{"type": "decimal", "JSONTransformerName": "StringToDecimal"}"#, #""12.345""#),
    (#"{"type": "double", "JSONTransformerName": "StringToDouble"}"#, #""12.345""#),
    (#"{"type": "boolean", "JSONTransformerName": "StringToBoolean"}"#, #""false""#),
    (#"{"type": "string", "JSONTransformerName": "Lowercase"}"#, #""ABCDE""#),
    (#"{"type": "date", "JSONTransformerName": "DateFormat(yyyy-MM-dd)"}"#, #""2020-01-01""#),
    (#"{"type": "uri", "JSONTransformerName": "StringToURL"}"#, #""https://a.example""#),
    (#""date""#, #""2020-01-01T00:00:00Z""#), (#""binary""#, #""AAAAAAAA""#),
    (#""uuid""#, #""123e4567-e89b-12d3-a456-426614174000""#), (#""uri""#, #""https://a.example""#),
    (#""json""#, #""12345""#), (#""json""#, #"[1,2,3]"#), (#""json""#, #"{"a":{}}"#),
    (#"{"type": "json", "JSONTransformerName": "Same"}"#, #"[1,2,3]"#),
    (#"{"type": "json", "JSONTransformerName": "Same"}"#, #""12345""#),
  ]

  static let digits = [
    (#""integer64""#, "12345"), (#""float""#, "12345"), (#""double""#, "12345"), (#""decimal""#, "12345"),
    (#"{"type": "date", "JSONTransformerName": "UnixTime"}"#, "12345"),
    (#"{"type": "json", "JSONTransformerName": "Same"}"#, "12345"),
  ]

  private static func reading(_ attribute: String, isKey: Bool = false) throws -> ManagedObjectContext {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Same") { (value: JSON) in value }
    let path = isKey ? #""JSONKeyPath": "@key""# : #""JSONKeyPath": "x""#
    let declared =
      attribute.hasPrefix("{") ? "\(attribute.dropLast()), \(path)}" : "{\"type\": \(attribute), \(path)}"
    let identity = isKey ? #""identityAttributes": "x", "# : ""
    return try Fixture.context(
      #""Node": {\#(identity)"attributes": {"x": \#(declared)}}"#, transformers: registry, classes: [Node.self])
  }

  @Test("I15: 'stringBytes' applies to every way of reading a string", arguments: texts, forms)
  func strings(_ value: (String, String), _ form: Form) throws {
    let context = try Self.reading(value.0)
    var options = ImportOptions()
    #expect(try form.codes(#"[{"x":\#(value.1)}]"#, context, options) == [])
    context.reset()
    options.limits.stringBytes = 4
    #expect(try form.codes(#"[{"x":\#(value.1)}]"#, context, options) == ["limit-string-bytes"])
    #expect(try context.count(ofEntity: "Node") == 0)
  }

  @Test("I15: 'numberBytes' applies to every way of reading a number", arguments: digits, forms)
  func numbers(_ value: (String, String), _ form: Form) throws {
    let context = try Self.reading(value.0)
    var options = ImportOptions()
    #expect(try form.codes(#"[{"x":\#(value.1)}]"#, context, options) == [])
    options.limits.numberBytes = 4
    #expect(try form.codes(#"[{"x":\#(value.1)}]"#, context, options) == ["limit-number-bytes"])
  }

  @Test("I15: whitespace is not counted in a value whose size is limited like that of a string")
  func whitespace() throws {
    for attribute in [#""json""#, #"{"type": "json", "JSONTransformerName": "Same"}"#] {
      let context = try Self.reading(attribute)
      var options = ImportOptions()
      options.limits.stringBytes = 5
      try context.importJSON("[{\"x\": [1,\n      2]}]", ofEntity: "Node", options: options)
      #expect(try context.count(ofEntity: "Node") == 1)
    }
  }

  /// Attributes with the key path `@key`, each with a key of more than four bytes that the attribute accepts.
  static let spelled = [
    (#""string""#, "12345"), (#""integer64""#, "12345"), (#""double""#, "12345"), (#""float""#, "12345"),
    (#""decimal""#, "12345"), (#""boolean""#, "false"),
    (#"{"type": "date", "JSONTransformerName": "DateFormat(yyyy-MM-dd)"}"#, "2020-01-01"),
    (#""uuid""#, "123e4567-e89b-12d3-a456-426614174000"),
    (#""uri""#, "https://a.example"), (#"{"type": "integer64", "JSONTransformerName": "StringToInteger"}"#, "12345"),
    (#"{"type": "string", "JSONTransformerName": "Lowercase"}"#, "ABCDE"),
  ]

  @Test(
    "I15, M11: keys that are read as attributes are limited like strings; keys that spell numbers are limited like numbers",
    arguments: spelled)
  func keys(_ attribute: String, _ key: String) throws {
    // The attributes have types that can be an identity and a key.
    let context = try Self.reading(attribute, isKey: true)
    let text = #"{"\#(key)":{}}"#
    var options = ImportOptions()
    options.limits.stringBytes = 4
    for form in Self.forms where !["stream", "lines"].contains(form.testDescription) {
      #expect(try form.codes(text, context, ImportOptions()) == [], "\(form.testDescription)")
      context.reset()
      #expect(try form.codes(text, context, options) == ["limit-string-bytes"], "\(form.testDescription)")
    }
    guard [#""integer64""#, #""double""#, #""float""#, #""decimal""#].contains(attribute) else { return }
    options = ImportOptions()
    options.limits.numberBytes = 4
    #expect(try Self.forms[0].codes(text, context, options) == ["limit-number-bytes"])
  }

  // MARK: Before memory is allocated

  /// Each level contains the level below twice, so a value with `2^60` leaves needs only a few hundred bytes of memory.
  private static func shared<Value>(_ leaf: Value, _ twice: (Value) -> Value) -> Value {
    (0..<60).reduce(leaf) { value, _ in twice(value) }
  }

  @Test("I15: a value that is shared many times exceeds the byte limit before it is written completely")
  func sharedValues() throws {
    let context = try Self.context(#", "any": {"type": "json", "optional": true}"#)
    var options = ImportOptions()
    options.limits.bytes = 10_000
    func codes(_ body: () throws(ImportError) -> Void) -> [String] {
      do throws(ImportError) {
        try body()
        return []
      } catch {
        #expect(error.diagnostics.map(\.message) == ["the payload exceeds the limit 'bytes' of 10000"])
        #expect(error.diagnostics.map(\.path) == ["$"])
        return error.diagnostics.map(\.code.rawValue)
      }
    }
    let array = Self.shared([1] as [Any]) { [$0, $0] }
    let dictionary = Self.shared(["id": 1] as [String: Any]) { ["a": $0, "b": $0] }
    let json = Self.shared(JSON.array([1])) { [$0, $0] }
    let object = Self.shared(JSON.object(["id": 1])) { ["next": $0, "any": $0] }
    let payloads: [[String: Any]] = [
      ["id": 1, "any": array], ["id": 1, "any": dictionary], ["id": 1, "any": json],
      ["id": 1, "next": Self.shared(["id": 1] as [String: Any]) { ["id": 2, "next": $0, "any": $0] }],
    ]
    for payload in payloads {
      #expect(
        codes { () throws(ImportError) in try context.importJSON(payload, ofEntity: "Node", options: options) } == [
          "limit-bytes"
        ])
      #expect(
        codes { () throws(ImportError) in try objects(Node.self, fromJSON: [payload], in: context, options: options) }
          == ["limit-bytes"])
    }
    for value in [json, object] {
      #expect(
        codes { () throws(ImportError) in try context.importJSON(value, ofEntity: "Node", options: options) } == [
          "limit-bytes"
        ])
      #expect(
        codes { () throws(ImportError) in try objects(Node.self, fromJSON: value, in: context, options: options) } == [
          "limit-bytes"
        ])
    }
    // A long string occurs many times in a short array.
    let text = String(repeating: "x", count: 9_000)
    let many = Array(repeating: text as Any, count: 1_000_000)
    #expect(
      codes { () throws(ImportError) in
        try context.importJSON(["id": 1, "any": many], ofEntity: "Node", options: options)
      }
        == ["limit-bytes"])
    #expect(try context.count(ofEntity: "Node") == 0)
  }

  @Test("I15: the limits also apply to a dictionary transformer's result")
  func sharedResults() throws {
    var registry = TransformerRegistry.standard
    registry.registerDictionaryTransformer(named: "Blow") { _ in
      ["id": 1, "any": Self.shared([1] as [Any]) { [$0, $0] }]
    }
    let context = try Fixture.context(
      #""Node": {"JSONDictionaryTransformerName": "Blow", "attributes": {"id": "integer64", "any": "json"}}"#,
      transformers: registry, classes: [Node.self])
    var options = ImportOptions()
    options.limits.bytes = 10_000
    #expect(try Self.forms[0].codes(#"[{"id":1}]"#, context, options) == ["limit-bytes"])
    #expect(try Self.forms[4].codes(#"[{"id":1}]"#, context, options) == ["limit-bytes"])
  }
}
