import Foundation
import Graft

/// Splits the input into messages, each after a header with its length:
///
///     Content-Length: 58\r\n
///     \r\n
///     {"jsonrpc":"2.0","id":1,"method":"shutdown","params":null}
struct MessageReader {
  /// The next message.
  enum Next {
    case message([UInt8])
    /// The input ended between two messages.
    case end
    /// The input cannot be split any further.
    case fault(String)
  }

  /// The maximum length of a header.
  private static let longestHeader = 1 << 13
  /// The maximum length of a message: more than any model file needs.
  private static let longestMessage = 1 << 28

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isAtEnd = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for the next message.
  mutating func next() -> Next {
    guard let headerEnd = readHeader() else {
      if buffer.isEmpty { return .end }
      return .fault(isAtEnd ? "the input ends inside a header" : "a header is longer than \(Self.longestHeader) bytes")
    }
    let header = String(decoding: buffer[..<headerEnd], as: UTF8.self)
    guard let length = MessageReader.length(in: header) else {
      return .fault("a header has no valid 'Content-Length'")
    }
    guard length <= Self.longestMessage else {
      return .fault("a message of \(length) bytes is longer than \(Self.longestMessage)")
    }
    buffer.removeFirst(headerEnd + 4)
    while buffer.count < length {
      guard readMore() else { return .fault("the input ends inside a message") }
    }
    let body = Array(buffer[..<length])
    buffer.removeFirst(length)
    return .message(body)
  }

  /// Returns a message with its header.
  static func framed(_ message: JSON) -> [UInt8] {
    let body = message.description.utf8
    return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  /// Returns the length in a header. Other fields, such as the content type, are ignored.
  private static func length(in header: String) -> Int? {
    let lengths = header.split(separator: "\r\n").compactMap { line -> Substring? in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
      return parts[1]
    }
    guard lengths.count == 1 else { return nil }
    let digits = lengths[0].drop { $0 == " " || $0 == "\t" }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(digits)
  }

  /// Reads until a header is complete, and returns the offset of the blank line after it.
  private mutating func readHeader() -> Int? {
    var searched = 0
    while true {
      let blank = Array("\r\n\r\n".utf8)
      let start = max(0, searched - 3)
      if let found = buffer[start...].indices.first(where: { buffer[$0...].starts(with: blank) }) { return found }
      searched = buffer.count
      guard searched <= Self.longestHeader, readMore() else { return nil }
    }
  }

  /// Reads what has arrived, or waits for something to arrive.
  private mutating func readMore() -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count > 0 {
        buffer += piece[..<count]
        return true
      }
      guard count < 0, errno == EINTR else {
        isAtEnd = true
        return false
      }
    }
  }
}
