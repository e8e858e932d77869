extension Benchmark {
  /// P11: repeatedly reads a property of a generated class on every hero of a small graph.
  func measureAttributeReads(_ report: inout Report) throws {
    Standard.progress("attribute reads")
    let document = Documents.first(.heroes, megabytes: 1)
    let heroes = NestedHeroGraph()
    defer { heroes.dismantle() }
    try heroes.merge(document.data)
    heroes.prepareExport()
    let passes = 500
    let reads = Double(passes * heroes.roots.count)
    let graph = try subject?.makeModel(Workload.heroes.modelText).makeGraph()
    try graph?.merge(document.bytes, ofEntity: "Hero")
    if let count = try graph?.prepareReads(), count != heroes.roots.count {
      report.add(fault: "attribute reads: \(count) heroes, the baseline has \(heroes.roots.count)")
    }
    for (name, target, typed, graft) in [
      ("Int", Target.integerRead, { sumOfAppearances(heroes.roots) }, { graph?.readIntegers() ?? 0 }),
      ("String", .stringRead, { sumOfNames(heroes.roots) }, { graph?.readStrings() ?? 0 }),
    ] as [(String, Target, () -> Int, () -> Int)] {
      let expected = typed()
      let contender = { (side: Contender.Name, read: @escaping () -> Int) in
        Contender(
          side, prepare: {}, run: { (0..<passes).reduce(0) { sum, _ in sum &+ consume(read()) } },
          finish: { _, sum in if sum != expected * passes { throw BenchmarkError("\(name) reads: a wrong sum") } })
      }
      let samples = try Samples(
        rounds: options.comparedRounds,
        (graph == nil ? [] : [contender(.graft, graft)]) + [contender(.typed, typed)])
      let nanoseconds = { (side: Contender.Name) in Quantity(samples.median(side).map { $0 / reads * 1e9 }, "ns") }
      report.add(
        Row(
          goal: .p11, measure: name, graft: nanoseconds(.graft), baseline: nanoseconds(.typed),
          result: nanoseconds(.graft), target: target))
    }
  }
}

@inline(never)
private func sumOfAppearances(_ heroes: [TypedHero]) -> Int { heroes.reduce(0) { $0 &+ $1.appearances } }

@inline(never)
private func sumOfNames(_ heroes: [TypedHero]) -> Int { heroes.reduce(0) { $0 &+ $1.name.utf8.count } }
