extension SourcePlace {
  /// Returns the location of a part of the string at this location. The part is given in bytes of the decoded string,
  /// in which escapes are shorter than in the text.
  ///
  ///     "pattern": "\\d(?=x)"        part(2..<5) of \d(?=x)
  ///                    ^^^
  ///
  /// Returns the whole location if there is no text or no string.
  package func part(_ bytes: Range<Int>) -> SourcePlace {
    guard let text, range.length >= 2, text.bytes[range.offset] == UInt8(ascii: "\"") else { return self }
    let end = range.offset + range.length - 1
    var position = range.offset + 1
    var meant = 0
    func advance(to offset: Int) {
      while meant < offset, position < end {
        guard text.bytes[position] == UInt8(ascii: "\\") else {
          position += 1
          meant += 1
          continue
        }
        let (width, length) = escape(at: position, before: end, in: text.bytes)
        position += length
        meant += width
      }
    }
    advance(to: bytes.lowerBound)
    let start = position
    advance(to: bytes.upperBound)
    return SourcePlace(text: text, range: SourceRange(offset: start, length: max(1, position - start)))
  }

  /// Returns the number of bytes that an escape represents, and the number of bytes that it takes.
  private func escape(at start: Int, before end: Int, in bytes: [UInt8]) -> (width: Int, length: Int) {
    guard start + 6 <= end, bytes[start + 1] == UInt8(ascii: "u"),
      let unit = UInt32(String(decoding: bytes[start + 2..<start + 6], as: UTF8.self), radix: 16)
    else { return (1, 2) }
    // Two escapes represent one character.
    if (0xD800..<0xDC00).contains(unit) { return (4, 12) }
    return (unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3, 6)
  }
}
