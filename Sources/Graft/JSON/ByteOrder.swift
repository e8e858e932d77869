/// Orders text by its bytes, eight at a time.
extension LentBytes {
  /// Returns eight bytes from an index onward, with the first byte as the most significant. Bytes after the end are treated as zeros.
  @inline(__always)
  func word(at start: Int) -> UInt64 {
    if start + 8 <= count {
      return UInt64(bigEndian: UnsafeRawPointer(baseAddress.unsafelyUnwrapped + start).loadUnaligned(as: UInt64.self))
    }
    var word: UInt64 = 0
    for index in start..<start + 8 { word = word << 8 | (index < count ? UInt64(self[index]) : 0) }
    return word
  }

  func precedes(_ other: LentBytes) -> Bool {
    var start = 0
    while start + 8 <= count, start + 8 <= other.count {
      let (one, two) = (word(at: start), other.word(at: start))
      if one != two { return one < two }
      start += 8
    }
    return self[start...].lexicographicallyPrecedes(other[start...])
  }
}
