// Bytes as words: the few unaligned reads that the fast paths are made of.

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

/// The first place of a byte in a run of bytes, or nil, comparing eight at a time.
func firstPlace(of byte: UInt8, in bytes: LentBytes) -> Int? {
  guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
  return UnsafeRawPointer(found) - UnsafeRawPointer(base)
}

/// The number of line feeds, and of UTF-8 scalars, in a run of bytes.
func countLinesAndScalars(_ bytes: LentBytes) -> (lines: Int, scalars: Int) {
  guard let base = bytes.baseAddress else { return (0, 0) }
  var (lines, continuations, place) = (0, 0, 0)
  while place < bytes.count {
    // As many bytes as a byte counts: the compiler compares and adds sixteen of them at once.
    let end = min(bytes.count, place &+ 240)
    var (few, fewContinuations): (UInt8, UInt8) = (0, 0)
    while place < end {
      few &+= base[place] == 0x0A ? 1 : 0
      // Continuation bytes, 10xxxxxx, are the least numbers with a sign.
      fewContinuations &+= Int8(bitPattern: base[place]) < -64 ? 1 : 0
      place &+= 1
    }
    lines &+= Int(few)
    continuations &+= Int(fewContinuations)
  }
  return (lines, bytes.count - continuations)
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

/// Returns whether two runs of bytes are equal, comparing eight at a time.
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
