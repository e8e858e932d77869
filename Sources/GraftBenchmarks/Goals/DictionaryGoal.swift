import Foundation

extension Benchmark {
  /// P10: imports the result of `JSONSerialization`, against a hand-written typed merge. Dictionaries take 12 to 46 times the
  /// memory of their JSON, so payloads are at most 10 MB.
  func measureDictionaries(_ workload: Workload, _ report: inout Report) throws {
    Standard.progress("\(workload): dictionaries")
    let document = Documents.first(workload, megabytes: min(options.comparedSize, 10))
    guard let dictionaries = try JSONSerialization.jsonObject(with: document.data) as? [Any] else { return }
    var contenders = [
      Contender(
        .typed, prepare: { workload.typedGraph.init() }, run: { try $0.merge(dictionaries) },
        finish: { graph, _ in graph.dismantle() })
    ]
    if let model = try subject?.makeModel(workload.modelText) {
      contenders.insert(
        Contender(
          .graft, prepare: { model.makeGraph() }, run: { try $0.merge(dictionaries, ofEntity: workload.entity) },
          finish: { graph, _ in try requireObjects(graph, workload) }), at: 0)
    }
    let samples = try Samples(rounds: options.comparedRounds, contenders)
    report.add(
      Row(
        goal: .p10, measure: "\(workload)", graft: .throughput(document, seconds: samples.median(.graft)),
        baseline: .throughput(document, seconds: samples.median(.typed)),
        result: Quantity(samples.ratio(.graft, to: .typed), "x"), target: .dictionaries))
  }
}
