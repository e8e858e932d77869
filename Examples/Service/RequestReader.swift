import Foundation

/// Reads requests from the bytes of a connection, in whatever pieces they arrive.
struct RequestReader {
  static let maximumHeadLength = 16 << 10
  static let maximumBodyLength = 1 << 20

  private var bytes: [UInt8] = []
  private var head: Head?
  /// How many bytes have been searched for the end of the head.
  private var searched = 0

  /// Whether no byte of the next request has arrived.
  var isEmpty: Bool { bytes.isEmpty && head == nil }

  mutating func append(_ new: ArraySlice<UInt8>) { bytes += new }

  /// Whether the client waits for a sign before it sends the body. Returns true once.
  mutating func expectsContinue() -> Bool {
    defer { head?.expectsContinue = false }
    return head?.expectsContinue == true && bytes.isEmpty
  }

  /// Returns the next request, or nil if its end has not arrived yet.
  mutating func next() throws(HTTPError) -> HTTPRequest? {
    if head == nil {
      guard let end = endOfHead() else {
        if bytes.count > RequestReader.maximumHeadLength { throw HTTPError(431, "the head is too long") }
        return nil
      }
      if end > RequestReader.maximumHeadLength { throw HTTPError(431, "the head is too long") }
      head = try Head(bytes[..<end])
      bytes.removeFirst(end)
      searched = 0
    }
    guard let head, bytes.count >= head.length else { return nil }
    let request = HTTPRequest(
      method: head.method, path: head.path, query: head.query, body: Data(bytes[..<head.length]),
      keepsAlive: head.keepsAlive)
    bytes.removeFirst(head.length)
    self.head = nil
    return request
  }

  /// Returns the offset after the empty line that ends the head.
  private mutating func endOfHead() -> Int? {
    let end = Array("\r\n\r\n".utf8)
    while searched + 4 <= bytes.count {
      if bytes[searched] == end[0], bytes[searched..<searched + 4].elementsEqual(end) { return searched + 4 }
      searched += 1
    }
    return nil
  }

  /// The request line and the header fields that matter here.
  private struct Head {
    let method: String
    let path: String
    let query: [String: String]
    var length = 0
    var keepsAlive: Bool
    var expectsContinue = false

    init(_ bytes: ArraySlice<UInt8>) throws(HTTPError) {
      var lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
      lines.removeLast()
      let words = (lines.first ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      guard words.count == 3, words.allSatisfy({ !$0.isEmpty }) else {
        throw HTTPError(400, "the first line is not a request")
      }
      let version = String(decoding: words[2], as: UTF8.self)
      guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw HTTPError(505, "this server speaks HTTP/1.1") }
      method = String(decoding: words[0], as: UTF8.self)
      keepsAlive = version == "HTTP/1.1"

      let target = words[1].split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
      guard target[0].first == UInt8(ascii: "/") else { throw HTTPError(400, "the target is not a path") }
      path = try Head.decoded(target[0])
      var query: [String: String] = [:]
      for item in target.dropFirst().first?.split(separator: UInt8(ascii: "&")) ?? [] {
        let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.dropFirst().first.map { $0.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 } } ?? []
        query[try Head.decoded(parts[0])] = try Head.decoded(value[...])
      }
      self.query = query
      try readFields(lines.dropFirst())
      if expectsContinue, version == "HTTP/1.0" { expectsContinue = false }
    }

    private mutating func readFields(_ lines: ArraySlice<ArraySlice<UInt8>>) throws(HTTPError) {
      var lengths: Set<String> = []
      var hosts = 0
      let needsHost = keepsAlive
      for line in lines {
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        // A space before the colon, or a line that continues another one, is read differently by different servers.
        guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy({ $0 > 32 && $0 < 127 }) else {
          throw HTTPError(400, "a header field is malformed")
        }
        let value = String(decoding: parts[1], as: UTF8.self).trimmingCharacters(in: .whitespaces)
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "host": hosts += 1
        case "content-length": lengths.insert(value)
        case "transfer-encoding": throw HTTPError(501, "bodies need a Content-Length")
        case "connection":
          let options = value.lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
          if options.contains("keep-alive") { keepsAlive = true }
          if options.contains("close") { keepsAlive = false }
        case "expect": expectsContinue = value.lowercased() == "100-continue"
        default: break
        }
      }
      guard hosts == 1 || (hosts == 0 && !needsHost) else { throw HTTPError(400, "exactly one Host is required") }
      guard let text = lengths.first else { return }
      guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
        throw HTTPError(400, "the Content-Length is not a number")
      }
      guard let length = Int(text), length <= RequestReader.maximumBodyLength else {
        throw HTTPError(413, "a body has at most \(RequestReader.maximumBodyLength) bytes")
      }
      self.length = length
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(HTTPError) -> String {
      let text = String(decoding: bytes, as: UTF8.self)
      guard bytes.allSatisfy({ $0 > 32 && $0 < 127 || $0 == 32 }), let decoded = text.removingPercentEncoding else {
        throw HTTPError(400, "the target is not percent-encoded")
      }
      return decoded
    }
  }
}
