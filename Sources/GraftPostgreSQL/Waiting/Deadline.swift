/// The time at which a call stops waiting.
///
///     try connection.execute("VACUUM", deadline: .after(.seconds(600)))
package struct Deadline: Sendable {
  /// Nil if the call waits forever.
  private let end: ContinuousClock.Instant?
  /// The time that the call may take, for messages.
  let timeout: Duration?

  /// No deadline.
  package static let never = Deadline(end: nil, timeout: nil)

  /// Returns a deadline that is the given time from now.
  package static func after(_ timeout: Duration) -> Deadline {
    Deadline(end: ContinuousClock.now + timeout, timeout: timeout)
  }

  /// Returns the earlier of two deadlines.
  func earlier(_ other: Deadline) -> Deadline {
    guard let end else { return other }
    guard let otherEnd = other.end else { return self }
    return end <= otherEnd ? self : other
  }

  /// The remaining time, never negative; nil if there is no deadline.
  var remaining: Duration? { end.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

  var hasPassed: Bool { remaining == .zero }

  /// The remaining time in the form that `poll` expects: -1 if there is no deadline. The time is rounded up, so that callers do not poll in
  /// a busy loop at the end.
  var pollTimeout: Int32 { remaining.map { Int32(clamping: $0.milliseconds(roundedUp: true)) } ?? -1 }
}

extension Duration {
  /// Returns the number of milliseconds.
  func milliseconds(roundedUp: Bool = false) -> Int64 {
    let (seconds, attoseconds) = components
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, sumOverflow) = product.addingReportingOverflow(whole + (roundedUp && rest > 0 ? 1 : 0))
    return sumOverflow ? .max : sum
  }
}
