import Graft

/// Walks over the start tags of an XML text, in order, and says where they stand.
///
/// The parser of the toolchain knows lines and columns only roughly. Start tags come in the order of the text, so
/// finding the next one is enough: what is between two of them, comments and all, is stepped over.
struct XMLTagFinder {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The range of the next start tag; what is left of the text, where there is none.
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

  /// The end of what is no start tag: a comment, character data, an instruction, an end tag.
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

  /// Where a text stands first.
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
