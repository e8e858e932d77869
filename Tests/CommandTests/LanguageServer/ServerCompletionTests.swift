import Foundation
import Graft
import Testing

@Suite("graft language-server: completion") struct ServerCompletionTests {
  /// A text with a cursor, some of the offered items, whether these are all of the items, and the text after choosing the first item.
  static let cases: [(text: String, items: [String], isAll: Bool, result: String)] = [
    ("{▮}", ["$schema", "name", "entities"], false, "{\"$schema\": }"),
    ("{\"▮\"}", ["$schema", "entities"], false, "{\"$schema\": }"),
    ("{\"na▮\": 5}", ["name"], false, "{\"name\": 5}"),
    ("{\"keyStrategy\": \"▮\"}", ["explicit", "sameName", "snakeCase"], true, "{\"keyStrategy\": \"explicit\"}"),
    ("{\"keyStrategy\": ▮}", ["explicit", "sameName", "snakeCase"], true, "{\"keyStrategy\": \"explicit\"}"),
    ("{\"entities\": {\"▮\"}}", [], true, ""),
    (
      "{\"entities\": {\"A\": {\"doc\": \"x\", \"▮}}}", ["parent", "attributes"], false,
      "{\"entities\": {\"A\": {\"doc\": \"x\", \"parent\": }}}"
    ),
    (
      "{\"entities\": {\"A\": {\"parent\": \"▮\"}, \"B\": {}, \"C\": {\"parent\": \"A\"}}}", ["B"], true,
      "{\"entities\": {\"A\": {\"parent\": \"B\"}, \"B\": {}, \"C\": {\"parent\": \"A\"}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"abstract\": ▮}}}", ["true", "false"], true,
      "{\"entities\": {\"A\": {\"abstract\": true}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": \"▮\"}}}}", ["integer64", "json"], false,
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": \"integer64\"}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"type\": \"▮\"}}}}}", ["date"], false,
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"type\": \"date\"}}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"JSONTransformerName\": \"Str▮\"}}}}}", ["StringToInteger"],
      false, "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"JSONTransformerName\": \"StringToInteger\"}}}}}"
    ),
    (
      "{\"entities\": {\"🦇\": {\"relationships\": {\"a\": {\"destination\": \"▮\"}}}}}", ["🦇"], true,
      "{\"entities\": {\"🦇\": {\"relationships\": {\"a\": {\"destination\": \"🦇\"}}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"relationships\": {\"b\": {\"destination\": \"B\", \"inverse\": \"▮\"}}}, \"B\": {\"relationships\": {\"x\": {\"destination\": \"A\"}, \"y\": {\"destination\": \"B\"}}}}}",
      ["x"], true,
      "{\"entities\": {\"A\": {\"relationships\": {\"b\": {\"destination\": \"B\", \"inverse\": \"x\"}}}, \"B\": {\"relationships\": {\"x\": {\"destination\": \"A\"}, \"y\": {\"destination\": \"B\"}}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"id\": \"string\", \"no\": \"string\"}, \"identityAttributes\": [\"id\", \"▮\"]}}}",
      ["id", "no"],
      true,
      "{\"entities\": {\"A\": {\"attributes\": {\"id\": \"string\", \"no\": \"string\"}, \"identityAttributes\": [\"id\", \"id\"]}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"no\": \"string\"}, \"identityAttributes\": \"id, n▮\"}}}", ["no"],
      true,
      "{\"entities\": {\"A\": {\"attributes\": {\"no\": \"string\"}, \"identityAttributes\": \"id, no\"}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"migratedFrom\": {\"▮\"}}}}}}",
      ["doc", "version", "attributes", "separator", "part", "parts", "JSONTransformerName"], true,
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"migratedFrom\": {\"doc\": }}}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"x\": \"string\", \"y\": \"string\"}, \"indexes\": [\"x\", [\"x\", \"▮\"]]}}}",
      ["x", "y"], true,
      "{\"entities\": {\"A\": {\"attributes\": {\"x\": \"string\", \"y\": \"string\"}, \"indexes\": [\"x\", [\"x\", \"x\"]]}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"relationships\": {\"p\": {\"destination\": \"P\", \"JSONKeyPath\": {\"x\": \"a\", \"▮\"}}}}, \"P\": {\"identityAttributes\": [\"x\", \"y\"], \"attributes\": {\"x\": \"string\", \"y\": \"string\", \"z\": \"string\"}}}}",
      ["y"], true,
      "{\"entities\": {\"A\": {\"relationships\": {\"p\": {\"destination\": \"P\", \"JSONKeyPath\": {\"x\": \"a\", \"y\": }}}}, \"P\": {\"identityAttributes\": [\"x\", \"y\"], \"attributes\": {\"x\": \"string\", \"y\": \"string\", \"z\": \"string\"}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"relationships\": {\"p\": {\"destination\": \"P\", \"migratedFrom\": {\"attributes\": {\"▮\"}}}}}, \"P\": {\"attributes\": {\"x\": \"string\", \"z\": \"string\"}}}}",
      ["x", "z"], true,
      "{\"entities\": {\"A\": {\"relationships\": {\"p\": {\"destination\": \"P\", \"migratedFrom\": {\"attributes\": {\"x\": }}}}}, \"P\": {\"attributes\": {\"x\": \"string\", \"z\": \"string\"}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"type\": \"boolean\", \"default\": ▮}}}}}", ["true", "false"],
      true,
      "{\"entities\": {\"A\": {\"attributes\": {\"a\": {\"type\": \"boolean\", \"default\": true}}}}}"
    ),
    (
      "{\"entities\": {\"M\": {\"abstract\": true, \"entityMapper\": {\"entities\": {\"x\": \"▮\"}}}, \"T\": {\"parent\": \"M\"}, \"U\": {}}}",
      ["T"], true,
      "{\"entities\": {\"M\": {\"abstract\": true, \"entityMapper\": {\"entities\": {\"x\": \"T\"}}}, \"T\": {\"parent\": \"M\"}, \"U\": {}}}"
    ),
    (
      "{\"entities\": {\"M\": {\"abstract\": true, \"entityMapper\": {\"otherwise\": \"▮\"}}, \"T\": {\"parent\": \"M\"}, \"U\": {}}}",
      ["T", "null"], true,
      "{\"entities\": {\"M\": {\"abstract\": true, \"entityMapper\": {\"otherwise\": \"T\"}}, \"T\": {\"parent\": \"M\"}, \"U\": {}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"indexes\": [\"▮\"], \"attributes\": {\"n\": \"string\", \"j\": \"json\"}, \"relationships\": {\"r\": {\"destination\": \"A\"}, \"s\": {\"destination\": \"A\", \"toMany\": true}}}}}",
      ["n", "r"], true,
      "{\"entities\": {\"A\": {\"indexes\": [\"n\"], \"attributes\": {\"n\": \"string\", \"j\": \"json\"}, \"relationships\": {\"r\": {\"destination\": \"A\"}, \"s\": {\"destination\": \"A\", \"toMany\": true}}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"modificationAttribute\": \"▮\", \"attributes\": {\"at\": \"date\", \"n\": \"string\", \"v\": {\"type\": \"double\"}}}}}",
      ["at", "v"], true,
      "{\"entities\": {\"A\": {\"modificationAttribute\": \"at\", \"attributes\": {\"at\": \"date\", \"n\": \"string\", \"v\": {\"type\": \"double\"}}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"deletedWhen\": {▮}}}}", ["doc", "JSONKeyPath", "equals"], true,
      "{\"entities\": {\"A\": {\"deletedWhen\": {\"doc\": }}}}"
    ),
    (
      "{\"keyStrategy\": \"snakeCase\", \"entities\": {\"A\": {\"deletedWhen\": {\"JSONKeyPath\": \"▮\"}, \"attributes\": {\"isGone\": \"boolean\"}}}}",
      ["is_gone"], true,
      "{\"keyStrategy\": \"snakeCase\", \"entities\": {\"A\": {\"deletedWhen\": {\"JSONKeyPath\": \"is_gone\"}, \"attributes\": {\"isGone\": \"boolean\"}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"deletedWhen\": {\"JSONKeyPath\": \"s\", \"equals\": ▮}, \"attributes\": {\"state\": {\"type\": \"string\", \"JSONKeyPath\": \"s\", \"enum\": [\"on\", \"gone\"]}}}}}",
      ["on", "gone"], true,
      "{\"entities\": {\"A\": {\"deletedWhen\": {\"JSONKeyPath\": \"s\", \"equals\": \"on\"}, \"attributes\": {\"state\": {\"type\": \"string\", \"JSONKeyPath\": \"s\", \"enum\": [\"on\", \"gone\"]}}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"deletedWhen\": {\"JSONKeyPath\": \"gone\", \"equals\": ▮}}}}", ["true", "false"], true,
      "{\"entities\": {\"A\": {\"deletedWhen\": {\"JSONKeyPath\": \"gone\", \"equals\": true}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"attributes\": {\"n\": {\"type\": \"string\", \"JSONKeyPath\": \"▮\"}}}}}",
      ["@key", "@value", "@index", "@parent.", "@root."], true,
      "{\"entities\": {\"A\": {\"attributes\": {\"n\": {\"type\": \"string\", \"JSONKeyPath\": \"@key\"}}}}}"
    ),
    (
      "{\"entities\": {\"A\": {\"relationships\": {\"n\": {\"destination\": \"A\", \"JSONKeyPathAliases\": [\"▮\"]}}}}}",
      ["@value", "@parent.", "@root."], true,
      "{\"entities\": {\"A\": {\"relationships\": {\"n\": {\"destination\": \"A\", \"JSONKeyPathAliases\": [\"@value\"]}}}}}"
    ),
    ("{\"name\"▮}", [], true, ""), ("// ▮\n{}", [], true, ""), ("{ /* ▮ */ }", [], true, ""), ("▮{}", [], true, ""),
    ("{}▮", [], true, ""),
    ("{\"userInfo\": {▮}}", [], true, ""),
  ]

  @Test("At each location, the server offers every valid completion", arguments: cases)
  func completion(text: String, items: [String], isAll: Bool, result: String) throws {
    let session = EditorSession(text: text)
    let answer = try #require(try session.ask("textDocument/completion").arrayValue)
    let labels = answer.compactMap { $0["label"]?.stringValue }
    #expect(isAll ? labels == items : Set(items).isSubset(of: labels), "\(labels)")
    let order = answer.compactMap { $0["sortText"]?.stringValue }
    #expect(order == order.sorted() && Set(order.map(\.count)).count <= 1, "\(order)")
    // Existing keys are not offered again.
    #expect(!labels.contains("doc") || !text.contains("\"doc\""))
    guard let first = items.first, let item = answer.first(where: { $0["label"]?.stringValue == first }) else { return }
    let edit = try #require(item["textEdit"])
    #expect(try EditorSession.edited(session.text, [edit]) == result)
    // Editors filter the items by the text that the edit replaces.
    let filter = try #require(item["filterText"]?.stringValue)
    let start = try EditorSession.index(in: session.text, of: edit["range"]?["start"])
    let cursor = try EditorSession.index(in: session.text, of: session.cursor)
    #expect(filter.hasPrefix(String(session.text.unicodeScalars[start..<cursor])))
  }

  @Test("At every location in a model, requests have results, and edits stay on the cursor's line")
  func everywhere() throws {
    let url = Invocation.root.appendingPathComponent("Models/Comics.json")
    let text = try String(contentsOf: url, encoding: .utf8)
    let session = EditorSession(text: text)
    let indices = Array(text.unicodeScalars.indices).enumerated().filter { $0.offset % 7 == 0 }.map(\.element)
    let requests = indices.enumerated().flatMap { number, index in
      ["completion", "hover", "definition", "references", "prepareRename"].map { method in
        EditorSession.request(
          number, "textDocument/\(method)",
          [
            "textDocument": ["uri": .string(EditorSession.uri)],
            "position": EditorSession.position(in: text, of: index),
          ])
      }
    }
    let result = try EditorSession.run(session.messages + requests + EditorSession.ending)
    let answers = result.messages.filter { $0["method"] == nil }
    #expect(answers.count == requests.count + 2 && answers.allSatisfy { $0["error"] == nil } && result.status == 0)
    for item in answers.flatMap({ $0["result"]?.arrayValue ?? [] }) {
      guard let range = item["textEdit"]?["range"] else { continue }
      #expect(range["start"]?["line"] == range["end"]?["line"])
    }
  }
}
