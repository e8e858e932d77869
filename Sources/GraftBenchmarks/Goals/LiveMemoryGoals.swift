import Foundation

extension Benchmark {
  /// P7, and the second half of P4.
  func measureLiveMemory(_ workload: Workload, _ documents: Documents, _ report: inout Report) throws {
    Standard.progress("\(workload): live memory")
    var graft: Double?
    var growth: Double?
    if let subject {
      let model = try subject.makeModel(workload.modelText)
      // The first graph also allocates things that are created only once.
      try model.makeGraph().merge(documents.first.bytes, ofEntity: workload.entity)
      let before = LiveMemory.bytes()
      let graph = model.makeGraph()
      try graph.merge(documents.first.bytes, ofEntity: workload.entity)
      let first = LiveMemory.bytes()
      if options.wants(.p4) {
        for _ in 0..<10 { try graph.merge(documents.first.bytes, ofEntity: workload.entity) }
      }
      if let before, let first, let last = LiveMemory.bytes() {
        let objects = try workload.entities.reduce(0) { try $0 + graph.count(ofEntity: $1) }
        graft = Double(first - before) / Double(objects)
        growth = Double(last - first) / Double(first - before) * 100
      }
    }
    if options.wants(.p4) {
      report.add(
        Row(goal: .p4, measure: "\(workload), memory", result: Quantity(growth, "%"), target: .memoryGrowth))
    }
    guard options.wants(.p7) else { return }
    let typed = try typedLiveBytes(workload, documents)
    var ratio: Double?
    if let graft, let typed { ratio = graft / typed }
    report.add(
      Row(
        goal: .p7, measure: "\(workload)", graft: Quantity(graft, "B/object"), baseline: Quantity(typed, "B/object"),
        result: Quantity(ratio, "x"), target: .liveMemory))
  }

  private func typedLiveBytes(_ workload: Workload, _ documents: Documents) throws -> Double? {
    let warm = workload.typedGraph.init()
    try warm.merge(documents.first.data)
    warm.dismantle()
    let before = LiveMemory.bytes()
    let graph = workload.typedGraph.init()
    defer { graph.dismantle() }
    try graph.merge(documents.first.data)
    guard let before, let after = LiveMemory.bytes() else { return nil }
    return Double(after - before) / Double(graph.counts.values.reduce(0, +))
  }
}
