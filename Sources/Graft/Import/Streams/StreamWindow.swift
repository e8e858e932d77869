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
  mutating func replace(_ index: Int, with byte: UInt8) { bytes[index] = byte }

  private mutating func drop(_ count: Int) {
    guard count > 0 else { return }
    before.bytes += count
    bytes.withUnsafeBufferPointer { bytes in
      let gone = UnsafeBufferPointer(rebasing: bytes[..<count])
      var lineStart = 0
      for (index, byte) in gone.enumerated() where byte == UInt8(ascii: "\n") {
        before.lines += 1
        before.scalars = 0
        lineStart = index + 1
      }
      for byte in gone[lineStart...] where byte & 0xC0 != 0x80 { before.scalars += 1 }
    }
    bytes.removeFirst(count)
    position -= count
  }
}
