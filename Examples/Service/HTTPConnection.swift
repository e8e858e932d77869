import Foundation

/// One connection of the server. It reads a request, waits for the answer, sends it, and begins again.
final class HTTPConnection {
  private enum State {
    case reading, working, sending
    /// All is sent. The client's last bytes are read and ignored, because closing earlier may cost it the answer.
    case ending
    case closed
  }

  let descriptor: Int32
  private var state = State.reading
  private var reader = RequestReader()
  private var output: ArraySlice<UInt8> = []
  private var keepsAlive = true
  private var deadline = ContinuousClock.now + HTTPConnection.idleTime

  /// How long a connection may be idle, and how long a request or an answer may take to arrive.
  private static let idleTime = Duration.seconds(60)
  private static let transferTime = Duration.seconds(30)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    makeNonblocking(descriptor)
    var isImmediate: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isImmediate, socklen_t(MemoryLayout<Int32>.size))
  }

  var isClosed: Bool { state == .closed }

  /// What to wait for. While a worker has the request, nothing.
  var polled: pollfd? {
    switch state {
    case .reading, .ending: pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    case .sending: pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    case .working, .closed: nil
    }
  }

  /// Reads or sends what is possible without waiting.
  func proceed() {
    switch state {
    case .reading: receive()
    case .sending: send()
    case .ending: if read(ignoring: true) { state = .closed }
    case .working, .closed: break
    }
  }

  private func receive() {
    let wasEmpty = reader.isEmpty
    if read(ignoring: false) { state = .closed }
    if wasEmpty, !reader.isEmpty { deadline = .now + HTTPConnection.transferTime }
  }

  /// Returns whether the client has closed the connection.
  private func read(ignoring: Bool) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0, !ignoring { reader.append(buffer[..<count]) }
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
  }

  /// Returns the next request if it is complete. The connection then waits for its answer.
  func takeRequest() throws(HTTPError) -> HTTPRequest? {
    guard state == .reading else { return nil }
    guard let request = try reader.next() else {
      // The socket of a client that has sent nothing else has room for these few bytes.
      if reader.expectsContinue() { _ = Foundation.send(descriptor, HTTPResponse.goOn, HTTPResponse.goOn.count, 0) }
      return nil
    }
    state = .working
    return request
  }

  /// Sends an answer.
  func send(_ bytes: [UInt8], keepsAlive: Bool) {
    guard state != .closed else { return }
    output = bytes[...]
    self.keepsAlive = keepsAlive
    state = .sending
    deadline = .now + HTTPConnection.transferTime
    send()
  }

  private func send() {
    while !output.isEmpty {
      let count = output.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
      guard count > 0 else {
        if errno != EAGAIN && errno != EINTR { state = .closed }
        return
      }
      output = output.dropFirst(count)
    }
    if keepsAlive {
      state = .reading
      deadline = .now + (reader.isEmpty ? HTTPConnection.idleTime : HTTPConnection.transferTime)
    } else {
      state = .ending
      deadline = .now + .seconds(2)
      shutdown(descriptor, Int32(SHUT_WR))
    }
  }

  /// The server stops: what has not begun does not begin.
  func finish() {
    guard state == .reading else { return }
    if reader.isEmpty { state = .closed } else { deadline = min(deadline, .now + .seconds(5)) }
  }

  /// Closes the connection if its time is over. Returns an error to answer with if a request has arrived in part.
  func expire(_ now: ContinuousClock.Instant) -> HTTPError? {
    guard state != .working, now > deadline else { return nil }
    if state == .reading, !reader.isEmpty { return HTTPError(408, "the request took too long") }
    state = .closed
    return nil
  }
}
