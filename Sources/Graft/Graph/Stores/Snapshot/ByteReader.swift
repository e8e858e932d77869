/// Reads numbers and bytes in sequence; nil beyond the end.
struct ByteReader {
  private let all: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], from offset: Int) {
    all = bytes
    self.offset = offset
  }

  var isAtEnd: Bool { offset == all.count }
  /// The number of bytes that are left.
  var left: Int { all.count - offset }

  mutating func byte() -> UInt8? {
    guard offset < all.count else { return nil }
    offset += 1
    return all[offset - 1]
  }

  mutating func word() -> UInt64? {
    guard let bytes = bytes(8) else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func integer() -> Int64? { word().map { Int64(bitPattern: $0) } }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= left else { return nil }
    offset += count
    return all[offset - count..<offset]
  }
}

extension [UInt8] {
  /// Appends a number, least significant byte first.
  mutating func append(_ word: UInt64) {
    for shift in 0..<8 { append(UInt8(truncatingIfNeeded: word >> UInt64(shift * 8))) }
  }
}
