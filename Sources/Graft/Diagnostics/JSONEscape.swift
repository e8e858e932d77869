/// The escapes of JSON strings (RFC 8259), the same in all output: as few as possible, with lower-case digits like
/// Foundation's.
///
/// The escapes are declared in this low layer because diagnostics are also written as JSON.
enum JSONEscape {
  /// Returns whether a byte of a UTF-8 string must be escaped.
  @inline(__always)
  static func isNeeded(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Returns the escape of a byte that needs one, as a word whose lowest byte comes first, and its length.
  static func word(_ byte: UInt8) -> (bytes: UInt64, count: Int) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): pair(byte)
    case 0x08: pair(UInt8(ascii: "b"))
    case 0x09: pair(UInt8(ascii: "t"))
    case 0x0A: pair(UInt8(ascii: "n"))
    case 0x0C: pair(UInt8(ascii: "f"))
    case 0x0D: pair(UInt8(ascii: "r"))
    // A backslash, `u00` and two digits.
    default: (0x3030_755C | digit(byte >> 4) << 32 | digit(byte & 15) << 40, 6)
    }
  }

  private static func pair(_ letter: UInt8) -> (bytes: UInt64, count: Int) { (0x5C | UInt64(letter) << 8, 2) }

  private static func digit(_ value: UInt8) -> UInt64 { UInt64(value < 10 ? 0x30 + value : 0x57 + value) }

  /// Appends the escape of a byte that needs one.
  static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    let (word, count) = word(byte)
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
  }

  /// Returns the escape of a byte that needs one.
  static func text(_ byte: UInt8) -> String {
    var bytes: [UInt8] = []
    append(byte, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the escape of a UTF-16 unit, even if the unit does not require one.
  static func text(unit: UInt16) -> String { "\\u" + String(0x10000 + UInt32(unit), radix: 16).dropFirst() }
}
