import Foundation
import Graft
import GraftTestSupport

/// A service under load while its store fails repeatedly. It must recover by itself, lose no commit, and not use more and more memory.
///
/// Most requests edit, import and commit with a long-lived context. Other requests read with a context of their own, or import a faulty
/// payload. A request is repeated if the store fails.
struct ServiceTrial {
  let kind: StoreKind
  let seed: UInt64

  private static let mostGrowth = 1.1
  /// The time between two samples of memory, in seconds.
  private static let interval = 0.25
  /// The number of seconds by which a run is extended if no trouble has caused an error yet.
  private static let patience = 90.0

  func run(minutes: Double) throws -> String {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let troubles: any Troubles =
      try kind == .postgresql ? ServerTroubles() : DiskTroubles(folder.url.appendingPathComponent("store.graft"))
    let store = try kind.open(troubles.url)
    let service = Service(ledger: try Ledger(store), store: store)
    var random = SeededRandom(seed: seed)
    let start = Date()
    var samples: [(time: Double, pages: Int)] = []
    var shown = 0
    let elapsed = { Date().timeIntervalSince(start) }
    troubles.begin()
    // A short run continues until a request has encountered a trouble. On a busy machine, the first troubles can begin and end between two
    // requests.
    while elapsed() < minutes * 60 || service.errors == 0 && elapsed() < minutes * 60 + Self.patience {
      try service.serve(&random)
      guard elapsed() >= (samples.last?.time ?? 0) + Self.interval else { continue }
      if let pages = ProcessState.residentPages() { samples.append((elapsed(), pages)) }
      guard Int(elapsed() / 60) > shown else { continue }
      shown = Int(elapsed() / 60)
      FileHandle.standardError.write(Data("\(shown) min: \(service.summary)\n".utf8))
    }
    try troubles.end()
    try service.serve(&random)
    try Ledger.check(
      kind.open(troubles.url), acknowledged: service.number, begun: service.number, "\(kind.rawValue), at the end")
    guard service.errors > 0 || troubles.count == 0 else { throw Failure("\(troubles.count) troubles caused no error") }
    return
      "\(kind.rawValue), \(minutes) min: \(service.summary) during \(troubles.count) troubles (\(troubles.names)); "
      + "none lost; \(try growth(samples, elapsed()))"
  }

  /// Compares the peak memory of both halves. The first half also includes allocations that happen only once.
  private func growth(_ samples: [(time: Double, pages: Int)], _ end: Double) throws -> String {
    // The memory of a process that has just started still grows.
    guard end >= 60 else { return "too short to judge memory" }
    let peak = { (isFirst: Bool) in samples.filter { ($0.time < end / 2) == isFirst }.map(\.pages).max() }
    guard let before = peak(true), let after = peak(false) else { return "memory not measured" }
    let growth = Double(after) / Double(before)
    guard growth <= Self.mostGrowth else { throw Failure("memory grew from \(before) to \(after) pages") }
    return String(format: "%.2f times the memory in the second half", growth)
  }
}

/// The service's work so far.
private final class Service {
  private let ledger: Ledger
  private let store: any StoreBackend
  /// The number of the latest commit.
  private(set) var number: Int64 = 0
  private(set) var requests = 0
  private(set) var errors = 0

  init(ledger: Ledger, store: any StoreBackend) {
    self.ledger = ledger
    self.store = store
  }

  var summary: String { "\(requests) requests, \(number) commits, \(errors) errors" }

  /// Handles one request.
  func serve(_ random: inout SeededRandom) throws {
    requests += 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0: try refuse()
    case 1...3: try retry(read)
    default: try retry(commit)
    }
  }

  /// Repeats an attempt until the store can be used. Pauses between attempts, as services do.
  private func retry(_ body: () throws -> Void) throws {
    let latest = Date(timeIntervalSinceNow: 60)
    while true {
      do {
        return try body()
      } catch  where isUnavailable(error) || hasCode(error, .commitConflict) {
        errors += 1
        guard Date() < latest else { throw Failure("the store cannot be used for a minute: \(error)") }
        usleep(5_000)
      }
    }
  }

  /// Makes the next commit, unless a failed attempt has already made it: the connection can be lost while the server answers.
  private func commit() throws {
    ledger.context.rollBack()
    try ledger.context.merge()
    let latest = try ledger.latest()
    if latest != number + 1 {
      guard latest == number else { throw Failure("the store has commit \(latest) instead of \(number)") }
      try ledger.commit(number + 1)
    }
    number += 1
  }

  /// Reads the graph with another context, and exports part of it.
  private func read() throws {
    let context = try ManagedObjectContext(model: Ledger.model, store: store)
    let counter = try context.find(ofEntity: "Counter", id: 0 as Int64)
    let value: Int64 = counter?["value"] ?? 0
    guard value == number || value == number + 1 else { throw Failure("the counter is \(value), not \(number)") }
    guard value > 0, let batch = try context.find(ofEntity: "Batch", id: value) else { return }
    let text = try jsonString(from: batch)
    guard text.contains("batch \(value)") else { throw Failure("a wrong answer: \(text.prefix(200))") }
  }

  /// Imports a faulty payload, which leaves no trace.
  private func refuse() throws {
    do {
      try ledger.context.importJSON(#"[{"number": 1, "title": "no"}, {"number": "two"}]"#, ofEntity: "Batch")
      throw Failure("a faulty payload was imported")
    } catch is ImportError {
      guard !ledger.context.hasChanges else { throw Failure("a failed import left changes") }
    } catch  where isUnavailable(error) {
      errors += 1
    }
  }
}

/// The operating system's information about the memory of this process.
private enum ProcessState {
  /// The number of memory pages that the process uses, or nil if the platform does not report this number.
  static func residentPages() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }
}
