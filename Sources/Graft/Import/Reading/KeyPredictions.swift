/// Predictions of the next key: for each field, the key that followed it last time; for each group, its first key.
struct KeyPredictions {
  private let successors: UnsafeMutablePointer<Int32>
  private let firsts: UnsafeMutablePointer<Int32>

  init(_ plan: Plan) {
    successors = .allocate(capacity: plan.fieldCount + plan.groupCount + 1)
    firsts = successors + plan.fieldCount
    for field in 0..<plan.fieldCount { successors[field] = Int32(truncatingIfNeeded: field + 1) }
    for group in 0..<plan.groupCount { firsts[group] = Int32(truncatingIfNeeded: plan.groups[group].first) }
  }

  func free() { successors.deallocate() }

  /// - Parameter previous: the field that was read last; -1 if none.
  @inline(__always)
  func field(after previous: Int, in group: Int) -> Int {
    Int(previous >= 0 ? successors[previous] : firsts[group])
  }

  /// Records which field followed another, because objects in a payload usually have their keys in the same order.
  @inline(__always)
  func learn(_ field: Int, after previous: Int, in group: Int) {
    if previous >= 0 {
      successors[previous] = Int32(truncatingIfNeeded: field)
    } else {
      firsts[group] = Int32(truncatingIfNeeded: field)
    }
  }
}
