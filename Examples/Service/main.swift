// Service: an HTTP service that imports and exports JSON. Several processes, on several machines, can share one PostgreSQL database.
// Copy Routes.swift for your own program. The folder HTTP takes the place of other packages, and Load.swift tests the service.
//
//     swift run ServiceExample
//     swift run ServiceExample serve --store FILE|postgresql://… [--port N] [--workers N]
//     swift run ServiceExample load --connections N --seconds S URL…
//
// `bash Examples/Service/run` serves one database with two processes. `bash Examples/Service/measure` prints how fast that is.

import Foundation

var words = CommandLine.arguments.dropFirst()
let command = words.popFirst()

/// The options and their values.
var options: [String: String] = [:]
while let word = words.first, word.hasPrefix("--"), words.count > 1 {
  options[String(word.dropFirst(2))] = words.dropFirst().first
  words = words.dropFirst(2)
}

switch command {
case nil: try demonstrate()
case "serve":
  guard let store = options["store"], let port = UInt16(options["port"] ?? "0"),
    let workers = Int(options["workers"] ?? "8"), (1...256).contains(workers), words.isEmpty
  else { fail() }
  do {
    let service = try Service(store: store, port: port, workers: workers, log: RequestLog())
    try FileHandle.standardOutput.write(contentsOf: Data("\(service.server.port)\n".utf8))
    service.run()
  } catch {
    try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
    exit(1)
  }
case "load":
  let urls = words.compactMap { URL(string: $0) }
  guard let connections = Int(options["connections"] ?? "8"), (1...500).contains(connections),
    let seconds = Double(options["seconds"] ?? "5"), (0.1...3600).contains(seconds), urls.count == words.count,
    !urls.isEmpty
  else { fail() }
  exit(Load(urls, connections: connections, seconds: seconds).run() ? 0 : 1)
default: fail()
}

func fail() -> Never {
  let usage = """
    usage: ServiceExample serve --store FILE|postgresql://... [--port N] [--workers N]
           ServiceExample load [--connections N] [--seconds S] URL...

    """
  try? FileHandle.standardError.write(contentsOf: Data(usage.utf8))
  exit(2)
}

/// Starts the service with a temporary file, and sends a few requests.
@MainActor func demonstrate() throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "service-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let service = try Service(store: folder.appending(path: "heroes.graft").path, port: 0, workers: 2, log: nil)
  let server = service.server
  Thread.detachNewThread { server.run() }
  let client = HTTPClient(URL(string: "http://127.0.0.1:\(server.port)")!)

  func show(_ request: String, _ answer: HTTPClient.Answer) {
    print("\(request)\n  \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
  }
  func post(_ body: String) throws { show("POST /heroes \(body)", try client.post("/heroes", Data(body.utf8))) }

  try post(#"[{"id": 1, "name": "Heron", "level": 3, "powers": [{"id": 7, "name": "Silent flight"}]}]"#)
  try post(#"[{"id": 1, "level": 4}, {"id": 2, "name": "Otter", "powers": [7]}]"#)
  try post(#"[{"id": 3, "name": "Wren", "level": "high"}]"#)
  show("GET /heroes/1", try client.get("/heroes/1"))
  show("GET /heroes?where=level is null", try client.get("/heroes", ["where": "level is null"]))
  show("GET /heroes?where=levle > 3", try client.get("/heroes", ["where": "levle > 3"]))
  show("GET /heroes/9", try client.get("/heroes/9"))
  show("GET /health", try client.get("/health"))
  server.stop()
}
