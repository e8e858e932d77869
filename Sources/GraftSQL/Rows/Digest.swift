/// A hash of 64 bits that is the same in every process. It detects damaged data; it does not protect against tampering with both
/// the data and the hash.
package struct Digest {
  @usableFromInline var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Begins a hash.
  @inlinable package init() {}

  /// The hash of all data that was added.
  @inlinable package var value: Int64 {
    Int64(bitPattern: Digest.folded(state ^ 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3))
  }

  /// Adds a number.
  @inlinable @inline(__always)
  package mutating func add(_ word: UInt64) {
    state = Digest.folded(state ^ 0xA076_1D64_78BD_642F, word ^ 0xE703_7ED1_A0B4_28DB)
  }

  /// Adds bytes, along with the number of bytes.
  @inlinable package mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    add(UInt64(bytes.count))
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return }
    var offset = 0
    while offset + 16 <= bytes.count {
      let first = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let second = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
      state = Digest.folded(state ^ first ^ 0xA076_1D64_78BD_642F, second ^ 0xE703_7ED1_A0B4_28DB)
      offset += 16
    }
    while offset < bytes.count {
      add(Digest.word(start, offset, bytes.count))
      offset += 8
    }
  }

  /// Returns up to 8 bytes as a number whose lowest byte comes first.
  @inlinable @inline(__always)
  static func word(_ start: UnsafeRawPointer, _ offset: Int, _ count: Int) -> UInt64 {
    let missing = offset + 8 - count
    if missing <= 0 { return UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    // The last 8 bytes, without the bytes that were already added.
    if count >= 8 {
      return UInt64(littleEndian: start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
        >> UInt64(8 * missing)
    }
    var word: UInt64 = 0
    for place in offset..<count {
      word |= UInt64(start.load(fromByteOffset: place, as: UInt8.self)) << UInt64(8 * (place - offset))
    }
    return word
  }

  /// Returns both halves of the product, combined.
  @inlinable @inline(__always)
  static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low ^ left
  }
}
