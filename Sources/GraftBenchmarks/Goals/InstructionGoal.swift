import Foundation

extension Benchmark {
  /// P13: the instructions for each byte of an import and of an export of 1 MB, counted by callgrind.
  func measureInstructions(_ workload: Workload, _ report: inout Report) throws {
    guard let targets = Target.instructions(workload), subject != nil else { return }
    Standard.progress("\(workload): instructions")
    let counts = try InstructionChild.measure(workload)
    for (measure, count, target) in [
      ("import", counts?.imported, targets.imports), ("export", counts?.exported, targets.exports),
    ] {
      let perByte = Quantity(count, "")
      report.add(
        Row(
          goal: .p13, measure: "\(workload), \(measure)" + (counts == nil ? " (skipped: no valgrind)" : ""),
          graft: perByte, result: perByte, target: target))
    }
  }
}
