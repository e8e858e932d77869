import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Hostile payloads", .serialized) struct HostilePayloadTests {
  /// The shortest time of three imports, each into its own context.
  private func time(_ text: String, _ entity: String = "Node", limits: ImportLimits = ImportLimits()) throws -> Duration
  {
    let bytes = Array(text.utf8)
    var options = ImportOptions()
    options.limits = limits
    return try (0..<3).map { _ in
      let context = try HostileModel.context()
      return try ProcessorClock().measure { try context.importJSON(bytes, ofEntity: entity, options: options) }
    }.min() ?? .zero
  }

  /// Compares the time per byte of a hostile payload with that of a benign payload. The hostile payload can take six times as long, because
  /// machines are noisy.
  private func expectNoSlower(_ hostile: String, than benign: String, _ entity: String = "Node", comment: Comment)
    throws
  {
    let ratio =
      try (time(hostile, entity) / Double(hostile.utf8.count)) / (time(benign, entity) / Double(benign.utf8.count))
    #expect(ratio < 6, comment)
  }

  private func array(_ count: Int, _ element: (Int) -> String) -> String {
    "[" + (0..<count).map(element).joined(separator: ",") + "]"
  }

  // MARK: Links

  @Test("I6: 40,000 owners are linked to an inverse, and then moved to another inverse, in linear time")
  func owners() throws {
    let context = try HostileModel.context()
    let clock = ProcessorClock()
    let made = try clock.measure {
      try context.importJSON(Array(array(40_000) { #"{"id":"n\#($0)","hub":"A"}"# }.utf8), ofEntity: "Node")
    }
    func count(_ name: String) throws -> Int {
      let spokes: RelatedObjects<ManagedObject> = try #require(try context.find(ofEntity: "Node", identity: name))[
        "spokes"]
      return spokes.count
    }
    #expect(try count("A") == 40_000)
    // In another order, half of the owners move to another hub, and half lose their hub.
    let moved = try clock.measure {
      let moves = array(40_000) { index in
        let number = index * 7919 % 40_000
        return #"{"id":"n\#(number)","hub":\#(number % 2 == 0 ? "\"B\"" : "null")}"#
      }
      try context.importJSON(Array(moves.utf8), ofEntity: "Node")
    }
    #expect(try count("A") == 0)
    #expect(try count("B") == 20_000)
    // A dictionary of the hub links all owners to the hub at once.
    let list = array(40_000) { #""n\#($0)""# }
    let taken = try clock.measure {
      try objects(ofEntity: "Node", fromJSON: #"{"id":"C","spokes":\#(list)}"#, in: context)
    }
    #expect(try count("C") == 40_000 && count("B") == 0)
    // The program removes owners one by one, and then deletes the hub.
    let hub = try #require(try context.find(ofEntity: "Node", identity: "C"))
    let left = try clock.measure {
      for number in 0..<8_000 {
        try #require(try context.find(ofEntity: "Node", identity: "n\(number)"))["hub"] = nil as ManagedObject?
      }
      try context.delete(hub)
    }
    context.rollBack()
    #expect(try count("C") == 40_000)
    for time in [made, moved, taken, left] { #expect(time < .seconds(8)) }
  }

  @Test("T4: identifiers create at most one object each, and the object limit applies")
  func expansion() throws {
    let context = try HostileModel.context()
    let same = array(300_000) { _ in #""x""# }
    try objects(ofEntity: "Node", fromJSON: #"{"id":"a","others":\#(same)}"#, in: context)
    #expect(try context.count(ofEntity: "Node") == 2)
    let before = context.dump()
    var options = ImportOptions()
    options.limits.objects = 1000
    let many = array(2000) { #""y\#($0)""# }
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Node", fromJSON: #"{"id":"b","others":\#(many)}"#, in: context, options: options)
    }
    #expect(error?.diagnostics.map(\.message) == ["the payload exceeds the limit 'objects' of 1000"])
    #expect(error?.diagnostics.first?.code == .limitObjects && error?.diagnostics.first?.path == "$.others[1000]")
    #expect(context.dump() == before)
    // The payload contains exactly as many objects as allowed: the owner and 999 identifiers.
    let most = array(999) { #""y\#($0)""# }
    try objects(ofEntity: "Node", fromJSON: #"{"id":"b","others":\#(most)}"#, in: context, options: options)
    #expect(try context.count(ofEntity: "Node") == 1002)
  }

  @Test("T1: identifiers that collide in simple hash functions cost no more than other identifiers")
  func collisions() throws {
    let count = 20_000
    let prefix = String(repeating: "p", count: 60)
    let benign = array(count) { number in
      let digits = String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
      return #"{"id":"\#(prefix.dropFirst(digits.count))\#(digits)"}"#
    }
    try expectNoSlower(array(count) { #"{"id":"\#(prefix)\#($0)"}"# }, than: benign, comment: "a long common prefix")
    try expectNoSlower(array(count) { #"{"id":"\#($0)\#(prefix)"}"# }, than: benign, comment: "a long common suffix")
    // Strings whose words have the same sum, so that simple hash functions return the same value.
    let swapped = array(count) { number in
      let bits = String(number, radix: 2)
      let word = String(repeating: "0", count: 16 - min(16, bits.count)) + bits
      return #"{"id":"\#(word.map { $0 == "0" ? "AaBB" : "BBAa" }.joined())"}"#
    }
    try expectNoSlower(swapped, than: benign, comment: "words that swap")
    let numbers = array(count) { #"{"id":\#($0 &* 7919)}"# }
    try expectNoSlower(
      array(count) { #"{"id":\#(Int64($0) << 46)}"# }, than: numbers, "Count",
      comment: "numbers that differ in high bits")
    try expectNoSlower(
      array(count) { #"{"id":\#(Int64($0) &* 0x1_0000_0001)}"# }, than: numbers, "Count",
      comment: "halves that are equal")
  }

  // MARK: Strings and numbers

  @Test("T2, T3: a megabyte of combining marks in keys, values and identifiers is preserved without normalization")
  func marks() throws {
    let marks = String(repeating: "e\u{301}\u{327}\u{323}", count: 150_000)
    let plain = String(repeating: "abcdefg", count: 150_000)
    for (hostile, benign) in [
      (#"{"id":"\#(marks)"}"#, #"{"id":"\#(plain)"}"#), (#"{"id":"a","\#(marks)":1}"#, #"{"id":"a","\#(plain)":1}"#),
      (#"{"id":"a","text":"\#(marks)"}"#, #"{"id":"a","text":"\#(plain)"}"#),
      (#"{"id":"a","value":{"\#(marks)":"\#(marks)"}}"#, #"{"id":"a","value":{"\#(plain)":"\#(plain)"}}"#),
    ] {
      // Plain text is read eight bytes at a time and marks one scalar at a time, so the bound includes an absolute part.
      #expect(try time(hostile) < .seconds(1) + time(benign) * 3)
    }
    let context = try HostileModel.context()
    try objects(ofEntity: "Node", fromJSON: [["id": "\u{E9}"], ["id": "e\u{301}"]], in: context)
    try objects(
      ofEntity: "Node", fromJSON: "[{\"id\":\"\u{E9}\",\"number\":1},{\"id\":\"e\u{301}\",\"number\":2}]", in: context)
    #expect(try context.count(ofEntity: "Node") == 2)
    #expect(try context.find(ofEntity: "Node", identity: "\u{E9}")?["number"] as Int? == 1)
    #expect(try context.find(ofEntity: "Node", identity: "e\u{301}")?["number"] as Int? == 2)
  }

  @Test("T8: strings and identifiers of a megabyte round-trip unchanged")
  func megabyte() throws {
    let context = try HostileModel.context()
    for letter in ["x", "é", "\u{1F600}", "\\n", "\\u0041", "\\ud83d\\ude00"] {
      let text = String(repeating: letter, count: (1 << 20) / letter.utf8.count)
      try objects(
        ofEntity: "Node", fromJSON: #"{"id":"\#(text)","text":"\#(text)","hub":"\#(text)","value":["\#(text)"]}"#,
        in: context)
      let node = try #require(try context.fetch(ofEntity: "Node").last)
      let id: String? = node["id"]
      #expect(id == node["text"] as String? && id?.isEmpty == false)
      #expect((node["hub"] as ManagedObject?) === node)
      #expect((node["value"] as JSON?)?[0]?.stringValue == id)
      // Importing the same object again leaves it unchanged.
      try objects(ofEntity: "Node", fromJSON: #"{"id":"\#(text)"}"#, in: context)
    }
    #expect(try context.count(ofEntity: "Node") == 6)
    var options = ImportOptions()
    options.limits.stringBytes = 1000
    for text in [
      #"{"id":"\#(String(repeating: "x", count: 1001))"}"#,
      #"{"id":"a","text":"\#(String(repeating: "x", count: 1001))"}"#,
    ] {
      let error = #expect(throws: ImportError.self) {
        try objects(ofEntity: "Node", fromJSON: text, in: context, options: options)
      }
      #expect(error?.diagnostics.first?.code == .limitStringBytes)
    }
    options.limits = ImportLimits()
    options.limits.bytes = 100
    let error = #expect(throws: ImportError.self) {
      try objects(
        ofEntity: "Node", fromJSON: #"{"id":"\#(String(repeating: "x", count: 101))"}"#, in: context, options: options)
    }
    #expect(error?.diagnostics.first?.code == .limitBytes)
    let number = #"{"id":\#(String(repeating: "1", count: 2000))}"#
    let tooLong = #expect(throws: ImportError.self) { try objects(ofEntity: "Count", fromJSON: number, in: context) }
    #expect(tooLong?.diagnostics.map(\.message) == ["the number exceeds the limit 'numberBytes' of 1024"])
  }

  // MARK: Errors

  /// All messages about a payload, as a program would print them.
  private func said(_ text: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws -> String {
    var options = ImportOptions()
    change(&options)
    let context = try HostileModel.context()
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Node", fromJSON: text, in: context, options: options)
    }
    #expect(context.dump() == Data("{}\n".utf8))
    let diagnostics = error?.diagnostics ?? []
    #expect(!diagnostics.isEmpty && diagnostics.count <= 20)
    for diagnostic in diagnostics {
      #expect(diagnostic.message.utf8.count < 1000 && (diagnostic.path?.utf8.count ?? 0) < 1000)
      #expect((diagnostic.location?.excerpt.unicodeScalars.count ?? 0) <= 160)
    }
    return DiagnosticRenderer().render(diagnostics)
  }

  static let long = String(repeating: "long ", count: 2 << 17)
  static let word = String(repeating: "word", count: 1 << 18)

  static let floods: [String: String] = [
    "a string of ten megabytes for a number": #"{"id":"a","number":"\#(String(repeating: long, count: 8))"}"#,
    "a number for a string": #"{"id":\#(String(repeating: "1", count: 1 << 20))}"#,
    "an array": #"{"id":"a","number":[\#(String(repeating: "1,", count: 1 << 19))1]}"#,
    "a word as a key that occurs twice": #"{"id":"a","\#(word)":1,"value":{"\#(word)":1,"\#(word)":2}}"#,
    "a value under a long key": #"{"id":"a","\#(word)":[1,}"#, "no literal": #"{"id":"a","value":\#(word)}"#,
    "a long string that never ends": #"{"id":"a","text":"\#(long)"#,
    "a number with too many digits": #"{"id":"a","number":1.\#(String(repeating: "1", count: 1000))}"#,
  ]

  @Test("T29: a message about a megabyte of text is short", arguments: floods.keys.sorted())
  func flood(name: String) throws {
    let text = try #require(Self.floods[name])
    let clock = ProcessorClock()
    var words = ""
    let time = try clock.measure { words = try said(text) }
    #expect(words.utf8.count < 4000, "\(name)")
    #expect(time < .seconds(20), "\(name)")
  }

  @Test("T29: a long unknown key is rejected quickly with a short message")
  func unknownKey() throws {
    let words = try said(#"{"id":"a","\#(Self.word)":1}"#) { $0.unknownKeys = .error }
    #expect(words.utf8.count < 4000)
  }

  @Test("T29: an import with many different mistakes stops after twenty diagnostics")
  func differentMistakes() throws {
    let text = "[" + (0..<200_000).map { #"{"id":"a","key\#($0)":1}"# }.joined(separator: ",") + "]"
    let clock = ProcessorClock()
    var count = 0
    let time = try clock.measure {
      count = try said(text) { $0.unknownKeys = .error }.split(separator: "error: ").count - 1
    }
    #expect(count == 20)
    #expect(time < .seconds(10), "\(time)")
  }

  @Test("T29: an import that repeats one mistake stops after a thousand faults, with one message that counts them")
  func mistakes() throws {
    let clock = ProcessorClock()
    for mistake in [
      #"{"id":"a","number":1.5}"#, #"{"id":5}"#, #"{}"#, #"{"id":"a","id":"b"}"#, #"{"id":"a","hub":[]}"#, "[]", "1",
      #"{"id":null}"#,
    ] {
      let text = "[" + String(repeating: mistake + ",", count: 100_000) + "null]"
      var words = ""
      let time = try clock.measure { words = try said(text) }
      #expect(words.split(separator: "error: ").count == 2, "\(mistake)")
      #expect(words.contains(" (1000 times)") && words.contains("and 996 more"), "\(mistake): \(words)")
      #expect(time < .seconds(10), "\(mistake): \(time)")
    }
  }

  @Test("T30: terminal control characters from any source are escaped")
  func terminal() throws {
    let evil = "\u{1B}[31m\u{7}\r\n\u{202E}\u{2066}\u{9B}\u{200B}\u{2028}"
    let escaped = evil.unicodeScalars.map { "\\u" + String(0x10000 + $0.value, radix: 16).dropFirst() }.joined()
    for text in [
      #"{"id":"a","number":"\#(escaped)"}"#, #"{"id":"a","\#(escaped)":1,"\#(escaped)":2,"number":"x"}"#,
      #"{"id":"a","value":{"\#(escaped)":1,"\#(escaped)":2}}"#, #"{"id":"a","value":{"\#(escaped)":[1,]}}"#,
      "{\"id\":\"a\",\"number\":\"\u{202E}\u{9B}31m\"}", "{\"id\":\"a\",\"number\":\"\u{1B}[31m\"}",
      "{\"id\":\"a\u{202E}\", \"number\": {}}",
    ] {
      for line in try said(text).split(separator: "\n") {
        let unsafe = line.unicodeScalars.filter {
          [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        #expect(unsafe.isEmpty, "\(text.debugDescription): \(line.debugDescription)")
      }
    }
    var words = ""
    words = try said(#"{"id":"a","\#(escaped)":1}"#) { $0.unknownKeys = .error }
    #expect(!words.contains("\u{1B}") && !words.contains("\u{202E}"))
    words = try said(#"{"id":"a","number":"x"}"#) { $0.sourceName = "a\u{1B}[31m.json" }
    #expect(!words.contains("\u{1B}"))
  }

  // MARK: Keys

  static let keys = [
    "__proto__", "constructor", "self", "@count", "@sum.id", "@key", "@value", "description", "hash", "isEqual:", "",
    " ", ".", "..", "a.b",
    "a\\u0000b", "id ", "ID", "$id", "null", "true", "0", "-1", "SELECT", "';--", "\\\"", "\\\\", "é", "\\ud83d\\ude00",
    "\\u202e",
    "\\u0069d2",
  ]

  @Test(
    "T11: any key is treated as data, regardless of its name: keys are skipped, stored or distinguished",
    arguments: keys)
  func key(key: String) throws {
    let context = try HostileModel.context()
    try objects(
      ofEntity: "Node", fromJSON: #"{"id":"a","\#(key)":[1],"value":{"\#(key)":"x"},"number":1}"#, in: context)
    let node = try #require(try context.find(ofEntity: "Node", identity: "a"))
    #expect(node["number"] as Int? == 1)
    let kept = try #require((node["value"] as JSON?)?.objectValue)
    #expect(kept.count == 1 && kept.first?.value == "x")
    // A model that maps the key treats it as one key, not as a path.
    let name = try #require(kept.first?.key)
    var entity = #"{"attributes": {"x": {"type": "integer32", "optional": true, "JSONKeyPath": ["\#(key)"]}}}"#
    if ["@key", "@value"].contains(name) {
      entity = #"{"attributes": {"x": {"type": "integer32", "optional": true, "JSONKeyPath": "x"}}}"#
    }
    let model = try ManagedObjectModel(text: #"{"entities": {"Thing": \#(entity)}}"#)
    let things = ManagedObjectContext(model: model)
    let thing = try object(ofEntity: "Thing", fromJSON: #"{"\#(key)": 7, "a": {"b": 8}, "x": 7}"#, in: things)
    #expect(thing["x"] as Int? == 7)
    let exported = try json(from: thing)
    #expect(exported[["@key", "@value"].contains(name) ? "x" : name] as? Int == 7)
    let dictionary = try object(ofEntity: "Thing", fromJSON: [name: 9, "x": 9] as [String: Any], in: things)
    #expect(dictionary["x"] as Int? == 9)
  }

  @Test(
    "T13: a duplicate key causes a single error in every input: repeated 10,000 times, escaped, or within a path")
  func twice() throws {
    let many = #"{"id":"a""# + String(repeating: #","number":1"#, count: 10_000) + "}"
    #expect(try said(many).contains("the key \"number\" occurs twice in one object"))
    #expect(
      try said(#"{"id":"a","number":1,"n\u0075mber":1}"#).contains("the key \"number\" occurs twice in one object"))
    #expect(try said(#"{"id":"a","value":[{"x":{"y":1,"\u0079":1}}]}"#).contains("occurs twice in one object"))
    // Unmapped keys can occur twice, because their values are skipped.
    let context = try HostileModel.context()
    try objects(ofEntity: "Node", fromJSON: #"{"id":"a","x":1,"x":2}"#, in: context)
    #expect(try context.count(ofEntity: "Node") == 1)
  }

  @Test("I11, I15: if a transformer's dictionary exceeds a limit, the error is located at the original object")
  func transformed() throws {
    var transformers = TransformerRegistry.standard
    transformers.registerDictionaryTransformer(named: "Swell") { _ in
      ["text": String(repeating: "x", count: 5000), "many": (0..<500).map { $0 }]
    }
    let model = try ManagedObjectModel(
      text: #"""
        {"entities": {
          "Thing": {"JSONDictionaryTransformerName": "Swell", "attributes": {"text": {"type": "string", "JSONKeyPath": "text"}},
            "relationships": {"many": {"destination": "Item", "toMany": true, "JSONKeyPath": "many"}}},
          "Item": {"identityAttributes": "id", "attributes": {"id": {"type": "integer32", "JSONKeyPath": "id"}}}
        }}
        """#, transformers: transformers)
    for (change, code) in [
      ({ $0.stringBytes = 100 }, "limit-string-bytes"), ({ $0.objects = 100 }, "limit-objects"),
    ] as [((inout ImportLimits) -> Void, String)] {
      var options = ImportOptions()
      change(&options.limits)
      let context = ManagedObjectContext(model: model)
      let error = #expect(throws: ImportError.self) {
        try objects(ofEntity: "Thing", fromJSON: #"[null, null, {"a": 1}]"#, in: context, options: options)
      }
      #expect(error?.diagnostics.map(\.code.rawValue) == [code])
      #expect(error?.diagnostics.first?.location?.offset == 13 && error?.diagnostics.first?.path == "$[2]")
      #expect(context.dump() == Data("{}\n".utf8))
    }
  }

  @Test("D7, D8: a duplicate key in a `json` value is located at its second occurrence")
  func twiceInValue() throws {
    let text = #"{"id": "a", "value": {"x": 1, "y": {"z": 1}, "x": 2}}"#
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Node", fromJSON: text, in: HostileModel.context())
    }
    #expect(error?.diagnostics.map(\.message) == ["the key \"x\" occurs twice in one object"])
    #expect(error?.diagnostics.first?.location?.offset == 45 && error?.diagnostics.first?.path == "$.value.x")
  }
}
