/// Closures of the program that failed, or made a call that they must not make (T3, T5).
extension PayloadImporter {
  /// Records that a closure of the program made a call that it must not make, and that could not throw (T5).
  @inline(never)
  mutating func recordRefusedCall(at offset: Int, length: Int = 1) {
    if let words = activity.pointee.takeRefusedCall() { recordReentrancy(words, at: offset, length: length) }
  }

  /// Records what a closure threw.
  mutating func recordThrown(_ finding: ImportFinding, _ error: any Error, at offset: Int, length: Int = 1) {
    if cause == nil { cause = error }
    if let words = ProgramClosure.refusal(in: error) {
      recordReentrancy(words, at: offset, length: length)
    } else {
      record(finding, at: offset, length: length)
    }
  }

  /// Once: a closure that does it again has the same cause.
  private mutating func recordReentrancy(_ words: String, at offset: Int, length: Int) {
    let finding = ImportFinding.reentrantCall(words)
    if faults.contains(where: { $0.finding.code == finding.code && $0.finding.message == words }) { return }
    record(finding, at: offset, length: length)
  }

  mutating func refuseHook(_ hook: String, _ error: any Error, _ entity: Int, at start: Int) {
    recordThrown(.hookFailed(hook, plan.entities[entity], error), error, at: start)
  }
}
