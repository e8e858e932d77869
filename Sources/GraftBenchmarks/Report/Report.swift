/// What a run found.
struct Report {
  private(set) var rows: [Row] = []
  /// Results that are not what they should be.
  private(set) var faults: [String] = []

  var missesMust: Bool { rows.contains { $0.verdict == .missed } }

  mutating func add(_ row: Row) { rows.append(row) }
  mutating func add(fault: String) { faults.append(fault) }

  /// By goal; within a goal as measured.
  mutating func sort() {
    rows = rows.enumerated().sorted { ($0.element.goal.order, $0.offset) < ($1.element.goal.order, $1.offset) }
      .map(\.element)
  }
}
