import Foundation
import Graft
import GraftPostgreSQL
import GraftSQLite

/// The service: a store and a server.
struct Service {
  let server: HTTPServer

  /// - Parameters:
  ///   - store: the URL of a PostgreSQL database, or the path of a file.
  ///   - log: the log of requests; nil for no log.
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
    let sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { server.stop() }
      source.resume()
      return source
    }
    server.run()
    for source in sources { source.cancel() }
  }
}
