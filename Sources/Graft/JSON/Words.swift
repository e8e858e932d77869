// Bytes as words: the few unaligned reads that the fast paths are made of.

@inline(__always)
func load64(_ place: UnsafePointer<UInt8>) -> UInt64 {
  UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
}

@inline(__always)
func load32(_ place: UnsafePointer<UInt8>) -> UInt32 {
  UInt32(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt32.self))
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
