import Foundation
import Graft
import GraftTools
import Testing

@Suite("graft language-server: names") struct ServerNameTests {
  private static func text(_ range: JSON?, in text: String) throws -> String {
    let start = try EditorSession.index(in: text, of: range?["start"])
    let end = try EditorSession.index(in: text, of: range?["end"])
    return String(text.unicodeScalars[start..<end])
  }

  /// A text with a cursor, and the line and the name of the declaration.
  static let definitions: [(text: String, line: Int, name: String)] = [
    ("{\"entities\": {\n\"Team\": {},\n\"Hero\": {\"parent\": \"Te▮am\"}}}", 1, "Team"),
    ("{\"entities\": {\n\"Team\": {},\n\"Hero\": {\"parent\": ▮\"Team\"}}}", -1, ""),
    (
      "{\"entities\": {\n\"Team\": {},\n\"Hero\": {\"relationships\": {\"a\": {\"destination\": \"Team▮\"}}}}}", 1,
      "Team"
    ),
    (
      "{\"entities\": {\"Hero\": {\"identityAttributes\": \"id, na▮me\", \"attributes\": {\"id\": \"string\",\n\"name\": \"string\"}}}}",
      1, "name"
    ),
    (
      "{\"entities\": {\"Thing\": {\"attributes\": {\n\"id\": \"string\"}}, \"Hero\": {\"parent\": \"Thing\", \"identityAttributes\": [\"▮id\"]}}}",
      1, "id"
    ),
    (
      "{\"entities\": {\"A\": {\"relationships\": {\"b\": {\"destination\": \"B\", \"inverse\": \"a▮s\"}}}, \"B\": {\"relationships\": {\n\"as\": {\"destination\": \"A\"}}}}}",
      1, "as"
    ),
    (
      "{\"entities\": {\"M\": {\"entityMapper\": {\"JSONKeyPath\": \"t\", \"entities\": {\"x\": \"T▮\"}}},\n\"T\": {\"parent\": \"M\"}}}",
      1, "T"
    ),
    (
      "{\"entities\": {\"M\": {\"entityMapper\": {\"JSONKeyPath\": \"t\", \"otherwise\": \"T▮\"}},\n\"T\": {\"parent\": \"M\"}}}",
      1, "T"
    ),
    ("{\"entities\": {\"M\": {\"indexes\": [\"▮at\"], \"attributes\": {\n\"at\": \"date\"}}}}", 1, "at"),
    ("{\"entities\": {\"M\": {\"indexes\": [[\"n\", \"a▮t\"]], \"attributes\": {\n\"at\": \"date\"}}}}", 1, "at"),
    ("{\"entities\": {\"M\": {\"modificationAttribute\": \"▮at\", \"attributes\": {\n\"at\": \"date\"}}}}", 1, "at"),
    (
      "{\"entities\": {\"M\": {\"deletedWhen\": {\"JSONKeyPath\": \"is_g▮one\", \"equals\": true}, \"attributes\": {\n\"isGone\": {\"type\": \"boolean\", \"JSONKeyPath\": \"is_gone\"}}}}}",
      1, "isGone"
    ),
    ("{\"entities\": {\"M\": {\"doc\": \"M▮\"}}}", -1, ""), ("▮{}", -1, ""), ("▮", -1, ""),
  ]

  @Test("Going to a name's definition finds its declaration", arguments: definitions)
  func definition(text: String, line: Int, name: String) throws {
    let session = EditorSession(text: text)
    let answer = try session.ask("textDocument/definition")
    guard line >= 0 else {
      #expect(answer == .null)
      return
    }
    #expect(answer["range"]?["start"]?["line"] == .number(JSONNumber(line)))
    #expect(try Self.text(answer["range"], in: session.text) == name)
  }

  private static let heroes = """
    {
      "entities": {
        "Thing": { "identityAttributes": "id, na▮me", "attributes": { "id": "string", "name": "string" } },
        "Hero": {
          "parent": "Thing",
          "relationships": { "team": { "destination": "Team", "inverse": "members" } },
        },
        "Team": {
          "attributes": { "name": "string" }, // Another name.
          "relationships": { "members": { "destination": "Hero", "toMany": true, "inverse": "team" } },
        },
      },
    }
    """

  @Test(
    "References are all mentions of the same declaration, and no mention of a different declaration with the same name")
  func references() throws {
    let session = EditorSession(text: Self.heroes)
    let all = try session.ask("textDocument/references", ["context": ["includeDeclaration": true]])
    #expect(all.arrayValue?.map { $0["range"]?["start"]?["line"] } == [2, 2])
    let uses = try session.ask("textDocument/references", ["context": ["includeDeclaration": false]])
    #expect(uses.arrayValue?.count == 1)
  }

  @Test("Renaming changes every mention of a name")
  func rename() throws {
    let session = EditorSession(text: Self.heroes)
    let edit = try session.ask("textDocument/rename", ["newName": "tit\"le"])
    let result = try EditorSession.edited(session.text, edit["changes"]?[EditorSession.uri])
    #expect(
      result
        == session.text.replacing("id, name", with: #"id, tit\"le"#).replacing(
          #""id": "string", "name""#, with: #""id": "string", "tit\"le""#))
  }

  @Test("Names in synchronization keys and fallbacks are renamed, and key paths are not")
  func synchronization() throws {
    let model = """
      {
        "keyStrategy": "sameName",
        "entities": {
          "Thing": {
            "modificationAttribute": "seen",
            "indexes": ["seen", ["name", "seen"]],
            "deletedWhen": { "JSONKeyPath": "seen", "equals": 0 },
            "entityMapper": { "JSONKeyPath": "type", "entities": { "o": "Other" }, "otherwise": "Other" },
            "attributes": { "seen": "integer64", "name": "string" },
          },
          "Other": { "parent": "Thing" },
        },
      }
      """
    for (place, name, count) in [("\"seen\",", "seen", 4), ("\"Other\" }", "Other", 3)] {
      let marked = model.replacingOccurrences(of: place, with: "\"▮" + place.dropFirst())
      let edit = try EditorSession(text: marked).ask("textDocument/rename", ["newName": "zzz"])
      let result = try EditorSession.edited(model, edit["changes"]?[EditorSession.uri])
      #expect(result.ranges(of: "zzz").count == count, "\(name): \(result)")
    }
  }

  @Test("M24, S21: names in key paths of several keys and in migrations of relationships are renamed")
  func groups() throws {
    let model = """
      {
        "version": "2",
        "entities": {
          "Shop": { "identityAttributes": "code", "attributes": { "code": "string" } },
          "Product": {
            "identityAttributes": ["shop", "sku"],
            "attributes": { "sku": "string" },
            "relationships": { "shop": { "destination": "Shop", "migratedFrom": { "version": "2", "attributes": { "code": "shopCode" } } } },
          },
          "Sale": { "relationships": { "product": { "destination": "Product", "JSONKeyPath": { "shop.code": "shop_id", "sku": "sku", "@type": "code" } } } },
        },
      }
      """
    for (place, name, count) in [
      ("\"shop\", \"sku\"]", "shop", 3), ("\"sku\": \"string", "sku", 3), ("\"code\": \"string", "code", 4),
    ] {
      let marked = model.replacingOccurrences(of: place, with: "\"▮" + place.dropFirst())
      let edit = try EditorSession(text: marked).ask("textDocument/rename", ["newName": "zzz"])
      let result = try EditorSession.edited(model, edit["changes"]?[EditorSession.uri])
      #expect(result.ranges(of: "zzz").count == count, "\(name): \(result)")
      #expect(
        result.contains("\"shop_id\"") && result.contains("\"@type\": \"code\"") && result.contains(": \"shopCode\""))
    }
  }

  @Test(
    "A new name that is already used or is invalid is refused",
    arguments: [
      (
        "x y",
        "{\"entities\": {\"T\": {\"identityAttributes\": \"▮a, b\", \"attributes\": {\"a\": \"string\", \"b\": \"string\"}}}}",
        "'x y' has a space, which ends a name in a string of several names; write them as an array first"
      ),
      ("Hero", "{\"entities\": {\"Te▮am\": {}, \"Hero\": {}}}", "there is already an entity named 'Hero'"),
      ("A=B", "{\"entities\": {\"Te▮am\": {}}}", "'A=B' cannot be the name of an entity: it contains '='"),
      (
        "b",
        "{\"entities\": {\"P\": {\"attributes\": {\"▮a\": \"string\"}}, \"C\": {\"parent\": \"P\", \"attributes\": {\"b\": \"string\"}}}}",
        "entity 'C' already has a property named 'b'"
      ),
      ("x", "{\"ent▮ities\": {}}", "there is no entity, attribute or relationship here"),
      (
        "x", "{\"entities\": {\"Te▮am\": {}}", "the file has syntax errors, so mentions could be missed; fix them first"
      ),
    ])
  func refused(name: String, text: String, message: String) throws {
    let answer = try EditorSession(text: text).answer("textDocument/rename", ["newName": .string(name)])
    #expect(answer["error"]?["message"] == .string(message) && answer["error"]?["code"] == -32803)
  }

  @Test("Renaming any name of any model causes no errors, and renaming it back restores the model")
  func laws() throws {
    for model in ["Comics", "Messages", "Posts", "Cards", "Timetable"] {
      let url = Invocation.root.appendingPathComponent("Models/\(model).json")
      let text = try String(contentsOf: url, encoding: .utf8)
      let scalars = text.unicodeScalars
      let names = text.ranges(of: /"[A-Za-z]+"(?=: *(?:\{|"))/).map(\.lowerBound)
      let positions = names.map { EditorSession.position(in: text, of: scalars.index($0, offsetBy: 1)) }
      func requests(_ method: String, _ params: JSONObject) -> [JSON] {
        positions.enumerated().map { number, position in
          var params = params
          params["textDocument"] = ["uri": .string(EditorSession.uri)]
          params["position"] = position
          return EditorSession.request(number, "textDocument/\(method)", .object(params))
        }
      }
      let session = EditorSession(text: text)
      let answers = try EditorSession.run(
        session.messages + requests("rename", ["newName": "zzzNew"]) + EditorSession.ending
      ).messages.dropFirst(2)
      var count = 0
      for answer in answers {
        guard let edits = answer["result"]?["changes"]?[EditorSession.uri] else { continue }
        let renamed = try EditorSession.edited(text, edits)
        let findings = ModelFixer.findings(in: SourceText(name: "m.json", bytes: Array(renamed.utf8)))
        #expect(!findings.contains { $0.severity == .error }, "\(findings)")
        let mentions = renamed.ranges(of: "zzzNew").count
        #expect(mentions == edits.arrayValue?.count && renamed != text)
        count += 1
      }
      #expect(count > 5)
    }
  }

  /// A text with a cursor, and the beginning of the hover text.
  static let hovers: [(text: String, explanation: String?)] = [
    ("{\"entities\": {\"A\": {\"par▮ent\": \"B\"}}}", "**parent** of an entity\n\nThe entity that this one extends."),
    ("{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"type\": \"da▮te\"}}}}}", "**type**: `date`\n\n"),
    ("{\"entities\": {\"A\": {\"attributes\": {\"a\": \"da▮te\"}}}}", "**type**: `date`\n\n"),
    (
      "{\"entities\": {\"A▮\": {\"doc\": \"An 🦇.\", \"identityAttributes\": \"x\", \"attributes\": {\"x\": \"string\"}}}}",
      "**A**: entity\n\nAn 🦇.\n\nIdentity: `x`"
    ),
    (
      "{\"entities\": {\"A\": {\"relationships\": {\"b▮\": {\"destination\": \"A\", \"toMany\": true, \"doc\": \"Bs\"}}}}}",
      "**A.b**: to-many relationship to A\n\nBs"
    ),
    (
      "{\"entities\": {\"A\": {\"deletedWhen\": {\"equ▮als\": true}}}}",
      "**equals** of a deletion mark\n\nThe value that marks an object as deleted"
    ),
    (
      "{\"entities\": {\"A\": {\"deletedWhen\": {\"JSONKeyPath\": \"g▮\"}, \"attributes\": {\"gone\": {\"type\": \"boolean\", \"JSONKeyPath\": \"g\"}}}}}",
      "**A.gone**: boolean"
    ),
    (
      "{\"entities\": {\"A\": {\"entityMapper\": {\"otherwise\": \"B▮\"}}, \"B\": {\"parent\": \"A\"}}}",
      "**B**: entity < A"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"migratedFrom\": {\"separa▮tor\": \",\"}}}}}}",
      "**separator** of 'migratedFrom' of an attribute\n\nThe separator between"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"JSONTransformerName\": [\"Blank\", \"Unix▮Time\"]}}}}}",
      "**JSONTransformerName**: `UnixTime`\n\nA date from the seconds since 1970"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"JSONKeyPath\": \"@in▮dex\"}}}}}",
      "**JSONKeyPath**: `@index`\n\nThe position of the object"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"JSONKeyPath\": \"@par▮ent.id\"}}}}}",
      "**JSONKeyPath**: `@parent.id`\n\nA value of the object that contains"
    ),
    ("{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"JSONKeyPath\": \"na▮me\"}}}}}", nil),
    ("{\"entities\": {\"A\": {\"doc\": \"par▮ent\"}}}", nil), ("{ // par▮ent\n}", nil),
    ("{\"userInfo\": {\"par▮ent\": 1}}", nil),
  ]

  @Test("Hovering over a key, word or name shows its explanation", arguments: hovers)
  func hover(text: String, explanation: String?) throws {
    let answer = try EditorSession(text: text).ask("textDocument/hover")
    let value = answer["contents"]?["value"]?.stringValue
    #expect(explanation.map { value?.hasPrefix($0) ?? false } ?? (answer == .null), "\(answer)")
  }
}
