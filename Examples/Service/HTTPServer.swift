import Foundation

/// A server for HTTP/1.1 on the loopback address. A proxy in front of it does TLS.
///
/// One thread reads and writes all connections and never waits for one of them. Complete requests go to a fixed number of threads, which
/// may block, such as in a call to the database.
final class HTTPServer: @unchecked Sendable {
  let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (HTTPRequest) -> HTTPResponse
  private let log: RequestLog?
  /// Wakes the thread of the connections.
  private let wakeUp: Pipe = Pipe()
  private let workers: Workers

  /// What the threads share.
  private let lock = NSLock()
  private var answers: [(connection: Int32, bytes: [UInt8], keepsAlive: Bool)] = []
  private var isStopping = false

  /// The connections by their descriptors. Only ``run()`` uses them.
  private var connections: [Int32: HTTPConnection] = [:]
  private static let maximumConnections = 500

  /// - Parameter port: the port, or 0 to let the system choose one.
  init(
    port: UInt16, workers: Int, log: RequestLog?, answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var reuse: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = self.listener
    let isReady = withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
      return bind(listener, pointer, size) == 0 && listen(listener, 128) == 0
        && getsockname(listener, pointer, &size) == 0
    }
    guard isReady else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    self.port = UInt16(bigEndian: address.sin_port)
    self.workers = Workers(count: workers)
    self.answer = answer
    self.log = log
    for descriptor in [
      listener, wakeUp.fileHandleForReading.fileDescriptor, wakeUp.fileHandleForWriting.fileDescriptor,
    ] {
      makeNonblocking(descriptor)
    }
  }

  /// Makes ``run()`` return after the requests that have begun. May be called from any thread.
  func stop() { wake(HTTPServer.stopByte) }

  /// The byte that stops the server if it is written to ``stopDescriptor``, which a signal handler can do.
  static let stopByte: UInt8 = 1
  var stopDescriptor: Int32 { wakeUp.fileHandleForWriting.fileDescriptor }

  private func wake(_ byte: UInt8 = 0) {
    var byte = byte
    // If the pipe is full, the thread is about to wake up.
    _ = write(wakeUp.fileHandleForWriting.fileDescriptor, &byte, 1)
  }

  /// Serves connections until ``stop()`` is called.
  func run() {
    var isAccepting = true
    while true {
      takeAnswers()
      if isAccepting, lock.withLock({ isStopping }) {
        isAccepting = false
        close(listener)
        for connection in connections.values { connection.finish() }
      }
      removeClosed()
      if !isAccepting, connections.isEmpty { break }

      var polled = [pollfd(fd: wakeUp.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)]
      if isAccepting, connections.count < HTTPServer.maximumConnections {
        polled.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
      }
      polled += connections.values.compactMap(\.polled)
      guard poll(&polled, nfds_t(polled.count), 500) > 0 else { continue }
      for item in polled where item.revents != 0 {
        if let connection = connections[item.fd] {
          connection.proceed()
          takeRequest(connection)
        } else if item.fd == listener {
          accept()
        } else {
          var bytes = [UInt8](repeating: 0, count: 512)
          let count = max(0, read(item.fd, &bytes, bytes.count))
          if bytes[..<count].contains(HTTPServer.stopByte) { lock.withLock { isStopping = true } }
        }
      }
    }
    workers.stop()
  }

  private func accept() {
    while connections.count < HTTPServer.maximumConnections {
      #if canImport(Glibc)
        let descriptor = Glibc.accept(listener, nil, nil)
      #else
        let descriptor = Darwin.accept(listener, nil, nil)
      #endif
      guard descriptor >= 0 else {
        // Without descriptors, the connection would be reported again at once.
        if errno == EMFILE || errno == ENFILE { usleep(20_000) }
        return
      }
      connections[descriptor] = HTTPConnection(descriptor)
    }
  }

  private func removeClosed() {
    let now = ContinuousClock.now
    for (descriptor, connection) in connections {
      if let error = connection.expire(now) { refuse(connection, error) }
      if connection.isClosed {
        connections[descriptor] = nil
        close(descriptor)
      }
    }
  }

  // MARK: Requests and answers

  /// Hands the next request of a connection to a worker, if it is complete.
  private func takeRequest(_ connection: HTTPConnection) {
    do throws(HTTPError) {
      guard let request = try connection.takeRequest() else { return }
      let begin = ContinuousClock.now
      let descriptor = connection.descriptor
      workers.add { [self] in
        let response = answer(request)
        log?.add(request, response, ContinuousClock.now - begin)
        let keepsAlive = request.keepsAlive && !lock.withLock { isStopping }
        let bytes = response.bytes(keepsAlive: keepsAlive, omitsBody: request.method == "HEAD")
        lock.withLock { answers.append((descriptor, bytes, keepsAlive)) }
        wake()
      }
    } catch {
      refuse(connection, error)
    }
  }

  private func refuse(_ connection: HTTPConnection, _ error: HTTPError) {
    let response = HTTPResponse(error.status, error: error.message)
    log?.add(nil, response, .zero)
    connection.send(response.bytes(keepsAlive: false, omitsBody: false), keepsAlive: false)
  }

  private func takeAnswers() {
    let answers = lock.withLock {
      defer { self.answers = [] }
      return self.answers
    }
    for answer in answers {
      guard let connection = connections[answer.connection] else { continue }
      connection.send(answer.bytes, keepsAlive: answer.keepsAlive)
      takeRequest(connection)
    }
  }
}

func makeNonblocking(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}
