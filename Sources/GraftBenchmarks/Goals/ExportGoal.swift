import Foundation

extension Benchmark {
  /// P6: exports a graph to bytes, against converting it to records and encoding them with `JSONEncoder`.
  func measureExport(_ workload: Workload, _ documents: Documents, _ report: inout Report) throws {
    Standard.progress("\(workload): export")
    let typed = workload.typedGraph.init()
    defer { typed.dismantle() }
    try typed.merge(documents.first.data)
    typed.prepareExport()
    var contenders = [exporter(.typed) { try typed.export() }]
    if let subject {
      let graph = try subject.makeModel(workload.modelText).makeGraph()
      try graph.merge(documents.first.bytes, ofEntity: workload.entity)
      try graph.prepareExport(of: workload.entity)
      contenders.insert(exporter(.graft) { try graph.export() }, at: 0)
    }
    let samples = try Samples(rounds: options.comparedRounds, contenders)
    report.add(
      Row(
        goal: .p6, measure: "\(workload)",
        graft: .throughput(documents.first, seconds: samples.median(.graft)),
        baseline: .throughput(documents.first, seconds: samples.median(.typed)),
        result: Quantity(samples.ratio(.typed, to: .graft), "x"), target: .export))
  }

  private func exporter(_ name: Contender.Name, _ export: @escaping () throws -> Data) -> Contender {
    Contender(
      name, prepare: {}, run: export,
      finish: { _, data in if data.count < 1000 { throw BenchmarkError("almost nothing was exported") } })
  }
}
