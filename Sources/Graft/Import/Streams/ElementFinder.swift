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

  /// Skips bytes of a string that are neither quotes nor backslashes, eight at a time while there are so many.
  @inline(__always)
  private static func endOfPlainText(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    guard let base = bytes.baseAddress else { return start }
    var place = start
    while place + 8 <= bytes.count {
      let word = load64(base + place)
      let quote = word ^ 0x2222_2222_2222_2222
      let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
      let mask =
        (((quote &- 0x0101_0101_0101_0101) & ~quote) | ((backslash &- 0x0101_0101_0101_0101) & ~backslash))
        & 0x8080_8080_8080_8080
      // The lowest byte that is flagged is the right one.
      if mask != 0 { return place + mask.trailingZeroBitCount >> 3 }
      place += 8
    }
    return place
  }

  /// Moves `index` to the next comma or end of the array; nil, and `index` at the end, where none has come yet.
  mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Stop? {
    var place = index
    defer { index = place }
    while place < bytes.count {
      if isInString {
        place = ElementFinder.endOfPlainText(bytes, place)
        if place >= bytes.count { return nil }
      }
      let byte = bytes[place]
      if isInString {
        if byte == UInt8(ascii: "\\") {
          // What is escaped must be there as well.
          if place + 1 >= bytes.count { return nil }
          place += 2
          continue
        }
        if byte == UInt8(ascii: "\"") { isInString = false }
        place += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return .end }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return .comma
      default: break
      }
      place += 1
    }
    return nil
  }
}
