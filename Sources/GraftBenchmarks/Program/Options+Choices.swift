extension Options {
  /// What the options mean for the measurements.
  func wants(_ goal: Goal) -> Bool { goals.isEmpty || goals.contains(goal) }
  func wants(_ workload: Workload) -> Bool { workloads.isEmpty || workloads.contains(workload) }
  func wants(anyOf goals: Goal...) -> Bool { goals.contains(where: wants) }

  /// Megabytes of the payloads whose times are compared.
  var comparedSize: Int { size ?? 10 }
  /// Megabytes of the payload whose import's peak memory is measured (P8).
  var peakSize: Int { size ?? (isQuick ? 10 : 100) }
  /// Megabytes of the payloads from which the growth of import time is told (P9).
  var growthSizes: [Int] { [1, 10, 100].filter { $0 <= max(peakSize, 10) } }

  var comparedRounds: Int { rounds ?? (isQuick ? 3 : 7) }
}
