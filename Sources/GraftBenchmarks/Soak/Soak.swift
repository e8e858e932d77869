import Foundation
import Graft

/// `graft-bench soak`: a process that imports, edits and deletes for minutes, and must end with the same memory that it started with.
///
/// Each round begins and ends with a context without objects, so any memory that is live afterwards was retained by the library.
struct Soak {
  private static let mostGrowth = 1.05
  private let minutes: Double

  /// Returns the output if the arguments request a soak.
  ///
  /// - Throws: a ``UsageError``, or a ``BenchmarkError`` if memory grew or a result was wrong.
  static func answer(_ arguments: [String]) throws -> String? {
    guard arguments.first == "soak" else { return nil }
    let isOfRequests = arguments.dropFirst().first == "requests"
    let words = arguments.dropFirst(isOfRequests ? 2 : 1)
    guard words.count < 2, let minutes = Double(words.first ?? (isOfRequests ? "1" : "10")), minutes > 0 else {
      throw UsageError("'soak' and 'soak requests' take a number of minutes (default: 10 and 1)")
    }
    return try isOfRequests ? RequestSoak(minutes: minutes).run() : Soak(minutes: minutes).run()
  }

  private func run() throws -> String {
    let folder = try BenchmarkFolder()
    defer { folder.remove() }
    let graph = try SoakGraph(folder)
    // The first rounds also allocate things that are created only once.
    for round in 0..<SoakGraph.documents * 2 { try graph.run(round) }
    let rounds = SoakGraph.documents * 2
    guard let first = LiveMemory.bytes() else {
      throw BenchmarkError("this platform does not report how many bytes are live")
    }
    let start = Date()
    var round = rounds
    var shown = 0
    var text = "minutes   rounds     live\n" + Self.line(0, rounds, first)
    while true {
      // All documents once, so that the last round before a measurement is always the same.
      for _ in 0..<SoakGraph.documents {
        try graph.run(round)
        round += 1
      }
      let elapsed = Date().timeIntervalSince(start) / 60
      let isOver = elapsed >= minutes
      guard isOver || Int(elapsed) > shown else { continue }
      shown = Int(elapsed)
      let last = LiveMemory.bytes() ?? 0
      text += Self.line(elapsed, round, last)
      Standard.progress("soak: \(Int(elapsed)) of \(Int(minutes)) minutes")
      guard isOver else { continue }
      let growth = Double(last) / Double(first)
      text += "growth: \(Quantity.number(growth))x (must: at most \(Self.mostGrowth)x)\n"
      Standard.progress("")
      guard growth <= Self.mostGrowth else { throw BenchmarkError("memory grew:\n\(text)") }
      return text
    }
  }

  private static func line(_ minutes: Double, _ rounds: Int, _ bytes: Int) -> String {
    String(format: "%7.1f %8d %6.2f MB\n", minutes, rounds, Double(bytes) / 1_000_000)
  }
}
