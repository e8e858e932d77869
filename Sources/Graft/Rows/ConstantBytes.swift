/// The bytes of a constant, at a fixed address.
final class ConstantBytes {
  let bytes: LentBytes
  private let base: UnsafeMutablePointer<UInt8>

  init(_ bytes: [UInt8]) {
    base = .allocate(capacity: max(1, bytes.count))
    base.initialize(from: bytes, count: bytes.count)
    self.bytes = LentBytes(start: base, count: bytes.count)
  }

  deinit { base.deallocate() }

  @inline(__always)
  func equals(_ other: LentBytes) -> Bool {
    sameBytes(other, bytes)
  }

  func isPrefix(of other: LentBytes) -> Bool {
    other.count >= bytes.count && sameBytes(other.place, base, bytes.count)
  }

  func isPart(of other: LentBytes) -> Bool {
    guard let first = bytes.first else { return true }
    guard other.count >= bytes.count, let start = other.baseAddress else { return false }
    for index in 0...other.count - bytes.count where start[index] == first {
      if sameBytes(start + index, base, bytes.count) { return true }
    }
    return false
  }
}
