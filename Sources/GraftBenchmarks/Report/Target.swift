/// A goal's requirement for a number.
struct Target: Equatable {
  enum Better: String, Codable { case higher, lower }

  var must: Double
  var strive: Double
  var better: Better

  private init(atLeast must: Double, strive: Double) { self = Target(must: must, strive: strive, better: .higher) }
  private init(atMost must: Double, strive: Double) { self = Target(must: must, strive: strive, better: .lower) }

  private init(must: Double, strive: Double, better: Better) {
    self.must = must
    self.strive = strive
    self.better = better
  }

  static let nestedImport = Target(atLeast: 12, strive: 15)
  static let largeImport = Target(atLeast: 10, strive: 15)
  static let identifierImport = Target(atLeast: 6, strive: 12)
  static let importAgainstParsing = Target(atLeast: 8, strive: 15)
  static let identifierImportAgainstParsing = Target(atLeast: 4, strive: 8)
  static let importAgain = Target(atMost: 0.75, strive: 0.6)
  /// In percent. Up to a twentieth of a percent may come from the measurement itself.
  static let memoryGrowth = Target(atMost: 2, strive: 0.05)
  static let update = Target(atMost: 0.85, strive: 0.6)
  static let export = Target(atLeast: 16, strive: 25)
  static let liveMemory = Target(atMost: 0.9, strive: 0.65)
  static let peakMemory = Target(atMost: 1.5, strive: 0.8)
  static let growth = Target(atMost: 1.12, strive: 1.05)
  static let dictionaries = Target(atMost: 1, strive: 0.6)
  /// In nanoseconds.
  static let integerRead = Target(atMost: 20, strive: 8)
  static let stringRead = Target(atMost: 60, strive: 30)
  static let numberRead = Target(atMost: 20, strive: 10)
  static let toOneRead = Target(atMost: 50, strive: 30)
  static let countRead = Target(atMost: 25, strive: 15)
  static let finding = Target(atMost: 2.5, strive: 1.5)
  static let hostile = Target(atMost: 3, strive: 1.5)
  /// In milliseconds.
  static let modelLoad = Target(atMost: 5, strive: 1)
  /// A growth exponent.
  static let operationGrowth = Target(atMost: 1.1, strive: 1.05)
  static let hubChange = Target(atMost: 3, strive: 1.5)
  static let sorting = Target(atMost: 1.5, strive: 0.8)
  static let sortingLimited = Target(atMost: 2, strive: 1.2)
  static let memoryOfRounds = Target(atMost: 1.05, strive: 1)
  static let exportedDictionaries = Target(atMost: 1.5, strive: 1)
  static let stream = Target(atMost: 1.3, strive: 1.1)
  /// In milliseconds. There is nothing more to strive for.
  static let handover = Target(atMost: 0.1, strive: 0.1)
  static let liveList = Target(atMost: 2, strive: 1.2)
  static let liveListBulk = Target(atMost: 1, strive: 0.5)
  static let window = Target(atMost: 1.2, strive: 1.05)
  static let storeImport = Target(atLeast: 3.5, strive: 4.5)
  static let storeOverInserts = Target(atMost: 1.7, strive: 1.4)
  static let storeImportAgain = Target(atLeast: 5, strive: 6.5)
  /// In milliseconds.
  static let storeOpening = Target(atMost: 3, strive: 1)
  /// In microseconds.
  static let storeFinding = Target(atMost: 10, strive: 6)
  /// With two cores.
  static let parallelReads = Target(atLeast: 1.5, strive: 1.8)
  /// In nanoseconds.
  static let predicate = Target(atMost: 150, strive: 100)

  static let databaseImport = Target(atMost: 1.3, strive: 1)
  static let databaseImportAgain = Target(atLeast: 3, strive: 5)
  static let databaseReads = Target(atMost: 2, strive: 1.2)
  static let databaseCommits = Target(atLeast: 0.8, strive: 1)
  /// In milliseconds.
  static let databaseRequest = Target(atMost: 20, strive: 10)

  /// In instructions per byte; nil for workloads without such a goal.
  static func instructions(_ workload: Workload) -> (imports: Target, exports: Target)? {
    switch workload {
    case .heroes: (Target(atMost: 31, strive: 24), Target(atMost: 15, strive: 12))
    case .posts: (Target(atMost: 20, strive: 15), Target(atMost: 14, strive: 12))
    case .ids, .events: nil
    }
  }

  func verdict(_ value: Double?) -> Verdict {
    guard let value else { return .notMeasured }
    switch better {
    case .higher: return value >= strive ? .strive : value >= must ? .must : .missed
    case .lower: return value <= strive ? .strive : value <= must ? .must : .missed
    }
  }
}

enum Verdict: String, Codable {
  case strive = "strive"
  case must = "must"
  case missed = "MISSED"
  case notMeasured = "not measured"
}
