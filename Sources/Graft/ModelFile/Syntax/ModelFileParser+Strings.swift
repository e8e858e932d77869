extension ModelFileParser {
  /// A string in double quotes, escapes resolved.
  mutating func string() throws(ModelFileSyntaxError) -> String {
    let start = position
    position += 1
    var text = ""
    var runStart = position
    while true {
      guard position < bytes.count else { throw notClosed("string", from: start) }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let run = String(decoding: bytes[runStart..<position], as: UTF8.self)
        position += 1
        return text.isEmpty ? run : text + run
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[runStart..<position], as: UTF8.self)
        text.unicodeScalars.append(try escape())
        runStart = position
      case 0x0A, 0x0D:
        throw error(
          .syntax("the string is not closed on its line"), at: start, length: position - start)
      case 0..<0x20:
        let escaped = "\\u" + String(0x10000 + Int(bytes[position]), radix: 16).dropFirst()
        throw error(
          .syntax("a control character in a string is written as an escape: \(escaped)"), at: position, length: 1)
      default: position += 1
      }
    }
  }

  /// One escape; two `\u` escapes where they are a surrogate pair.
  private mutating func escape() throws(ModelFileSyntaxError) -> Unicode.Scalar {
    let start = position
    let letter = start + 1 < bytes.count ? bytes[start + 1] : 0
    position += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default:
      throw error(
        .syntax(#"unknown escape: expected one of \" \\ \/ \b \f \n \r \t, or \u and four hexadecimal digits"#),
        at: start, length: 2)
    }
    guard let unit = hexDigits() else { throw badHexDigits(start) }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      guard let low = hexDigits() else { throw badHexDigits(position - 2) }
      if (0xDC00..<0xE000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      {
        return scalar
      }
    }
    // D8: half a surrogate pair is no character.
    throw error(.syntax("a lone surrogate is no character: surrogates are escaped in pairs"), at: start, length: 6)
  }

  /// The value of four hexadecimal digits; nil, and no step forward, where they are not there.
  private mutating func hexDigits() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
      value = value << 4 + UInt32(digit)
    }
    position += 4
    return value
  }

  private func badHexDigits(_ start: Int) -> ModelFileSyntaxError {
    error(.syntax(#"expected four hexadecimal digits after '\u'"#), at: start, length: 2)
  }
}
