#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// UUIDs as text: 8-4-4-4-12 hexadecimal digits of either case when read, lower case when written.
///
/// A UUID is a number of 128 bits and has no case of its own. RFC 9562 writes lower case, and so do the servers that
/// payloads come from; `UUID.uuidString` writes upper case.
package enum UUIDText {
  /// Reads a UUID; nil if it is none. Braces, a missing dash or a space are refused.
  package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> UUID? {
    guard bytes.count == 36 else { return nil }
    var value = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
    let isValid = withUnsafeMutableBytes(of: &value) { room in
      var index = 0
      for place in 0..<16 {
        if index == 8 || index == 13 || index == 18 || index == 23 {
          guard bytes[index] == UInt8(ascii: "-") else { return false }
          index += 1
        }
        guard let high = digit(bytes[index]), let low = digit(bytes[index + 1]) else { return false }
        room[place] = high << 4 | low
        index += 2
      }
      return true
    }
    return isValid ? UUID(uuid: value) : nil
  }

  /// Writes a UUID in lower case.
  package static func append(_ value: UUID, to bytes: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    withUnsafeBytes(of: value.uuid) { value in
      for (place, byte) in value.enumerated() {
        if place == 4 || place == 6 || place == 8 || place == 10 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      }
    }
  }

  /// The UUID's text in lower case.
  package static func text(_ value: UUID) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 0x30
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 0x57
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 0x37
    default: nil
    }
  }
}
