import Foundation

/// A client with one connection, which it keeps. All calls block.
final class HTTPClient {
  struct Answer {
    let status: Int
    let body: Data
  }

  let url: URL
  private var reader: MessageReader?

  /// - Parameter url: the server, as in `http://127.0.0.1:8080`.
  init(_ url: URL) { self.url = url }

  deinit { disconnect() }

  func get(_ path: String, _ query: [String: String] = [:]) throws -> Answer {
    let allowed = CharacterSet.alphanumerics
    let items = query.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
    return try send("GET", items.isEmpty ? path : "\(path)?\(items.joined(separator: "&"))", Data())
  }

  func post(_ path: String, _ body: Data) throws -> Answer { try send("POST", path, body) }

  private func send(_ method: String, _ target: String, _ body: Data) throws -> Answer {
    do {
      var reader = try reader ?? connect()
      let head = "\(method) \(target) HTTP/1.1\r\nHost: \(url.host() ?? "")\r\nContent-Length: \(body.count)\r\n\r\n"
      try reader.connection.send(Array(head.utf8) + body)

      guard let lines = try reader.head() else { throw Socket.Failure(description: "the server closed the connection") }
      let fields = lines.map { $0.lowercased() }
      let prefix = "content-length: "
      let length = fields.first { $0.hasPrefix(prefix) }.flatMap { Int($0.dropFirst(prefix.count)) }
      guard let length, let status = Int(lines[0].split(separator: " ").dropFirst().first ?? ""),
        let body = reader.body(length)
      else { throw Socket.Failure(description: "this is not an answer: \(lines)") }
      self.reader = reader
      if fields.contains("connection: close") { disconnect() }
      return Answer(status: status, body: body)
    } catch {
      disconnect()
      throw error
    }
  }

  private func connect() throws -> MessageReader {
    guard url.scheme == "http", let host = url.host(), let port = url.port.flatMap(UInt16.init) else {
      throw Socket.Failure(description: "'\(url)' is not http://HOST:PORT")
    }
    return MessageReader(try Socket.connected(to: host, port))
  }

  private func disconnect() {
    reader?.connection.close()
    reader = nil
  }
}
