import Foundation

/// One run of the requested goals, workload by workload, so that only one pair of payloads is in memory at a time.
struct Benchmark {
  var options: Options
  var subject: (any Subject)?

  func run() throws -> Report {
    var report = Report()
    for workload in Workload.allCases where options.wants(workload) {
      try compare(workload, &report)
      if options.wants(.p8) { try measurePeakMemory(workload, &report) }
      if options.wants(.p9) {
        try measureGrowth(workload, sharesMore: false, &report)
        if workload.hasSharedObjects { try measureGrowth(workload, sharesMore: true, &report) }
      }
      if options.wants(.p1), options.measuresLargeImport, workload != .ids { try measureLargeImport(workload, &report) }
      if options.wants(.p13) { try measureInstructions(workload, &report) }
      if options.wants(.p19) { try measureExportedDictionaries(workload, &report) }
      if options.wants(.p20) { try measureStreams(workload, &report) }
    }
    if options.workloads.isEmpty {
      if options.wants(.p11) { try measureAttributeReads(&report) }
      if options.wants(.p12) { try measureHostileInputs(&report) }
      if options.wants(.p14) { try measureModelLoad(&report) }
      if options.wants(.s11) { try measureStore(&report) }
      if options.wants(.database) { try measureDatabase(&report) }
      if subject != nil { try measureGraphs(&report) }
    }
    report.sort()
    return report
  }

  /// Runs the goals that work on a graph of members.
  private func measureGraphs(_ report: inout Report) throws {
    if options.wants(.p15) { try measureGraphOperations(&report) }
    if options.wants(.p16) { try measureHubs(&report) }
    if options.wants(.p17) { try measureSorting(&report) }
    if options.wants(.p18) { try measureMemoryOfRounds(&report) }
    if options.wants(.p21) { try measurePropertyReads(&report) }
    if options.wants(.p22) { try measureHandover(&report) }
    if options.wants(.q7) { try measureLiveLists(&report) }
  }

  /// Runs all goals that use a first payload and its update.
  private func compare(_ workload: Workload, _ report: inout Report) throws {
    let goals: [Goal] = workload == .ids ? [.p2, .p3, .p4, .p5, .p6, .p7] : [.p1, .p3, .p4, .p5, .p6, .p7, .p10]
    guard goals.contains(where: options.wants) else { return }
    Standard.progress("\(workload): payloads")
    let documents = Documents(workload, megabytes: options.comparedSize)
    Standard.progress("\(workload): results")
    try checkResults(workload, documents, &report)
    try measureImports(workload, documents, &report)
    if options.wants(.p6) { try measureExport(workload, documents, &report) }
    if options.wants(anyOf: .p4, .p7) { try measureLiveMemory(workload, documents, &report) }
    if options.wants(.p10), workload != .ids { try measureDictionaries(workload, &report) }
  }
}
