import Foundation

/// A TCP connection, or a socket that accepts connections. All calls block.
struct Socket: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let descriptor: Int32

  /// Listens on the loopback address.
  ///
  /// - Parameter port: the port, or 0 to let the system choose one.
  static func listening(at port: UInt16) throws -> Socket {
    let listener = try Socket()
    listener.set(SO_REUSEADDR, Int32(1))
    var address = try Self.address("127.0.0.1", port)
    let isReady =
      withPointer(&address) { bind(listener.descriptor, $0, $1) } == 0 && listen(listener.descriptor, 128) == 0
    guard isReady else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return listener
  }

  /// Connects to a server.
  static func connected(to host: String, _ port: UInt16) throws -> Socket {
    let socket = try Socket()
    var address = try Self.address(host, port)
    guard withPointer(&address, { Foundation.connect(socket.descriptor, $0, $1) }) == 0 else {
      socket.close()
      throw Failure(description: "no server at \(host):\(port)")
    }
    socket.prepare()
    return socket
  }

  /// The next connection, if one arrives within the given number of milliseconds.
  func accept(within milliseconds: Int32) -> Socket? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, milliseconds) > 0 else { return nil }
    let accepted = Foundation.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    let connection = Socket(descriptor: accepted)
    connection.prepare()
    return connection
  }

  var port: UInt16 {
    var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    _ = Self.withPointer(&address) { pointer, _ in getsockname(descriptor, pointer, &size) }
    return UInt16(bigEndian: address.sin_port)
  }

  // MARK: Bytes

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { throw Failure(description: "the connection broke") }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns what arrives next; nothing if the other side has closed the connection, or has sent nothing for a minute.
  func receive() -> ArraySlice<UInt8> {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    return buffer[..<max(0, recv(descriptor, &buffer, buffer.count, 0))]
  }

  /// Makes all calls to ``receive()`` return, including calls on other threads.
  func stopReceiving() { shutdown(descriptor, Int32(SHUT_RD)) }

  func close() { _ = Foundation.close(descriptor) }

  /// Closes the connection after the other side has had time to read all of it.
  func finish() {
    shutdown(descriptor, Int32(SHUT_WR))
    set(SO_RCVTIMEO, timeval(tv_sec: 2, tv_usec: 0))
    for _ in 0..<16 where receive().isEmpty { break }
    close()
  }

  // MARK: System calls

  private init(descriptor: Int32) { self.descriptor = descriptor }

  private init() throws {
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  /// Sends small messages immediately, and does not wait forever.
  private func prepare() {
    var isImmediate: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isImmediate, socklen_t(MemoryLayout<Int32>.size))
    set(SO_RCVTIMEO, timeval(tv_sec: 60, tv_usec: 0))
    set(SO_SNDTIMEO, timeval(tv_sec: 30, tv_usec: 0))
  }

  private func set<Value: BitwiseCopyable>(_ option: Int32, _ value: Value) {
    var value = value
    setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  private static func address(_ host: String, _ port: UInt16) throws -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
      throw Failure(description: "'\(host)' is not an address such as 127.0.0.1")
    }
    return address
  }

  private static func withPointer(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafeMutableBytes(of: &address) {
      body($0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count))
    }
  }
}
