import Foundation

/// A server for HTTP/1.1 on the loopback address. A proxy in front of it handles TLS, and keeps slow clients away.
///
/// Each connection has a thread, which may block, such as in a call to the database. A fixed number of threads answer requests at the same
/// time; the other threads wait.
final class HTTPServer: @unchecked Sendable {
  private let listener: Socket
  private let answer: @Sendable (HTTPRequest) -> HTTPResponse
  private let log: RequestLog?
  private let workers: DispatchSemaphore

  /// The state that the threads share.
  private let condition = NSCondition()
  private var connections: [Int32: Socket] = [:]
  private var isStopping = false
  private static let maximumConnections = 500

  /// - Parameters:
  ///   - port: the port, or 0 to let the system choose one.
  ///   - workers: the number of requests that are answered at the same time.
  init(
    port: UInt16, workers: Int, log: RequestLog?, answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws {
    listener = try Socket.listening(at: port)
    self.workers = DispatchSemaphore(value: workers)
    self.answer = answer
    self.log = log
  }

  var port: UInt16 { listener.port }

  /// Makes ``run()`` return after the requests that have begun. May be called from any thread.
  func stop() { condition.withLock { isStopping = true } }

  /// Serves connections until ``stop()`` is called.
  func run() {
    while !condition.withLock({ isStopping }) {
      if let connection = listener.accept(within: 100) { begin(connection) }
    }
    listener.close()
    condition.withLock {
      for connection in connections.values { connection.stopReceiving() }
      while !connections.isEmpty { condition.wait() }
    }
  }

  private func begin(_ connection: Socket) {
    condition.withLock {
      while connections.count >= HTTPServer.maximumConnections { condition.wait() }
      connections[connection.descriptor] = connection
    }
    let thread = Thread { [self] in
      serve(connection)
      condition.withLock {
        connections[connection.descriptor] = nil
        connection.finish()
        condition.broadcast()
      }
    }
    thread.stackSize = 4 << 20
    thread.start()
  }

  private func serve(_ connection: Socket) {
    var reader = MessageReader(connection)
    do {
      while var request = try reader.head().map(HTTPRequest.init(head:)), let body = reader.body(request.length) {
        request.body = body
        workers.wait()
        let begin = ContinuousClock.now
        let response = answer(request)
        log?.add(request, response, ContinuousClock.now - begin)
        workers.signal()
        let keepsAlive = request.keepsAlive && !condition.withLock { isStopping }
        try connection.send(response.bytes(keepsAlive: keepsAlive, omitsBody: request.method == "HEAD"))
        if !keepsAlive { return }
      }
    } catch let error as HTTPError {
      let response = HTTPResponse(error.status, error: error.message)
      log?.add(nil, response, .zero)
      try? connection.send(response.bytes(keepsAlive: false, omitsBody: false))
    } catch {
      // The client is gone.
    }
  }
}
