/// A string of the payload: the bytes between its quotes, checked, with its escapes still in place.
struct RawString {
  var base: UnsafePointer<UInt8>
  var count: Int
  var hasEscapes: Bool

  @inline(__always) var bytes: LentBytes { LentBytes(start: base, count: count) }
}

extension JSONScanner {
  /// Scans a string from its opening quote to the position after its closing quote. Checks control characters, UTF-8, escapes and
  /// surrogates.
  @inline(__always)
  mutating func scanString() throws(JSONSyntaxError) -> RawString {
    let first = position + 1
    let place = endOfPlainText(first)
    if place < end, place.pointee == 0x22 {
      move(to: place + 1)
      return RawString(base: first, count: place - first, hasEscapes: false)
    }
    return try scanRestOfString(first, place)
  }

  /// Moves past a string if it equals the given text, which is known to need no escapes.
  ///
  /// - Returns: the text, at the position where it was passed.
  @inline(__always)
  mutating func pass(_ text: LentBytes) -> LentBytes? {
    let first = position + 1
    guard end - first > text.count, first[text.count] == 0x22, let place = text.baseAddress,
      sameBytes(first, place, text.count)
    else { return nil }
    move(to: first + text.count + 1)
    return LentBytes(start: first, count: text.count)
  }

  /// Skips plain ASCII: no quote, backslash, control character or high bit. Works on eight bytes at a time and leaves fewer
  /// than eight bytes at the end of the text to the caller.
  ///
  ///     'B' 'a' 't' 'm' 'a' 'n' '"' ','      word
  ///      0   0   0   0   0   0  0x80  0      mask: the first set byte is where to look
  @inline(__always)
  private func endOfPlainText(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var place = start
    while end - place >= 8 {
      let word = load64(place)
      let quote = word ^ 0x2222_2222_2222_2222
      let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
      let mask =
        ((quote &- 0x0101_0101_0101_0101) | (backslash &- 0x0101_0101_0101_0101) | (word &- 0x2020_2020_2020_2020)
          | word) & 0x8080_8080_8080_8080
      if mask != 0 { return place + (mask.trailingZeroBitCount >> 3) }
      place += 8
    }
    return place
  }

  /// Scans the rest of a string that is not only plain ASCII or is close to the end of the text.
  @inline(never)
  private mutating func scanRestOfString(
    _ first: UnsafePointer<UInt8>, _ from: UnsafePointer<UInt8>
  ) throws(JSONSyntaxError) -> RawString {
    var place = from
    var hasEscapes = false
    while place < end {
      let byte = place.pointee
      if byte == 0x22 {
        move(to: place + 1)
        return RawString(base: first, count: place - first, hasEscapes: hasEscapes)
      }
      if byte == 0x5C {
        hasEscapes = true
        place += try escapeLength(place)
      } else if byte < 0x20 {
        throw failure(.controlCharacter(byte), at: place)
      } else if byte < 0x80 {
        place += 1
        place = endOfPlainText(place)
      } else {
        place += try sequenceLength(place)
        while end - place >= 8, isFourPairs(load64(place)) { place += 8 }
      }
    }
    throw failure(.unterminatedString, at: end)
  }

  /// Returns whether eight bytes are four well-formed sequences of two bytes: `110xxxxx 10xxxxxx`, with more than one bit
  /// in the five.
  @inline(__always)
  private func isFourPairs(_ word: UInt64) -> Bool {
    word & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0
      && ((word & 0x001E_001E_001E_001E) &+ 0x007E_007E_007E_007E) & 0x0080_0080_0080_0080 == 0x0080_0080_0080_0080
  }

  /// Returns the length of a well-formed UTF-8 sequence of two to four bytes (Unicode, table 3-7).
  @inline(__always)
  private func sequenceLength(_ place: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> Int {
    let lead = place[0]
    let left = end - place
    func continues(_ index: Int) -> Bool { place[index] & 0xC0 == 0x80 }
    if lead >= 0xE0, lead < 0xF0 {
      guard left >= 3, continues(1), continues(2), lead != 0xE0 || place[1] >= 0xA0, lead != 0xED || place[1] < 0xA0
      else { throw failure(.invalidUTF8, at: place) }
      return 3
    }
    if lead >= 0xC2, lead < 0xE0 {
      guard left >= 2, continues(1) else { throw failure(.invalidUTF8, at: place) }
      return 2
    }
    guard lead >= 0xF0, lead < 0xF5, left >= 4, continues(1), continues(2), continues(3),
      lead != 0xF0 || place[1] >= 0x90, lead != 0xF4 || place[1] < 0x90
    else { throw failure(.invalidUTF8, at: place) }
    return 4
  }

  /// Returns the length of the escape at a backslash. A surrogate pair is one escape of twelve bytes.
  private func escapeLength(_ place: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> Int {
    guard end - place >= 2 else { throw failure(.unterminatedString, at: end) }
    switch place[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard end - place >= 6, let unit = hexadecimal(place + 2) else { throw failure(.badEscape, at: place) }
      if unit & 0xF800 != 0xD800 { return 6 }
      guard unit < 0xDC00, end - place >= 12, place[6] == 0x5C, place[7] == UInt8(ascii: "u"),
        let low = hexadecimal(place + 8), low & 0xFC00 == 0xDC00
      else { throw failure(.loneSurrogate, at: place) }
      return 12
    default:
      throw failure(.badEscape, at: place)
    }
  }

  /// Returns the text of a raw string, with its escapes decoded into the scratch text.
  @inline(__always)
  func text(of raw: RawString, in scratch: inout ScratchText) -> LentBytes {
    raw.hasEscapes ? unescape(raw, in: &scratch) : raw.bytes
  }

  @inline(never)
  private func unescape(_ raw: RawString, in scratch: inout ScratchText) -> LentBytes {
    let target = scratch.room(raw.count)
    var written = 0
    var place = raw.base
    let stop = raw.base + raw.count
    while place < stop {
      let byte = place.pointee
      if byte != 0x5C {
        target[written] = byte
        written += 1
        place += 1
        continue
      }
      place += 2
      switch place[-1] {
      case UInt8(ascii: "b"): target[written] = 0x08
      case UInt8(ascii: "f"): target[written] = 0x0C
      case UInt8(ascii: "n"): target[written] = 0x0A
      case UInt8(ascii: "r"): target[written] = 0x0D
      case UInt8(ascii: "t"): target[written] = 0x09
      case UInt8(ascii: "u"):
        var scalar = hexadecimal(place) ?? 0
        place += 4
        if scalar & 0xFC00 == 0xD800 {
          scalar = 0x10000 + (scalar & 0x3FF) << 10 + ((hexadecimal(place + 2) ?? 0) & 0x3FF)
          place += 6
        }
        written += encode(scalar, at: target + written)
        continue
      case let character: target[written] = character
      }
      written += 1
    }
    scratch.commit(written)
    return LentBytes(start: target, count: written)
  }

  /// Writes a scalar as UTF-8, which is at most as long as its escape.
  private func encode(_ scalar: UInt32, at target: UnsafeMutablePointer<UInt8>) -> Int {
    func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: (scalar >> shift) & 0x3F) }
    if scalar < 0x80 {
      target[0] = UInt8(scalar)
      return 1
    }
    if scalar < 0x800 {
      target[0] = 0xC0 | UInt8(scalar >> 6)
      target[1] = tail(0)
      return 2
    }
    if scalar < 0x10000 {
      target[0] = 0xE0 | UInt8(scalar >> 12)
      target[1] = tail(6)
      target[2] = tail(0)
      return 3
    }
    target[0] = 0xF0 | UInt8(scalar >> 18)
    target[1] = tail(12)
    target[2] = tail(6)
    target[3] = tail(0)
    return 4
  }

  private func hexadecimal(_ place: UnsafePointer<UInt8>) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
      let byte = place[index]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
