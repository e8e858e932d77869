/// When a call gives up.
///
///     try connection.execute("VACUUM", deadline: .after(.seconds(600)))
package struct Deadline: Sendable {
  /// Nil if the call waits forever.
  private let end: ContinuousClock.Instant?
  /// How long the call may take, for messages.
  let timeout: Duration?

  /// No deadline.
  package static let never = Deadline(end: nil, timeout: nil)

  /// A deadline from now on.
  package static func after(_ timeout: Duration) -> Deadline {
    Deadline(end: ContinuousClock.now + timeout, timeout: timeout)
  }

  /// The earlier of two deadlines.
  func earlier(_ other: Deadline) -> Deadline {
    guard let end else { return other }
    guard let otherEnd = other.end else { return self }
    return end <= otherEnd ? self : other
  }

  /// The time that is left, not negative; nil without a deadline.
  var remaining: Duration? { end.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

  var hasPassed: Bool { remaining == .zero }

  /// The time that is left, as `poll` expects it: -1 without a deadline. Rounded up, so that nothing polls in a loop until the end.
  var pollTimeout: Int32 { remaining.map { Int32(clamping: $0.milliseconds(roundedUp: true)) } ?? -1 }
}

extension Duration {
  /// The number of milliseconds.
  func milliseconds(roundedUp: Bool = false) -> Int64 {
    let (seconds, attoseconds) = components
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, sumOverflow) = product.addingReportingOverflow(whole + (roundedUp && rest > 0 ? 1 : 0))
    return sumOverflow ? .max : sum
  }
}
