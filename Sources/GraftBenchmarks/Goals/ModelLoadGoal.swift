extension Benchmark {
  /// P14: loads a model.
  func measureModelLoad(_ report: inout Report) throws {
    Standard.progress("model load")
    var seconds: Double?
    if let subject {
      let contender = Contender(
        .graft, repetitions: 10, prepare: {}, run: { try subject.makeModel(LargeModel.text) }, finish: { _, _ in })
      seconds = try Samples(rounds: options.comparedRounds, [contender]).median(.graft)
    }
    report.add(
      Row(
        goal: .p14, measure: "\(LargeModel.text.utf8.count / 1000) KB of text", graft: .milliseconds(seconds),
        result: .milliseconds(seconds), target: .modelLoad))
  }
}
