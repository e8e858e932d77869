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
  mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Stop? {
    var place = index
    defer { index = place }
    while place < bytes.count {
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
