#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The part of a stream that is in memory: bytes that have arrived and are not yet imported, and a few bytes before
/// them for excerpts.
///
///     ... gone ...  | kept for excerpts |  not taken yet  | ... to come ...
///                   ^ bytes[0]          ^ position        ^ bytes.count
struct StreamWindow: ~Copyable {
  /// The memory of the window, which is freed with the window.
  private var base: UnsafeMutablePointer<UInt8>?
  private var count = 0
  private var capacity = 0
  /// The appended bytes that have not been added yet.
  var arriving = LentBytes()
  /// The position of the first byte that has not been taken yet.
  var position = 0
  /// The extent of the stream before `bytes[0]`.
  private(set) var before = PayloadSource.Before()

  /// Bytes that are kept for the excerpt of a message.
  private static let context = 640

  deinit { free(base) }

  /// The bytes in memory, valid until something is appended.
  var bytes: LentBytes { LentBytes(start: base, count: count) }

  /// The number of bytes received since the stream began.
  var taken: Int { before.bytes + position }
  var waiting: Int { count - position }

  /// Takes in the next of the bytes that are being appended.
  ///
  /// - Returns: the bytes that were taken in.
  mutating func takeIn(_ most: Int) -> LentBytes {
    let new = arriving.part(0..<min(most, arriving.count))
    arriving = arriving.part(new.count..<arriving.count)
    if position > 1 << 16 || waiting == 0 { drop(position - StreamWindow.context) }
    guard let first = new.baseAddress, !new.isEmpty else { return new }
    (reserve(new.count) + count).update(from: first, count: new.count)
    count += new.count
    return new
  }

  /// Reserves memory for more bytes. The system moves pages of a large window without copying them.
  private mutating func reserve(_ more: Int) -> UnsafeMutablePointer<UInt8> {
    if let base, count + more <= capacity { return base }
    capacity = max(capacity * 2, count + more)
    guard let memory = realloc(base, capacity) else { preconditionFailure("out of memory for a stream") }
    let bytes = memory.assumingMemoryBound(to: UInt8.self)
    base = bytes
    return bytes
  }

  /// Replaces a bracket or comma with another byte, so that a run of elements becomes an array.
  ///
  /// - Returns: the replaced byte.
  mutating func replace(_ index: Int, with byte: UInt8) -> PayloadSource.Replaced {
    precondition(index < count)
    let place = base.unsafelyUnwrapped + index
    defer { place.pointee = byte }
    return PayloadSource.Replaced(index: index, byte: place.pointee)
  }

  /// Restores the replaced byte.
  mutating func restore(_ replaced: [PayloadSource.Replaced]) {
    for original in replaced { _ = replace(original.index, with: original.byte) }
  }

  private mutating func drop(_ most: Int) {
    // The window must not begin in the middle of a character.
    var gone = most
    while gone > 0, bytes[gone] & 0xC0 == 0x80 { gone -= 1 }
    guard gone > 0, let base else { return }
    // A byte order mark is not part of the first line (D7).
    let mark = before.bytes == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    noteLines(of: bytes.part(min(mark, gone)..<gone))
    before.bytes += gone
    base.update(from: base + gone, count: count - gone)
    count -= gone
    position -= gone
  }

  /// Counts the lines that are removed, and the characters of the last one.
  private mutating func noteLines(of gone: LentBytes) {
    let lines = countLines(gone)
    before.lines += lines
    if lines > 0 { before.scalars = 0 }
    let lineStart = lines == 0 ? 0 : (gone.lastIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
    before.scalars += countScalars(gone.rest(from: lineStart))
  }
}
