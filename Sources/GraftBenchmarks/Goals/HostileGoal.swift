extension Benchmark {
  /// P12: the time per byte of a hostile input, against a benign one of the same kind and size.
  func measureHostileInputs(_ report: inout Report) throws {
    for make in HostileCase.all {
      let test = make()
      Standard.progress("hostile input: \(test.name)")
      var hostile: Double?
      var benign: Double?
      var ratio: Double?
      if let model = try subject?.makeModel(HostileModel.text) {
        let samples = try Samples(
          rounds: min(options.comparedRounds, 5),
          [importer(.hostile, test.hostile, test, model), importer(.benign, test.benign, test, model)])
        hostile = samples.median(.hostile).map { test.hostile.megabytes / $0 }
        benign = samples.median(.benign).map { test.benign.megabytes / $0 }
        ratio = samples.ratio(.hostile, to: .benign).map { $0 * test.benign.megabytes / test.hostile.megabytes }
      }
      report.add(
        Row(
          goal: .p12, measure: test.name, graft: Quantity(hostile, "MB/s"), baseline: Quantity(benign, "MB/s"),
          result: Quantity(ratio, "x"), target: .hostile))
    }
  }

  private func importer(
    _ name: Contender.Name, _ input: HostileCase.Input, _ test: HostileCase, _ model: any SubjectModel
  ) -> Contender {
    Contender(
      name, prepare: { model.makeGraph() },
      run: { graph in for payload in input.payloads { try graph.merge(payload, ofEntity: test.entity) } },
      finish: { graph, _ in
        let count = try graph.count(ofEntity: test.entity)
        guard count == input.objects else {
          throw BenchmarkError("\(test.name): \(count) objects, not \(input.objects)")
        }
      })
  }
}
