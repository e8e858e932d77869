extension Benchmark {
  /// P9: time = c * size^k; k should be close to 1.
  ///
  /// - Parameter sharesMore: whether the number of shared objects grows with the size.
  func measureGrowth(_ workload: Workload, sharesMore: Bool, _ report: inout Report) throws {
    Standard.progress("\(workload): growth")
    var exponent: Double?
    var speed: Quantity?
    if let model = try subject?.makeModel(workload.modelText) {
      var points: [(size: Double, seconds: Double)] = []
      for size in options.growthSizes {
        let document = Documents.first(workload, megabytes: size, sharing: sharesMore ? Double(size) / 10 : 1)
        let contender = Contender(
          .graft, repetitions: max(1, 10 / size), prepare: { model.makeGraph() },
          run: { try $0.merge(document.bytes, ofEntity: workload.entity) },
          finish: { graph, _ in try requireObjects(graph, workload) })
        let samples = try Samples(rounds: options.comparedRounds, [contender])
        guard let seconds = samples.median(.graft) else { continue }
        points.append((document.megabytes, seconds))
        speed = .throughput(document, seconds: seconds)
      }
      exponent = Statistics.growthExponent(points)
    }
    report.add(
      Row(
        goal: .p9,
        measure: "\(workload)\(sharesMore ? ", growing sharing" : ""), \(options.growthSizes[0]) to "
          + "\(options.growthSizes.last ?? 0) MB",
        graft: speed, result: Quantity(exponent, ""), target: .growth))
  }
}
