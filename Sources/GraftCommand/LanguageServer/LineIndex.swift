import Graft

/// Converts byte offsets to the positions of the protocol, and back.
///
/// A position is a line and a character, both counted from 0. A line ends at LF, CR LF or CR. A character is a UTF-16 code unit, so
/// 🦇 is counted as two.
struct LineIndex {
  private let bytes: [UInt8]
  /// The offset of the first byte of each line.
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    for index in bytes.indices {
      let isEnd = bytes[index] == 0x0A || bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
      if isEnd { starts.append(index + 1) }
    }
    self.starts = starts
  }

  /// Returns the position of an offset. Expected O(log lines + line).
  func position(of offset: Int) -> JSON {
    let offset = min(max(0, offset), bytes.count)
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    // An offset between CR and LF is the end of the line.
    let end = min(offset, contentEnd(ofLine: low))
    return [
      "line": .number(JSONNumber(low)),
      "character": .number(JSONNumber(String(decoding: bytes[starts[low]..<end], as: UTF8.self).utf16.count)),
    ]
  }

  /// Returns the protocol's form of a byte range.
  func range(_ range: Range<Int>) -> JSON {
    ["start": position(of: range.lowerBound), "end": position(of: range.upperBound)]
  }

  /// Returns the offset of a position, or nil if it is not a position. A character beyond the end of its line is treated as that
  /// end, and a line after the last as the end of the text. A position inside a character is treated as the character's start.
  func offset(of position: JSON?) -> Int? {
    guard let line = position?["line"]?.numberValue?.int64, let character = position?["character"]?.numberValue?.int64,
      line >= 0, character >= 0
    else { return nil }
    guard line < starts.count else { return bytes.count }
    var offset = starts[Int(line)]
    var units = character
    for scalar in String(decoding: bytes[offset..<contentEnd(ofLine: Int(line))], as: UTF8.self).unicodeScalars {
      let width = Int64(UTF16.width(scalar))
      guard units >= width else { break }
      units -= width
      offset += UTF8.width(scalar)
    }
    return offset
  }

  /// Returns the end of a line's text, before the characters that end the line.
  private func contentEnd(ofLine line: Int) -> Int {
    guard line + 1 < starts.count else { return bytes.count }
    let end = starts[line + 1] - 1
    return bytes[end] == 0x0A && end > starts[line] && bytes[end - 1] == 0x0D ? end - 1 : end
  }
}
