#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A growing sequence of bytes. Callers reserve room before they write bytes.
///
///     buffer.reserve(20)
///     buffer.end = write(number, to: buffer.end)
///
/// The memory is allocated by the C library, which can often enlarge a large block without copying it.
struct ByteBuffer {
  private var base: UnsafeMutablePointer<UInt8>
  var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    base = ByteBuffer.bytes(malloc(capacity))
  }

  func free() { release(base) }

  /// The address of the next byte. Unsafe: nothing may be written beyond the reserved room, and the end may not be moved beyond it.
  @inline(__always) var end: ByteRoom {
    get { ByteRoom(base + count) }
    set { count = newValue.start - base }
  }

  /// Makes room for more bytes.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if count &+ more > capacity { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    base = ByteBuffer.bytes(realloc(base, capacity))
  }

  /// - Precondition: there was enough memory.
  private static func bytes(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<UInt8> {
    guard let memory else { preconditionFailure("out of memory for an export") }
    return memory.assumingMemoryBound(to: UInt8.self)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ bytes: LentBytes) {
    if bytes.isEmpty { return }
    reserve(bytes.count)
    end.copy(bytes)
    count += bytes.count
  }

  @inline(__always) subscript(index: Int) -> UInt8 { base[index] }

  /// Returns the bytes in a range, which are valid until more bytes are written.
  func bytes(_ range: Range<Int>) -> LentBytes { LentBytes(start: base + range.lowerBound, count: range.count) }

  /// Returns the bytes without copying them. The buffer is then empty.
  mutating func takeData() -> Data {
    let data = Data(bytesNoCopy: base, count: count, deallocator: .free)
    self = ByteBuffer(capacity: 1)
    return data
  }

  /// Returns a copy of the first bytes.
  func data(_ count: Int) -> Data { Data(bytes: base, count: count) }

  /// Discards all but the last bytes.
  mutating func keepLast(_ rest: Int) {
    base.update(from: base + (count - rest), count: rest)
    count = rest
  }

  /// Inserts a byte at an index, and appends another byte at the end.
  mutating func enclose(from start: Int, in pair: (first: UInt8, last: UInt8)) {
    reserve(2)
    (base + start + 1).update(from: base + start, count: count - start)
    base[start] = pair.first
    base[count + 1] = pair.last
    count += 2
  }
}

/// This function is declared outside the type, because the type's own `free()` hides the function of the C library.
private func release(_ memory: UnsafeMutableRawPointer) { free(memory) }
