import Foundation
import Graft

/// The routes of the service. Several threads call them, and each request has its own context.
struct Routes: Sendable {
  let store: any PersistentStore

  /// The number of times an import is repeated here if other requests change the same objects. The library has already
  /// repeated it by then.
  private static let retries = 3
  private static let maximumLimit = 1000

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let words = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let method = request.method == "HEAD" ? "GET" : request.method
    do {
      switch (method, words.first, words.dropFirst().first, words.count) {
      case ("GET", "health", nil, 1): return try health()
      case ("POST", "heroes", nil, 1): return try importHeroes(request.body)
      case ("GET", "heroes", nil, 1): return try heroes(request.query)
      case ("GET", "heroes", "count"?, 2): return try count(request.query)
      case ("GET", "heroes", let id?, 2): return try hero(id)
      case (_, "health", nil, 1), (_, "heroes", _?, 2):
        return HTTPResponse(405, error: "the method is not allowed", headers: ["Allow: GET, HEAD"])
      case (_, "heroes", nil, 1):
        return HTTPResponse(405, error: "the method is not allowed", headers: ["Allow: GET, HEAD, POST"])
      default: return HTTPResponse(404, error: "there is nothing at this path")
      }
    } catch {
      return failure(error)
    }
  }

  // MARK: Requests

  /// Imports an array of heroes in one transaction.
  private func importHeroes(_ body: Data) throws -> HTTPResponse {
    var options = ImportOptions(sourceName: "body")
    options.limits.depth = 32
    options.limits.objects = 20_000
    var attempt = 0
    while true {
      do {
        let context = ManagedObjectContext(store: store)
        return HTTPResponse(json: Report(try context.importJSON(body, ofEntity: "Hero", options: options)))
      } catch {
        guard error.underlyingError is ConflictError, attempt < Routes.retries else { throw error }
        attempt += 1
        // Requests that collided should not collide again.
        Thread.sleep(forTimeInterval: .random(in: 0...0.05) * Double(attempt))
      }
    }
  }

  private func heroes(_ query: [String: String]) throws -> HTTPResponse {
    guard let limit = Int(query["limit"] ?? "100"), (0...Routes.maximumLimit).contains(limit) else {
      return HTTPResponse(400, error: "the limit is a number from 0 to \(Routes.maximumLimit)")
    }
    let context = ManagedObjectContext(store: store)
    let condition = query["where"].map { ObjectCondition($0) }
    let heroes =
      if let condition {
        try context.fetch(ofEntity: "Hero", where: condition, sortedBy: .ascending("id"), limit: limit)
      } else {
        try context.fetch(ofEntity: "Hero", sortedBy: .ascending("id"), limit: limit)
      }
    return HTTPResponse(200, try jsonData(from: heroes))
  }

  private func count(_ query: [String: String]) throws -> HTTPResponse {
    let context = ManagedObjectContext(store: store)
    let condition = query["where"].map { ObjectCondition($0) }
    let count = try condition.map { try context.count(ofEntity: "Hero", where: $0) } ?? context.count(ofEntity: "Hero")
    return HTTPResponse(json: ["count": count])
  }

  private func hero(_ id: Substring) throws -> HTTPResponse {
    let context = ManagedObjectContext(store: store)
    guard let id = Int(id), let hero = try context.find(ofEntity: "Hero", id: id) else {
      return HTTPResponse(404, error: "there is no hero \(id)")
    }
    return HTTPResponse(200, try jsonData(from: hero))
  }

  /// Reports whether the store can be reached, and still has the tables of this program's model.
  private func health() throws -> HTTPResponse {
    _ = try ManagedObjectContext(store: store).fetch(ofEntity: "Hero", limit: 1)
    return HTTPResponse(json: ["latestCommit": try store.latestCommit()])
  }

  // MARK: Answers

  /// The number of objects of each entity that an import inserted, updated, and so on.
  private struct Report: Encodable {
    let inserted, updated, unchanged, placeholders, filled: [String: Int]

    init(_ report: ImportReport) {
      inserted = report.inserted
      updated = report.updated
      unchanged = report.unchanged
      placeholders = report.placeholders
      filled = report.filled
    }
  }

  private struct Faults: Encodable {
    struct Fault: Encodable {
      let message: String
      let code: String
      let path: String?
      let line, column: Int?
    }

    let error: String
    let diagnostics: [Fault]
  }

  private func failure(_ error: any Error) -> HTTPResponse {
    let cause = (error as? ImportError)?.underlyingError ?? (error as? ExportError)?.underlyingError ?? error
    let status =
      switch cause {
      case is ConflictError: 409
      case let error as StoreError: status(error)
      case is ExportError: 500
      case is any DiagnosticError: 422
      default: error is ImportError ? 422 : 500
      }
    // Errors on the server's side are for its operator, not for the client.
    if status >= 500 {
      try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
      return HTTPResponse(status, error: status == 503 ? "the store is not available" : "internal error")
    }
    let faults = ((error as? any DiagnosticError)?.diagnostics ?? []).map {
      Faults.Fault(
        message: $0.message, code: $0.code.rawValue, path: $0.path, line: $0.location?.line, column: $0.location?.column
      )
    }
    return HTTPResponse(
      status, json: Faults(error: status == 422 ? "nothing was imported" : "refused", diagnostics: faults))
  }

  /// The store may be unreachable, or the request may have a wrong condition.
  private func status(_ error: StoreError) -> Int {
    switch error.diagnostics.first?.code {
    case .invalidCondition?, .untranslatablePredicate?, .wrongIdentifier?, .negativeLimit?: 400
    case .unstorableValue?: 422
    case .unavailableStore?: 503
    default: 500
    }
  }
}
