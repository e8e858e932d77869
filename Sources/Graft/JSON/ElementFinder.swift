/// Finds where the elements of an array end, without understanding them: the importer reads them strictly afterwards.
///
///     [ {"id": 1, "tags": ["a", "b,]"]}, {"id": 2} ]
///                                      ^ comma     ^ end        brackets and commas in strings and inside elements
///                                                               do not count
///
/// Inside an element it looks at 128 bytes at a time, or at sixteen where they have backslashes; elsewhere, at one byte or string.
struct ElementFinder {
  enum Stop {
    /// A comma between two elements.
    case comma
    /// The closing bracket, or a closing brace that has no business there.
    case end
  }

  /// Elements in a row that are passed without a stop. Each begins and ends with a bracket, and only a comma is between them.
  struct Run {
    /// The maximum number that may be passed.
    var most: Int
    /// The next element must begin before this index.
    var limit: Int
    private(set) var count = 0
    /// The start of the next element, if any were passed.
    private(set) var next = 0

    init(most: Int, limit: Int) {
      self.most = most
      self.limit = limit
    }

    /// Passes the element before an index if it may.
    @inline(__always)
    fileprivate mutating func pass(_ index: Int) -> Bool {
      guard count < most, index < limit else { return false }
      count &+= 1
      next = index
      return true
    }
  }

  private var depth = 0
  private var isInString = false

  /// Moves `index` to the next comma or end of the array; nil, with `index` at the end, if there is none yet. Commas in a run
  /// may be passed.
  mutating func next(_ bytes: LentBytes, _ index: inout Int, _ run: inout Run) -> Stop? {
    guard let start = bytes.baseAddress else { return nil }
    var place = start + index
    let end = start + bytes.count
    var (depth, isInString) = (depth, isInString)
    defer {
      index = place - start
      self.depth = depth
      self.isInString = isInString
    }
    while place < end {
      if isInString {
        guard ElementFinder.skipString(&place, end) else { return nil }
        isInString = false
      } else {
        switch place.pointee {
        case UInt8(ascii: "\""):
          place += 1
          isInString = true
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth &+= 1
          place += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return .end }
          depth &-= 1
          place += 1
        case UInt8(ascii: ",") where depth == 0: return .comma
        default:
          place += 1
          continue
        }
      }
      if depth > 0 { isInString = ElementFinder.skipBlocks(&place, start, end, &depth, &run) }
    }
    return nil
  }

  // MARK: Blocks

  /// Moves on inside an element, to its end if that comes before the last bytes and before a backslash outside of strings; and
  /// likewise in the following elements, as long as they form a run.
  ///
  /// - Returns: whether the place is in a string.
  @inline(__always)
  private static func skipBlocks(
    _ place: inout UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ depth: inout Int,
    _ run: inout Run
  ) -> Bool {
    // 1 for the first of the next bytes, or 0.
    var (isInString, isEscaped): (UInt64, UInt64) = (0, 0)
    while end - place >= 16 {
      if isEscaped == 0, end - place >= ElementBlock.length, let block = ElementBlock(place, &isInString) {
        if !block.isEmpty {
          let count = block.closeCount
          if count < depth {
            depth &+= block.openCount &- count
          } else if let length = ElementFinder.end(of: block, place, start, end, &depth, &run) {
            place += length
            return false
          }
        }
        place += ElementBlock.length
      } else {
        let stop = place + min(end - place, ElementBlock.length)
        guard let isInside = skipChunks(&place, stop, &depth, &isInString, &isEscaped) else { return isInString != 0 }
        if !isInside { return false }
      }
    }
    return isInString != 0
  }

  /// The number of bytes of a block that belong to the element, or to the run; nil if all do.
  @inline(never)
  private static func end(
    of block: ElementBlock, _ place: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ depth: inout Int, _ run: inout Run
  ) -> Int? {
    block.walk(&depth) { length in
      let comma = place + length
      // The code that examines the bytes after the block must not meet the comma again.
      return length == ElementBlock.length || end - comma < 2 || comma[0] != UInt8(ascii: ",")
        || comma[1] | 0x20 != UInt8(ascii: "{") || !run.pass(comma + 1 - start)
    }
  }

  /// Moves on by sixteen bytes at a time.
  ///
  /// - Returns: whether the place is still inside the element; nil if there is a backslash outside of strings.
  @inline(__always)
  private static func skipChunks(
    _ place: inout UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>, _ depth: inout Int, _ isInString: inout UInt64,
    _ isEscaped: inout UInt64
  ) -> Bool? {
    while stop - place >= 16 {
      let bytes = UnsafeRawPointer(place).loadUnaligned(as: SIMD16<UInt8>.self)
      var quotes = marks(of: UInt8(ascii: "\""), in: bytes)
      let backslashes = marks(of: UInt8(ascii: "\\"), in: bytes)
      let hasBackslashes = backslashes.low | backslashes.high != 0
      if hasBackslashes || isEscaped != 0 {
        dropEscaped(&quotes.low, backslashes.low, &isEscaped)
        dropEscaped(&quotes.high, backslashes.high, &isEscaped)
      }
      let low = strings(quotes.low, isInString)
      let high = strings(quotes.high, low &>> 56)
      if hasBackslashes, backslashes.low & ~low | backslashes.high & ~high != 0 { return nil }
      // In ASCII, brackets and braces differ by this bit.
      let folded = bytes | SIMD16<UInt8>(repeating: 0x20)
      let (opens, closes) = (marks(of: UInt8(ascii: "{"), in: folded), marks(of: UInt8(ascii: "}"), in: folded))
      let (lowOpens, highOpens) = (opens.low & ~low, opens.high & ~high)
      let (lowCloses, highCloses) = (closes.low & ~low, closes.high & ~high)
      let count = sum(lowCloses &+ highCloses)
      if count < depth {
        depth &+= sum(lowOpens &+ highOpens) &- count
      } else {
        if let length = ElementFinder.end(lowOpens, lowCloses, &depth) {
          place += length
          return false
        }
        if let length = ElementFinder.end(highOpens, highCloses, &depth) {
          place += 8 + length
          return false
        }
      }
      place += 16
      isInString = high &>> 56
    }
    return true
  }

  /// Moves past the quotes that end a string whose opening quotes are before the position; false if they have not arrived yet.
  @inline(__always)
  private static func skipString(_ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    while place < end {
      if end - place >= 8 {
        let mask = zeros(load64(place) ^ 0x2222_2222_2222_2222)
        place += mask == 0 ? 8 : mask.trailingZeroBitCount >> 3
        if mask == 0 { continue }
      }
      place += 1
      if place[-1] == UInt8(ascii: "\""), place[-2] != UInt8(ascii: "\\") || !isEscaped(place - 1) { return true }
    }
    return false
  }

  /// Whether an odd number of backslashes stands before a place in a string: each pair of them is one.
  @inline(never)
  private static func isEscaped(_ place: UnsafePointer<UInt8>) -> Bool {
    var first = place
    while first[-1] == UInt8(ascii: "\\") { first -= 1 }
    return (place - first) & 1 == 1
  }

  /// The high bits of the bytes that are 0, and perhaps of some above the lowest one of them.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// A mark, 1, for each of sixteen bytes that is the wanted one.
  @inline(__always)
  private static func marks(of byte: UInt8, in bytes: SIMD16<UInt8>) -> (low: UInt64, high: UInt64) {
    let wanted = SIMD16<UInt8>(repeating: byte)
    let same: SIMDMask<SIMD16<Int8>> = bytes .== wanted
    let words = unsafeBitCast(same, to: SIMD2<UInt64>.self)
    return (UInt64(littleEndian: words[0]) & ones, UInt64(littleEndian: words[1]) & ones)
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Drops the marks of quotes after a backslash that is not escaped itself.
  ///
  /// - Parameter isEscaped: 1 if the first of eight bytes is escaped; afterwards the same of the next eight bytes.
  @inline(__always)
  private static func dropEscaped(_ quotes: inout UInt64, _ backslashes: UInt64, _ isEscaped: inout UInt64) {
    quotes &= ~isEscaped
    var rest = backslashes & ~isEscaped
    isEscaped = 0
    while rest != 0 {
      let backslash = rest & (~rest &+ 1)
      isEscaped = backslash &>> 56
      quotes &= ~(backslash &<< 8)
      rest &= ~(backslash | backslash &<< 8)
    }
  }

  /// A mark for each of eight bytes before which, or at which, a string has begun that has not ended.
  ///
  /// - Parameter isInString: 1 if a string has begun before them.
  @inline(__always)
  private static func strings(_ quotes: UInt64, _ isInString: UInt64) -> UInt64 {
    // The product has in each byte the number of quotes up to there.
    ((quotes &* ones) ^ (isInString &* ones)) & ones
  }

  /// The number of marked bytes out of eight; more, if each byte is a number of marks.
  @inline(__always)
  private static func sum(_ marks: UInt64) -> Int { Int(truncatingIfNeeded: (marks &* ones) &>> 56) }

  /// The length of the part of eight bytes that ends an element; nil, and the depth after them, if they do not.
  @inline(__always)
  private static func end(_ opens: UInt64, _ closes: UInt64, _ depth: inout Int) -> Int? {
    var (rest, count) = (closes, 0)
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      count &+= 1
      if depth &+ sum(opens & ((1 &<< UInt64(bit)) &- 1)) == count {
        depth = 0
        return bit / 8 + 1
      }
      rest &= rest &- 1
    }
    depth &+= sum(opens) &- count
    return nil
  }
}
