import Foundation
import Graft
import Testing

/// A session with `graft language-server`: an editor's messages, and the program's responses.
///
///     var session = EditorSession(text: "{\"entities\": ▮}")
///     let answer = try session.ask("textDocument/completion")
struct EditorSession {
  static let uri = "file:///models/m.json"

  /// The text of the document, without the cursor.
  let text: String
  /// The position of the cursor `▮` in the text.
  let cursor: JSON
  private(set) var messages: [JSON]

  /// - Parameter capabilities: the capabilities of the editor.
  init(text marked: String, capabilities: JSON = [:]) {
    text = marked.replacing("▮", with: "")
    cursor = Self.position(in: marked, of: marked.unicodeScalars.firstIndex(of: "▮") ?? marked.startIndex)
    messages = [
      Self.request(0, "initialize", ["capabilities": capabilities]), Self.notification("initialized", [:]),
      Self.open(Self.uri, text),
    ]
  }

  /// Returns the result of a request about the document at the cursor's position.
  func ask(_ method: String, _ params: JSON = [:]) throws -> JSON {
    let answer = try answer(method, params)
    return try #require(answer["result"], "\(answer)")
  }

  /// Returns the complete response to a request.
  func answer(_ method: String, _ params: JSON = [:]) throws -> JSON {
    var all: JSONObject = ["textDocument": ["uri": .string(Self.uri)], "position": cursor]
    for member in params.objectValue?.members ?? [] { all[member.key] = member.value }
    let answers = try Self.run(messages + [Self.request(1, method, .object(all))] + Self.ending).messages
    return try #require(answers.first { $0["id"] == 1 })
  }

  /// The diagnostics for the document.
  func diagnostics() throws -> [JSON] {
    try Self.run(messages + Self.ending).messages.compactMap { $0["params"]?["diagnostics"]?.arrayValue }.first ?? []
  }

  // MARK: Messages

  static let ending = [request(99, "shutdown", nil), notification("exit", nil)]

  static func request(_ id: Int, _ method: String, _ params: JSON) -> JSON {
    ["jsonrpc": "2.0", "id": .number(JSONNumber(id)), "method": .string(method), "params": params]
  }

  static func notification(_ method: String, _ params: JSON) -> JSON {
    ["jsonrpc": "2.0", "method": .string(method), "params": params]
  }

  static func open(_ uri: String, _ text: String) -> JSON {
    notification(
      "textDocument/didOpen",
      ["textDocument": ["uri": .string(uri), "languageId": "json", "version": 1, "text": .string(text)]])
  }

  static func framed(_ body: String) -> String { "Content-Length: \(body.utf8.count)\r\n\r\n\(body)" }

  /// Runs the program with messages, and returns its responses and exit status.
  static func run(_ messages: [JSON]) throws -> (messages: [JSON], status: Int32) {
    try run(messages.map { framed($0.description) }.joined())
  }

  static func run(_ input: String) throws -> (messages: [JSON], status: Int32) {
    let graft = try Invocation(["language-server"], input: input)
    return (try split(graft.output), graft.status)
  }

  /// Splits the program's output into messages.
  static func split(_ output: String) throws -> [JSON] {
    var messages: [JSON] = []
    var rest = Array(output.utf8)[...]
    while !rest.isEmpty {
      let header = "Content-Length: "
      try #require(rest.starts(with: header.utf8), "\(String(decoding: rest.prefix(80), as: UTF8.self))")
      let digits = rest.dropFirst(header.utf8.count).prefix { $0 != 0x0D }
      let length = try #require(Int(String(decoding: digits, as: UTF8.self)))
      rest = rest.dropFirst(header.utf8.count + digits.count + 4)
      messages.append(try JSON(parsing: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    return messages
  }

  // MARK: Positions

  /// Returns the position of an index. Lines end at LF, CR LF and CR, and characters are counted in UTF-16 code units.
  static func position(in text: String, of index: String.Index) -> JSON {
    var (line, character) = (0, 0)
    var scalars = text.unicodeScalars[..<index]
    while let scalar = scalars.popFirst() {
      if scalar == "\r", scalars.first == "\n" { scalars.removeFirst() }
      (line, character) =
        scalar == "\n" || scalar == "\r" ? (line + 1, 0) : (line, character + UTF16.width(scalar))
    }
    return ["line": .number(JSONNumber(line)), "character": .number(JSONNumber(character))]
  }

  /// Returns the index of a position.
  static func index(in text: String, of position: JSON?) throws -> String.Index {
    let line = try #require(position?["line"]?.numberValue?.int64)
    let character = try #require(position?["character"]?.numberValue?.int64)
    var (atLine, atCharacter) = (0, 0)
    let scalars = text.unicodeScalars
    var index = scalars.startIndex
    while atLine != line || atCharacter != character {
      try #require(index < scalars.endIndex, "there is no line \(line), character \(character)")
      let scalar = scalars[index]
      index = scalars.index(after: index)
      if scalar == "\r", index < scalars.endIndex, scalars[index] == "\n" { index = scalars.index(after: index) }
      let isEnd = scalar == "\n" || scalar == "\r"
      (atLine, atCharacter) = isEnd ? (atLine + 1, 0) : (atLine, atCharacter + UTF16.width(scalar))
    }
    return index
  }

  /// Applies the edits of the protocol to text, and returns the result.
  static func edited(_ text: String, _ edits: JSON?) throws -> String {
    let changes = try (edits?.arrayValue ?? []).map { edit in
      let start = try index(in: text, of: edit["range"]?["start"])
      let end = try index(in: text, of: edit["range"]?["end"])
      return (range: start..<end, text: try #require(edit["newText"]?.stringValue))
    }
    var result = text.unicodeScalars
    // Several insertions at one location stay in order.
    let order = changes.indices.sorted {
      (changes[$0].range.lowerBound, $0) > (changes[$1].range.lowerBound, $1)
    }
    for change in order.map({ changes[$0] }) {
      result.replaceSubrange(change.range, with: change.text.unicodeScalars)
    }
    return String(result)
  }
}
