/// The part of a stream that is in memory: what has come and is not imported yet, and a little before it for excerpts.
///
///     ... gone ...  | kept for excerpts |  not taken yet  | ... to come ...
///                   ^ bytes[0]          ^ position        ^ bytes.count
struct StreamWindow {
  private(set) var bytes: [UInt8] = []
  /// Everything before it has been taken.
  var position = 0
  /// What stood before `bytes[0]`.
  private(set) var before = PayloadSource.Before()

  /// Bytes that are kept for the excerpt of a message.
  private static let context = 640

  /// How many bytes were taken since the stream began.
  var taken: Int { before.bytes + position }
  var waiting: Int { bytes.count - position }

  mutating func append(_ new: UnsafeRawBufferPointer) {
    if position > 1 << 16 || waiting == 0 { drop(position - StreamWindow.context) }
    bytes.append(contentsOf: new)
  }

  /// Puts another byte in the place of a bracket or comma, so that a run of elements is an array of its own.
  ///
  /// - Returns: what stood there.
  mutating func replace(_ index: Int, with byte: UInt8) -> PayloadSource.Replaced {
    defer { bytes[index] = byte }
    return PayloadSource.Replaced(index: index, byte: bytes[index])
  }

  /// Puts back what stood there.
  mutating func restore(_ replaced: [PayloadSource.Replaced]) {
    for original in replaced { bytes[original.index] = original.byte }
  }

  private mutating func drop(_ most: Int) {
    // A character goes or stays as a whole.
    var count = most
    while count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 }
    guard count > 0 else { return }
    bytes.withUnsafeBufferPointer { bytes in
      // A byte order mark is not part of the first line (D7).
      let mark = before.bytes == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      let gone = UnsafeBufferPointer(rebasing: bytes[min(mark, count)..<count])
      let (lines, scalars) = countLinesAndScalars(gone)
      before.lines += lines
      if lines == 0 {
        before.scalars += scalars
      } else {
        var lineStart = gone.count
        while gone[lineStart - 1] != UInt8(ascii: "\n") { lineStart -= 1 }
        before.scalars = countLinesAndScalars(UnsafeBufferPointer(rebasing: gone[lineStart...])).scalars
      }
    }
    before.bytes += count
    bytes.removeFirst(count)
    position -= count
  }
}
