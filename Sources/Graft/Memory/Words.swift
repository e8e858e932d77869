// Bytes as words: the few unaligned reads that the fast paths use.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

@inline(__always)
func load64(_ place: UnsafePointer<UInt8>) -> UInt64 {
  UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
}

@inline(__always)
func load32(_ place: UnsafePointer<UInt8>) -> UInt32 {
  UInt32(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt32.self))
}

@inline(__always)
func store64(_ word: UInt64, to place: UnsafeMutablePointer<UInt8>) {
  UnsafeMutableRawPointer(place).storeBytes(of: word.littleEndian, as: UInt64.self)
}

@inline(__always)
func store32(_ word: UInt32, to place: UnsafeMutablePointer<UInt8>) {
  UnsafeMutableRawPointer(place).storeBytes(of: word.littleEndian, as: UInt32.self)
}

/// Returns the position of the first occurrence of a byte in a run of bytes, or nil if there is none.
func firstPlace(of byte: UInt8, in bytes: LentBytes) -> Int? {
  guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
  return UnsafeRawPointer(found) - UnsafeRawPointer(base)
}

/// Returns the number of line feeds in a run of bytes.
func countLines(_ bytes: LentBytes) -> Int { countMarks(bytes) { $0 .== SIMD16(repeating: 0x0A) } }

/// Returns the number of UTF-8 scalars in a run of bytes. Every byte except a continuation byte begins a scalar. Continuation
/// bytes, 10xxxxxx, are the lowest numbers if bytes are signed.
func countScalars(_ bytes: LentBytes) -> Int {
  bytes.count - countMarks(bytes) { unsafeBitCast($0, to: SIMD16<Int8>.self) .< SIMD16(repeating: -64) }
}

/// Returns the number of marked bytes, comparing sixteen at a time. Each lane counts up to 255 of them.
@inline(__always)
private func countMarks(_ bytes: LentBytes, _ marks: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>) -> Int {
  guard let base = UnsafeRawPointer(bytes.baseAddress) else { return 0 }
  var (total, index) = (0, 0)
  while bytes.count - index >= 64 {
    let end = index + min(63 * 64, (bytes.count - index) & ~63)
    var lanes = SIMD16<UInt8>()
    while index < end {
      for offset in 0..<4 {
        let marked = marks((base + index + 16 * offset).loadUnaligned(as: SIMD16<UInt8>.self))
        // A mark is -1.
        lanes &-= unsafeBitCast(marked, to: SIMD16<UInt8>.self)
      }
      index += 64
    }
    total += Int(SIMD16<UInt16>(truncatingIfNeeded: lanes).wrappedSum())
  }
  while index < bytes.count {
    if marks(SIMD16(repeating: bytes[index]))[0] { total += 1 }
    index += 1
  }
  return total
}

/// Returns whether a run of bytes has the bytes of an array.
@inline(__always)
func sameBytes(_ left: LentBytes, _ right: [UInt8]) -> Bool {
  guard left.count == right.count, let base = left.baseAddress, left.count > 0 else { return left.count == right.count }
  return right.withUnsafeBufferPointer { sameBytes(base, $0.baseAddress.unsafelyUnwrapped, left.count) }
}

/// Returns whether two runs of bytes are equal.
@inline(__always)
func sameBytes(_ left: LentBytes, _ right: LentBytes) -> Bool {
  guard left.count == right.count, let start = left.baseAddress, let other = right.baseAddress else {
    return left.count == right.count
  }
  return sameBytes(start, other, left.count)
}

/// Returns whether two runs of bytes are equal, comparing eight bytes at a time.
@inline(__always)
func sameBytes(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
  var index = 0
  while index + 8 <= count {
    if load64(left + index) != load64(right + index) { return false }
    index += 8
  }
  if count >= 8 { return load64(left + count - 8) == load64(right + count - 8) }
  while index < count {
    if left[index] != right[index] { return false }
    index += 1
  }
  return true
}
