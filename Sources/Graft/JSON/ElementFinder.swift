/// Finds where the elements of an array end, without understanding them: the importer reads them strictly afterwards.
///
///     [ {"id": 1, "tags": ["a", "b,]"]}, {"id": 2} ]
///                                      ^ comma     ^ end        brackets and commas in strings and inside elements
///                                                               do not count
struct ElementFinder {
  enum Stop {
    /// A comma between two elements.
    case comma
    /// The closing bracket, or a closing brace that has no business there.
    case end
  }

  private var depth = 0
  private var isInString = false

  /// Moves `index` to the next comma or end of the array; nil, and `index` at the end, where none has come yet.
  mutating func next(_ bytes: LentBytes, _ index: inout Int) -> Stop? {
    guard let start = bytes.buffer.baseAddress else { return nil }
    var place = start + index
    let end = start + bytes.count
    var depth = depth
    defer {
      index = place - start
      self.depth = depth
    }
    if isInString {
      guard ElementFinder.skipString(&place, end) else { return nil }
      isInString = false
    }
    while place < end {
      switch place.pointee {
      case UInt8(ascii: "\""):
        place += 1
        guard ElementFinder.skipString(&place, end) else {
          isInString = true
          return nil
        }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return .end }
        depth &-= 1
      case UInt8(ascii: ",") where depth == 0: return .comma
      default: break
      }
      place += 1
    }
    return nil
  }

  /// Moves behind the quotes that end a string, of which at least the opening quotes come before the place; false if they have not
  /// come yet.
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
}
