import Foundation

/// A server for HTTP/1.1 on the loopback address. It supports only GET, and answers one request at a time.
final class HTTPServer: Sendable {
  /// The address of the server. The system chooses the port.
  let url: URL
  private let listener: Int32

  /// - Parameter answer: returns the JSON for a request, or nil if there is nothing at its path.
  init(answer: @escaping @Sendable (URLComponents) -> Data?) throws {
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
      return bind(descriptor, pointer, size) == 0 && listen(descriptor, 8) == 0
        && getsockname(descriptor, pointer, &size) == 0
    }
    guard isReady else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    listener = descriptor
    url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")!
    Thread.detachNewThread {
      while case let connection = accept(descriptor, nil, nil), connection >= 0 {
        HTTPServer.serve(connection, answer)
        close(connection)
      }
    }
  }

  /// Stops the server. From now on, connections are refused.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func serve(_ connection: Int32, _ answer: (URLComponents) -> Data?) {
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n"), request.count < 65536 {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      request += buffer[..<count]
    }
    let words = String(decoding: request, as: UTF8.self).split(separator: " ", maxSplits: 2)
    let body = words.count == 3 && words[0] == "GET" ? URLComponents(string: String(words[1])).flatMap(answer) : nil
    let status = body == nil ? "404 Not Found" : "200 OK"
    let head =
      "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body?.count ?? 0)\r\nConnection: close\r\n\r\n"
    var rest = (Array(head.utf8) + (body ?? Data()))[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
