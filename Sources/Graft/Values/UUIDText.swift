#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// UUIDs as text: 8-4-4-4-12 hexadecimal digits. Reading accepts both cases; writing uses lower case.
///
/// A UUID is a 128-bit number, so the case of its letters does not matter. RFC 9562 and most servers use lower case, but
/// `UUID.uuidString` is in upper case.
package enum UUIDText {
  /// Returns a UUID, or nil if the text is not a UUID. Braces, missing dashes and spaces are rejected.
  package static func parse(_ bytes: LentBytes) -> UUID? {
    guard bytes.count == 36 else { return nil }
    var value = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
    // Any byte that is not a hexadecimal digit produces a number above 15.
    var faults: UInt8 = 0
    withUnsafeMutableBytes(of: &value) { room in
      digits.withUnsafeBufferPointer { digits in
        var index = 0
        for place in 0..<16 {
          if place == 4 || place == 6 || place == 8 || place == 10 {
            if bytes[index] != UInt8(ascii: "-") { faults = 255 }
            index += 1
          }
          let high = digits[Int(bytes[index])]
          let low = digits[Int(bytes[index + 1])]
          faults |= high | low
          room[place] = high << 4 | low
          index += 2
        }
      }
    }
    return faults < 16 ? UUID(uuid: value) : nil
  }

  /// Appends a UUID in lower case.
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

  /// Returns a UUID's text in lower case.
  package static func text(_ value: UUID) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value of each byte as a hexadecimal digit, or 255 for other bytes.
  private static let digits: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, digit) in "0123456789abcdef".utf8.enumerated() { values[Int(digit)] = UInt8(value) }
    for (value, digit) in "ABCDEF".utf8.enumerated() { values[Int(digit)] = UInt8(value + 10) }
    return values
  }()
}
