import Foundation

extension Benchmark {
  /// P1 to P5: all kinds of import take turns in one series.
  func measureImports(_ workload: Workload, _ documents: Documents, _ report: inout Report) throws {
    let againstTyped: Goal = workload == .ids ? .p2 : .p1
    guard options.wants(anyOf: againstTyped, .p3, .p4, .p5) else { return }
    Standard.progress("\(workload): imports")
    let model = try subject?.makeModel(workload.modelText)
    var contenders: [Contender] = []
    if let model {
      contenders.append(graftImport(workload, documents.first, model))
      if options.wants(.p4) { contenders.append(try graftImportAgain(workload, documents.first, model)) }
      if options.wants(.p5) { contenders.append(graftUpdate(workload, documents, model)) }
    }
    if options.wants(anyOf: againstTyped, .p5) { contenders.append(typedImport(workload, documents.first)) }
    if options.wants(.p5) { contenders.append(typedUpdate(workload, documents)) }
    if options.wants(.p3) { contenders.append(parseOnly(documents.first)) }
    let samples = try Samples(rounds: options.comparedRounds, contenders)

    let speed = { Quantity.throughput($0, seconds: samples.median($1)) }
    let ids = workload == .ids
    let rows: [Row] = [
      Row(
        goal: againstTyped, measure: "\(workload)", graft: speed(documents.first, .graft),
        baseline: speed(documents.first, .typed), result: Quantity(samples.ratio(.typed, to: .graft), "x"),
        target: ids ? .identifierImport : options.comparedSize == 100 ? .largeImport : .nestedImport),
      Row(
        goal: .p3, measure: "\(workload)", graft: speed(documents.first, .graft),
        baseline: speed(documents.first, .parseOnly), result: Quantity(samples.ratio(.parseOnly, to: .graft), "x"),
        target: ids ? .identifierImportAgainstParsing : .importAgainstParsing),
      Row(
        goal: .p4, measure: "\(workload)", graft: speed(documents.first, .graftAgain),
        result: Quantity(samples.ratio(.graftAgain, to: .graft), "x"), target: .importAgain),
      Row(
        goal: .p5, measure: "\(workload)", graft: speed(documents.update, .graftUpdate),
        baseline: Quantity(samples.ratio(.typedUpdate, to: .typed), "x"),
        result: Quantity(samples.ratio(.graftUpdate, to: .graft), "x"), target: .update),
    ]
    for row in rows where options.wants(row.goal) { report.add(row) }
  }

  /// P1 at 100 MB, in addition to the usual size.
  func measureLargeImport(_ workload: Workload, _ report: inout Report) throws {
    Standard.progress("\(workload): import of 100 MB")
    let document = Documents.first(workload, megabytes: 100)
    let model = try subject?.makeModel(workload.modelText)
    let samples = try Samples(
      rounds: min(options.comparedRounds, 3),
      (model.map { [graftImport(workload, document, $0)] } ?? []) + [typedImport(workload, document)])
    report.add(
      Row(
        goal: .p1, measure: "\(workload), 100 MB", graft: .throughput(document, seconds: samples.median(.graft)),
        baseline: .throughput(document, seconds: samples.median(.typed)),
        result: Quantity(samples.ratio(.typed, to: .graft), "x"), target: .largeImport))
  }

  private func graftImport(_ workload: Workload, _ document: Document, _ model: any SubjectModel) -> Contender {
    Contender(
      .graft, repetitions: repetitions, prepare: { model.makeGraph() },
      run: { try $0.merge(document.bytes, ofEntity: workload.entity) },
      finish: { graph, _ in try requireObjects(graph, workload) })
  }

  private func graftImportAgain(
    _ workload: Workload, _ document: Document, _ model: any SubjectModel
  ) throws -> Contender {
    let graph = model.makeGraph()
    try graph.merge(document.bytes, ofEntity: workload.entity)
    return Contender(
      .graftAgain, repetitions: repetitions, prepare: { graph },
      run: { try $0.merge(document.bytes, ofEntity: workload.entity) },
      finish: { graph, _ in try requireObjects(graph, workload) })
  }

  private func graftUpdate(_ workload: Workload, _ documents: Documents, _ model: any SubjectModel) -> Contender {
    Contender(
      .graftUpdate, repetitions: repetitions,
      prepare: {
        let graph = model.makeGraph()
        try graph.merge(documents.first.bytes, ofEntity: workload.entity)
        return graph
      }, run: { try $0.merge(documents.update.bytes, ofEntity: workload.entity) },
      finish: { graph, _ in try requireObjects(graph, workload) })
  }

  private func typedImport(_ workload: Workload, _ document: Document) -> Contender {
    Contender(
      .typed, prepare: { workload.typedGraph.init() }, run: { try $0.merge(document.data) },
      finish: { graph, _ in graph.dismantle() })
  }

  private func typedUpdate(_ workload: Workload, _ documents: Documents) -> Contender {
    Contender(
      .typedUpdate,
      prepare: {
        let graph = workload.typedGraph.init()
        try graph.merge(documents.first.data)
        return graph
      }, run: { try $0.merge(documents.update.data) }, finish: { graph, _ in graph.dismantle() })
  }

  private func parseOnly(_ document: Document) -> Contender {
    Contender(
      .parseOnly, prepare: {}, run: { try JSONSerialization.jsonObject(with: document.data) },
      finish: { _, parsed in
        guard let elements = parsed as? [Any], !elements.isEmpty else { throw BenchmarkError("nothing was parsed") }
      })
  }

  /// The number of runs after which a sample of a small payload takes as long as a sample of a large payload.
  private var repetitions: Int { options.comparedSize == 1 ? 5 : 1 }

  func requireObjects(_ graph: any SubjectGraph, _ workload: Workload) throws {
    guard try graph.count(ofEntity: workload.entity) > 0 else {
      throw BenchmarkError("\(workload): nothing was imported")
    }
  }
}
