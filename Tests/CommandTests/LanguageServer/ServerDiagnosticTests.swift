import Foundation
import Graft
import GraftTestSupport
import GraftTools
import Testing

@Suite("graft language-server: findings and fixes") struct ServerDiagnosticTests {
  /// Every model in the repository, valid or not, that an editor could open as text.
  private static let files: [(name: String, text: String)] = {
    var files: [(name: String, text: String)] = []
    for folder in ["Models", "Tests/Fixtures/bad-models"] {
      let url = Invocation.root.appendingPathComponent(folder)
      let urls = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
      for url in urls where url.pathExtension == "json" && !url.lastPathComponent.hasSuffix(".schema.json") {
        // In the protocol, a byte order mark is not part of the text.
        guard let text = try? String(contentsOf: url, encoding: .utf8), !text.contains("\u{FEFF}") else { continue }
        if text.utf8.count < 50_000 { files.append((url.lastPathComponent, text)) }
      }
    }
    return files.sorted { $0.name < $1.name }
  }()

  @Test("Findings have exact positions: characters are UTF-16 code units, and lines end at LF and CR LF")
  func positions() throws {
    let text =
      "{\"entities\": {\r\n  \"🦇é\": {\"parent\": \"Ba🦇\"}, \"B\": {\"attributes\": {\"a\": \"strin\"}},\n\"Bat\": {}}}"
    let diagnostics = try EditorSession(text: text).diagnostics()
    #expect(diagnostics.map { $0["code"] } == ["unknown-entity", "unknown-word"])
    let marked = try diagnostics.map { diagnostic in
      let start = try EditorSession.index(in: text, of: diagnostic["range"]?["start"])
      let end = try EditorSession.index(in: text, of: diagnostic["range"]?["end"])
      return String(text.unicodeScalars[start..<end])
    }
    #expect(marked == ["\"Ba🦇\"", "\"strin\""])
    #expect(diagnostics[0]["range"]?["start"] == ["line": 1, "character": 20])
    #expect(diagnostics[0]["severity"] == 1 && diagnostics[0]["source"] == "graft")
    #expect(diagnostics[1]["message"]?.stringValue?.hasSuffix("; did you mean 'string'?") == true)
  }

  @Test(
    "For every model, the server and the linter report the same findings; all quick fixes together match --fix")
  func allModels() throws {
    let requests = Self.files.enumerated().flatMap { number, file -> [JSON] in
      let uri = "file:///\(number)"
      let range: JSON = ["start": ["line": 0, "character": 0], "end": ["line": 0, "character": 0]]
      return [
        EditorSession.open(uri, file.text),
        EditorSession.request(
          1000 + number, "textDocument/codeAction",
          [
            "textDocument": ["uri": .string(uri)], "range": range,
            "context": ["diagnostics": [], "only": ["source.fixAll"]],
          ]),
        EditorSession.request(
          5000 + number, "textDocument/formatting", ["textDocument": ["uri": .string(uri)], "options": [:]]),
      ]
    }
    let start = [EditorSession.request(0, "initialize", ["capabilities": [:]])]
    let answers = try EditorSession.run(start + requests + EditorSession.ending).messages
    var found = 0
    for (number, file) in Self.files.enumerated() {
      let source = SourceText(name: file.name, bytes: Array(file.text.utf8))
      let expected = ModelFixer.findings(in: source)
      let published = answers.first { $0["params"]?["uri"]?.stringValue == "file:///\(number)" }
      let diagnostics = published?["params"]?["diagnostics"]?.arrayValue ?? []
      #expect(diagnostics.map { $0["code"]?.stringValue } == expected.map(\.code.rawValue), "\(file.name)")
      for (diagnostic, finding) in zip(diagnostics, expected) {
        let offset = try #require(finding.location?.offset)
        let index = String.Index(utf16Offset: 0, in: file.text)
        let place = file.text.utf8.index(index, offsetBy: min(offset, file.text.utf8.count))
        let position = EditorSession.position(in: file.text, of: place)
        #expect(diagnostic["range"]?["start"] == position, "\(file.name): \(finding)")
        found += 1
      }
      let fixed = ModelFixer.fix(source)
      let edits = answers.first { $0["id"] == .number(JSONNumber(1000 + number)) }?["result"]?[0]?["edit"]
      let text = edits?["changes"]?["file:///\(number)"]?[0]?["newText"]?.stringValue
      #expect(text == (fixed.fixes.isEmpty ? nil : String(decoding: fixed.bytes, as: UTF8.self)), "\(file.name)")
      let formatted = (try? ModelFileFormatter.format(source)).map { String(decoding: $0, as: UTF8.self) }
      let layout = answers.first { $0["id"] == .number(JSONNumber(5000 + number)) }?["result"]
      #expect((layout?[0]?["newText"]?.stringValue ?? file.text) == formatted ?? file.text, "\(file.name)")
    }
    #expect(found > 200)
  }

  @Test("A quick fix resolves the finding at the cursor")
  func quickFix() throws {
    let session = EditorSession(text: "{entities: {'Team': {\"parent\": \"Te▮em\"}, \"Steam\": {}, \"Teams\": {}}}")
    let range: JSON = ["range": ["start": session.cursor, "end": session.cursor], "context": ["diagnostics": []]]
    let none = try session.ask("textDocument/codeAction", range)
    #expect(none.arrayValue?.map { $0["kind"] } == ["source.fixAll"])
    let other = EditorSession(text: "{entities: {\"Team\": {}, \"Hero\": {'par▮ent': \"Team\"}}}")
    let actions = try other.ask(
      "textDocument/codeAction",
      ["range": ["start": other.cursor, "end": other.cursor], "context": ["diagnostics": [], "only": ["quickfix"]]])
    #expect(actions.arrayValue?.map { $0["title"] } == [#"Replace 'parent' with "parent""#])
    let edits = actions[0]?["edit"]?["changes"]?[EditorSession.uri]
    #expect(try EditorSession.edited(other.text, edits) == other.text.replacing("'parent'", with: "\"parent\""))
  }

  @Test("Findings are updated with complete and partial changes to the text, until the document is closed")
  func changes() throws {
    let document: JSON = ["uri": .string(EditorSession.uri), "version": 2]
    func change(_ changes: JSON) -> JSON {
      EditorSession.notification("textDocument/didChange", ["textDocument": document, "contentChanges": changes])
    }
    let session = EditorSession(text: #"{"entities": {}}"#)
    let answers = try EditorSession.run(
      session.messages + [
        change([["text": #"{"entities": {"A": {"parent": "B"}}}"#]]),
        change([
          ["range": ["start": ["line": 0, "character": 15], "end": ["line": 0, "character": 16]], "text": "🦇"],
          ["range": ["start": ["line": 0, "character": 32], "end": ["line": 0, "character": 33]], "text": "🦇"],
        ]),
        change([["text": 5], ["range": [:], "text": "x"]]),
        EditorSession.notification("textDocument/didClose", ["textDocument": document]),
        EditorSession.notification("textDocument/didClose", ["textDocument": document]),
        change([["text": "{"]]),
      ] + EditorSession.ending
    ).messages
    let codes = answers.compactMap { $0["params"]?["diagnostics"]?.arrayValue?.compactMap { $0["code"]?.stringValue } }
    #expect(codes == [[], ["unknown-entity"], ["parent-cycle"], ["parent-cycle"], []])
    #expect(answers.compactMap { $0["params"]?["version"] } == [1, 2, 2, 2])
  }
}
