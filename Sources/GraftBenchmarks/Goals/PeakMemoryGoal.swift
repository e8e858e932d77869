import Foundation

extension Benchmark {
  /// P8: the increase in peak memory when a process that already holds the payload imports it.
  func measurePeakMemory(_ workload: Workload, _ report: inout Report) throws {
    Standard.progress("\(workload): peak memory")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("graft-bench-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let document = Documents.first(workload, megabytes: options.peakSize)
    try document.data.write(to: file)
    let lift = { (side: PeakMemoryChild.Side) in
      try PeakMemoryChild.measure(side, workload, input: file).map { Double($0) / Double(document.bytes.count) }
    }
    let graft = subject == nil ? nil : try lift(.graft)
    report.add(
      Row(
        goal: .p8, measure: "\(workload), \(options.peakSize) MB", graft: Quantity(graft, "x"),
        baseline: Quantity(try lift(.typed), "x"), result: Quantity(graft, "x"), target: .peakMemory))
  }
}
