/// The seconds of each contender, round by round.
struct Samples {
  private var seconds: [Contender.Name: [Double]] = [:]

  /// Lets the contenders run in turns (A B A B), so that what disturbs the machine for a while disturbs them all. The
  /// first round only warms up.
  init(rounds: Int, _ contenders: [Contender]) throws {
    for round in 0...rounds {
      for contender in contenders {
        let time = try contender.measure()
        if round > 0 { seconds[contender.name, default: []].append(time) }
      }
    }
  }

  /// The median, nil for one who did not run.
  func median(_ name: Contender.Name) -> Double? { seconds[name].map(Statistics.median) }

  /// The median of the ratios of the rounds.
  func ratio(_ first: Contender.Name, to second: Contender.Name) -> Double? {
    guard let first = seconds[first], let second = seconds[second] else { return nil }
    return Statistics.median(zip(first, second).map { $0 / $1 })
  }
}
