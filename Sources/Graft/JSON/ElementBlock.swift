/// The brackets outside strings in 128 bytes, found without examining each byte individually.
///
///     bytes        16 ... 31   0 ... 15            a bit for each byte: bit b of byte i represents byte 16 b + i
///                      \          /
///     marks     byte i: ... bit 1  bit 0
///
/// With the bytes in this order, collecting the marks of all bytes and following strings takes few steps. Marks are rearranged
/// into the order of the bytes only if it matters.
struct ElementBlock {
  /// The number of bytes in a block.
  static let length = 128

  /// One bit for each byte.
  typealias Marks = SIMD2<UInt64>

  private let opens: Marks
  private let closes: Marks

  /// - Parameter isInString: 1 if a string has begun before the bytes, otherwise 0; afterwards, 1 if a string has begun before the next
  ///   bytes.
  /// - Returns: nil if the bytes contain a backslash.
  @inline(__always)
  init?(_ place: UnsafePointer<UInt8>, _ isInString: inout UInt64) {
    var (quotes, backslashes) = (SIMD16<UInt8>(), SIMD16<UInt8>())
    var (opens, closes) = (SIMD16<UInt8>(), SIMD16<UInt8>())
    var offset = ElementBlock.length
    while offset > 0 {
      offset &-= 16
      let bytes = UnsafeRawPointer(place + offset).loadUnaligned(as: SIMD16<UInt8>.self)
      ElementBlock.add(UInt8(ascii: "\""), in: bytes, to: &quotes)
      backslashes |= ElementBlock.same(bytes, UInt8(ascii: "\\"))
      // In ASCII, brackets and braces differ by this bit.
      let folded = bytes | SIMD16<UInt8>(repeating: 0x20)
      ElementBlock.add(UInt8(ascii: "{"), in: folded, to: &opens)
      ElementBlock.add(UInt8(ascii: "}"), in: folded, to: &closes)
    }
    guard ElementBlock.isEmpty(ElementBlock.words(backslashes)) else { return nil }
    let strings = ElementBlock.strings(ElementBlock.words(quotes), &isInString)
    self.opens = ElementBlock.words(opens) & ~strings
    self.closes = ElementBlock.words(closes) & ~strings
  }

  /// Whether there are no brackets.
  @inline(__always)
  var isEmpty: Bool { ElementBlock.isEmpty(opens | closes) }

  @inline(__always)
  var openCount: Int { ElementBlock.count(opens) }
  @inline(__always)
  var closeCount: Int { ElementBlock.count(closes) }

  /// Iterates over the brackets.
  ///
  /// - Parameters:
  ///   - depth: the number of open brackets before each bracket.
  ///   - isEnd: a closure that is called with the number of bytes up to each bracket that leaves no bracket open. If it returns true, the
  ///     walk ends.
  /// - Returns: the position at which the walk ended.
  @inline(__always)
  func walk(_ depth: inout Int, _ isEnd: (Int) -> Bool) -> Int? {
    let (opens, closes) = (ElementBlock.inOrder(opens), ElementBlock.inOrder(closes))
    for half in 0..<2 {
      var rest = opens[half] | closes[half]
      while rest != 0 {
        let bit = rest.trailingZeroBitCount
        rest &= rest &- 1
        let isClosing = Int(truncatingIfNeeded: (closes[half] &>> UInt64(bit)) & 1)
        depth &+= 1 &- 2 &* isClosing
        if depth == 0, isEnd(half &* 64 &+ bit &+ 1) { return half &* 64 &+ bit &+ 1 }
      }
    }
    return nil
  }

  // MARK: Marks

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  @inline(__always)
  private static func words(_ bytes: SIMD16<UInt8>) -> Marks {
    let words = unsafeBitCast(bytes, to: Marks.self)
    return Marks(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
  }

  /// Returns 255 for each byte that equals the wanted byte, and 0 for the rest.
  @inline(__always)
  private static func same(_ bytes: SIMD16<UInt8>, _ wanted: UInt8) -> SIMD16<UInt8> {
    let same: SIMDMask<SIMD16<Int8>> = bytes .== SIMD16<UInt8>(repeating: wanted)
    return unsafeBitCast(same, to: SIMD16<UInt8>.self)
  }

  /// Adds the marks of sixteen bytes before the marks of the bytes that follow.
  @inline(__always)
  private static func add(_ wanted: UInt8, in bytes: SIMD16<UInt8>, to marks: inout SIMD16<UInt8>) {
    marks = marks &+ marks &- same(bytes, wanted)
  }

  @inline(__always)
  private static func isEmpty(_ marks: Marks) -> Bool { marks[0] | marks[1] == 0 }

  /// Returns marks of the bytes that are inside a string or begin one.
  @inline(__always)
  private static func strings(_ quotes: Marks, _ isInString: inout UInt64) -> Marks {
    // Whether the number of quotes up to a byte is odd: first among eight bytes, then sixteen, then all.
    var odd = quotes
    odd ^= odd &<< 8
    odd ^= odd &<< 16
    odd ^= odd &<< 32
    let low = odd[0]
    let high = odd[1] ^ ((low &>> 56) &* ones)
    var all = high &>> 56
    all ^= all &<< 1
    all ^= all &<< 2
    all ^= all &<< 4
    let before = (((all &<< 1) ^ (0 &- isInString)) & 0xFF) &* ones
    isInString ^= (all &>> 7) & 1
    return Marks(low ^ before, high ^ before)
  }

  @inline(__always)
  private static func count(_ marks: Marks) -> Int {
    let pairs = marks &- ((marks &>> 1) & 0x5555_5555_5555_5555)
    let fours = (pairs & 0x3333_3333_3333_3333) &+ ((pairs &>> 2) & 0x3333_3333_3333_3333)
    let eights = (fours &+ (fours &>> 4)) & 0x0F0F_0F0F_0F0F_0F0F
    return Int(truncatingIfNeeded: ((eights[0] &+ eights[1]) &* ones) &>> 56)
  }

  /// Returns marks whose bit i represents byte i.
  @inline(__always)
  private static func inOrder(_ marks: Marks) -> Marks {
    // Bit b of byte i becomes bit i of byte b, in either half.
    var turned = marks
    var other = (turned ^ (turned &>> 7)) & 0x00AA_00AA_00AA_00AA
    turned ^= other ^ (other &<< 7)
    other = (turned ^ (turned &>> 14)) & 0x0000_CCCC_0000_CCCC
    turned ^= other ^ (other &<< 14)
    other = (turned ^ (turned &>> 28)) & 0x0000_0000_F0F0_F0F0
    turned ^= other ^ (other &<< 28)
    // The halves have the marks of every other eight bytes.
    let halves = unsafeBitCast(Marks(turned[0].littleEndian, turned[1].littleEndian), to: SIMD16<UInt8>.self)
    var bytes = SIMD16<UInt8>()
    bytes.evenHalf = halves.lowHalf
    bytes.oddHalf = halves.highHalf
    return words(bytes)
  }
}
