/// Keys that occur twice (D8), in dictionaries that are not read as a whole.
extension PayloadReader {
  /// Returns whether a mapped key occurs twice in the dictionary at the scanner's position. Instead of guessing which value is
  /// meant, the caller reads the dictionary as a whole, which reports the key.
  mutating func repeatsKey(_ entity: Int) throws(JSONSyntaxError) -> Bool {
    try repeatedKey(entity) != nil
  }

  /// Reports a mapped key that occurs twice in a dictionary that cannot be read as a whole, because its entity is not known.
  mutating func refuseRepeatedKey(_ entity: Int) throws(JSONSyntaxError) -> Bool {
    guard let key = try repeatedKey(entity) else { return false }
    var reader = scanner
    reader.move(to: key)
    let raw = try reader.scanString()
    log.record(.duplicateKey(reader.text(of: raw, in: &scratch)), at: offset(of: key), length: raw.count + 2)
    try log.stopIfFull()
    return true
  }

  private mutating func repeatedKey(_ entity: Int) throws(JSONSyntaxError) -> UnsafePointer<UInt8>? {
    guard scanner.peek == UInt8(ascii: "{") else { return nil }
    var reader = scanner
    return try repeatedKey(layouts[entity].group, &reader)
  }

  private mutating func repeatedKey(
    _ group: Int, _ reader: inout JSONScanner
  ) throws(JSONSyntaxError) -> UnsafePointer<UInt8>? {
    guard reader.depth < reader.maxDepth else { return nil }
    try reader.descend()
    reader.advance()
    reader.skipWhitespace()
    var met: [Int] = []
    if reader.peek == UInt8(ascii: "}") {
      reader.advance()
    } else {
      repeat {
        let start = reader.position
        let key = try reader.scanKey()
        if let found = plan.field(named: reader.text(of: key, in: &scratch), in: groups[group]) {
          if met.contains(found) { return start }
          met.append(found)
          if fields[found].reading == .group, reader.peek == UInt8(ascii: "{") {
            if let repeated = try repeatedKey(fields[found].group, &reader) { return repeated }
            continue
          }
        }
        try reader.skipValue()
      } while try reader.continues(before: UInt8(ascii: "}"))
    }
    reader.ascend()
    return nil
  }
}
