/// The nesting depth of a JSON text.
enum JSONNesting {
  /// Returns whether a valid text is nested more deeply than a limit.
  static func exceeds(_ limit: Int, _ text: LentBytes) -> Bool {
    // Each level requires two brackets, so a short text need not be scanned.
    guard text.count / 2 > limit else { return false }
    var depth = 0
    var place = 0
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\""):
        place += 1
        while text[place] != UInt8(ascii: "\"") { place += text[place] == UInt8(ascii: "\\") ? 2 : 1 }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > limit { return true }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      place += 1
    }
    return false
  }
}
