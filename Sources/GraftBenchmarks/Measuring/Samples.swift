/// The seconds of each contender in each round.
struct Samples {
  private var seconds: [Contender.Name: [Double]] = [:]

  /// Runs the contenders in turn (A B A B), so that a temporary disturbance affects all of them. The first round is only a
  /// warm-up.
  init(rounds: Int, _ contenders: [Contender]) throws {
    for round in 0...rounds {
      for contender in contenders {
        let time = try contender.measure()
        if round > 0 { seconds[contender.name, default: []].append(time) }
      }
    }
  }

  /// Returns the median, or nil if the contender did not run.
  func median(_ name: Contender.Name) -> Double? { seconds[name].map(Statistics.median) }

  /// Returns the median of the ratios in each round.
  func ratio(_ first: Contender.Name, to second: Contender.Name) -> Double? {
    guard let first = seconds[first], let second = seconds[second] else { return nil }
    return Statistics.median(zip(first, second).map { $0 / $1 })
  }
}
