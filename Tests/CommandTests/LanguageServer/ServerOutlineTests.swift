import Foundation
import Graft
import GraftTools
import Testing

@Suite("graft language-server: outline, hover and renaming") struct ServerOutlineTests {
  private static let model = """
    {
      "keyStrategy": "snakeCase",
      "entities": {
        "Hero": {
          "doc": "A person.",
          "identityAttributes": "id",
          "attributes": {
            "id": "integer64",
            "realName": { "type": "string", "doc": "As in the register." },
            "bornOn": { "type": "date", "JSONKeyPath": ["b.orn", "on"] },
            "secret": { "type": "string", "optional": true, "JSONKeyPath": null }
          },
          "relationships": { "team": { "destination": "Team" } }
        },
        "Team": { "parent": "Hero" }
      }
    }
    """

  private static func at(_ name: String) -> EditorSession {
    EditorSession(text: model.replacing("\"\(name)\":", with: "\"▮\(name)\":", maxReplacements: 1))
  }

  @Test("The outline lists entities with their properties")
  func outline() throws {
    let session = EditorSession(text: Self.model)
    let symbols = try #require(try session.ask("textDocument/documentSymbol").arrayValue)
    func line(_ symbol: JSON) -> String {
      "\(symbol["name"]?.stringValue ?? "") \(symbol["detail"]?.stringValue ?? "")"
    }
    #expect(symbols.map(line) == ["Hero ", "Team < Hero"])
    let children = symbols[0]["children"]?.arrayValue ?? []
    #expect(
      children.map(line) == ["id integer64", "realName string", "bornOn date", "secret string", "team to-one Team"])
    #expect(children.map { $0["kind"] } == [8, 8, 8, 8, 7])
    #expect(symbols[0]["range"]?["start"]?["line"] == 3 && symbols[0]["range"]?["end"]?["line"] == 13)
    #expect(children[1]["selectionRange"]?["start"]?["line"] == 8)
  }

  @Test(
    "Hovering over a property shows its key path and documentation",
    arguments: [
      (
        "realName",
        "**Hero.realName**: string\n\nAs in the register.\n\nKey path: `real_name`, by the model's `keyStrategy`"
      ),
      ("bornOn", "**Hero.bornOn**: date\n\nKey path: `[\"b.orn\",\"on\"]`"),
      ("secret", "**Hero.secret**: string\n\nNo key path: neither imported nor exported"),
      ("team", "**Hero.team**: to-one relationship to Team\n\nKey path: `team`, by the model's `keyStrategy`"),
    ])
  func hover(name: String, text: String) throws {
    #expect(try Self.at(name).ask("textDocument/hover")["contents"]?["value"]?.stringValue == text)
  }

  @Test("Completion offers only transformers that fit the attribute's type")
  func transformers() throws {
    func labels(_ type: String) throws -> [String] {
      let text = "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\(type)\"JSONTransformerName\": \"▮\"}}}}}"
      return try (EditorSession(text: text).ask("textDocument/completion").arrayValue ?? []).compactMap {
        $0["label"]?.stringValue
      }
    }
    let dates = try labels("\"type\": \"date\", ")
    #expect(dates.contains("UnixTime") && dates.contains("Lenient"))
    #expect(!dates.contains("IntegerToBoolean") && !dates.contains("StringToInteger"))
    #expect(try labels("\"type\": \"integer64\", \"list\": true, ").contains("StringToInteger"))
    #expect(try labels("").contains("IntegerToBoolean"))
  }

  private static let asking: JSON = [
    "workspace": ["workspaceEdit": ["documentChanges": true, "changeAnnotationSupport": [:]]]
  ]

  @Test("Renaming offers to keep the key path and the data in stores, if the editor supports this")
  func renaming() throws {
    func renamed(_ name: String, _ strategy: String = "snakeCase") throws -> (text: String, labels: [String]) {
      let text = Self.model.replacing("snakeCase", with: strategy)
        .replacing("\"\(name)\":", with: "\"▮\(name)\":", maxReplacements: 1)
      let session = EditorSession(text: text, capabilities: Self.asking)
      let answer = try session.ask("textDocument/rename", ["newName": "other"])
      let labels = answer["changeAnnotations"]?.objectValue?.members.compactMap { $0.value["label"]?.stringValue } ?? []
      let edits = answer["documentChanges"]?.arrayValue?.first?["edits"]
      let line = try EditorSession.edited(session.text, edits).split(separator: "\n").first {
        $0.contains("\"other\":")
      }
      return (String(line ?? "").trimmingCharacters(in: .whitespaces), labels)
    }
    let property = try renamed("realName")
    #expect(
      property.text
        == #""other": { "type": "string", "doc": "As in the register.", "JSONKeyPath": "real_name", "renamedFrom": "realName" },"#
    )
    #expect(
      property.labels == ["Keep the key path 'real_name'", "Keep the data of stores: 'renamedFrom' is 'realName'"])
    #expect(
      try renamed("id").text == #""other": { "type": "integer64", "JSONKeyPath": "id", "renamedFrom": "id" },"#)
    // The key path is already declared.
    #expect(
      try renamed("bornOn").text
        == #""other": { "type": "date", "JSONKeyPath": ["b.orn", "on"], "renamedFrom": "bornOn" },"#)
    #expect(
      try renamed("realName", "explicit").labels == ["Keep the data of stores: 'renamedFrom' is 'realName'"])
    #expect(try renamed("Team").text == #""other": { "parent": "Hero", "renamedFrom": "Team" }"#)
    // Existing former names are kept.
    for (former, line) in [
      (#""alias""#, #""other": { "type": "string", "renamedFrom": ["name", "alias"], "JSONKeyPath": "n" },"#),
      (#"["a", "b"]"#, #""other": { "type": "string", "renamedFrom": ["name", "a", "b"], "JSONKeyPath": "n" },"#),
      ("[ ]", #""other": { "type": "string", "renamedFrom": ["name" ], "JSONKeyPath": "n" },"#),
    ] {
      let text =
        "{\"entities\": {\"A\": {\"attributes\": {\n\"▮name\": { \"type\": \"string\", \"renamedFrom\": \(former), \"JSONKeyPath\": \"n\" },\n}}}}"
      let session = EditorSession(text: text, capabilities: Self.asking)
      let answer = try session.ask("textDocument/rename", ["newName": "other"])
      let edited = try EditorSession.edited(session.text, answer["documentChanges"]?.arrayValue?.first?["edits"])
      #expect(edited.split(separator: "\n")[1] == line)
    }
    // Other editors only change the name.
    let plain = try Self.at("realName").ask("textDocument/rename", ["newName": "other"])
    #expect(plain["changes"]?.objectValue?.members.first?.value.arrayValue?.count == 1)
  }
}
