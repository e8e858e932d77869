/// The escapes of JSON strings (RFC 8259), the same in everything that is written: as few as there may be, with lower-case
/// digits, as Foundation writes them.
///
/// It is declared this far down because diagnostics are written as JSON, too.
enum JSONEscape {
  /// The most bytes that an escape takes.
  static let longest = 6

  /// Whether a byte of a string in UTF-8 must be escaped.
  @inline(__always)
  static func isNeeded(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Writes the escape of a byte that needs one, and returns its length.
  static func write(_ byte: UInt8, to target: UnsafeMutablePointer<UInt8>) -> Int {
    target[0] = UInt8(ascii: "\\")
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): target[1] = byte
    case 0x08: target[1] = UInt8(ascii: "b")
    case 0x09: target[1] = UInt8(ascii: "t")
    case 0x0A: target[1] = UInt8(ascii: "n")
    case 0x0C: target[1] = UInt8(ascii: "f")
    case 0x0D: target[1] = UInt8(ascii: "r")
    default:
      target[1] = UInt8(ascii: "u")
      target[2] = UInt8(ascii: "0")
      target[3] = UInt8(ascii: "0")
      target[4] = digit(byte >> 4)
      target[5] = digit(byte & 15)
      return longest
    }
    return 2
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  /// The escape of a byte that needs one, as text.
  static func text(_ byte: UInt8) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { target in
      guard let start = target.baseAddress else { return "" }
      return String(decoding: target[..<write(byte, to: start)], as: UTF8.self)
    }
  }

  /// The escape of a UTF-16 unit, for what is escaped although it need not be.
  static func text(unit: UInt16) -> String { "\\u" + String(0x10000 + UInt32(unit), radix: 16).dropFirst() }
}
