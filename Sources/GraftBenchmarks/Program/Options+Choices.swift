extension Options {
  /// The measurements that the options select.
  func wants(_ goal: Goal) -> Bool { goals.isEmpty || goals.contains(goal) }
  func wants(_ workload: Workload) -> Bool { workloads.isEmpty || workloads.contains(workload) }
  func wants(anyOf goals: Goal...) -> Bool { goals.contains(where: wants) }

  /// The sizes in megabytes of the payloads whose times are compared.
  var comparedSize: Int { size ?? 10 }
  /// The size in megabytes of the payload for peak memory (P8).
  var peakSize: Int { size ?? (isQuick ? 10 : 100) }
  /// The sizes in megabytes of the payloads for the growth of import time (P9).
  var growthSizes: [Int] { [1, 10, 100].filter { $0 <= max(peakSize, 10) } }

  var comparedRounds: Int { rounds ?? (isQuick ? 3 : 7) }
}
