/// The results of a run.
struct Report {
  private(set) var rows: [Row] = []
  /// The wrong results.
  private(set) var faults: [String] = []

  var missesMust: Bool { rows.contains { $0.verdict == .missed } }

  mutating func add(_ row: Row) { rows.append(row) }
  mutating func add(fault: String) { faults.append(fault) }

  /// Sorts the rows by goal and, within a goal, in order of measurement.
  mutating func sort() {
    rows = rows.enumerated().sorted { ($0.element.goal.order, $0.offset) < ($1.element.goal.order, $1.offset) }
      .map(\.element)
  }
}
