/// Text and its name, kept to convert byte offsets to lines and columns if something fails.
package final class SourceText: Sendable {
  package let name: String
  package let bytes: [UInt8]
  /// The lines and columns that are known so far.
  private let places = Guarded(TextPlaces())

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Returns the location of a byte range. Expected O(offset), and O(1) before the largest offset so far.
  package func location(of range: SourceRange) -> SourceLocation {
    places.withLock { location(of: range, &$0) }
  }

  /// Returns the location of one of many ranges. `places` must belong to this text.
  func location(of range: SourceRange, _ places: inout TextPlaces) -> SourceLocation {
    LentBytes.with(bytes) {
      SourceLocation(file: name, offset: range.offset, length: range.length, in: $0, hasMore: false, &places)
    }
  }
}

/// A range of bytes in a ``SourceText``.
package struct SourceRange: Sendable, Hashable {
  package var offset: Int
  package var length: Int

  package init(offset: Int, length: Int) {
    self.offset = offset
    self.length = length
  }
}

extension SourceLocation {
  /// The maximum number of scalars of a line in an excerpt.
  static let longestExcerpt = 160

  /// Computes the line, column and excerpt of a byte offset in text. Ill-formed UTF-8 is counted as the replacement
  /// characters that decoding would produce.
  ///
  /// - Parameter hasMore: whether the text continues after the bytes.
  package init(file: String, offset: Int, length: Int, in bytes: LentBytes, hasMore: Bool = false) {
    var places = TextPlaces()
    self.init(file: file, offset: offset, length: length, in: bytes, hasMore: hasMore, &places)
  }

  /// Computes the location of one of many offsets in a text. `places` must belong to that text.
  init(
    file: String, offset: Int, length: Int, in bytes: LentBytes, hasMore: Bool,
    _ places: inout TextPlaces
  ) {
    let offset = min(max(0, offset), bytes.count)
    let place = places.place(of: offset, in: bytes)
    let (line, start, before) = (place.line, place.start, place.scalars)
    // The excerpt is the whole line or, if the line is very long, a window around the location.
    let windowStart = max(start, offset - 4 * SourceLocation.longestExcerpt)
    var end = offset
    let stop = min(bytes.count, offset + 4 * SourceLocation.longestExcerpt)
    while end < stop, bytes[end] != 0x0A { end += 1 }
    var isCut = end < bytes.count ? bytes[end] != 0x0A : hasMore
    // A character whose end is not in the bytes is omitted.
    if isCut, end == bytes.count { end -= SourceLocation.startedCharacter(bytes, from: offset) }
    if end > offset, bytes[end - 1] == 0x0D, end < bytes.count, bytes[end] == 0x0A { end -= 1 }
    var from = windowStart
    while from > start, from < offset, bytes[from] & 0xC0 == 0x80 { from += 1 }
    var left = Array(String(decoding: bytes[from..<offset], as: UTF8.self).unicodeScalars)
    var right = Array(String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars)
    let covered = SourceLocation.scalars(bytes, offset, min(end, offset + max(1, length)))
    let half = SourceLocation.longestExcerpt / 2
    if left.count + right.count > SourceLocation.longestExcerpt {
      if left.count > half { left.removeFirst(left.count - max(half, SourceLocation.longestExcerpt - right.count)) }
      if left.count + right.count > SourceLocation.longestExcerpt {
        right.removeLast(left.count + right.count - SourceLocation.longestExcerpt)
        isCut = true
      }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: left)
    text.append(contentsOf: right)
    self.init(
      file: file, line: line, column: before + 1, length: max(1, min(covered, max(1, right.count))), offset: offset,
      excerpt: String(text), excerptColumn: before - left.count + 1, isExcerptCut: isCut)
  }

  /// Returns the length of an incomplete character at the end of the bytes.
  private static func startedCharacter(_ bytes: LentBytes, from start: Int) -> Int {
    for count in 1...3 where bytes.count - count >= start {
      let byte = bytes[bytes.count - count]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count ? count : 0
    }
    return 0
  }

  private static func scalars(_ bytes: LentBytes, _ start: Int, _ end: Int) -> Int {
    guard start < end else { return 0 }
    return String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars.count
  }
}
