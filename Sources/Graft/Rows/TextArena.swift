/// The bytes of all strings, dates in text, decimals, UUIDs and so on, packed consecutively.
///
///     cell:   | offset: 40 bits            | plain: 1 bit | 0: 7 bits | length: 16 bits |
///     offset: | block: 22 bits | in block: 18 bits           |
///
/// Plain text has no quotes, backslashes or control characters, so it has the same bytes in JSON. The bit is set only if the text is
/// known to be plain. If the last 24 bits are all ones, eight bytes before the text hold its length. Long texts have their own block.
/// Bytes that a row no longer uses are garbage until ``GraphState`` compacts the texts. This type is unsafe: addresses stay valid only
/// until then.
struct TextArena {
  static let blockShift: UInt64 = 18
  static let blockSize = 1 << 18
  static let longText = 1 << 16
  private static let shapeMask: UInt64 = 0xFF_FFFF
  private static let lengthMask: UInt64 = 0xFFFF
  private static let plainBit: UInt64 = 0x80_0000

  private var blocks = PlainStack<UnsafeMutablePointer<UInt8>>()
  /// The block that is being filled, and the number of bytes in use in that block.
  private var current = -1
  private var used = TextArena.blockSize
  /// The bytes in all blocks, including free bytes and the bytes of unreferenced texts.
  private(set) var size = 0
  private var unused = 0
  var garbage = 0

  /// The bytes of all texts, including garbage.
  var stored: Int { size - unused - (current < 0 ? 0 : TextArena.blockSize - used) }

  @inline(__always)
  mutating func store(_ bytes: LentBytes, isPlain: Bool = false) -> UInt64 {
    let count = bytes.count
    if used + count < TextArena.blockSize, count < TextArena.longText {
      if let source = bytes.baseAddress { (blocks[current] + used).update(from: source, count: count) }
      let offset = UInt64(current) << TextArena.blockShift | UInt64(used)
      used += count
      return offset << 24 | UInt64(count) | (isPlain ? TextArena.plainBit : 0)
    }
    return storeElsewhere(bytes, isPlain: isPlain)
  }

  @inline(never)
  private mutating func storeElsewhere(_ bytes: LentBytes, isPlain: Bool) -> UInt64 {
    let count = bytes.count
    if count < TextArena.longText {
      if current >= 0 { unused += TextArena.blockSize - used }
      current = blocks.count
      used = 0
      blocks.append(.allocate(capacity: TextArena.blockSize))
      size += TextArena.blockSize
      return store(bytes, isPlain: isPlain)
    }
    let block = UnsafeMutablePointer<UInt8>.allocate(capacity: count + 8)
    UnsafeMutableRawPointer(block).storeBytes(of: count, as: Int.self)
    (block + 8).update(from: bytes.baseAddress.unsafelyUnwrapped, count: count)
    size += count + 8
    unused += 8
    let offset = UInt64(blocks.count) << TextArena.blockShift | 8
    blocks.append(block)
    return offset << 24 | TextArena.shapeMask
  }

  @inline(__always)
  func bytes(_ cell: UInt64) -> LentBytes {
    let offset = cell >> 24
    let base = blocks[Int(truncatingIfNeeded: offset >> TextArena.blockShift)]
    let place = base + Int(truncatingIfNeeded: offset & UInt64(TextArena.blockSize - 1))
    var count = Int(truncatingIfNeeded: cell & TextArena.lengthMask)
    if cell & TextArena.shapeMask == TextArena.shapeMask { count = UnsafeRawPointer(base).load(as: Int.self) }
    return LentBytes(start: place, count: count)
  }

  /// Whether a cell refers to text that is known to be plain.
  @inline(__always)
  func isPlain(_ cell: UInt64) -> Bool {
    cell & (TextArena.shapeMask ^ TextArena.lengthMask) == TextArena.plainBit
  }

  @inline(__always)
  func equals(_ cell: UInt64, _ other: LentBytes) -> Bool { sameBytes(bytes(cell), other) }

  /// Whether a cell refers to existing bytes, not to bytes that were rolled back.
  func holds(_ cell: UInt64) -> Bool {
    let offset = cell >> 24
    let block = Int(truncatingIfNeeded: offset >> TextArena.blockShift)
    let end = Int(truncatingIfNeeded: offset & UInt64(TextArena.blockSize - 1) + cell & TextArena.lengthMask)
    return block < blocks.count && (block != current || end <= used)
  }

  // MARK: Undoing

  struct Mark {
    var blocks: Int
    var current: Int
    var used: Int
    var size: Int
    var unused: Int
    var garbage: Int

    /// The bytes of all texts, including garbage.
    var stored: Int { size - unused - (current < 0 ? 0 : TextArena.blockSize - used) }
  }

  var mark: Mark {
    Mark(blocks: blocks.count, current: current, used: used, size: size, unused: unused, garbage: garbage)
  }

  mutating func truncate(to mark: Mark) {
    for index in mark.blocks..<blocks.count { blocks[index].deallocate() }
    blocks.truncate(to: mark.blocks)
    current = mark.current
    used = mark.used
    size = mark.size
    unused = mark.unused
    garbage = mark.garbage
  }

  func free() {
    for index in 0..<blocks.count { blocks[index].deallocate() }
    blocks.free()
  }
}
