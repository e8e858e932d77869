import Foundation
import Graft
import GraftTestSupport
import Testing

private let entities = """
  "Hero": {
    "identityAttributes": "id",
    "attributes": {
      "id": "integer64",
      "name": {"type": "string", "optional": true},
      "dotted": {"type": "integer16", "optional": true, "JSONKeyPath": ["a.b", "it's", "c d"]},
      "born": {"type": "date", "optional": true}
    },
    "relationships": {"powers": {"destination": "Power", "toMany": true}, "boss": {"destination": "Hero"}}
  },
  "Power": {
    "identityAttributes": "id",
    "attributes": {"id": {"type": "integer64", "JSONTransformerName": "StringToInteger"}, "name": "string"}
  }
  """

@Suite("Locations of faults") struct PlaceTests {
  @Test("I11: an error contains what was expected and found, its location, and the line of the model that it violates")
  func whole() throws {
    let model = try ManagedObjectModel(
      text: """
        {
          "entities": {
            "Power": {
              "identityAttributes": "identifier",
              "attributes": {
                "identifier": {"type": "integer64", "JSONKeyPath": "id"}
              }
            }
          }
        }
        """, name: "Models/Comics.json")
    let context = ManagedObjectContext(model: model)
    var options = ImportOptions()
    options.sourceName = "characters.json"
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Power", fromJSON: "[\n  {\"id\": 1},\n  {\"id\": \"4\"}\n]", in: context, options: options)
    }
    #expect(
      error?.description == """
        characters.json:3:10: error: expected an integer for 'Power.identifier', found the string "4"
          at $[1].id
        Models/Comics.json:6:32: note: 'identifier' is declared integer64 here; to accept digits in a string, add "JSONTransformerName": "StringToInteger"
        """)
    #expect(error?.diagnostics.map(\.code) == [.wrongType])
    #expect(error?.diagnostics[0].location?.length == 3)
  }

  @Test(
    "D7: errors are ordered by location; a missing value is at its dictionary; a path to a single object has no index")
  func order() throws {
    let context = try Fixture.context(entities)
    #expect(
      refusals(
        """
        {
          "powers": [1️⃣{"id": "1"}, {"name": 2️⃣1, "id": 3️⃣2}, {"id": "3", "name": 4️⃣null}],
          "born": 5️⃣"yesterday",
          "boss": 6️⃣{"powers": []},
          "a.b": {"it's": {"c d": 7️⃣1.5}},
          "id": 8️⃣"1",
          "name": 9️⃣[]
        }
        """, of: "Hero", in: context) == [
          "1️⃣ error: expected a value for 'Power.name', which is not optional, found none (at $.powers[0].name)",
          "2️⃣ error: expected a string for 'Power.name', found the number 1 (at $.powers[1].name)",
          "3️⃣ error: expected a string for 'Power.id', found the number 2 (at $.powers[1].id)",
          "4️⃣ error: expected a value for 'Power.name', which is not optional, found none (at $.powers[2].name)",
          "5️⃣ error: expected a date (RFC 3339 text) for 'Hero.born', found the string \"yesterday\" (at $.born)",
          "6️⃣ error: expected a value for 'Hero.id', which is not optional, found none (at $.boss.id)",
          "7️⃣ error: expected an integer from -32768 to 32767 for 'Hero.dotted', found the number 1.5 (at $['a.b']['it\\'s']['c d'])",
          "8️⃣ error: expected an integer for 'Hero.id', found the string \"1\" (at $.id)",
          "9️⃣ error: expected a string for 'Hero.name', found an array (at $.name)",
        ])
  }

  @Test("D7: paths begin at the root of the document and include the path in `at:`")
  func at() throws {
    let context = try Fixture.context(entities)
    #expect(
      refusals(#"{"data": {"the items": [{"id": 1️⃣"x"}]}}"#, of: "Hero", in: context, at: ["data", "the items"]) == [
        "1️⃣ error: expected an integer for 'Hero.id', found the string \"x\" (at $.data['the items'][0].id)"
      ])
  }

  @Test(
    "D7: columns count Unicode scalars from 1, and a tab is one column; lines end at LF or CRLF, not at CR",
    arguments: [
      ("[\n\t\t{\"id\": \"x\"}]", 2, 10), ("[\r\n{\"id\": \"x\"}]", 2, 8), ("[\r{\"id\": \"x\"}]", 1, 10),
      (#"[{"name": "é", "id": "x"}]"#, 1, 22), ("[{\"name\": \"e\u{301}\", \"id\": \"x\"}]", 1, 23),
      (#"[{"name": "😀", "id": "x"}]"#, 1, 22), (#"[{"name": "👨‍👩‍👧", "id": "x"}]"#, 1, 26),
      ("\u{FEFF}[{\"id\": \"x\"}]", 1, 9), ("[{\"name\": \"\u{2028}\", \"id\": \"x\"}]", 1, 22),
      ("\n\n\n[{\"id\":\n\"x\"}]", 5, 1),
    ])
  func columns(text: String, line: Int, column: Int) throws {
    let context = try Fixture.context(entities)
    let error = #expect(throws: ImportError.self) { try objects(ofEntity: "Hero", fromJSON: text, in: context) }
    let location = error?.diagnostics.first?.location
    #expect(location?.line == line && location?.column == column, "\(error?.description ?? "")")
    #expect(error?.diagnostics.first?.path == "$[0].id")
  }

  @Test(
    "D7: a syntax error ends the import, and is reported together with the faults before it",
    arguments: [
      (
        #"[{"id": 1️⃣"x"}, {"id": 02️⃣1}]"#,
        [
          "1️⃣ error: expected an integer for 'Hero.id', found the string \"x\" (at $[0].id)",
          "2️⃣ error: expected no digit after a leading zero in a number (at $[1].id)",
        ]
      ),
      (
        #"[{"id": 1}1️⃣, ]"#,
        ["1️⃣ error: expected more after the comma: JSON does not allow trailing commas (at $[0])"]
      ),
      (#"{"id": 1, "name": "a1️⃣"#, [#"1️⃣ error: the text ends inside a string: expected '"' (at $.name)"#]),
      (#"{"id": 1 1️⃣"name": "a"}"#, ["1️⃣ error: expected ',' or '}' (at $.id)"]),
      (
        #"{"id": 11️⃣,}"#,
        ["1️⃣ error: expected more after the comma: JSON does not allow trailing commas (at $.id)"]
      ),
      (#"{1️⃣id: 1}"#, ["1️⃣ error: expected a key in double quotes (at $)"]),
      (#"{"id" 1️⃣1}"#, ["1️⃣ error: expected ':' after a key (at $.id)"]),
      (#"1️⃣"#, ["1️⃣ error: expected a JSON value, found nothing (at $)"]),
      ("   1️⃣", ["1️⃣ error: expected a JSON value, found nothing (at $)"]),
      (#"[{"id": 1}1️⃣"#, ["1️⃣ error: the text ends where ',' or ']' was expected (at $[0])"]),
      (
        #"{"name": "1️⃣\x", "id": 1}"#,
        [
          #"1️⃣ error: expected an escape after '\': one of " \ / b f n r t, or u and four hexadecimal digits (at $.name)"#
        ]
      ),
      (
        #"{"name": "1️⃣\ud800", "id": 1}"#,
        ["1️⃣ error: expected both halves of a surrogate pair, found only one (at $.name)"]
      ),
      (
        "{\"name\": \"a1️⃣\u{1}\", \"id\": 1}",
        [#"1️⃣ error: a control character (U+01) in a string must be escaped as \u0001 (at $.name)"#]
      ),
      (
        #"{"x": {"y": [1, 1️⃣tru]}, "id": 1}"#,
        ["1️⃣ error: expected a JSON value: an object, an array, a string, a number, true, false or null (at $.x.y[1])"]
      ),
      (#"{"id": 11️⃣x}"#, ["1️⃣ error: expected ',' or '}' (at $.id)"]),
      (#"[{"id": 1}] 1️⃣,"#, ["1️⃣ error: expected nothing after the end of the JSON value (at $)"]),
      (
        #"{"powers": [{"id": "1", "name": 1️⃣'x'}]}"#,
        [
          "1️⃣ error: expected a JSON value, found a single quote: JSON strings use double quotes (at $.powers[0].name)"
        ]
      ),
    ])
  func syntax(text: String, messages: [String]) throws {
    let context = try Fixture.context(entities)
    #expect(refusals(text, of: "Hero", in: context) == messages)
  }

  @Test("D8: UTF-16 and UTF-32 are rejected by name, and other invalid UTF-8 is rejected at its location")
  func encodings() throws {
    let context = try Fixture.context(entities)
    func message(_ bytes: [UInt8]) -> String? {
      do {
        try objects(ofEntity: "Hero", fromJSON: bytes, in: context)
        return nil
      } catch {
        return error.diagnostics.first.map(\.description)
      }
    }
    let text = #"{"id": 1}"#
    #expect(
      message([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        == "<payload>:1:1: error: the text is UTF-16 (little endian), but JSON must be UTF-8 (RFC 8259, section 8.1)"
    )
    #expect(
      message(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        == "<payload>:1:1: error: the text is UTF-16 (big endian), but JSON must be UTF-8 (RFC 8259, section 8.1)"
    )
    #expect(
      message(text.unicodeScalars.flatMap { [UInt8($0.value), 0, 0, 0] })
        == "<payload>:1:1: error: the text is UTF-32 (little endian), but JSON must be UTF-8 (RFC 8259, section 8.1)"
    )
    #expect(message([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == nil)
    #expect(
      message(Array(#"{"id": 1, "name": ""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8))
        == "<payload>:1:20: error: the bytes are not valid UTF-8")
    #expect(
      message(Array(#"{"id": 1, "x": ""#.utf8) + [0xED, 0xA0, 0x80] + Array(#""}"#.utf8))
        == "<payload>:1:17: error: the bytes are not valid UTF-8")
    #expect(
      message([0xFF])
        == "<payload>:1:1: error: expected a JSON value: an object, an array, a string, a number, true, false or null")
  }

  @Test(
    "I11: faults in dictionaries have paths but no lines",
    arguments: [
      (
        "name", 5 as any Sendable,
        "<payload>: error: expected a string for 'Hero.name', found the number 5 (at $[1].name)"
      ),
      (
        "boss", [1] as [Int],
        "<payload>: error: expected an object or an identifier for 'Hero.boss', found an array (at $[1].boss)"
      ),
      (
        "powers", ["id": "1", "name": "x"],
        "<payload>: error: expected an array for the to-many relationship 'Hero.powers', found an object (at $[1].powers)"
      ),
      (
        "a.b", ["it's": ["c d": "x"]],
        "<payload>: error: expected an integer for 'Hero.dotted', found the string \"x\" (at $[1]['a.b']['it\\'s']['c d'])"
      ),
    ] as [(String, any Sendable, String)])
  func dictionaries(key: String, value: any Sendable, message: String) throws {
    let context = try Fixture.context(entities)
    #expect(refusals([["id": 1], ["id": 2, key: value]], of: "Hero", in: context) == [message])
  }

  @Test("D7: errors are collected up to the limit; with a limit of one, the import stops at the first error")
  func limit() throws {
    let names = (1...50).map { "a\($0)" }
    let context = try Fixture.context(
      "\"T\": {\"attributes\": {\(names.map { "\"\($0)\": {\"type\": \"date\", \"optional\": true}" }.joined(separator: ", "))}}"
    )
    let text = "[" + names.map { #"{"\#($0)": 1}"# }.joined(separator: ",") + "]"
    #expect(refusals(text, of: "T", in: context).count == 20)
    for limit in [1, 2, 7] {
      var options = ImportOptions()
      options.limits.errors = limit
      let lines = refusals(text, of: "T", in: context, options: options, withNotes: true)
      #expect(lines.filter { $0.hasPrefix("1") || $0.contains(" error: ") }.count == limit)
      #expect(lines.contains { $0.hasSuffix("(at $[\(limit - 1)].a\(limit))") })
      #expect(lines.last == "  note: there may be more errors: collecting stopped at the limit 'errors'")
    }
    let strict = try Fixture.context(
      "\"T\": {\"attributes\": {\(names.map { "\"\($0)\": \"string\"" }.joined(separator: ", ")), \"x\": \"string\"}}")
    let missing = refusals(#"[1️⃣{"x": "x"}]"#, of: "T", in: strict)
    #expect(missing.count == 20 && missing[19].hasSuffix("(at $[0].a20)"))
  }

  @Test("I11: values in messages are shortened and escaped")
  func shown() throws {
    let context = try Fixture.context(entities)
    let long = String(repeating: "x", count: 100)
    #expect(
      refusals(#"[{"id": 1️⃣"\#(long)"}, {"id": 2️⃣"\u001b[31m\n\u202e"}]"#, of: "Hero", in: context) == [
        "1️⃣ error: expected an integer for 'Hero.id', found the string \"\(long.prefix(80))…\" (at $[0].id)",
        #"2️⃣ error: expected an integer for 'Hero.id', found the string "\u001b[31m\n\u202e" (at $[1].id)"#,
      ])
  }

  @Test("D7: if a later dictionary has null for a required value, the error is located at that null")
  func nullInLaterDictionary() throws {
    let context = try Fixture.context(
      #""Power": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}}"#)
    let told = "1️⃣ error: expected a value for 'Power.name', which is not optional, found none (at $[1].name)"
    let text = #"[{"id": 1, "name": "A"}, {"id": 1, "name": 1️⃣null}]"#
    #expect(refusals(text, of: "Power", in: context) == [told])
    try objects(ofEntity: "Power", fromJSON: #"[{"id": 1, "name": "A"}]"#, in: context)
    #expect(refusals(text, of: "Power", in: context) == [told])
  }
}
