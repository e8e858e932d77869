import Foundation

extension Benchmark {
  /// P19: `json(from:)`, against hand-written code that builds the same dictionaries from class instances. Dictionaries take 12 to
  /// 46 times the memory of their JSON, so there is at most 10 MB of JSON.
  func measureExportedDictionaries(_ workload: Workload, _ report: inout Report) throws {
    guard let model = try subject?.makeModel(workload.modelText) else { return }
    let sizes = [1, 10].filter { $0 <= options.comparedSize }
    var contenders: [Contender] = []
    var typedGraphs: [any TypedGraph] = []
    defer { typedGraphs.forEach { $0.dismantle() } }
    for size in sizes {
      Standard.progress("\(workload): exported dictionaries, \(size) MB")
      let document = Documents.first(workload, megabytes: size)
      let graph = model.makeGraph()
      try graph.merge(document.bytes, ofEntity: workload.entity)
      try graph.prepareExport(of: workload.entity)
      let typed = workload.typedGraph.init()
      typedGraphs.append(typed)
      try typed.merge(document.data)
      typed.prepareExport()
      if size == sizes[0] {
        for (side, dictionaries) in [("", try graph.exportDictionaries()), ("baseline's ", typed.exportDictionaries())]
        {
          let data = try JSONSerialization.data(withJSONObject: dictionaries)
          if let difference = try JSONDifference(workload).find(document.data, data) {
            report.add(fault: "\(workload): the \(side)dictionaries differ: \(difference)")
          }
        }
      }
      contenders.append(exporter(.size(size), sizes, size) { try graph.exportDictionaries() })
      contenders.append(exporter(.typedSize(size), sizes, size) { typed.exportDictionaries() })
    }
    Standard.progress("\(workload): exported dictionaries")
    let samples = try Samples(rounds: options.graphRounds, contenders)
    if sizes.count > 1 {
      let exponent = { (name: @escaping (Int) -> Contender.Name) in Quantity(self.exponent(samples, sizes, name), "") }
      report.add(
        Row(
          goal: .p19, measure: "\(workload), exponent", graft: exponent { .size($0) },
          baseline: exponent { .typedSize($0) }, result: exponent { .size($0) }, target: .operationGrowth))
    }
    let largest = sizes[sizes.count - 1]
    report.add(
      Row(
        goal: .p19, measure: "\(workload), \(largest) MB", graft: .milliseconds(samples.median(.size(largest))),
        baseline: .milliseconds(samples.median(.typedSize(largest))),
        result: Quantity(samples.ratio(.size(largest), to: .typedSize(largest)), "x"), target: .exportedDictionaries))
  }

  private func exporter(
    _ name: Contender.Name, _ sizes: [Int], _ size: Int, _ export: @escaping () throws -> [Any]
  ) -> Contender {
    Contender(
      name, repetitions: size == 1 && sizes.count > 1 ? 3 : 1, prepare: {}, run: export,
      finish: { _, dictionaries in try require(!dictionaries.isEmpty, "nothing was exported") })
  }
}
