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

/// A growing buffer of JSON bytes. Unsafe inside: it writes through a pointer after making room. Only copies escape.
///
/// The memory is the C library's, which can often enlarge a large block without copying it.
struct JSONOutput {
  private var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int
  /// A buffer for texts that other code makes, kept so that it is allocated once.
  private var text: [UInt8] = []
  /// The offsets and stored forms of values whose text differs from what is stored. nil unless they are recorded.
  private(set) var stored: [(offset: Int, value: AttributeValue)]?
  /// Values that are not written, because the text is only read back. nil unless they are kept.
  private var ready: ReadyValues<Any>?

  init(capacity: Int = 1 << 12) {
    self.capacity = capacity
    base = JSONOutput.bytes(malloc(capacity))
  }

  mutating func free() {
    release(base)
    ready?.free()
  }

  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }
  @inline(__always) var last: UInt8 { base[count - 1] }

  /// Returns the bytes without copying them. The buffer is then empty.
  mutating func takeData() -> Data {
    let data = Data(bytesNoCopy: base, count: count, deallocator: .free)
    self = JSONOutput(capacity: 1)
    return data
  }

  /// Reserves capacity for a number of objects of typical size at once. Memory that is never written costs nothing.
  mutating func reserve(forObjects objects: Int) { reserve(min(objects, 1 << 18) * 256) }

  mutating func truncate(to count: Int) {
    self.count = count
    while let last = stored?.last, last.offset >= count { stored?.removeLast() }
    ready?.truncate(to: count)
  }

  /// Starts recording the stored form of values.
  mutating func beginNotingStored() { stored = [] }

  /// Records the stored form of the value that is written next.
  mutating func noteStored(_ value: @autoclosure () -> AttributeValue) {
    if stored != nil { stored?.append((count, value())) }
  }

  /// Starts keeping values for a tree of Foundation's.
  mutating func beginKeepingValues() { ready = ReadyValues() }

  @inline(__always) var keepsValues: Bool { ready != nil }

  /// Writes a `0` in the place of a value, which is kept.
  mutating func keep(_ value: Any) {
    ready?.add(value, at: count)
    byte(UInt8(ascii: "0"))
  }

  /// Returns the values that were kept. They belong to the caller.
  mutating func takeValues() -> ReadyValues<Any> { ready.take() ?? ReadyValues() }

  func byte(at place: Int) -> UInt8 { base[place] }

  /// Returns the bytes written from an offset on.
  func bytes(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + start, count: count - start)
  }

  /// Returns a copy of the bytes before an offset.
  func data(upTo end: Int) -> Data { Data(bytes: base, count: end) }

  /// Forgets all but the last bytes.
  mutating func keepLast(_ rest: Int) {
    base.update(from: base + (count - rest), count: rest)
    count = rest
  }

  /// Puts quotes around the bytes written from an offset on.
  mutating func quote(from start: Int) {
    reserve(2)
    for place in (start..<count).reversed() { base[place + 1] = base[place] }
    base[start] = UInt8(ascii: "\"")
    base[count + 1] = UInt8(ascii: "\"")
    count += 2
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if count + more > capacity { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    base = JSONOutput.bytes(realloc(base, capacity))
  }

  /// - Precondition: there was enough memory.
  private static func bytes(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<UInt8> {
    guard let memory else { preconditionFailure("out of memory for an export") }
    return memory.assumingMemoryBound(to: UInt8.self)
  }

  @inline(__always)
  mutating func byte(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  /// Writes bytes.
  @inline(__always)
  mutating func raw(_ source: UnsafePointer<UInt8>, _ length: Int) {
    reserve(length)
    JSONOutput.copy(source, length, to: base + count)
    count += length
  }

  /// Begins a member: writes its key and the colon, after a comma if it is not the first one.
  @inline(__always)
  mutating func member(_ key: UnsafePointer<UInt8>, _ length: Int) {
    reserve(length + 1)
    var target = base + count
    if target[-1] != UInt8(ascii: "{") {
      target[0] = UInt8(ascii: ",")
      target += 1
    }
    JSONOutput.copy(key, length, to: target)
    count = target + length - base
  }

  /// Most copies are of short keys, for which two words that may overlap are faster than a call.
  @inline(__always)
  private static func copy(_ source: UnsafePointer<UInt8>, _ length: Int, to target: UnsafeMutablePointer<UInt8>) {
    if length >= 8, length <= 16 {
      store64(load64(source), to: target)
      store64(load64(source + (length - 8)), to: target + (length - 8))
    } else if length >= 4, length < 8 {
      store32(load32(source), to: target)
      store32(load32(source + (length - 4)), to: target + (length - 4))
    } else {
      target.update(from: source, count: length)
    }
  }

  mutating func raw(_ text: StaticString) { raw(text.utf8Start, text.utf8CodeUnitCount) }

  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string($0) }
  }

  /// Writes a string with the fewest escapes, eight bytes at a time while none is needed.
  @inline(__always)
  mutating func string(_ source: UnsafeBufferPointer<UInt8>) {
    let length = source.count
    // In the worst case, one byte becomes six. Eight more may be written ahead.
    reserve(length * 6 + 16)
    var target = base + count
    target[0] = UInt8(ascii: "\"")
    target += 1
    if let start = source.baseAddress {
      var place = start
      let end = start + length
      while end - place >= 8 {
        let word = load64(place)
        store64(word, to: target)
        let mask = JSONOutput.escapes(in: word)
        if mask == 0 {
          place += 8
          target += 8
          continue
        }
        let plain = mask.trailingZeroBitCount >> 3
        place += plain
        target += plain
        target = JSONOutput.escape(place.pointee, target)
        place += 1
      }
      // The last eight bytes at once, some of them for the second time, if none needs an escape.
      if place < end, length >= 8, JSONOutput.escapes(in: load64(end - 8)) == 0 {
        let rest = end - place
        store64(load64(end - 8), to: target - (8 - rest))
        target += rest
        place = end
      }
      while place < end {
        let byte = place.pointee
        if JSONEscape.isNeeded(byte) {
          target = JSONOutput.escape(byte, target)
        } else {
          target[0] = byte
          target += 1
        }
        place += 1
      }
    }
    target[0] = UInt8(ascii: "\"")
    count = target + 1 - base
  }

  /// The high bits of the bytes that may need an escape: quotes, backslashes and control characters, and perhaps the byte after
  /// one of them.
  @inline(__always)
  private static func escapes(in word: UInt64) -> UInt64 {
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    return
      (((quote &- 0x0101_0101_0101_0101) & ~quote) | ((backslash &- 0x0101_0101_0101_0101) & ~backslash)
      | ((word &- 0x2020_2020_2020_2020) & ~word)) & 0x8080_8080_8080_8080
  }

  @inline(never)
  private static func escape(
    _ byte: UInt8, _ target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    // A byte before the one that needs an escape may have been flagged with it.
    guard JSONEscape.isNeeded(byte) else {
      target[0] = byte
      return target + 1
    }
    return target + JSONEscape.write(byte, to: target)
  }

  @inline(__always)
  mutating func integer(_ value: Int64) {
    reserve(20)
    var magnitude = value.magnitude
    if value < 0 {
      base[count] = UInt8(ascii: "-")
      count += 1
    }
    let end = base + count + JSONOutput.digitCount(magnitude)
    count = end - base
    var place = end
    while magnitude >= 100 {
      let (rest, pair) = magnitude.quotientAndRemainder(dividingBy: 100)
      magnitude = rest
      place -= 2
      place.update(from: JSONOutput.pairs + Int(truncatingIfNeeded: pair) * 2, count: 2)
    }
    if magnitude >= 10 {
      (place - 2).update(from: JSONOutput.pairs + Int(truncatingIfNeeded: magnitude) * 2, count: 2)
    } else {
      place[-1] = 48 + UInt8(truncatingIfNeeded: magnitude)
    }
  }

  /// The numbers from 0 to 99 in two digits each.
  @inline(__always) private static var pairs: UnsafePointer<UInt8> {
    let digits: StaticString = """
      00010203040506070809101112131415161718192021222324252627282930313233343536373839\
      40414243444546474849505152535455565758596061626364656667686970717273747576777879\
      8081828384858687888990919293949596979899
      """
    return digits.utf8Start
  }

  @inline(__always)
  private static func digitCount(_ value: UInt64) -> Int {
    if value < 10 { return 1 }
    if value < 100 { return 2 }
    if value < 1_000 { return 3 }
    if value < 10_000 { return 4 }
    var digits = 4
    var rest = value / 10_000
    while rest > 0 {
      rest /= 10
      digits += 1
    }
    return digits
  }

  mutating func date(_ microseconds: Int64) {
    reserve(DateText.longest + 2)
    base[count] = UInt8(ascii: "\"")
    let length = DateText.write(microseconds, to: base + count + 1)
    base[count + 1 + length] = UInt8(ascii: "\"")
    count += length + 2
  }

  mutating func double(_ value: Double) {
    reserve(DoubleText.longestShort)
    let length = DoubleText.writeShort(value, to: base + count)
    count += length
    if length == 0 { made { DoubleText.append(value, to: &$0) } }
  }

  /// Writes the bytes that a closure appends to an array.
  mutating func made(_ body: (inout [UInt8]) -> Void) {
    text.removeAll(keepingCapacity: true)
    body(&text)
    text.withUnsafeBufferPointer { if let start = $0.baseAddress { raw(start, $0.count) } }
  }
}

/// Outside of the type, whose own `free()` hides the C library's.
private func release(_ memory: UnsafeMutableRawPointer) { free(memory) }
