/// Strict base64 as in RFC 4648 (D9): only its alphabet, with padding, without spaces and without leftover bits.
///
/// Each value therefore has exactly one text form and round-trips byte for byte (E4).
package enum Base64Text {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The value of each byte, or 255 for bytes outside the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  /// Decodes base64. Returns nil if the text is malformed.
  package static func decode(_ bytes: LentBytes) -> [UInt8]? {
    guard bytes.count % 4 == 0 else { return nil }
    guard let last = bytes.last else { return [] }
    let padding = last != UInt8(ascii: "=") ? 0 : bytes[bytes.count - 2] != UInt8(ascii: "=") ? 1 : 2
    let letters = bytes.count - padding
    let count = bytes.count / 4 * 3 - padding
    var isValid = true
    let decoded = values.withUnsafeBufferPointer { values in
      [UInt8](unsafeUninitializedCapacity: bytes.count / 4 * 3) { room, roomCount in
        var faults: UInt8 = 0
        var bits: UInt32 = 0
        var written = 0
        for index in 0..<letters {
          let value = values[Int(bytes[index])]
          faults |= value
          bits = bits << 6 | UInt32(value & 63)
          if index & 3 == 3 {
            room[written] = UInt8(truncatingIfNeeded: bits >> 16)
            room[written + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            room[written + 2] = UInt8(truncatingIfNeeded: bits)
            written += 3
          }
        }
        if padding == 1 {
          room[written] = UInt8(truncatingIfNeeded: bits >> 10)
          room[written + 1] = UInt8(truncatingIfNeeded: bits >> 2)
          isValid = bits & 3 == 0
        } else if padding == 2 {
          room[written] = UInt8(truncatingIfNeeded: bits >> 4)
          isValid = bits & 15 == 0
        }
        isValid = isValid && faults & 128 == 0
        roomCount = count
      }
    }
    return isValid ? decoded : nil
  }

  /// Appends base64 text with padding.
  package static func append(_ value: LentBytes, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + (value.count + 2) / 3 * 4)
    for start in stride(from: 0, to: value.count, by: 3) {
      let count = min(3, value.count - start)
      var bits = UInt32(value[start]) << 16
      if count > 1 { bits |= UInt32(value[start + 1]) << 8 }
      if count > 2 { bits |= UInt32(value[start + 2]) }
      for place in 0..<4 {
        bytes.append(place <= count ? letters[Int(bits >> UInt32(18 - 6 * place)) & 63] : UInt8(ascii: "="))
      }
    }
  }

  /// Returns base64 text with padding.
  package static func encode(_ value: some Sequence<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    LentBytes.with(Array(value)) { append($0, to: &bytes) }
    return bytes
  }
}
