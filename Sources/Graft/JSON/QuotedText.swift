/// Writes JSON strings with as few escapes as possible, sixteen bytes at a time while no escape is needed.
enum QuotedText {
  /// Returns the maximum number of bytes that ``write(_:to:)`` may write for text of the given length. One byte can become six, and up to
  /// eight bytes are written ahead.
  @inline(__always)
  static func longest(_ length: Int) -> Int { length * 6 + 16 }

  /// Writes the bytes of a string, which must be UTF-8, in quotes.
  ///
  /// - Parameter target: at least ``longest(_:)`` bytes.
  /// - Returns: the end of the written bytes.
  @inline(__always)
  static func write(_ source: LentBytes, to target: ByteRoom) -> ByteRoom {
    target[0] = UInt8(ascii: "\"")
    var end = target + 1
    if let start = source.baseAddress { end = ByteRoom(body(start, source.count, to: end.start)) }
    end[0] = UInt8(ascii: "\"")
    return end + 1
  }

  @inline(__always)
  private static func body(
    _ source: UnsafePointer<UInt8>, _ length: Int, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    // The last bytes are copied together with some of the preceding bytes, which are known not to need an escape.
    if length >= 16 {
      var place = 0
      while place &+ 16 <= length {
        guard copy16(source + place, to: target + place) else {
          return escaping(source + place, source + length, to: target + place)
        }
        place &+= 16
      }
      let last = length &- 16
      if place == length || copy16(source + last, to: target + last) { return target + length }
      return escaping(source + place, source + length, to: target + place)
    }
    if length >= 8 {
      let (first, last) = (load64(source), load64(source + (length &- 8)))
      if escapes(in: first) | escapes(in: last) == 0 {
        store64(first, to: target)
        store64(last, to: target + (length &- 8))
        return target + length
      }
    } else if length >= 4 {
      let (first, last) = (load32(source), load32(source + (length &- 4)))
      if escapes(in: UInt64(first) | UInt64(last) << 32) == 0 {
        store32(first, to: target)
        store32(last, to: target + (length &- 4))
        return target + length
      }
    }
    return escaping(source, source + length, to: target)
  }

  /// Copies sixteen bytes, and returns whether none of them needs an escape.
  @inline(__always)
  private static func copy16(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Bool {
    let words = UnsafeRawPointer(source).loadUnaligned(as: SIMD2<UInt64>.self)
    UnsafeMutableRawPointer(target).storeBytes(of: words, as: SIMD2<UInt64>.self)
    let quotes = (words ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
    let backslashes = (words ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
    let found = (quotes | backslashes | (words &- 0x2020_2020_2020_2020)) & ~words & 0x8080_8080_8080_8080
    return found[0] | found[1] == 0
  }

  /// Copies bytes, at least one of which probably needs an escape.
  @inline(never)
  private static func escaping(
    _ source: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var (place, target) = (source, target)
    while end - place >= 8 {
      let word = load64(place)
      store64(word, to: target)
      let mask = escapes(in: word)
      if mask == 0 {
        place += 8
        target += 8
        continue
      }
      let plain = mask.trailingZeroBitCount >> 3
      place += plain
      target += plain
      target = escape(place.pointee, to: target)
      place += 1
    }
    while place < end {
      target = escape(place.pointee, to: target)
      place += 1
    }
    return target
  }

  /// Returns a word in which the high bits are set for the bytes that need an escape (quotes, backslashes and control
  /// characters), and possibly for bytes after one of them. None of the three patterns changes a high bit, so bytes of
  /// non-ASCII text are excluded for all three together.
  @inline(__always)
  private static func escapes(in word: UInt64) -> UInt64 {
    let quotes = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
    let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
    return (quotes | backslashes | (word &- 0x2020_2020_2020_2020)) & ~word & 0x8080_8080_8080_8080
  }

  /// Writes a byte, as an escape if it needs one.
  @inline(__always)
  private static func escape(
    _ byte: UInt8, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    guard JSONEscape.isNeeded(byte) else {
      target[0] = byte
      return target + 1
    }
    let (word, count) = JSONEscape.word(byte)
    store64(word, to: target)
    return target + count
  }
}
