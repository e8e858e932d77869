import Foundation

extension Benchmark {
  /// Checks the results of every run: both sides contain the same number of objects and export the data that they imported.
  func checkResults(_ workload: Workload, _ documents: Documents, _ report: inout Report) throws {
    let typed = workload.typedGraph.init()
    defer { typed.dismantle() }
    let graph = try subject?.makeModel(workload.modelText).makeGraph()
    for (name, document) in [("first", documents.first), ("update", documents.update)] {
      try typed.merge(document.data)
      typed.prepareExport()
      // Synthesized coding omits nil.
      if let difference = try JSONDifference(workload, nullsMayBeMissing: true).find(document.data, typed.export()) {
        report.add(fault: "\(workload), \(name) payload: the baseline's export differs: \(difference)")
      }
      guard let graph else { continue }
      try graph.merge(document.bytes, ofEntity: workload.entity)
      for entity in workload.entities {
        let count = try graph.count(ofEntity: entity)
        if count == typed.counts[entity] { continue }
        report.add(
          fault: """
            \(workload), \(name) payload: \(count) objects of \(entity), \
            the baseline has \(typed.counts[entity] ?? 0)
            """)
      }
      try graph.prepareExport(of: workload.entity)
      if let difference = try JSONDifference(workload).find(document.data, graph.export()) {
        report.add(fault: "\(workload), \(name) payload: the export differs: \(difference)")
      }
    }
  }
}
