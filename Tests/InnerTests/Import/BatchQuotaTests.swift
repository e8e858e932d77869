import Testing

@testable import Graft

/// The conditions under which a batch of a stream is read without a search for its end.
@Suite("Batches of a stream: quotas") struct BatchQuotaTests {
  /// What happens next: `nil` for more bytes, 0 for a search, otherwise the number of bytes that end a batch.
  private func limit(_ quota: BatchQuota, waiting: Int, isAtEnd: Bool = false) -> Int? {
    switch quota.next(waiting: waiting, isAtEnd: isAtEnd) {
    case .search: 0
    case .wait: nil
    case .read(let quota, _): quota.bytes
    }
  }

  private func quota(size: Int, bytes: Int, mostBytes: Int = 1 << 30, isPossible: Bool = true) -> BatchQuota {
    BatchQuota(ImportBatches(size: size, bytes: bytes), mostBytes: mostBytes, sample: 100, isPossible: isPossible)
  }

  @Test("A batch that its bytes limit is read when these bytes have arrived, and some more for the last element")
  func bytes() {
    var quota = quota(size: .max, bytes: 4_000)
    #expect(limit(quota, waiting: 5_000) == 0)
    quota.learn(4, bytes: 80)
    #expect(limit(quota, waiting: 4_159) == nil)
    #expect(limit(quota, waiting: 4_160) == 4_000)
    #expect(limit(quota, waiting: 10, isAtEnd: true) == 4_000)
  }

  @Test("A batch that its size limits is read when it has probably arrived")
  func size() {
    var quota = quota(size: 100, bytes: 4_000)
    quota.learn(4, bytes: 80)
    #expect(limit(quota, waiting: 2_659) == nil)
    #expect(limit(quota, waiting: 2_660) == 2_500)
    // Later elements are longer.
    quota.learn(100, bytes: 3_000)
    #expect(limit(quota, waiting: 3_000) == nil)
    #expect(limit(quota, waiting: 3_990) == 3_750)
  }

  @Test("Small batches, batches beyond the limit of bytes or without limits, and long elements are searched")
  func searched() {
    var small = quota(size: 10, bytes: 4_000)
    small.learn(4, bytes: 80)
    #expect(limit(small, waiting: 1 << 20) == 0)
    var limited = quota(size: .max, bytes: 4_000, mostBytes: 4_100)
    limited.learn(4, bytes: 80)
    #expect(limit(limited, waiting: 1 << 20) == 0)
    var unlimited = quota(size: .max, bytes: .max, mostBytes: .max)
    unlimited.learn(4, bytes: 80)
    #expect(limit(unlimited, waiting: 1 << 20) == 0)
    var long = quota(size: .max, bytes: 4_000)
    long.learn(0, bytes: 0)
    #expect(limit(long, waiting: 1 << 20) == 0)
    #expect(limit(quota(size: .max, bytes: 4_000, isPossible: false), waiting: 1 << 20) == 0)
  }
}
