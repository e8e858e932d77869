/// The escapes of JSON strings (RFC 8259), the same everywhere: as few as possible, with lower-case digits like
/// Foundation's.
///
/// They are declared in this low layer because diagnostics are also written as JSON.
enum JSONEscape {
  /// The maximum length of an escape in bytes.
  static let longest = 6

  /// Returns whether a byte of a UTF-8 string must be escaped.
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

  /// Returns the escape of a byte that needs one.
  static func text(_ byte: UInt8) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { target in
      guard let start = target.baseAddress else { return "" }
      return String(decoding: target[..<write(byte, to: start)], as: UTF8.self)
    }
  }

  /// Returns the escape of a UTF-16 unit, for text that is escaped although it need not be.
  static func text(unit: UInt16) -> String { "\\u" + String(0x10000 + UInt32(unit), radix: 16).dropFirst() }
}
