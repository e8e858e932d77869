/// Determines whether a key is probably a misspelling of another key.
enum NearKey {
  /// Returns whether two keys differ only in case and word separators, or, if they are long enough, in one letter.
  static func isNear(_ one: String, _ other: String) -> Bool {
    let (left, right) = (letters(one), letters(other))
    if left == right { return !left.isEmpty }
    guard left.count >= 4, right.count >= 4, abs(left.count - right.count) <= 1 else { return false }
    // Keys that differ only by a plural `s` are treated as different keys.
    if left + [UInt8(ascii: "s")] == right || right + [UInt8(ascii: "s")] == left { return false }
    var start = 0
    while start < left.count, start < right.count, left[start] == right[start] { start += 1 }
    var end = 0
    while end < left.count - start, end < right.count - start,
      left[left.count - 1 - end] == right[right.count - 1 - end]
    {
      end += 1
    }
    let (inLeft, inRight) = (left[start..<left.count - end], right[start..<right.count - end])
    return inLeft.count <= 1 && inRight.count <= 1 || inLeft.count == 2 && inLeft.reversed() == Array(inRight)
  }

  /// Returns the letters, in lower case, and the digits of a key.
  private static func letters(_ key: String) -> [UInt8] {
    key.utf8.compactMap { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: byte
      default: nil
      }
    }
  }
}
