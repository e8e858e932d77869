/// The size of a batch of a stream, if its end is found by reading it.
///
///     [{...},{...},{...},{...},{...},{...},{...},{...},{...
///     |  sample  |                 | limit        | needed
///
/// A search for the end of a batch reads each byte one more time. The search is omitted if a batch is much longer than its elements. As
/// soon as enough bytes have arrived to complete the element that exceeds the limit, the import reads up to the end of that element. The
/// import itself determines whether the element was complete.
///
/// The length of elements is estimated from earlier elements, so it does not matter how the bytes are divided when they arrive. If a batch
/// cannot be imported this way, its end is searched for after all, and the faults are the same as for a batch whose end is known.
struct BatchQuota {
  enum Step {
    /// The end of the batch is searched for within this number of bytes.
    case search(within: Int)
    /// More bytes are required.
    case wait
    /// The batch is read up to its quota, within this number of bytes.
    case read(PayloadSource.Quota, within: Int)
  }

  /// Whether a batch may be read before its end is known. If that fails, it must be possible to roll it back without a trace.
  private var isPossible: Bool
  private let batches: ImportBatches
  private let mostBytes: Int
  private let sample: Int
  private var estimate: (limit: Int, needed: Int)?

  /// - Parameters:
  ///   - mostBytes: how many bytes may be held before they are imported.
  ///   - sample: the number of bytes in which elements are counted at first.
  init(_ batches: ImportBatches, mostBytes: Int, sample: Int, isPossible: Bool) {
    self.batches = batches
    self.mostBytes = mostBytes
    self.sample = sample
    self.isPossible = isPossible
  }

  func next(waiting: Int, isAtEnd: Bool) -> Step {
    guard isPossible else { return .search(within: .max) }
    guard let estimate else { return .search(within: waiting > sample ? sample : .max) }
    guard isAtEnd || waiting >= estimate.needed else { return .wait }
    return .read(
      PayloadSource.Quota(elements: batches.size, bytes: estimate.limit), within: min(waiting, estimate.needed))
  }

  /// Learns how long elements are.
  mutating func learn(_ count: Int, bytes: Int) {
    guard isPossible, count > 0 else { return giveUp() }
    let average = max(1, bytes / count)
    // A quarter more bytes than a batch probably needs, so the number of elements usually determines its end.
    let likely = Double(average) * Double(batches.size) * 1.25
    let limit = likely < Double(batches.bytes) ? Int(likely) : batches.bytes
    let rest = max(sample, 8 * average)
    guard limit >= 4 * sample, limit <= mostBytes, rest <= mostBytes - limit else { return giveUp() }
    estimate = (limit, limit + rest)
  }

  /// Requires a search for the end of every later batch.
  mutating func giveUp() { isPossible = false }
}
