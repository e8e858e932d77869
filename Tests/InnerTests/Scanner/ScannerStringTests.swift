import Testing

@testable import Graft

@Suite("Scanner: strings") struct ScannerStringTests {
  /// The content of the string in the text, as all readers read it, or the error and its location.
  private func content(_ bytes: [UInt8]) -> String {
    let verdicts = Readers.read(bytes)
    #expect(verdicts.agree, "\(bytes)")
    if let error = verdicts.skip { return "\(error.message) at \(error.offset)" }
    guard case .string(let text) = verdicts.tree else { return "no string" }
    // The compact copy has the same content.
    #expect(Readers.read(verdicts.text).tree?.stringValue.map { Array($0.utf8) } == Array(text.utf8))
    return text
  }

  private func content(_ text: String) -> String { content(Array(text.utf8)) }

  static let escapes: [(String, String)] = [
    (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{C}"), (#"\n"#, "\n"), (#"\r"#, "\r"),
    (#"\t"#, "\t"), (#"\u0000"#, "\0"), (#"\u0041"#, "A"), (#"\u00e9"#, "é"), (#"\u00E9"#, "é"), (#"\u007f"#, "\u{7F}"),
    (#"\u0080"#, "\u{80}"), (#"\u07FF"#, "\u{7FF}"), (#"\u0800"#, "\u{800}"), (#"\uD7FF"#, "\u{D7FF}"),
    (#"\uE000"#, "\u{E000}"),
    (#"\uFFFF"#, "\u{FFFF}"), (#"\uFFFE"#, "\u{FFFE}"), (#"\ud800\udc00"#, "\u{10000}"),
    (#"\uD834\uDD1E"#, "\u{1D11E}"),
    (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\\u0041"#, #"\u0041"#), (#"\u005C\u0022"#, #"\""#),
  ]

  @Test("RFC 8259: every escape is read at every position of an eight-byte word")
  func escape() {
    for (text, meaning) in Self.escapes {
      for before in 0..<18 {
        for after in [0, 1, 7, 8, 9] {
          let (a, b) = (String(repeating: "x", count: before), String(repeating: "y", count: after))
          #expect(content("\"\(a)\(text)\(b)\"") == a + meaning + b)
          #expect(content("\"\(a)\(text)é\(b)\(text)\"") == a + meaning + "é" + b + meaning)
        }
      }
    }
  }

  static let badEscapes: [(String, String)] = [
    (#""\x""#, "expected an escape after '\\': one of \" \\ / b f n r t, or u and four hexadecimal digits at 1"),
    (#""\'""#, "expected an escape after '\\': one of \" \\ / b f n r t, or u and four hexadecimal digits at 1"),
    (#""\U0041""#, "expected an escape after '\\': one of \" \\ / b f n r t, or u and four hexadecimal digits at 1"),
    (#""a\u004""#, "expected an escape after '\\': one of \" \\ / b f n r t, or u and four hexadecimal digits at 2"),
    (#""a\u00g0""#, "expected an escape after '\\': one of \" \\ / b f n r t, or u and four hexadecimal digits at 2"),
    (#""a\u+041""#, "expected an escape after '\\': one of \" \\ / b f n r t, or u and four hexadecimal digits at 2"),
    (#""\"#, "the text ends inside a string: expected '\"' at 2"),
    (#""\""#, "the text ends inside a string: expected '\"' at 3"),
    (#""ab"#, "the text ends inside a string: expected '\"' at 3"),
    (#"""#, "the text ends inside a string: expected '\"' at 1"),
    (#""\ud83d""#, "expected both halves of a surrogate pair, found only one at 1"),
    (#""\ud83d"#, "expected both halves of a surrogate pair, found only one at 1"),
    (#""\ud83dxxxxxx""#, "expected both halves of a surrogate pair, found only one at 1"),
    (#""\ud83d\n12345""#, "expected both halves of a surrogate pair, found only one at 1"),
    (#""\ud83d\ud83d""#, "expected both halves of a surrogate pair, found only one at 1"),
    (#""\ud83d\u0041""#, "expected both halves of a surrogate pair, found only one at 1"),
    (#""\ud83d\ude0""#, "expected both halves of a surrogate pair, found only one at 1"),
    (#""\ude00\ud83d""#, "expected both halves of a surrogate pair, found only one at 1"),
    (#""\ude00""#, "expected both halves of a surrogate pair, found only one at 1"),
  ]

  @Test("D8: invalid escapes and lone surrogates are rejected", arguments: badEscapes)
  func badEscape(text: String, message: String) {
    #expect(content(text) == message)
  }

  @Test("RFC 8259: control characters in a string must be escaped")
  func controls() {
    for byte in UInt8(0)..<32 {
      let name = "U+" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      // If the second byte is NUL, the text looks like UTF-16.
      for before in (byte == 0 ? 1 : 0)..<17 {
        let bytes =
          Array("\"".utf8) + Array(repeating: UInt8(ascii: "x"), count: before) + [byte] + Array("yyyyyyyyy\"".utf8)
        #expect(content(bytes).hasSuffix("at \(before + 1)"))
        #expect(
          content(bytes).hasPrefix(
            "a control character (\(name)) in a string must be escaped as \\u00\(name.dropFirst(2))"))
      }
    }
    #expect(content("\"\u{7F}\u{80}\u{2028}\"") == "\u{7F}\u{80}\u{2028}")
  }

  /// The first and last sequence of each row in the table of well-formed UTF-8 (Unicode, table 3-7).
  static let wellFormed: [[UInt8]] = [
    [0x20], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xE0, 0xBF, 0xBF], [0xE1, 0x80, 0x80],
    [0xEC, 0xBF, 0xBF],
    [0xED, 0x80, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80],
    [0xF0, 0xBF, 0xBF, 0xBF], [0xF1, 0x80, 0x80, 0x80], [0xF3, 0xBF, 0xBF, 0xBF], [0xF4, 0x80, 0x80, 0x80],
    [0xF4, 0x8F, 0xBF, 0xBF],
  ]

  static let illFormed: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x7F], [0xC2, 0xC0], [0xE0, 0x9F, 0xBF],
    [0xE0, 0x80, 0x80],
    [0xE1, 0x80], [0xE1, 0x7F, 0x80], [0xE1, 0x80, 0x7F], [0xE1, 0x80, 0xC0], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x90, 0x80], [0xF1, 0x7F, 0x80, 0x80],
    [0xF1, 0x80, 0x7F, 0x80],
    [0xF1, 0x80, 0x80, 0x7F], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
    [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF],
  ]

  @Test("RFC 8259, 8.1: well-formed UTF-8 is accepted unchanged at every position")
  func utf8() {
    for sequence in Self.wellFormed {
      for before in 0...16 {
        let text = Array(repeating: UInt8(ascii: "x"), count: before) + sequence
        #expect(content([0x22] + text + [0x22]) == String(decoding: text, as: UTF8.self))
        #expect(
          content([0x22] + text + sequence + text + [0x22]) == String(decoding: text + sequence + text, as: UTF8.self))
      }
    }
  }

  @Test("D8: malformed UTF-8 is rejected at the beginning of the sequence, at every position and at the end")
  func notUTF8() {
    for sequence in Self.illFormed {
      for before in 0...16 {
        let start = [0x22] + Array(repeating: UInt8(ascii: "x"), count: before)
        #expect(content(start + sequence + [0x22]) == "the bytes are not valid UTF-8 at \(before + 1)", "\(sequence)")
        #expect(
          content(start + sequence + Array("yyyyyyyy\"".utf8)) == "the bytes are not valid UTF-8 at \(before + 1)",
          "\(sequence)")
        #expect(content(start + sequence) == "the bytes are not valid UTF-8 at \(before + 1)", "\(sequence)")
      }
    }
  }

  @Test("Strings of up to 40 bytes end at the right byte, with a special byte at each position")
  func strides() {
    for length in 0...40 {
      let plain = Array(repeating: UInt8(ascii: "x"), count: length)
      #expect(content([0x22] + plain + [0x22]) == String(repeating: "x", count: length))
      #expect(content([0x22] + plain) == "the text ends inside a string: expected '\"' at \(length + 1)")
      for place in 0..<length {
        func with(_ bytes: [UInt8]) -> [UInt8] { [0x22] + plain[..<place] + bytes + plain[(place + 1)...] + [0x22] }
        let (a, b) = (String(repeating: "x", count: place), String(repeating: "x", count: length - place - 1))
        #expect(content(with([0x5C, 0x6E])) == a + "\n" + b)
        #expect(content(with([0xC3, 0xA9])) == a + "é" + b)
        #expect(content(with([0x7F])) == a + "\u{7F}" + b)
        #expect(content(with([0x1F])).hasSuffix("at \(place + 1)"))
        #expect(content(with([0xFF])) == "the bytes are not valid UTF-8 at \(place + 1)")
        // If the special byte is a quote, the string ends there, and the rest of the text is invalid.
        let cut = content(with([0x22]))
        #expect(cut == "expected nothing after the end of the JSON value at \(place + 2)")
      }
    }
  }

  @Test("D8: a UTF-8 byte order mark is skipped; other encodings are rejected by name")
  func encodings() {
    func bytes(_ text: String, _ name: String) -> [UInt8] {
      text.unicodeScalars.flatMap { scalar -> [UInt8] in
        let value = UInt8(truncatingIfNeeded: scalar.value)
        let high = UInt8(truncatingIfNeeded: scalar.value >> 8)
        return switch name {
        case "UTF-16 (little endian)": [value, high]
        case "UTF-16 (big endian)": [high, value]
        case "UTF-32 (little endian)": [value, high, 0, 0]
        default: [0, 0, high, value]
        }
      }
    }
    #expect(content([0xEF, 0xBB, 0xBF] + Array("\"a\"".utf8)) == "a")
    #expect(content([0xEF, 0xBB, 0xBF]) == "expected a JSON value, found nothing at 3")
    for name in ["UTF-16 (little endian)", "UTF-16 (big endian)", "UTF-32 (little endian)", "UTF-32 (big endian)"] {
      for text in ["\"a\"", "\u{FEFF}\"a\"", "\u{FEFF}[]", "{}", "[1]"] {
        #expect(
          content(bytes(text, name))
            == "the text is \(name), but JSON must be UTF-8 (RFC 8259, section 8.1) at 0",
          "\(text.debugDescription) in \(name)")
      }
    }
  }
}
