/// Keys that occur twice (D8), in dictionaries that are not read as a whole.
extension PayloadReader {
  /// Whether a mapped key occurs twice in the dictionary at the scanner's position. Which of its values decides is not guessed: the
  /// dictionary is read as a whole, and that reports the key.
  mutating func repeatsKey(_ entity: Int) throws(JSONSyntaxError) -> Bool {
    guard scanner.peek == UInt8(ascii: "{") else { return false }
    var reader = scanner
    return try repeatsKey(layouts[entity].group, &reader)
  }

  private mutating func repeatsKey(_ group: Int, _ reader: inout JSONScanner) throws(JSONSyntaxError) -> Bool {
    guard reader.depth < reader.maxDepth else { return false }
    try reader.descend()
    reader.advance()
    reader.skipWhitespace()
    var met: [Int] = []
    if reader.peek == UInt8(ascii: "}") {
      reader.advance()
    } else {
      repeat {
        let key = try reader.scanKey()
        if let found = plan.field(named: reader.text(of: key, in: &scratch), in: groups[group]) {
          if met.contains(found) { return true }
          met.append(found)
          if fields[found].reading == .group, reader.peek == UInt8(ascii: "{") {
            if try repeatsKey(fields[found].group, &reader) { return true }
            continue
          }
        }
        try reader.skipValue()
      } while try reader.continues(before: UInt8(ascii: "}"))
    }
    reader.ascend()
    return false
  }
}
