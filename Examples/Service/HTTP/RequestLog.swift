import Foundation

/// Writes a line of JSON on stderr for each request.
struct RequestLog: Sendable {
  private struct Line: Encodable {
    let time: String
    let method: String?
    let path: String?
    let status: Int
    let milliseconds: Double
    let bytes: Int
  }

  /// - Parameter request: the request; nil if it could not be read.
  func add(_ request: HTTPRequest?, _ response: HTTPResponse, _ duration: Duration) {
    let line = Line(
      time: Date.now.formatted(.iso8601), method: request.map { String($0.method.prefix(20)) },
      path: request.map { String($0.path.prefix(200)) }, status: response.status,
      milliseconds: (duration / .microseconds(10)).rounded() / 100, bytes: response.body.count)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let text = try? encoder.encode(line) else { return }
    // One write for each line, so that the lines of several threads do not mix.
    try? FileHandle.standardError.write(contentsOf: text + Data("\n".utf8))
  }
}
