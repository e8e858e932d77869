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

  /// Whether values are written, and nothing else is noted of them.
  private(set) var onlyWrites = true

  /// Starts recording the stored form of values.
  mutating func beginNotingStored() {
    stored = []
    onlyWrites = false
  }

  /// Records the stored form of the value that is written next.
  mutating func noteStored(_ value: @autoclosure () -> AttributeValue) {
    if stored != nil { stored?.append((count, value())) }
  }

  /// Starts keeping values for a tree of Foundation's.
  mutating func beginKeepingValues() {
    ready = ReadyValues()
    onlyWrites = false
  }

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
    if count &+ more > capacity { grow(more) }
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

  mutating func raw(_ text: StaticString) { raw(text.utf8Start, text.utf8CodeUnitCount) }

  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string($0) }
  }

  @inline(__always)
  mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
    reserve(QuotedText.longest(text.count))
    count = QuotedText.write(text, to: base + count) - base
  }

  @inline(__always)
  mutating func integer(_ value: Int64) {
    reserve(JSONOutput.longestScalar)
    count = JSONOutput.write(value, to: base + count) - base
  }

  /// Writes an integer in quotes.
  @inline(__always)
  mutating func quoted(_ value: Int64) {
    reserve(JSONOutput.longestScalar)
    count = JSONOutput.write(quoted: value, to: base + count) - base
  }

  /// Writes a date, given in microseconds since 1970.
  mutating func date(_ microseconds: Int64) {
    reserve(JSONOutput.longestScalar)
    count = JSONOutput.write(date: microseconds, to: base + count) - base
  }

  mutating func double(_ value: Double) {
    reserve(JSONOutput.longestScalar)
    let length = DoubleText.writePlain(value, to: base + count)
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

/// Members of objects: room is made once for a key and its value.
extension JSONOutput {
  /// The maximum number of bytes of a number or date, with quotes and what is written ahead.
  private static var longestScalar: Int { 40 }

  /// Writes the key of a member and its colon, after a comma if it is not the first one.
  @inline(__always)
  mutating func member(_ key: UnsafePointer<UInt8>, _ length: Int) {
    reserve(length + 1)
    count = begin(key, length) - base
  }

  /// Writes a member with a string.
  @inline(__always)
  mutating func member(_ key: UnsafePointer<UInt8>, _ length: Int, text: UnsafeBufferPointer<UInt8>) {
    reserve(length + 1 + QuotedText.longest(text.count))
    count = QuotedText.write(text, to: begin(key, length)) - base
  }

  /// Writes a member with an integer.
  @inline(__always)
  mutating func member(_ key: UnsafePointer<UInt8>, _ length: Int, integer: Int64) {
    reserve(length + 1 + JSONOutput.longestScalar)
    count = JSONOutput.write(integer, to: begin(key, length)) - base
  }

  /// Writes a member with an integer in quotes.
  @inline(__always)
  mutating func member(_ key: UnsafePointer<UInt8>, _ length: Int, quoted integer: Int64) {
    reserve(length + 1 + JSONOutput.longestScalar)
    count = JSONOutput.write(quoted: integer, to: begin(key, length)) - base
  }

  /// Writes a member with a date, given in microseconds since 1970.
  @inline(__always)
  mutating func member(_ key: UnsafePointer<UInt8>, _ length: Int, date microseconds: Int64) {
    reserve(length + 1 + JSONOutput.longestScalar)
    count = JSONOutput.write(date: microseconds, to: begin(key, length)) - base
  }

  /// Returns where the value of a member goes, after its key and colon. There must be room.
  @inline(__always)
  private func begin(_ key: UnsafePointer<UInt8>, _ length: Int) -> UnsafeMutablePointer<UInt8> {
    var target = base + count
    if target[-1] != UInt8(ascii: "{") {
      target[0] = UInt8(ascii: ",")
      target += 1
    }
    JSONOutput.copy(key, length, to: target)
    return target + length
  }

  /// Writes an integer and returns its end.
  @inline(__always)
  private static func write(_ value: Int64, to target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    var digits = target
    if value < 0 {
      digits[0] = UInt8(ascii: "-")
      digits += 1
    }
    return digits + DigitText.write(value.magnitude, to: digits)
  }

  @inline(__always)
  private static func write(
    quoted value: Int64, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    target[0] = UInt8(ascii: "\"")
    let end = write(value, to: target + 1)
    end[0] = UInt8(ascii: "\"")
    return end + 1
  }

  @inline(__always)
  private static func write(
    date microseconds: Int64, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    target[0] = UInt8(ascii: "\"")
    let end = target + 1 + DateText.write(microseconds, to: target + 1)
    end[0] = UInt8(ascii: "\"")
    return end + 1
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
}

/// Outside of the type, whose own `free()` hides the C library's.
private func release(_ memory: UnsafeMutableRawPointer) { free(memory) }
