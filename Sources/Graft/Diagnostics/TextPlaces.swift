/// The lines and columns of many offsets in the same text. The text is read only once, up to the last offset requested.
///
///     text:         .................................................
///     checkpoints:  ^          ^          ^          ^                one per kibibyte: line, its start, scalars since then
struct TextPlaces {
  struct Place {
    var offset = 0
    /// The line, counted from 1.
    var line = 1
    /// The offset at which the line begins.
    var start = 0
    /// The number of scalars in the line before the offset.
    var scalars = 0
  }

  private static let distance = 1 << 10
  private var checkpoints = [Place()]

  /// Returns the line and column of an offset within the text. Ill-formed UTF-8 is counted as the replacement characters
  /// that decoding would produce.
  mutating func place(of offset: Int, in bytes: LentBytes) -> Place {
    while let last = checkpoints.last, offset - last.offset > TextPlaces.distance + 3 {
      // A checkpoint must not be in the middle of a character.
      var next = last.offset + TextPlaces.distance
      for _ in 0..<3 where bytes[next] & 0xC0 == 0x80 { next += 1 }
      checkpoints.append(TextPlaces.place(of: next, after: last, in: bytes))
    }
    // Find the last checkpoint at or before the offset.
    var (first, end) = (0, checkpoints.count)
    while end - first > 1 {
      let middle = (first + end) / 2
      if checkpoints[middle].offset <= offset { first = middle } else { end = middle }
    }
    return TextPlaces.place(of: offset, after: checkpoints[first], in: bytes)
  }

  private static func place(of offset: Int, after known: Place, in bytes: LentBytes) -> Place {
    var place = known
    place.offset = offset
    for index in known.offset..<offset where bytes[index] == 0x0A {
      place.line += 1
      place.start = index + 1
    }
    // A byte order mark is not part of the first line.
    if place.start == 0, bytes.count >= 3, offset >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      place.start = 3
    }
    let isSameLine = place.start == known.start
    let from = isSameLine ? known.offset : place.start
    place.scalars =
      (isSameLine ? known.scalars : 0)
      + String(decoding: bytes[from..<max(from, offset)], as: UTF8.self).unicodeScalars.count
    return place
  }
}
