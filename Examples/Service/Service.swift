import Foundation
import Graft
import GraftPostgreSQL
import GraftSQLite

/// The service: a store and a server.
struct Service {
  let server: HTTPServer

  /// - Parameters:
  ///   - store: the URL of a PostgreSQL database, or the path of a file.
  ///   - log: nil for none.
  init(store: String, port: UInt16, workers: Int, log: RequestLog?) throws {
    let modelFile = URL(filePath: "Service.model.json", relativeTo: URL(filePath: #filePath))
    let model = try ManagedObjectModel(contentsOf: modelFile)
    let routes = Routes(store: try Service.open(store, model, workers))
    server = try HTTPServer(port: port, workers: workers, log: log) { routes.answer($0) }
  }

  private static func open(_ name: String, _ model: ManagedObjectModel, _ workers: Int) throws -> any PersistentStore {
    guard name.hasPrefix("postgresql://") || name.hasPrefix("postgres://") else {
      return try SQLiteStore(at: URL(filePath: name), model: model)
    }
    var options = PostgreSQLStore.Options()
    // Each worker has one context at a time.
    options.maximumReaders = workers
    options.callTimeout = .seconds(20)
    return try PostgreSQLStore(name, model: model, options: options)
  }

  /// Serves until the process receives SIGTERM or SIGINT, and then finishes the requests that have begun.
  func run() {
    stoppedByDescriptor = server.stopDescriptor
    // The process that started this one may have blocked them.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT] {
      sigaddset(&signals, number)
      signal(number) { _ in
        // Almost nothing may be called in a signal handler, but a byte can be written.
        var byte = HTTPServer.stopByte
        _ = write(stoppedByDescriptor, &byte, 1)
      }
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    server.run()
  }
}

/// Where the signal handler writes.
nonisolated(unsafe) private var stoppedByDescriptor: Int32 = -1
