/// Compact JSON, written piece by piece.
struct JSONText {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Appends punctuation and keys unchanged.
  mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func raw(_ text: [UInt8]) { bytes.append(contentsOf: text) }
  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  mutating func integer(_ value: Int) { raw(String(value)) }
  mutating func number(_ value: Double) { raw(value.description) }
  mutating func boolean(_ value: Bool) { raw(value ? "true" as StaticString : "false") }

  /// Appends a string that needs no escapes.
  mutating func string(_ text: String) {
    byte(UInt8(ascii: "\""))
    raw(text)
    byte(UInt8(ascii: "\""))
  }

  /// Appends a date between 1990 and 2029, in whole seconds of UTC.
  mutating func date(_ random: inout SplitMix64) {
    byte(UInt8(ascii: "\""))
    integer(1990 + random.below(40))
    for (separator, first, count) in [("-", 1, 12), ("-", 1, 28), ("T", 0, 24), (":", 0, 60), (":", 0, 60)] {
      raw(separator)
      let value = first + random.below(count)
      byte(UInt8(48 + value / 10))
      byte(UInt8(48 + value % 10))
    }
    raw("Z\"" as StaticString)
  }
}
