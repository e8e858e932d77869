import Testing

@testable import Graft

/// The conditions under which the importer reads a batch of a stream without first searching for its end.
@Suite("Batches of a stream: quotas") struct BatchQuotaTests {
  /// The next step: `nil` to wait for more bytes, 0 to search for the end, or the number of bytes to read as a batch.
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

  @Test("A batch limited by bytes is read once these bytes, and enough bytes for one more element, have arrived")
  func bytes() {
    var quota = quota(size: .max, bytes: 4_000)
    #expect(limit(quota, waiting: 5_000) == 0)
    quota.learn(4, bytes: 80)
    #expect(limit(quota, waiting: 4_159) == nil)
    #expect(limit(quota, waiting: 4_160) == 4_000)
    #expect(limit(quota, waiting: 10, isAtEnd: true) == 4_000)
  }

  @Test("A batch limited by its number of elements is read once all of the elements have probably arrived")
  func size() {
    var quota = quota(size: 100, bytes: 4_000)
    quota.learn(4, bytes: 80)
    #expect(limit(quota, waiting: 2_659) == nil)
    #expect(limit(quota, waiting: 2_660) == 2_500)
    // The elements that follow are longer.
    quota.learn(100, bytes: 3_000)
    #expect(limit(quota, waiting: 3_000) == nil)
    #expect(limit(quota, waiting: 3_990) == 3_750)
  }

  @Test("Small and unlimited batches, batches over the byte limit, and long elements require a search for the end")
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
