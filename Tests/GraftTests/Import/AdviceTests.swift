import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Advice in messages") struct AdviceTests {
  /// Returns the errors of an import of one object, each with its notes on one line.
  private func complaint(_ attributes: String, _ payload: String, at keyPath: JSONKeyPath? = nil) throws -> [String] {
    let context = try Fixture.context(#""T": {"attributes": {\#(attributes)}}"#)
    let lines = refusals(payload, of: "T", in: context, at: keyPath, withNotes: true)
    return lines.map { line in
      guard let note = line.range(of: "note: ") else { return line.replacing("1️⃣ error: ", with: "") }
      return String(line[note.lowerBound...])
    }
  }

  @Test(
    "I11: if a value is missing, the likely misspelled key is underlined, and the path ends with the expected key",
    arguments: [
      (#""full_name""#, #"{1️⃣"full name": "x"}"#, "full_name", "full name", "$.full_name"),
      (#""fullName""#, #"{"a": 1, 1️⃣"FULL-NAME": "x"}"#, "fullName", "FULL-NAME", "$.fullName"),
      (#""placed_at""#, #"{1️⃣"placedAt": "x"}"#, "placed_at", "placedAt", "$.placed_at"),
      (#""name""#, #"{1️⃣"nm\u0061e": "x"}"#, "name", "nmae", "$.name"),
      (#""price.Amount""#, #"{"price": {1️⃣"amount": "x"}}"#, "Amount", "amount", "$.price.Amount"),
      (#""prize.amount""#, #"{1️⃣"price": {"amount": "x"}}"#, "prize", "price", "$.prize.amount"),
      (#""a.b.c""#, #"{"a": {"b": {1️⃣"C": "x"}}}"#, "c", "C", "$.a.b.c"),
    ])
  func near(path: String, payload: String, absent: String, present: String, jsonPath: String) throws {
    let found = try complaint(#""x": {"type": "string", "JSONKeyPath": \#(path)}"#, payload)
    #expect(
      found.first
        == "expected a value for 'T.x', which is not optional: \"\(absent)\" is absent; "
        + "did you mean \"\(present)\", which is present? (at \(jsonPath))")
    // The note shows the whole key path, not only the attribute.
    #expect(found.count == 2)
  }

  @Test("I11: the caret is below a misspelled key; a program receives the correct key as the suggestion")
  func drawnNear() throws {
    let context = try Fixture.context(#""Order": {"attributes": {"placed_at": "string"}}"#)
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(
        #"{"id": 7, "placedAt": "x"}"#, ofEntity: "Order", options: ImportOptions(sourceName: "p.json"))
    }
    let diagnostic = try #require(error?.diagnostics.first)
    #expect(
      DiagnosticRenderer().render(diagnostic) == #"""
        p.json:1:11: error: expected a value for 'Order.placed_at', which is not optional: "placed_at" is absent; did you mean "placedAt", which is present?
          at $.placed_at
        1 | {"id": 7, "placedAt": "x"}
          |           ^~~~~~~~~~
        m.json:2:26: note: 'placed_at' is declared here
        """#)
    #expect(diagnostic.suggestion == "placedAt" && diagnostic.code == .missingValue && error?.diagnostics.count == 1)
  }

  @Test("D14: an import of dictionaries reports the same advice as an import of their text")
  func dictionaries() throws {
    func messages(_ body: (ManagedObjectContext) throws -> Void) throws -> [String] {
      let context = try Fixture.context(
        #""T": {"attributes": {"placed_at": "string", "total": "double"}, "relationships": {"next": {"destination": "T"}}}"#
      )
      let error = #expect(throws: ImportError.self) { try body(context) }
      return (error?.diagnostics ?? []).map { "\($0.path ?? "") \($0.message) \($0.suggestion ?? "")" }.sorted()
    }
    let text = #"{"items": [{"total": 1, "next": {"error": 1, "code": 2}}, {"placedAt": "x", "total": 1}]}"#
    let expected = [
      #"$.items[0].next expected the keys "placed_at", "total" of 'T', found "code", "error" "#,
      "$.items[0].placed_at expected a value for 'T.placed_at', which is not optional, found none ",
      "$.items[1].placed_at expected a value for 'T.placed_at', which is not optional: \"placed_at\" is absent; "
        + "did you mean \"placedAt\", which is present? placedAt",
    ]
    #expect(try messages { try $0.importJSON(text, ofEntity: "T", at: "items") } == expected)
    let dictionary = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(try messages { try objects(ofEntity: "T", fromJSON: dictionary, in: $0, at: "items") } == expected)
    #expect(try messages { try $0.importJSON(dictionary, ofEntity: "T", at: "items") } == expected)
  }

  @Test("I11: the error for a key with a dot explains that such a key is written as an array of keys")
  func dotted() throws {
    #expect(
      try complaint(#""x": {"type": "string", "JSONKeyPath": "stay.check.in"}"#, #"{"stay": 1️⃣{"check.in": "x"}}"#) == [
        "expected a value for 'T.x', which is not optional, found none (at $.stay.check.in)",
        "note: 'x' is declared here",
        #"note: the payload has the key "check.in"; a key that contains a dot is written as an array: ["stay","check.in"]"#,
      ])
  }

  @Test("I11: mapped keys and keys with control characters are not suggested; each other key is listed once")
  func listed() throws {
    let attributes = #"""
      "name": {"type": "string", "JSONKeyPath": "name"}, "names": {"type": "string", "optional": true, "JSONKeyPath": "names"}
      """#
    #expect(
      try complaint(attributes, #"1️⃣{"names": "x", "na\u001b[31mme": 1}"#) == [
        "expected a value for 'T.name', which is not optional, found none (at $.name)", "note: 'name' is declared here",
      ])
    #expect(
      try complaint(attributes, #"[1️⃣{"a1": 1, "b2": 2}, {"a1": 1}]"#)[2]
        == #"note: unmapped keys here: "a1", "b2""#)
    #expect(try complaint(attributes, #"[1️⃣{"a1": 1, "b2": 2}, {"a1": 1}]"#).count == 5)
    let most = (1...8).map { #""k\#($0)\#($0)": 0"# }.joined(separator: ", ")
    #expect(try complaint(attributes, "1️⃣{\(most)}")[2].hasSuffix(#""k77", "k88""#))
    let many = (1...11).map { #""k\#($0)\#($0)": 0"# }.joined(separator: ", ")
    #expect(try complaint(attributes, "1️⃣{\(many)}")[2].hasSuffix(#""k88" and 3 more"#))
  }

  @Test("I11: the mapper's key is not suggested for an attribute")
  func discriminator() throws {
    let context = try Fixture.context(
      #""T": {"entityMapper": {"JSONKeyPath": "kind", "entities": {"a": "T"}}, "attributes": {"kinds": "string"}}"#)
    let lines = refusals(#"1️⃣{"kind": "a"}"#, of: "T", in: context)
    #expect(lines == ["1️⃣ error: expected a value for 'T.kinds', which is not optional, found none (at $.kinds)"])
  }

  @Test("M21: the message about a nested object with only its identity explains how to declare a reference")
  func references() throws {
    let context = try Fixture.context(
      #"""
      "T": {"identityAttributes": ["id"], "attributes": {
        "id": {"type": "integer64", "JSONKeyPath": "id"}, "x": {"type": "string", "JSONKeyPath": "x"}},
        "relationships": {"t": {"destination": "T", "JSONKeyPath": "t"}}}
      """#)
    for (json, isReference) in [
      (#"{"id": 1, "x": "a", "t": {"id": 2}}"#, true), (#"[{"id": 1, "x": "a", "t": {"id": 2}}]"#, true),
      (#"{"id": 1, "x": "a", "t": {"id": 2, "t": null}}"#, false), (#"[{"id": 2}]"#, false), (#"{"id": 2}"#, false),
    ] {
      let error = #expect(throws: ImportError.self) { try objects(ofEntity: "T", fromJSON: json, in: context) }
      let notes = error?.diagnostics.flatMap(\.notes).map(\.message) ?? []
      #expect(
        notes.contains { $0.contains("add \"JSONReferences\": true to the relationship") } == isReference, "\(notes)")
    }
  }

  @Test("I11: the error for an object without mapped keys names the `at` that would read the object")
  func foreign() throws {
    #expect(
      try complaint(#""x": {"type": "string", "JSONKeyPath": "x"}"#, #"1️⃣{"data": {"x": "a"}}"#).dropFirst(2) == [
        #"note: unmapped keys here: "data""#,
        #"note: if the objects are under "data", read them with at: "data""#,
      ])
  }

  @Test(
    "I19: advice about an envelope names the whole key path, at any depth",
    arguments: [
      (#"{"data": {"items": [{"x": "a"}]}}"#, #""data.items", read them with at: "data.items""#),
      (
        #"{"meta": {"n": 1}, "data": {"page": {"x": 1}, "links": {}}}"#, #""data.page", read them with at: "data.page""#
      ),
      (#"{"a": {"b": {"c.d": [{"x": "a"}]}}}"#, #""a.b.c.d", read them with at: ["a", "b", "c.d"]"#),
      (#"{"data": {"n": 1, "items": [{"other": 1}]}}"#, #""data.items", read them with at: "data.items""#),
      (
        #"{"data": {"edges": [{"cursor": "1", "node": {"x": "a"}}]}}"#,
        #""data.edges[].node", read them with at: "data.edges[].node""#
      ),
      (
        #"{"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": {"j": {"x": "a"}}}}}}}}}}}"#,
        #""a.b.c.d.e.f.g.h.i.j", read them with at: "a.b.c.d.e.f.g.h.i.j""#
      ),
    ])
  func deepEnvelope(payload: String, remark: String) throws {
    let context = try Fixture.context(#""T": {"attributes": {"x": {"type": "string", "optional": true}}}"#)
    let report = try context.importJSON(payload, ofEntity: "T")
    #expect(report.warnings.first?.notes.last?.message == "if the objects are under \(remark)")
    let dictionary = try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any] ?? [:]
    #expect(
      try context.importJSON(dictionary, ofEntity: "T").warnings.first?.notes.last?.message
        == report.warnings.first?.notes.last?.message)
  }

  @Test(
    "I19: following the advice about objects under keys makes the import work: `@key`, and `at` for deeper objects",
    arguments: [
      (#"{"4": {"x": "a"}, "7": {"x": "b"}}"#, nil), (#"{"7": {"x": "b"}}"#, nil),
      (#"{"data": {"ann": {"x": "a"}, "bob": {"x": "b"}}}"#, "data"),
      (#"{"meta": {"n": 1}, "a": {"b": {"4": {"x": "a"}, "7": {"x": "b"}}}}"#, "a.b"),
    ])
  func collections(payload: String, path: String?) throws {
    func model(_ addition: String) throws -> ManagedObjectContext {
      try Fixture.context(
        #""T": {"identityAttributes": "id", "attributes": {"id": {"type": "string", "JSONKeyPath": "id"\#(addition)}, "x": "string"}}"#
      )
    }
    let lines = refusals(payload, of: "T", in: try model(""), withNotes: true)
    let under = path.map { "under \"\($0)\"" } ?? "here"
    let at = path.map { ", and read them with at: \"\($0)\"" } ?? ""
    #expect(
      lines.last == "  note: if the objects are the values \(under) and their keys identify them, "
        + #"add "JSONKeyPathAliases": ["@key"] to 'T.id'\#(at)"#, "\(lines)")
    let followed = try model(#", "JSONKeyPathAliases": ["@key"]"#)
    try followed.importJSON(payload, ofEntity: "T", at: path.flatMap { JSONKeyPath($0) })
    #expect(try followed.fetch(ofEntity: "T").allSatisfy { ($0["x"] as String?) != nil })
  }

  @Test(
    "I11: an error body, or another entity's object, causes one error that lists expected and present keys",
    arguments: [
      (#"1️⃣{"error": "not found"}"#, #"found "error""#, nil),
      (#"1️⃣{"title": "x", "pages": 3}"#, #"found "pages", "title""#, nil), ("1️⃣{}", "found an empty object", nil),
      (
        #"1️⃣{"data": [], "n": 1}"#, #"found "data", "n""#, #"if the objects are under "data", read them with at: "data""#
      ),
      (
        #" 1️⃣{"a.b": {}}"#, #"found "a.b""#, #"if the objects are under "a.b", read them with at: ["a.b"]"#
      ),
      (
        #"1️⃣{"one": {}, "two": []}"#, #"found "one", "two""#,
        "if the objects are deeper in the payload, give their key path with 'at'"
      ),
    ])
  func foreignObject(payload: String, found: String, remark: String?) throws {
    let context = try Fixture.context(
      #""Order": {"identityAttributes": "id", "attributes": {"id": "integer64", "placed_at": "date", "total": "double", "note": {"type": "string", "optional": true}}}"#
    )
    let lines = refusals(payload, of: "Order", in: context, withNotes: true)
    #expect(
      lines == [
        "1️⃣ error: expected the keys \"id\", \"placed_at\", \"total\" of 'Order', \(found) (at $)",
        "  m.json:2:1: note: 'Order' is declared here",
      ] + (remark.map { ["  note: \($0)"] } ?? []))
  }

  @Test("I11: an object with a mapped or similar key has one error for each missing value")
  func ownObject() throws {
    let context = try Fixture.context(
      #""Order": {"attributes": {"number": "integer64", "placed_at": "date", "note": {"type": "string", "optional": true}}}"#
    )
    #expect(
      refusals(#"[1️⃣{"note": "x"}, 2️⃣{3️⃣"Number": 1}]"#, of: "Order", in: context).map { $0.prefix(70) } == [
        "1️⃣ error: expected a value for 'Order.number', which is not optional, f",
        "1️⃣ error: expected a value for 'Order.placed_at', which is not optional",
        "2️⃣ error: expected a value for 'Order.placed_at', which is not optional",
        "3️⃣ error: expected a value for 'Order.number', which is not optional: \"",
      ])
  }

  @Test(
    "I11: the error for a value of the wrong type names the transformer that reads such values",
    arguments: [
      ("date", #""2024-01-02""#, "DateFormat(yyyy-MM-dd)"), ("date", #""02.01.2024""#, "DateFormat(dd.MM.yyyy)"),
      ("date", #""2024-01-02T03:04""#, "DateFormat(yyyy-MM-dd'T'HH:mm)"),
      ("date", #""2024-01-02 03:04:05""#, "DateFormat(yyyy-MM-dd HH:mm:ss)"), ("date", "1700000000", "UnixTime"),
      ("boolean", "1", "IntegerToBoolean"), ("boolean", #""true""#, "StringToBoolean"),
      ("decimal", #""1.50""#, "StringToDecimal"), ("double", #""0.5""#, "StringToDouble"),
      ("integer32", #""7""#, "StringToInteger"), ("string", "7", "Lenient"), ("string", "true", "Lenient"),
    ])
  func transformers(type: String, value: String, name: String) throws {
    let found = try complaint(#""x": {"type": "\#(type)", "JSONKeyPath": "x"}"#, #"{"x": \#(value)}"#)
    #expect(found.last?.contains(#""JSONTransformerName": "\#(name)""#) == true, "\(found)")
    // The transformer that the error names reads the value.
    let context = try Fixture.context(
      #""T": {"attributes": {"x": {"type": "\#(type)", "JSONKeyPath": "x", "JSONTransformerName": "\#(name)"}}}"#)
    try object(ofEntity: "T", fromJSON: #"{"x": \#(value)}"#, in: context)
  }

  @Test(
    "I11: the error for a value out of range names the range and a type that can hold the value",
    arguments: [
      ("integer32", "99999999999", "expected an integer from -2147483648 to 2147483647", "'integer64' is large enough"),
      ("integer64", "1.5", "expected an integer from", "for fractions, use 'double' or 'decimal'"),
      ("double", "1e400", "expected a number that a double can hold (up to 1.8e308)", "is declared double here"),
      ("float", "1e39", "expected a number that a float can hold (up to 3.4e38)", "is declared float here"),
      ("decimal", "1e-129", "at most 38 digits and an exponent from -128 to 127", "is declared decimal here"),
      ("date", #""9999-12-31T23:59:59-23:59""#, "expected a date", "in the years 0000 to 9999 (UTC)"),
      ("date", #""2020-06-15T12:34:60Z""#, "expected a date", "a leap second must be 23:59:60 UTC"),
      ("string", "[1]", "expected a string", "for any JSON value, use type 'json'"),
    ])
  func ranges(type: String, value: String, expected: String, advice: String) throws {
    let found = try complaint(#""x": {"type": "\#(type)", "JSONKeyPath": "x"}"#, #"{"x": \#(value)}"#)
    #expect(found.count == 2 && found[0].contains(expected) && found[1].contains(advice), "\(found)")
  }

  @Test(
    "T2: the error for a string that StringToInteger cannot read names the accepted form and range",
    arguments: ["05", "5.5", "-0", "99999"])
  func digits(text: String) throws {
    let found = try complaint(
      #""x": {"type": "integer16", "JSONKeyPath": "x", "JSONTransformerName": "StringToInteger"}"#,
      #"{"x": "\#(text)"}"#)
    #expect(
      found.first?.contains(
        "expected a string of digits, such as \"42\", without leading zeros, from -32768 to 32767 for 'T.x', found the string \"\(text)\""
      )
        == true, "\(found)")
  }

  @Test("I5: the error for an array in a to-one explains how to declare a to-many")
  func toMany() throws {
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"next": {"destination": "T"}}}"#
    )
    #expect(
      refusals(#"{"id": 1, "next": [2]}"#, of: "T", in: context, withNotes: true).last
        == #"  note: for several objects, declare the relationship with "toMany": true"#)
  }

  @Test(
    "D3: the error for an `at` that leads nowhere lists the existing keys",
    arguments: [
      (
        "data.reservation", #"{"data": {1️⃣"reservations": []}}"#,
        "the key 'reservation', which 'at' names; did you mean 'reservations'?"
      ),
      ("items", #"1️⃣{"a": 1, "b": 2}"#, #"the key 'items', which 'at' names, found "a", "b""#),
      (
        "$.items", #"1️⃣{"items": []}"#,
        "the key '$', which 'at' names: key paths start at the document root, without '$.'"
      ),
      ("a.b", #"{"a": 1️⃣"text"}"#, #"an object with the key 'b', which 'at' names, found the string "text""#),
      ("a.b", #"{"a": 1️⃣null}"#, "an object with the key 'b', which 'at' names, found null"),
      ("a.b", #"{"a": 1️⃣[1]}"#, "an object with the key 'b', which 'at' names, found an array"),
    ])
  func nowhere(path: String, payload: String, message: String) throws {
    let found = try complaint("", payload, at: JSONKeyPath(stringLiteral: path))
    #expect(found.count == 1 && found[0].hasPrefix("expected \(message) (at $"), "\(found)")
  }

  @Test("I11: the error for a date with an impossible offset contains no advice about its year or a leap second")
  func impossibleOffset() throws {
    let context = try Fixture.context(#""T": {"attributes": {"d": "date"}}"#)
    for text in ["2024-05-01T10:00:00+25:00", "2024-05-01T10:00:00.5-05:60", "2024-05-01 10:00:00+24:00"] {
      let lines = refusals(#"[{"d": "\#(text)"}]"#, of: "T", in: context, withNotes: true)
      #expect(!lines.isEmpty && !lines.contains { $0.contains("0000 to 9999") }, "\(lines)")
    }
  }
}
