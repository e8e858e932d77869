/// Finds the ends of an array's elements without interpreting them. The importer checks the elements strictly when it reads them later.
///
///     [ {"id": 1, "tags": ["a", "b,]"]}, {"id": 2} ]
///                                      ^ comma     ^ end        brackets and commas in strings and inside elements
///                                                               do not count
///
/// Inside an element, the finder examines 128 bytes at a time, or sixteen if they contain backslashes; elsewhere, one byte or string.
struct ElementFinder {
  enum Stop {
    /// A comma between two elements.
    case comma
    /// The closing bracket, or a misplaced closing brace.
    case end
  }

  /// Consecutive elements that are passed without a stop. Each begins and ends with a bracket, with only a comma in between.
  struct Run {
    /// The maximum number of elements that may be passed.
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

    /// Passes the element that ends before an index, if the run allows it.
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

  /// Moves `index` to the next comma or end of the array. If neither of them has arrived yet, moves it to the end and returns
  /// nil. Commas in a run may be passed.
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

  /// Moves forward inside an element, to its end if the end comes before the last bytes and before a backslash outside strings.
  /// Does the same for the following elements, as long as they form a run.
  ///
  /// - Returns: whether the new position is in a string.
  @inline(__always)
  private static func skipBlocks(
    _ place: inout UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ depth: inout Int,
    _ run: inout Run
  ) -> Bool {
    // Each variable is 1 if it applies to the first of the next bytes, and otherwise 0.
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

  /// Returns the number of bytes of a block that belong to the element or the run, or nil if all bytes belong to it.
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

  /// Moves forward by sixteen bytes at a time.
  ///
  /// - Returns: whether the new position is still inside the element; nil if there is a backslash outside strings.
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

  /// Moves past the closing quote of a string whose opening quote is before the position. Returns false if the closing quote has not
  /// arrived yet.
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

  /// Returns whether an odd number of backslashes precedes a position in a string. Each pair represents one backslash.
  @inline(never)
  private static func isEscaped(_ place: UnsafePointer<UInt8>) -> Bool {
    var first = place
    while first[-1] == UInt8(ascii: "\\") { first -= 1 }
    return (place - first) & 1 == 1
  }

  /// Returns a word in which the high bits of the bytes that are 0 are set, and possibly the high bits of bytes above the lowest such byte.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// Returns a mark, 1, for each of sixteen bytes that equals the given byte.
  @inline(__always)
  private static func marks(of byte: UInt8, in bytes: SIMD16<UInt8>) -> (low: UInt64, high: UInt64) {
    let wanted = SIMD16<UInt8>(repeating: byte)
    let same: SIMDMask<SIMD16<Int8>> = bytes .== wanted
    let words = unsafeBitCast(same, to: SIMD2<UInt64>.self)
    return (UInt64(littleEndian: words[0]) & ones, UInt64(littleEndian: words[1]) & ones)
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Drops the marks of quotes after a backslash that is not itself escaped.
  ///
  /// - Parameter isEscaped: 1 if the first of eight bytes is escaped; afterwards, 1 if the first of the next eight bytes is escaped.
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

  /// Returns a mark for each of eight bytes that is inside a string or begins one.
  ///
  /// - Parameter isInString: 1 if a string has begun before the eight bytes.
  @inline(__always)
  private static func strings(_ quotes: UInt64, _ isInString: UInt64) -> UInt64 {
    // In the product, each byte has the number of quotes up to that byte.
    ((quotes &* ones) ^ (isInString &* ones)) & ones
  }

  /// Returns the number of marked bytes out of eight, or the sum if each byte is a number of marks.
  @inline(__always)
  private static func sum(_ marks: UInt64) -> Int { Int(truncatingIfNeeded: (marks &* ones) &>> 56) }

  /// Returns the number of bytes, out of eight, up to the end of an element. If no element ends in these bytes, returns nil and updates the
  /// depth.
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
