import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("graft language-server: sessions") struct SessionTests {
  private typealias Session = EditorSession

  @Test("A session begins with 'initialize' and ends with 'shutdown' and 'exit'")
  func lifecycle() throws {
    let result = try Session.run([
      Session.request(1, "textDocument/hover", [:]),
      Session.notification("textDocument/didOpen", [:]),
      Session.request(2, "initialize", ["capabilities": [:], "processId": nil]),
      Session.request(3, "initialize", ["capabilities": [:]]),
      Session.notification("initialized", [:]),
      Session.notification("$/setTrace", ["value": "off"]),
      Session.notification("$/cancelRequest", ["id": 3]),
      ["jsonrpc": "2.0", "id": 7, "result": nil],
      Session.request(4, "textDocument/unheardOf", [:]),
      Session.request(5, "shutdown", nil),
      Session.request(6, "textDocument/hover", [:]),
      Session.notification("exit", nil),
    ])
    #expect(result.status == 0)
    #expect(result.messages.map { $0["id"] } == [1, 2, 3, 4, 5, 6])
    #expect(result.messages.map { $0["error"]?["code"] } == [-32002, nil, -32600, -32601, nil, -32600])
    #expect(result.messages[1]["result"]?["capabilities"]?["positionEncoding"] == "utf-16")
    #expect(result.messages[4]["result"] == .null)
  }

  @Test("A session that ends without 'shutdown' ends with status 1")
  func interrupted() throws {
    let start = Session.request(1, "initialize", ["capabilities": [:]])
    #expect(try Session.run([start]).status == 1)
    #expect(try Session.run([start, Session.notification("exit", nil)]).status == 1)
    #expect(try Session.run([]).status == 0)
  }

  @Test(
    "An invalid message is answered with an error, and the session continues",
    arguments: [
      ("{", -32700), ("", -32700), ("nul", -32700), ("[]", -32600), ("5", -32600), ("{}", -32600),
      (#"{"jsonrpc":"1.0","id":1,"method":"shutdown"}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
      (#"{"jsonrpc":"2.0","id":{},"method":"shutdown"}"#, -32600), (#"{"jsonrpc":"2.0","method":5}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":[1]}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"textDocument/rename","params":{"textDocument":{"uri":"x"}}}"#, -32602),
      (String(repeating: "[", count: 100_000), -32700), (#"{"jsonrpc":"2.0","method":"\ud800"}"#, -32700),
    ])
  func malformed(body: String, code: Int) throws {
    let start = Session.framed(Session.request(0, "initialize", ["capabilities": [:]]).description)
    let end = Session.ending.map { Session.framed($0.description) }.joined()
    let result = try Session.run(start + Session.framed(body) + end)
    #expect(result.messages.count == 3 && result.status == 0)
    #expect(result.messages[1]["error"]?["code"] == .number(JSONNumber(code)))
  }

  @Test(
    "A header without a valid length ends the session",
    arguments: [
      "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 268435457\r\n\r\n",
      "Content-Length: 9\r\n\r\n{}", "Content-Length\r\n\r\n", "\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
      "Content-Length: 5",
      "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", String(repeating: "x", count: 100_000),
    ])
  func headers(input: String) throws {
    let graft = try Invocation(["language-server"], input: input)
    #expect(graft.status == 1 && graft.output == "" && graft.messages.hasPrefix("the session ends: "))
  }

  @Test("Headers can have other fields, and their names can be in any case")
  func fields() throws {
    let body = Session.request(1, "initialize", ["capabilities": [:]]).description
    let graft = try Invocation(
      ["language-server", "--stdio"],
      input:
        "content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:\(body.utf8.count)\r\n\r\n\(body)")
    #expect(try Session.split(graft.output).count == 1)
  }

  @Test("Damaged sessions never crash the program")
  func damaged() throws {
    let text = try String(contentsOf: Invocation.root.appendingPathComponent("Models/Comics.json"), encoding: .utf8)
    let session = EditorSession(text: text)
    let bodies =
      session.messages
      + ["completion", "hover", "definition", "rename", "formatting"].map {
        Session.request(
          1, "textDocument/\($0)",
          ["textDocument": ["uri": .string(Session.uri)], "position": ["line": 9, "character": 12], "newName": "x"])
      } + Session.ending
    var random = SeededRandom(seed: 7)
    for _ in 0..<40 {
      let damaged = bodies.map { body in
        var bytes = Array(body.description.utf8)
        if random.chance(percent: 40) { random.mutate(&bytes) }
        return Session.framed(String(decoding: bytes, as: UTF8.self))
      }
      let graft = try Invocation(["language-server"], input: damaged.joined())
      #expect(graft.status == 0 || graft.status == 1)
    }
  }

  @Test("The program responds immediately, over pipes that stay open")
  func live() throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = Invocation.program
    process.arguments = ["language-server"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    var received = Data()
    func send(_ message: JSON, inPieces size: Int = .max) {
      var bytes = Data(Session.framed(message.description).utf8)
      while !bytes.isEmpty {
        input.fileHandleForWriting.write(bytes.prefix(size))
        bytes = Data(bytes.dropFirst(size))
      }
    }
    func receive(until text: String) throws {
      while !String(decoding: received, as: UTF8.self).contains(text) {
        let piece = output.fileHandleForReading.availableData
        try #require(!piece.isEmpty)
        received += piece
      }
    }
    send(Session.request(1, "initialize", ["capabilities": [:]]), inPieces: 7)
    try receive(until: "positionEncoding")
    send(Session.open(Session.uri, #"{"entities": {"A": {"parent": "B"}}}"#))
    try receive(until: "unknown-entity")
    send(Session.request(2, "shutdown", nil))
    try receive(until: #""id":2"#)
    send(Session.notification("exit", nil))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
