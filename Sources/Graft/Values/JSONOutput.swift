#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// JSON that is being written, with notes about its values.
struct JSONOutput {
  private var buffer: ByteBuffer
  /// A buffer for text that other code produces, kept so that it is allocated only once.
  private var text: [UInt8] = []
  /// The offsets and stored forms of values whose text differs from the stored form; nil if they are not recorded.
  private(set) var stored: [(offset: Int, value: AttributeValue)]?
  /// Values that are not written, because the text is only read back; nil if values are not kept.
  private var ready: ReadyValues<Any>?

  private init(_ buffer: ByteBuffer) { self.buffer = buffer }

  init(capacity: Int = 1 << 12) {
    buffer = ByteBuffer(capacity: capacity)
  }

  mutating func free() {
    buffer.free()
    ready?.free()
  }

  @inline(__always) var count: Int { buffer.count }
  var bytes: [UInt8] { Array(bytes(from: 0)) }
  @inline(__always) var last: UInt8 { buffer[count - 1] }

  /// Returns the bytes without copying them. The output is then empty.
  mutating func takeData() -> Data {
    let data = buffer.takeData()
    self = JSONOutput(buffer)
    return data
  }

  /// Reserves capacity for a number of objects of typical size in one step. Memory that is never written costs nothing.
  mutating func reserve(forObjects objects: Int) { buffer.reserve(min(objects, 1 << 18) * 256) }

  mutating func truncate(to count: Int) {
    buffer.count = count
    while let last = stored?.last, last.offset >= count { stored?.removeLast() }
    ready?.truncate(to: count)
  }

  /// Whether values are only written, without notes about them.
  private(set) var onlyWrites = true

  /// Starts recording the stored form of values.
  mutating func beginNotingStored() {
    stored = []
    onlyWrites = false
  }

  /// Records the stored form of the value that is written next.
  mutating func noteStored(_ value: @autoclosure () -> AttributeValue) {
    guard stored != nil else { return }
    let offset = count
    stored?.append((offset, value()))
  }

  /// Starts keeping values for a tree of Foundation values.
  mutating func beginKeepingValues() {
    ready = ReadyValues()
    onlyWrites = false
  }

  /// Whether values are written even if other values are kept, because the output is examined.
  var isExamined = false

  @inline(__always) var keepsValues: Bool { ready != nil && !isExamined }

  /// Writes a `0` instead of a value, which is kept.
  mutating func keep(_ value: Any) {
    let offset = count
    ready?.add(value, at: offset)
    byte(UInt8(ascii: "0"))
  }

  /// Returns the values that were kept. They belong to the caller.
  mutating func takeValues() -> ReadyValues<Any> { ready.take() ?? ReadyValues() }

  func byte(at place: Int) -> UInt8 { buffer[place] }

  /// Returns the bytes written from an offset onward.
  func bytes(from start: Int) -> LentBytes { buffer.bytes(start..<count) }

  /// Returns a copy of the bytes before an offset.
  func data(upTo end: Int) -> Data { buffer.data(end) }

  /// Discards all but the last bytes.
  mutating func keepLast(_ rest: Int) { buffer.keepLast(rest) }

  /// Puts quotes around the bytes written from an offset onward.
  mutating func quote(from start: Int) { buffer.enclose(from: start, in: (UInt8(ascii: "\""), UInt8(ascii: "\""))) }

  /// Puts brackets around the bytes written from an offset onward.
  mutating func bracket(from start: Int) { buffer.enclose(from: start, in: (UInt8(ascii: "["), UInt8(ascii: "]"))) }

  @inline(__always)
  mutating func byte(_ byte: UInt8) { buffer.append(byte) }

  /// Writes bytes.
  @inline(__always)
  mutating func raw(_ bytes: LentBytes) { buffer.append(bytes) }

  @inline(__always)
  mutating func raw(_ text: StaticString) { raw(LentBytes(text)) }

  mutating func string(_ text: String) { LentBytes.with(text) { string($0) } }

  @inline(__always)
  mutating func string(_ text: LentBytes) {
    buffer.reserve(QuotedText.longest(text.count))
    buffer.end = QuotedText.write(text, to: buffer.end)
  }

  @inline(__always)
  mutating func integer(_ value: Int64) {
    buffer.reserve(JSONOutput.longestScalar)
    buffer.end = JSONOutput.write(value, to: buffer.end)
  }

  /// Writes an integer in quotes.
  @inline(__always)
  mutating func quoted(_ value: Int64) {
    buffer.reserve(JSONOutput.longestScalar)
    buffer.end = JSONOutput.write(quoted: value, to: buffer.end)
  }

  /// Writes a date, given in microseconds since 1970.
  mutating func date(_ microseconds: Int64) {
    buffer.reserve(JSONOutput.longestScalar)
    buffer.end = JSONOutput.write(date: microseconds, to: buffer.end)
  }

  mutating func double(_ value: Double) {
    buffer.reserve(JSONOutput.longestScalar)
    let length = DoubleText.writePlain(value, to: buffer.end)
    buffer.count += length
    if length == 0 { made { DoubleText.append(value, to: &$0) } }
  }

  /// Writes the bytes that a closure appends to an array.
  mutating func made(_ body: (inout [UInt8]) -> Void) {
    text.removeAll(keepingCapacity: true)
    body(&text)
    LentBytes.with(text) { buffer.append($0) }
  }
}

/// Writes members of objects. Capacity is reserved once for a key and its value.
extension JSONOutput {
  /// The maximum number of bytes of a number or date, with quotes and padding.
  private static var longestScalar: Int { 40 }

  /// Writes the key of a member and its colon, after a comma if the member is not the first.
  @inline(__always)
  mutating func member(_ key: LentBytes) {
    buffer.reserve(key.count + 1)
    buffer.end = begin(key)
  }

  /// Writes a member with a string.
  @inline(__always)
  mutating func member(_ key: LentBytes, text: LentBytes) {
    buffer.reserve(key.count + 1 + QuotedText.longest(text.count))
    buffer.end = QuotedText.write(text, to: begin(key))
  }

  /// Writes a member with an integer.
  @inline(__always)
  mutating func member(_ key: LentBytes, integer: Int64) {
    buffer.reserve(key.count + 1 + JSONOutput.longestScalar)
    buffer.end = JSONOutput.write(integer, to: begin(key))
  }

  /// Writes a member with an integer in quotes.
  @inline(__always)
  mutating func member(_ key: LentBytes, quoted integer: Int64) {
    buffer.reserve(key.count + 1 + JSONOutput.longestScalar)
    buffer.end = JSONOutput.write(quoted: integer, to: begin(key))
  }

  /// Writes a member with a date, given in microseconds since 1970.
  @inline(__always)
  mutating func member(_ key: LentBytes, date microseconds: Int64) {
    buffer.reserve(key.count + 1 + JSONOutput.longestScalar)
    buffer.end = JSONOutput.write(date: microseconds, to: begin(key))
  }

  /// Returns the address for the value of a member, after its key and colon. The buffer must have room for the value.
  @inline(__always)
  private func begin(_ key: LentBytes) -> ByteRoom {
    var target = buffer.end
    if target[-1] != UInt8(ascii: "{") {
      target[0] = UInt8(ascii: ",")
      target += 1
    }
    target.copy(key)
    return target + key.count
  }

  /// Writes an integer and returns its end.
  @inline(__always)
  private static func write(_ value: Int64, to target: ByteRoom) -> ByteRoom {
    var digits = target
    if value < 0 {
      digits[0] = UInt8(ascii: "-")
      digits += 1
    }
    return digits + DigitText.write(value.magnitude, to: digits)
  }

  @inline(__always)
  private static func write(
    quoted value: Int64, to target: ByteRoom
  ) -> ByteRoom {
    target[0] = UInt8(ascii: "\"")
    let end = write(value, to: target + 1)
    end[0] = UInt8(ascii: "\"")
    return end + 1
  }

  @inline(__always)
  private static func write(
    date microseconds: Int64, to target: ByteRoom
  ) -> ByteRoom {
    target[0] = UInt8(ascii: "\"")
    let end = target + 1 + DateText.write(microseconds, to: target + 1)
    end[0] = UInt8(ascii: "\"")
    return end + 1
  }
}
