/// Bytes that live until their object has been applied: unescaped strings, decoded base64, canonical decimals.
///
///     blocks:  [ 64 KiB ............ ][ 1 MiB ........ ]
///                                            ^ used
///
/// Returned memory never moves: when a block is full, it is kept and a new block is allocated. This type is unsafe: pointers must not
/// be used after ``reset()``.
struct ScratchText {
  private var blocks: [(base: UnsafeMutablePointer<UInt8>, capacity: Int)] = []
  private var used = 0

  static let blockSize = 64 << 10

  /// Returns room for `count` bytes. Keep the bytes that you write with ``commit(_:)``.
  @inline(__always)
  mutating func room(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if let last = blocks.last, last.capacity - used >= count { return last.base + used }
    return open(count)
  }

  @inline(never)
  private mutating func open(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    let capacity = max(ScratchText.blockSize, count)
    blocks.append((.allocate(capacity: capacity), capacity))
    used = 0
    return blocks[blocks.count - 1].base
  }

  /// Keeps the first `count` bytes of the room returned last.
  @inline(__always)
  mutating func commit(_ count: Int) { used += count }

  /// Copies bytes into the scratch text. The copy stays in place until ``reset()``.
  mutating func copy(_ bytes: LentBytes) -> LentBytes {
    let place = room(bytes.count)
    if let base = bytes.baseAddress { place.update(from: base, count: bytes.count) }
    commit(bytes.count)
    return LentBytes(start: place, count: bytes.count)
  }

  mutating func copy(_ bytes: [UInt8]) -> LentBytes { LentBytes.with(bytes) { copy($0) } }

  /// Discards all bytes but keeps the first block.
  @inline(__always)
  mutating func reset() {
    if blocks.count > 1 { shrink() }
    used = 0
  }

  @inline(never)
  private mutating func shrink() {
    for block in blocks.dropFirst() { block.base.deallocate() }
    blocks.removeSubrange(1...)
    if blocks[0].capacity > ScratchText.blockSize { free() }
  }

  mutating func free() {
    for block in blocks { block.base.deallocate() }
    blocks = []
    used = 0
  }
}
