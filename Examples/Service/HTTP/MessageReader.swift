import Foundation

/// Reads messages from a connection, regardless of the pieces in which they arrive.
struct MessageReader {
  static let maximumHeadLength = 16 << 10

  let connection: Socket
  private var bytes: [UInt8] = []

  init(_ connection: Socket) { self.connection = connection }

  /// Returns the lines of the next head; nil if the connection ends first.
  mutating func head() throws(HTTPError) -> [String]? {
    let end = Array("\r\n\r\n".utf8)
    var range = bytes.firstRange(of: end)
    while range == nil, bytes.count <= MessageReader.maximumHeadLength {
      guard receive() else { return nil }
      range = bytes.firstRange(of: end)
    }
    guard let range, range.upperBound <= MessageReader.maximumHeadLength else {
      throw HTTPError(431, "the head is too long")
    }
    let head = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
    bytes.removeFirst(range.upperBound)
    return head.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns the next bytes as a body; nil if the connection ends first.
  mutating func body(_ length: Int) -> Data? {
    while bytes.count < length { guard receive() else { return nil } }
    defer { bytes.removeFirst(length) }
    return Data(bytes[..<length])
  }

  private mutating func receive() -> Bool {
    let new = connection.receive()
    bytes += new
    return !new.isEmpty
  }
}
