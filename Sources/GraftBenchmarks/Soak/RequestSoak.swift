import CSQLite
import Foundation
import Graft
import GraftSQLite

/// `graft-bench soak requests`: a long-lived context that serves requests. Each request imports objects that the store does not
/// have, and exports one. The memory of the context must not grow with the store.
///
/// A context holds more and more objects until it releases them. Therefore, the peak in the second half of the time is compared
/// with the peak in the first half.
struct RequestSoak {
  private static let mostGrowth = 1.1
  private static let objectsOfRequest = 10
  /// The time between two samples, and between two lines of the output, in seconds.
  private static let (interval, lineInterval) = (0.25, 5.0)
  let minutes: Double

  func run() throws -> String {
    let folder = try BenchmarkFolder()
    defer { folder.remove() }
    let store = try SQLiteStore(at: folder.file(), model: ManagedObjectModel(text: Workload.heroes.modelText))
    let context = ManagedObjectContext(store: store)
    var writer = Workload.heroes.makeWriter(seed: 7, sharing: 1)
    let start = Date()
    var requests = 0
    var samples: [(time: Double, bytes: Int)] = []
    var shown = 0.0
    var text = "seconds  requests  without SQLite\n"
    while true {
      var payload = JSONText()
      for index in 0..<Self.objectsOfRequest {
        payload.raw(index == 0 ? "[" : ",")
        writer.write(record: requests * Self.objectsOfRequest + index, revision: 0, to: &payload)
      }
      payload.raw("]")
      try serve(payload.bytes, context)
      requests += 1
      let elapsed = Date().timeIntervalSince(start)
      let isOver = elapsed >= minutes * 60
      guard isOver || elapsed >= (samples.last?.time ?? 0) + Self.interval else { continue }
      guard let live = LiveMemory.bytes() else {
        throw BenchmarkError("this platform does not report how many bytes are live")
      }
      let bytes = live - Int(sqlite3_memory_used())
      samples.append((elapsed, bytes))
      if isOver || elapsed >= shown + Self.lineInterval {
        shown = elapsed
        text += String(format: "%7.1f %9d %11.2f MB\n", elapsed, requests, Double(bytes) / 1_000_000)
        Standard.progress("soak: \(Int(elapsed)) of \(Int(minutes * 60)) seconds")
      }
      guard isOver else { continue }
      let count = try context.count(ofEntity: "Hero")
      guard count == requests * Self.objectsOfRequest else { throw BenchmarkError("the store has \(count) heroes") }
      let peak = { (isFirst: Bool) in
        samples.filter { ($0.time < elapsed / 2) == isFirst }.map(\.bytes).max() ?? bytes
      }
      let (before, after) = (peak(true), peak(false))
      let growth = Double(after) / Double(before)
      text += String(
        format: "peaks of the halves: %.2f and %.2f MB\n", Double(before) / 1_000_000, Double(after) / 1_000_000)
      text += "growth: \(Quantity.number(growth))x (must: at most \(Self.mostGrowth)x)\n"
      Standard.progress("")
      guard growth <= Self.mostGrowth else { throw BenchmarkError("memory grew:\n\(text)") }
      return text
    }
  }

  private func serve(_ payload: [UInt8], _ context: ManagedObjectContext) throws {
    let heroes = try objects(ofEntity: "Hero", fromJSON: Data(payload), in: context)
    let answer = try jsonData(from: heroes[0])
    guard heroes.count == Self.objectsOfRequest, answer.count > 100 else { throw BenchmarkError("a wrong answer") }
    if context.hasChanges { try context.commit() }
  }
}
