import Graft

/// Finds the ranges of the start tags of an XML text, in order.
///
/// The toolchain's parser reports only approximate lines and columns. It reports start tags in text order, so it is enough to find
/// the next one. Comments and other text between tags are skipped.
struct XMLTagFinder {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the range of the next start tag, or of the remaining text if there is none.
  mutating func next() -> SourceRange {
    while let start = find("<", from: index) {
      if let end = endOfOther(at: start) {
        index = end
        continue
      }
      index = endOfTag(at: start)
      return SourceRange(offset: start, length: index - start)
    }
    return SourceRange(offset: index, length: bytes.count - index)
  }

  /// Returns the end of anything but a start tag: a comment, character data, an instruction, an end tag.
  private func endOfOther(at start: Int) -> Int? {
    for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("</", ">"), ("<!", ">")]
    where bytes[start...].starts(with: opening.utf8) {
      return find(closing, from: start + opening.utf8.count).map { $0 + closing.utf8.count } ?? bytes.count
    }
    return nil
  }

  private func endOfTag(at start: Int) -> Int {
    var quote: UInt8?
    for index in start..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      }
    }
    return bytes.count
  }

  private func find(_ text: String, from start: Int) -> Int? { XMLTagFinder.find(text, in: bytes, from: start) }

  /// Returns the first occurrence of a string.
  static func find(_ text: String, in bytes: [UInt8], from start: Int = 0) -> Int? {
    guard let first = text.utf8.first else { return nil }
    var index = start
    while let found = bytes[index...].firstIndex(of: first) {
      if bytes[found...].starts(with: text.utf8) { return found }
      index = found + 1
    }
    return nil
  }
}
