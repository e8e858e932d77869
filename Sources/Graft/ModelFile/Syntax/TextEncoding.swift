/// Distinguishes UTF-8 from other encodings.
enum TextEncoding {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the reason why bytes are not UTF-8, or nil if they are UTF-8. Other Unicode encodings are rejected by name (D8).
  static func fault(in bytes: [UInt8]) -> ModelFileSyntaxError? {
    if let name = otherEncoding(bytes) {
      return ModelFileSyntaxError(finding: .encoding(name), range: SourceRange(offset: 0, length: 1))
    }
    return firstFault(bytes).map {
      ModelFileSyntaxError(finding: .notUTF8(bytes[$0]), range: SourceRange(offset: $0, length: 1))
    }
  }

  /// Returns UTF-16 or UTF-32, detected by its byte order mark or by the zero bytes next to the first character.
  static func otherEncoding(_ bytes: [UInt8]) -> String? {
    let head = Array(bytes.prefix(4))
    if head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    guard head.count == 4 else { return nil }
    switch (head[0] == 0, head[1] == 0, head[2] == 0, head[3] == 0) {
    case (false, true, true, true), (true, true, true, false): return "UTF-32"
    case (false, true, _, _), (true, false, _, _): return "UTF-16"
    default: return nil
    }
  }

  /// Returns the offset of the first byte that is not UTF-8, or nil if all bytes are UTF-8. Overlong forms and
  /// surrogates are not UTF-8.
  static func firstFault(_ bytes: [UInt8]) -> Int? {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        index += 1
        continue
      }
      let second: ClosedRange<UInt8>
      let length: Int
      switch byte {
      case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return index
      }
      guard index + length <= bytes.count, second.contains(bytes[index + 1]),
        bytes[(index + 2)..<(index + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
      else { return index }
      index += length
    }
    return nil
  }
}
