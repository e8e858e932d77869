extension Options {
  /// Returns whether the options select a goal.
  func wants(_ goal: Goal) -> Bool { goals.isEmpty || goals.contains(goal) }
  func wants(_ workload: Workload) -> Bool { workloads.isEmpty || workloads.contains(workload) }
  func wants(anyOf goals: Goal...) -> Bool { goals.contains(where: wants) }

  /// The sizes in megabytes of the payloads whose times are compared.
  var comparedSize: Int { size ?? 10 }
  /// The size in megabytes of the payload for peak memory (P8).
  var peakSize: Int { size ?? (isQuick ? 10 : 100) }
  /// The sizes in megabytes of the payloads for the growth of import time (P9).
  var growthSizes: [Int] { [1, 10, 100].filter { $0 <= max(peakSize, 10) } }

  /// Whether the import of 100 MB is compared in addition to the import of the usual size (P1).
  var measuresLargeImport: Bool { size == nil && !isQuick }

  var comparedRounds: Int { rounds ?? (isQuick ? 3 : 7) }

  /// The largest number of objects in a graph (P15 to P17, P22, Q7): 10,000 for each megabyte.
  var largestCount: Int { size.map { $0 * 10_000 } ?? (isQuick ? 100_000 : 1_000_000) }
  /// The numbers of objects at which growth is measured.
  var objectCounts: [Int] { (isQuick ? [10, 1] : [100, 10, 1]).map { largestCount / $0 } }
  /// The number of rounds with graphs. Creating a large graph for each round takes longer than most operations on it.
  var graphRounds: Int { min(comparedRounds, isQuick ? 2 : 5) }
}
