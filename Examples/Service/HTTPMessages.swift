import Foundation

/// A complete request.
struct HTTPRequest: Sendable {
  let method: String
  /// The path, without percent encoding.
  let path: String
  let query: [String: String]
  let body: Data
  /// Whether the client wants to send another request on this connection.
  let keepsAlive: Bool
}

/// An answer with JSON.
struct HTTPResponse: Sendable {
  let status: Int
  let body: Data
  var headers: [String] = []

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

  private static let reasons = [
    100: "Continue", 200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 409: "Conflict", 413: "Content Too Large", 422: "Unprocessable Content",
    431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
    503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]

  static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// The bytes to send. An answer to HEAD has the length of a body, and no body.
  func bytes(keepsAlive: Bool, omitsBody: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(HTTPResponse.reasons[status] ?? "Unknown")"]
    lines += ["Content-Type: application/json", "Content-Length: \(body.count)"] + headers
    if !keepsAlive { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (omitsBody ? Data() : body)
  }
}

/// What is wrong with a request that cannot be read. The connection is closed after the answer.
struct HTTPError: Error {
  let status: Int
  let message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }
}
