extension Benchmark {
  /// P15: the growth exponent of each operation, and of the equivalent operation with class instances, if there is one.
  func measureGraphOperations(_ report: inout Report) throws {
    let sizes = options.objectCounts
    let operations = GraphOperations(model: try MembersModel.load(), payloads: MemberPayloads(sizes))
    for operation in operations.all {
      Standard.progress("graph operations: \(operation.name)")
      let contenders = sizes.flatMap { size in
        [contender(.size(size), size, sizes, operation.prepare)]
          + (operation.typed.map { [contender(.typedSize(size), size, sizes, $0)] } ?? [])
      }
      let samples = try Samples(rounds: options.graphRounds, contenders)
      report.add(
        Row(
          goal: .p15, measure: "\(operation.name), \(sizes[0]) to \(sizes[sizes.count - 1])",
          graft: Quantity(exponent(samples, sizes) { .size($0) }, ""),
          baseline: operation.typed == nil ? nil : Quantity(exponent(samples, sizes) { .typedSize($0) }, ""),
          result: Quantity(exponent(samples, sizes) { .size($0) }, ""), target: .operationGrowth))
    }
  }

  /// Returns the growth exponent of the times at several sizes.
  func exponent(_ samples: Samples, _ sizes: [Int], _ name: (Int) -> Contender.Name) -> Double? {
    let points = sizes.compactMap { size in
      samples.median(name(size)).map { (size: Double(size), seconds: $0) }
    }
    return points.count < 2 ? nil : Statistics.growthExponent(points)
  }

  private func contender(
    _ name: Contender.Name, _ size: Int, _ sizes: [Int], _ prepare: @escaping (Int) throws -> GraphOperation.Work
  ) -> Contender {
    // The turns of a small graph take as long as a tenth of a large graph's, so that the clock's resolution does not matter.
    Contender(
      name, repetitions: max(1, min(10, sizes[sizes.count - 1] / size / 10)), prepare: { try prepare(size) },
      run: { try $0.run() }, finish: { work, _ in try work.check() })
  }
}
