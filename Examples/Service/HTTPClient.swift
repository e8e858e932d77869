import Foundation

/// A client with one connection, which it keeps. All calls block.
final class HTTPClient {
  struct Answer {
    let status: Int
    let body: Data
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let url: URL
  private var descriptor: Int32 = -1
  private var received: [UInt8] = []

  /// - Parameter url: the server, as in `http://127.0.0.1:8080`.
  init(_ url: URL) { self.url = url }

  deinit { disconnect() }

  func get(_ path: String, _ query: [String: String] = [:]) throws -> Answer {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~")
    let items = query.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
    return try send("GET", items.isEmpty ? path : "\(path)?\(items.joined(separator: "&"))", Data())
  }

  func post(_ path: String, _ body: Data) throws -> Answer { try send("POST", path, body) }

  // MARK: One exchange

  private func send(_ method: String, _ target: String, _ body: Data) throws -> Answer {
    do {
      if descriptor < 0 { try connect() }
      let head = "\(method) \(target) HTTP/1.1\r\nHost: \(url.host() ?? "")\r\nContent-Length: \(body.count)\r\n\r\n"
      var rest = (Array(head.utf8) + body)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { throw Failure(description: "the connection broke") }
        rest = rest.dropFirst(count)
      }
      return try receive()
    } catch {
      disconnect()
      throw error
    }
  }

  private func receive() throws -> Answer {
    let end = Array("\r\n\r\n".utf8)
    var head: String?
    while head == nil {
      if let start = received.indices.first(where: { received[$0...].starts(with: end) }) {
        head = String(decoding: received[..<start], as: UTF8.self)
        received.removeFirst(start + end.count)
      } else {
        try more()
      }
    }
    var length: Int?
    var closes = false
    let lines = (head ?? "").split(separator: "\r\n").map { $0.lowercased() }
    for line in lines {
      if line.hasPrefix("content-length: ") { length = Int(line.dropFirst("content-length: ".count)) }
      if line == "connection: close" { closes = true }
    }
    let words = lines.first?.split(separator: " ") ?? []
    guard let length, words.count > 1, let status = Int(words[1]) else {
      throw Failure(description: "this is not an answer: \(head ?? "")")
    }
    while received.count < length { try more() }
    let body = Data(received[..<length])
    received.removeFirst(length)
    if closes { disconnect() }
    return Answer(status: status, body: body)
  }

  private func more() throws {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw Failure(description: "the server closed the connection") }
    received += buffer[..<count]
  }

  // MARK: The connection

  private func connect() throws {
    guard url.scheme == "http", let port = url.port.flatMap(UInt16.init) else {
      throw Failure(description: "'\(url)' is not http://HOST:PORT")
    }
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var isImmediate: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isImmediate, socklen_t(MemoryLayout<Int32>.size))
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, url.host() ?? "", &address.sin_addr)
    let isConnected = withUnsafeBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
      return Foundation.connect(descriptor, pointer, socklen_t(bytes.count)) == 0
    }
    if !isConnected { throw Failure(description: "no server at \(url)") }
  }

  private func disconnect() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    received = []
  }
}
