/// The faults of a payload, in the order in which they are found. If many are alike, only the first few and the total count are kept, so
/// memory stays bounded and a mistake repeated in every object does not hide other mistakes.
struct FaultList {
  /// The faults, in the order in which they were found; for each kind, at most as many as the limit.
  private(set) var faults: [ImportFault] = []
  /// The number of faults of each kind.
  private(set) var counts: [String: Int] = [:]
  private var total = 0
  private let limit: Int
  /// Whether every fault is kept, because the elements with faults are skipped, and each is reported with all of its faults.
  private let keepsAll: Bool

  /// The import ends at this many faults for each error that the limit allows, even if the faults are alike.
  private static let mostOfLimit = 50

  /// - Parameter limit: the maximum number of errors to report.
  init(limit: Int, keepsAll: Bool = false) {
    self.limit = max(1, limit)
    self.keepsAll = keepsAll
  }

  var isEmpty: Bool { faults.isEmpty }
  var last: ImportFault? { faults.last }

  /// Whether no more faults are collected.
  var isFull: Bool { hasKinds(limit) || hasTotal }

  /// Whether there are so many faults that no further fault can precede all reported faults. Faults at the end of a payload are not found
  /// in payload order.
  var isOverfull: Bool { hasKinds(FaultList.times(limit, 4)) || hasTotal }

  mutating func append(_ fault: ImportFault) {
    total += 1
    let kind = fault.finding.kind
    let count = counts[kind, default: 0]
    counts[kind] = count + 1
    if keepsAll || count < max(limit, FaultReporter.places + 1) { faults.append(fault) }
  }

  /// Counts faults that are not kept.
  mutating func count(_ kind: String, more count: Int) {
    total += count
    counts[kind, default: 0] += count
  }

  mutating func append(contentsOf faults: [ImportFault]) {
    for fault in faults { append(fault) }
  }

  /// Replaces the faults from a position onward, one by one.
  mutating func replace(from first: Int, _ placed: (ArraySlice<ImportFault>) -> [ImportFault]) {
    if first < faults.count { faults.replaceSubrange(first..., with: placed(faults[first...])) }
  }

  func contains(where isWanted: (ImportFault) -> Bool) -> Bool { faults.contains(where: isWanted) }

  private func hasKinds(_ most: Int) -> Bool { counts.count >= most }

  private var hasTotal: Bool { total >= FaultList.times(limit, FaultList.mostOfLimit) }

  private static func times(_ limit: Int, _ factor: Int) -> Int {
    let (product, overflow) = limit.multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
