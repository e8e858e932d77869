import Foundation
import Graft
import GraftTools
import Testing

/// The effects of `graft lint --fix` on single mistakes.
@Suite("Fixes of model files") struct ModelFixerTests {
  private func fix(_ text: String) -> ModelFixer { ModelFixer.fix(SourceText(name: "m.json", bytes: Array(text.utf8))) }

  private func fixed(_ text: String) -> String { String(decoding: fix(text).bytes, as: UTF8.self) }

  /// The members of an entity before and after the fixes, and the descriptions of the fixes.
  static let cases: [(before: String, after: String, summaries: [String])] = [
    // Syntax.
    (#""attributes": {"a": "string" "b": "date"}"#, #""attributes": {"a": "string", "b": "date"}"#, ["inserted ','"]),
    (#""attributes": {"a": "string",, "b": "date"}"#, #""attributes": {"a": "string", "b": "date"}"#, ["removed ','"]),
    (
      #""attributes": {"a": "string"; "b": "date"}"#, #""attributes": {"a": "string", "b": "date"}"#,
      ["replaced ';' with ','"]
    ),
    (#""attributes": {'a': "string"}"#, #""attributes": {"a": "string"}"#, [#"replaced 'a' with "a""#]),
    (#""doc": 'the "best"'"#, #""doc": "the \"best\"""#, [#"replaced 'the "best"' with "the \"best\"""#]),
    (#""doc": “best”"#, #""doc": "best""#, [#"replaced “best” with "best""#]),
    (#"attributes: {}"#, #""attributes": {}"#, [#"replaced 'attributes' with "attributes""#]),
    (#"attributes": {}"#, #""attributes": {}"#, [#"inserted ""#]),
    (#""doc" "x""#, #""doc": "x""#, ["inserted ':'"]),
    (#""doc" = "x""#, #""doc" : "x""#, ["replaced '=' with ':'"]),
    (#""doc" => "x""#, #""doc" : "x""#, ["replaced '=>' with ':'"]),
    (#""doc":: "x""#, #""doc": "x""#, ["removed ':'"]),
    (#""abstract": True"#, #""abstract": true"#, ["replaced 'True' with 'true'"]),
    (#""attributes": {"a": date}"#, #""attributes": {"a": "date"}"#, [#"replaced 'date' with "date""#]),
    (#""userInfo": {"a": .5}"#, #""userInfo": {"a": 0.5}"#, ["replaced '.5' with '0.5'"]),
    ("\"doc\": \"a\tb\"", #""doc": "a\tb""#, ["replaced ' ' with '\\t'"]),
    ("\"doc\":\u{A0}\"a\"", #""doc": "a""#, ["replaced '\u{A0}' with ' '"]),
    (
      #""attributes": {"a": {"type": "string", "pattern": "^\d+$"}}"#,
      #""attributes": {"a": {"type": "string", "pattern": "^\\d+$"}}"#, [#"inserted '\'"#]
    ),
    ("# text\n\"doc\": \"a\"", "// text\n\"doc\": \"a\"", ["replaced '#' with '//'"]),
    // Names and words.
    (#""atributes": {}"#, #""attributes": {}"#, [#"replaced "atributes" with "attributes""#]),
    (#""parent": "Parnet""#, #""parent": "Parent""#, [#"replaced "Parnet" with "Parent""#]),
    (#""attributes": {"a": "strin"}"#, #""attributes": {"a": "string"}"#, [#"replaced "strin" with "string""#]),
    (#""attributes": {"a": "int"}"#, #""attributes": {"a": "integer64"}"#, [#"replaced "int" with "integer64""#]),
    (
      #""relationships": {"a": {"type": "Parent"}}"#, #""relationships": {"a": {"destination": "Parent"}}"#,
      [#"replaced "type" with "destination""#]
    ),
    (
      #""relationships": {"a": {"entity": "Parent"}}"#, #""relationships": {"a": {"destination": "Parent"}}"#,
      [#"replaced "entity" with "destination""#]
    ),
    (
      #""identityAttributes": "name, nubmer", "attributes": {"name": "string", "number": "string"}"#,
      #""identityAttributes": "name, number", "attributes": {"name": "string", "number": "string"}"#,
      ["replaced 'nubmer' with 'number'"]
    ),
    (
      #""identityAttribute": "name", "attributes": {"name": "string"}"#,
      #""identityAttributes": "name", "attributes": {"name": "string"}"#,
      [#"replaced "identityAttribute" with "identityAttributes""#]
    ),
    (
      #""entityMapper": {"JSONKeyPath": "t", "entities": {"a": "Thing"}, "otherwise": "Thng"}"#,
      #""entityMapper": {"JSONKeyPath": "t", "entities": {"a": "Thing"}, "otherwise": "Thing"}"#,
      [#"replaced "Thng" with "Thing""#]
    ),
    (
      #""entityMapper": {"JSONKeyPath": "t", "entities": {"a": "Thing"}, "otherwize": null}"#,
      #""entityMapper": {"JSONKeyPath": "t", "entities": {"a": "Thing"}, "otherwise": null}"#,
      [#"replaced "otherwize" with "otherwise""#]
    ),
    (
      #""identityAttributes": "id", "attributes": {"id": "string"}, "deletedWhen": {"JSONKeyPath": "g", "equal": true}"#,
      #""identityAttributes": "id", "attributes": {"id": "string"}, "deletedWhen": {"JSONKeyPath": "g", "equals": true}"#,
      [#"replaced "equal" with "equals""#]
    ),
    (
      #""identityAttributes": "nubmer", "attributes": {"number": {"type": "string", "JSONKeyPath": "number"}}"#,
      #""identityAttributes": "number", "attributes": {"number": {"type": "string", "JSONKeyPath": "number"}}"#,
      ["replaced 'nubmer' with 'number'"]
    ),
    // Values.
    (#""abstract": "true""#, #""abstract": true"#, [#"replaced "true" with 'true'"#]),
    (
      #""attributes": {"a": "string?"}"#, #""attributes": {"a": { "type": "string", "optional": true }}"#,
      [#"replaced "string?" with { "type": "string", "optional": true }"#]
    ),
    (
      #""attributes": {"a": "String?"}"#, #""attributes": {"a": { "type": "string", "optional": true }}"#,
      [#"replaced "String?" with { "type": "string", "optional": true }"#]
    ),
    (
      #""attributes": {"a": {"type": ["int", "null"], "JSONKeyPath": "a"}}"#,
      #""attributes": {"a": {"type": "integer64", "optional": true, "JSONKeyPath": "a"}}"#,
      [#"replaced ["int", "null"] with "integer64", "optional": true"#]
    ),
    (
      #""attributes": {"a": {"type": "string", "maxLength": "5"}}"#,
      #""attributes": {"a": {"type": "string", "maxLength": 5}}"#, [#"replaced "5" with '5'"#]
    ),
    (
      #""attributes": {"a": {"type": "string", "JSONKeyPath": "$.a.b"}}"#,
      #""attributes": {"a": {"type": "string", "JSONKeyPath": "a.b"}}"#, [#"replaced "$.a.b" with "a.b""#]
    ),
    // One fix makes another fix possible.
    (
      #""atributes": {"a": 'strin'}"#, #""attributes": {"a": "string"}"#,
      [
        #"replaced 'strin' with "strin""#, #"replaced "atributes" with "attributes""#,
        #"replaced "strin" with "string""#,
      ]
    ),
  ]

  @Test("A mistake is fixed if there is only one way to fix it", arguments: cases)
  func fixes(before: String, after: String, summaries: [String]) {
    func model(_ members: String) -> String { "{\"entities\": {\"Parent\": {}, \"Thing\": {\n\(members)\n}}}" }
    let result = fix(model(before))
    #expect(String(decoding: result.bytes, as: UTF8.self) == model(after))
    #expect(result.fixes.map(\.summary).sorted() == summaries.sorted())
    #expect(!result.findings.contains { $0.severity == .error })
  }

  @Test("A misspelled key is fixed even if this reveals mistakes, unless there would be more errors than before")
  func revealed() {
    #expect(
      fixed(#"{"entites": {"A": {"atributes": {"a": "strin"}}}}"#)
        == #"{"entities": {"A": {"attributes": {"a": "string"}}}}"#)
    #expect(
      fixed(#"{"entites": {"A": {"atributes": {}, "parent": "Nobody"}}}"#)
        == #"{"entities": {"A": {"attributes": {}, "parent": "Nobody"}}}"#)
    let hopeless = #"{"entites": {"A": {"parent": "Nobody"}, "B": {"parent": "Noone"}}}"#
    #expect(fixed(hopeless) == hopeless)
  }

  @Test(
    "A mistake is left unchanged if it could be fixed in several ways, or if the fix would be a guess",
    arguments: [
      // Two candidates are equally similar.
      #"{"entities": {"Heros": {}, "Herod": {}, "Thing": {"parent": "Heroz"}}}"#,
      // The entity is probably not declared yet.
      #"{"entities": {"Level1": {}, "Thing": {"relationships": {"a": {"destination": "Level2"}}}}}"#,
      #"{"entities": {"Cat": {}, "Thing": {"relationships": {"a": {"destination": "Car"}}}}}"#,
      #"{"entities": {"HeroTeam": {}, "Thing": {"parent": "Hero"}}}"#,
      // The only legal name is not similar.
      #"{"entities": {"Thing": {}, "Bee": {"parent": "Nobody"}}}"#,
      // A program can register the name.
      #"{"entities": {"A": {"attributes": {"a": {"type": "integer64", "JSONKeyPath": "a", "JSONTransformerName": "StringToIntegr"}}}}}"#,
      // The attribute itself might be misspelled.
      #"{"entities": {"A": {"identityAttributes": "number", "attributes": {"nubmer": {"type": "string", "JSONKeyPath": "no"}}}}}"#,
      // The value does not fit the intended key.
      #"{"entities": {"A": {"attributes": {"a": {"type": "string", "JSONKeyPath": "a", "readonly": true}}}}}"#,
      // The key that was meant is already present.
      #"{"entities": {"A": {"attributes": {"a": {"type": "string", "optional": true, "optinal": true}}}}}"#,
      // The member could be an array of values or a relationship.
      #"{"entities": {"A": {"attributes": {"a": "array"}}}}"#,
      // Two relationships declare the same inverse.
      #"{"entities": {"A": {"relationships": {"x": {"destination": "B", "inverse": "z"}, "y": {"destination": "B", "inverse": "z"}}}, "B": {"relationships": {"z": {"destination": "A"}}}}}"#,
      // A bracket is missing, so the comma might be correct.
      "{\"entities\": {\"A\": {\"doc\": \"a\"\n\"B\": {}}",
      // The string is not closed.
      "{\"entities\": {\"A\": {\"doc\": \"a, \n\"class\": 'B' }}}",
    ])
  func ambiguous(model: String) {
    #expect(!fix(model).findings.isEmpty)
    #expect(fixed(model) == model)
  }

  @Test("A missing inverse is declared on the same line or on its own line, in the style of its neighbors")
  func inverses() {
    let text = """
      {"entities": {
        "Team": {"relationships": {"heroes": {
          "destination": "Hero", "toMany": true, "inverse": "team" }}},
        "Hero": {"relationships": {
          "team": { "destination": "Team", "JSONKeyPath": "team" },
          "power": {
            "destination": "Power", // The strongest one.
            "inverse": "heroes"
          }
        }},
        "Power": {"relationships": {"heroes": {\r
          "destination": "Hero",\r
          "toMany": true\r
        }}}
      }}
      """
    let expected =
      text.replacing(#""destination": "Team","#, with: #""destination": "Team", "inverse": "heroes","#)
      .replacing(
        "\"destination\": \"Hero\",\r\n", with: "\"destination\": \"Hero\",\r\n    \"inverse\": \"power\",\r\n")
    #expect(fixed(text) == expected)
    #expect(!fix(text).findings.contains { $0.severity == .error })
  }

  @Test("A cascade without an inverse gets an inverse, which is declared on both sides")
  func cascade() {
    let text = """
      {"keyStrategy": "sameName", "entities": {
        "Team": {"identityAttributes": "id", "attributes": {"id": "string"}, "relationships": {
          "heroes": {"destination": "Hero", "toMany": true, "deleteRule": "cascade"}}},
        "Hero": {"identityAttributes": "id", "attributes": {"id": "string"}, "relationships": {
          "team": {"destination": "Team"}}}
      }}
      """
    let result = fix(text)
    #expect(result.findings == [])
    #expect(
      result.fixes.map(\.summary) == [#"inserted "inverse": "team" and inserted "inverse": "heroes""#])
  }

  @Test("If several uses of a name agree, the uses are not changed: the declaration might be misspelled")
  func agreement() {
    let text = """
      {"entities": {
        "Lcturer": {"attributes": {"name": "string"}},
        "Course": {"relationships": {"first": {"destination": "Lecturer"}, "second": {"destination": "Lecturer"}}}
      }}
      """
    let result = fix(text)
    #expect(String(decoding: result.bytes, as: UTF8.self) == text)
    #expect(result.findings.contains { $0.suggestion == "Lcturer" })
  }

  @Test("A fix is not made if it reveals more errors than it resolves")
  func reveals() {
    // With the right parent, both attributes would be declared twice.
    let text = """
      {"entities": {
        "Parent": {"attributes": {"a": "string", "b": "string"}},
        "Child": {"parent": "Parnt", "attributes": {"a": "string", "b": "string"}, 'doc': "x"}
      }}
      """
    let result = fix(text)
    #expect(String(decoding: result.bytes, as: UTF8.self) == text.replacing("'doc'", with: "\"doc\""))
    #expect(result.findings.map(\.code) == [.unknownEntity])
  }
}
