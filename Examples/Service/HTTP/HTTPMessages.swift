import Foundation

/// A request without its body.
struct HTTPRequest: Sendable {
  static let maximumBodyLength = 1 << 20

  let method: String
  /// The path, without percent encoding.
  let path: String
  let query: [String: String]
  let length: Int
  /// Whether the client wants to send another request on this connection.
  let keepsAlive: Bool
  var body = Data()

  /// - Parameter head: the request line and the header fields.
  init(head: [String]) throws(HTTPError) {
    // Anything that different servers would read differently is refused: control characters, spaces before a colon, continued lines.
    let words = head[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, head.joined().utf8.allSatisfy({ $0 == 9 || 32..<127 ~= $0 }) else {
      throw HTTPError(400, "this is not a request")
    }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw HTTPError(505, "this server speaks HTTP/1.1") }

    var fields: [String: Set<String>] = [:]
    for line in head.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ $0 > 32 }) else {
        throw HTTPError(400, "a header field is malformed")
      }
      fields[parts[0].lowercased(), default: []].insert(parts[1].trimmingCharacters(in: .whitespaces))
    }
    let connection = fields["connection"].map { $0.joined(separator: ",").lowercased() } ?? ""
    keepsAlive = words[2] == "HTTP/1.1" ? !connection.contains("close") : connection.contains("keep-alive")
    guard words[2] == "HTTP/1.0" || fields["host"]?.count == 1 else { throw HTTPError(400, "one Host is required") }
    guard fields["transfer-encoding"] == nil else { throw HTTPError(501, "bodies need a Content-Length") }
    let lengths = fields["content-length"] ?? ["0"]
    guard let text = lengths.first, lengths.count == 1, text.wholeMatch(of: /[0-9]+/) != nil else {
      throw HTTPError(400, "the Content-Length is not a number")
    }
    guard let length = Int(text), length <= HTTPRequest.maximumBodyLength else {
      throw HTTPError(413, "a body has at most \(HTTPRequest.maximumBodyLength) bytes")
    }
    self.length = length

    method = String(words[0])
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard target[0].hasPrefix("/") else { throw HTTPError(400, "the target is not a path") }
    path = try HTTPRequest.decoded(target[0])
    var query: [String: String] = [:]
    for item in target.dropFirst().first?.split(separator: "&") ?? [] {
      let parts = item.replacing("+", with: " ").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[try HTTPRequest.decoded(parts[0])] = try HTTPRequest.decoded(parts.count > 1 ? parts[1] : "")
    }
    self.query = query
  }

  private static func decoded(_ text: Substring) throws(HTTPError) -> String {
    guard let decoded = String(text).removingPercentEncoding else {
      throw HTTPError(400, "the target is not percent-encoded")
    }
    return decoded
  }
}

/// An answer with JSON.
struct HTTPResponse: Sendable {
  let status: Int
  let body: Data
  let headers: [String]

  init(_ status: Int, _ body: Data, headers: [String] = []) {
    self.status = status
    self.body = body
    self.headers = headers
  }

  init(_ status: Int = 200, json: some Encodable, headers: [String] = []) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self.init(status, (try? encoder.encode(json)) ?? Data("{}".utf8), headers: headers)
  }

  init(_ status: Int, error: String, headers: [String] = []) {
    self.init(status, json: ["error": error], headers: headers)
  }

  /// The bytes to send. An answer to HEAD has the length of a body, and no body.
  func bytes(keepsAlive: Bool, omitsBody: Bool) -> [UInt8] {
    // The words after the status are optional, and clients ignore them.
    var lines = ["HTTP/1.1 \(status) ", "Content-Type: application/json", "Content-Length: \(body.count)"] + headers
    if !keepsAlive { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (omitsBody ? Data() : body)
  }
}

/// The reason why a request cannot be read. The connection is closed after the answer.
struct HTTPError: Error {
  let status: Int
  let message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }
}
