import Foundation
import GraftPostgreSQL
import GraftTestSupport

/// A server that answers in advance: when libpq has sent a statement, the answer is already there, so one thread is enough.
final class WireServer {
  let connection: PostgreSQLConnection
  private let descriptor: CInt

  private init(_ connection: PostgreSQLConnection, _ descriptor: CInt) {
    self.connection = connection
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Connects to the server; nil if libpq is not installed.
  static func connected() throws -> WireServer? {
    guard (try? LibPQ.load()) != nil else {
      print("wire is skipped: there is no libpq")
      return nil
    }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let listener = try listener(at: folder.file(".s.PGSQL.5432").path)
    defer { close(listener) }
    let accepted = Accepted()
    Thread.detachNewThread {
      accepted.greet(accept(listener, nil, nil))
    }
    var options = ConnectionOptions()
    options.callTimeout = .seconds(5)
    let string = ConnectionString(
      "host=\(folder.url.path) port=5432 user=fuzz dbname=fuzz sslmode=disable gssencmode=disable")
    let connection = try PostgreSQLConnection(string, options)
    return WireServer(connection, accepted.descriptor)
  }

  private static func listener(at path: String) throws -> CInt {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = CInt(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_UNIX, stream, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0, listen(listener, 1) == 0 else { throw BrokenLaw("no server can listen at \(path)") }
    return listener
  }

  /// The server's end of a connection. A thread establishes the connection.
  private final class Accepted: @unchecked Sendable {
    private let condition = NSCondition()
    private var accepted: CInt?

    var descriptor: CInt {
      condition.withLock {
        while accepted == nil { condition.wait() }
        return accepted ?? -1
      }
    }

    func greet(_ descriptor: CInt) {
      var startup = [UInt8](repeating: 0, count: 4096)
      _ = read(descriptor, &startup, startup.count)
      let greeting =
        WireMessage("R", [0, 0, 0, 0]).bytes
        + [("server_version", "15.0"), ("client_encoding", "UTF8"), ("integer_datetimes", "on")].flatMap {
          WireMessage("S", Array($0.utf8) + [0] + Array($1.utf8) + [0]).bytes
        } + WireMessage("K", [0, 0, 0, 1, 0, 0, 0, 1]).bytes + WireMessage.ready
      _ = greeting.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      condition.withLock {
        accepted = descriptor
        condition.signal()
      }
    }
  }

  /// Sends messages that the client reads after its next statement. Returns the bytes that were received since the last call.
  @discardableResult
  func exchange(_ messages: [UInt8]) -> [UInt8] {
    var received = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &received, received.count, CInt(MSG_DONTWAIT))
    _ = messages.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    return Array(received.prefix(max(0, count)))
  }
}

/// Returns a message of the protocol: <https://www.postgresql.org/docs/current/protocol-message-formats.html>.
struct WireMessage {
  let bytes: [UInt8]

  init(_ type: Character, _ content: [UInt8] = []) {
    bytes = [type.asciiValue ?? 0] + WireMessage.integer(4 + content.count) + content
  }

  static func integer(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

  static let ready = WireMessage("Z", [UInt8(ascii: "I")]).bytes
  static let begin = WireMessage("1").bytes + WireMessage("2").bytes
  static let end = WireMessage("C", Array("SELECT 1".utf8) + [0]).bytes + ready

  /// Returns the description of columns of given types.
  static func columns(_ types: [UInt32]) -> [UInt8] {
    let columns = types.flatMap { type in
      [UInt8(ascii: "c"), 0, 0, 0, 0, 0, 0, 0] + integer(Int(type)) + [0, 1, 255, 255, 255, 255, 0, 1]
    }
    return WireMessage("T", [0, UInt8(types.count)] + columns).bytes
  }

  /// Returns a row of values; nil is NULL.
  static func row(_ values: [[UInt8]?]) -> [UInt8] {
    let content = values.flatMap { value -> [UInt8] in
      value.map { integer($0.count) + $0 } ?? [255, 255, 255, 255]
    }
    return WireMessage("D", [0, UInt8(values.count)] + content).bytes
  }
}
