// Strings.
extension ModelFileParser {
  /// Reads a string in double quotes and decodes its escapes. It never continues on the next line, even without a closing
  /// quote.
  mutating func string() -> String {
    let start = position
    advance()
    var text = ""
    var runStart = position
    while let next = byte {
      switch next {
      case UInt8(ascii: "\""):
        let run = String(decoding: bytes[runStart..<position], as: UTF8.self)
        advance()
        if let after = byte, Self.continuesText(after) { return strayQuote(of: start) }
        return text.isEmpty ? run : text + run
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[runStart..<position], as: UTF8.self)
        text.unicodeScalars.append(contentsOf: escape())
        runStart = position
      case 0x0A, 0x0D: return notClosed(from: start, to: position)
      case 0..<0x20:
        let escaped = next == 0x09 ? "\\t" : "\\u" + String(0x10000 + Int(next), radix: 16).dropFirst()
        report(.controlCharacter(escape: escaped), at: position, .none, fix: edit(1, escaped))
        advance()
      default: advance()
      }
    }
    return notClosed(from: start, to: position)
  }

  /// Returns whether a byte directly after a closing quote shows that the text continues, so that the quote does not close
  /// it.
  private static func continuesText(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00...0x20, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"): false
    default: isWordByte(byte) || ".-+^*?!|&%@~()<>\\".utf8.contains(byte)
    }
  }

  /// Handles a string that runs to the end of its line. Characters that look like the end of its member are excluded, so
  /// that brackets still match: in `"type": "string },` only the quote is missing.
  private mutating func notClosed(from start: Int, to end: Int) -> String {
    let body = bytes[(start + 1)..<end]
    let last = body.lastIndex { !" \t,:{}[]".utf8.contains($0) } ?? start
    report(.openString, at: start, length: last + 1 - start, .structure)
    // If the next line begins with a letter, the text probably continues there.
    let next = bytes[end...].first { $0 > 0x20 }
    if let next, Self.isWordByte(next) { stayQuiet(until: endOfLine(behind: end) + 1) }
    move(to: last + 1)
    return String(decoding: bytes[(start + 1)..<position], as: UTF8.self)
  }

  /// Returns the end of the line that follows a line end.
  private func endOfLine(behind end: Int) -> Int {
    let start = bytes[end...].firstIndex { $0 > 0x20 } ?? bytes.count
    return bytes[start...].firstIndex { $0 == 0x0A } ?? bytes.count
  }

  /// Handles text after the closing quote. Either the quote opens the next string, as in `"Power, "toMany": true`, or it is
  /// intended as part of this string, as in `"the "best" one"`.
  private mutating func strayQuote(of start: Int) -> String {
    let body = bytes[(start + 1)..<(position - 1)]
    let last = body.lastIndex { !" \t,:{}[]".utf8.contains($0) } ?? start
    if bytes[(last + 1)..<(position - 1)].contains(where: { $0 != 0x20 && $0 != 0x09 }) {
      report(.openString, at: start, length: last + 1 - start, .structure)
      move(to: last + 1)
      return String(decoding: bytes[(start + 1)..<position], as: UTF8.self)
    }
    report(.quoteInString(found: found), at: position, .structure)
    let end = lineEnd
    while position < end {
      advance()
      guard bytes[position - 1] == UInt8(ascii: "\"") else { continue }
      let next = bytes[position..<end].first { $0 != 0x20 && $0 != 0x09 }
      if next.map({ ",:}]".utf8.contains($0) }) ?? true { break }
    }
    return String(decoding: bytes[(start + 1)..<max(start + 1, position - 1)], as: UTF8.self)
  }

  // MARK: Quotes of other languages

  /// The bytes of the quote at this position and of its closing quote, if it is not a quote of JSON.
  var foreignQuote: (opening: [UInt8], closing: [[UInt8]])? {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "`"): ([bytes[position]], [[bytes[position]]])
    case 0xE2
    where bytes[position...].starts(with: "\u{201C}".utf8) || bytes[position...].starts(with: "\u{201D}".utf8):
      (Array("\u{201C}".utf8), [Array("\u{201C}".utf8), Array("\u{201D}".utf8)])
    default: nil
    }
  }

  /// Reads a string in quotes other than JSON's.
  mutating func foreignString(_ quote: (opening: [UInt8], closing: [[UInt8]])) -> String {
    let start = position
    let end = lineEnd
    advance(quote.opening.count)
    let bodyStart = position
    while position < end {
      let rest = bytes[position..<end]
      if let closing = quote.closing.first(where: { rest.starts(with: $0) }) {
        let text = String(decoding: bytes[bodyStart..<position], as: UTF8.self)
        advance(closing.count)
        let isPlain = text.utf8.count <= FoundPhrase.longest && !text.utf8.contains(UInt8(ascii: "\\"))
        let isClear = isPlain && !(byte.map(Self.isWordByte) ?? false)
        let range = SourceRange(offset: start, length: position - start)
        report(
          .foreignQuotes(isPlain ? text : nil), at: start, length: range.length, isClear ? .none : .value,
          fix: isClear ? SourceEdit(replacing: range, with: NameFix.literal(text)) : nil)
        return text
      }
      advance(rest.first == UInt8(ascii: "\\") && position + 1 < end ? 2 : 1)
    }
    report(.openForeignString, at: start, .structure)
    let last = bytes[bodyStart..<end].lastIndex { !" \t,:{}[]".utf8.contains($0) } ?? bodyStart - 1
    move(to: last + 1)
    return String(decoding: bytes[bodyStart..<position], as: UTF8.self)
  }

  private static let foreignSpaces: Set<Unicode.Scalar> = [
    "\u{A0}", "\u{2000}", "\u{2001}", "\u{2002}", "\u{2003}", "\u{2004}", "\u{2005}", "\u{2006}", "\u{2007}",
    "\u{2008}",
    "\u{2009}", "\u{200A}", "\u{200B}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{FEFF}",
  ]

  /// Skips a character that looks like a space but is not white space in JSON. Returns false if there is no such character.
  mutating func skipForeignSpace() -> Bool {
    let rest = String(decoding: bytes[position..<min(bytes.count, position + 3)], as: UTF8.self)
    guard let scalar = rest.unicodeScalars.first, Self.foreignSpaces.contains(scalar) else { return false }
    let start = position
    let encoded = Array(String(scalar).utf8)
    while bytes[position...].starts(with: encoded) { advance(encoded.count) }
    let range = SourceRange(offset: start, length: position - start)
    report(
      .foreignSpace(scalar), at: start, length: range.length, .none, fix: SourceEdit(replacing: range, with: " "))
    return true
  }

  // MARK: Escapes

  /// Reads one escape, or the two `\u` escapes of a surrogate pair.
  private mutating func escape() -> [Unicode.Scalar] {
    let start = position
    let letter = start + 1 < bytes.count ? bytes[start + 1] : 0
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return escape(Unicode.Scalar(letter))
    case UInt8(ascii: "b"): return escape("\u{8}")
    case UInt8(ascii: "f"): return escape("\u{C}")
    case UInt8(ascii: "n"): return escape("\n")
    case UInt8(ascii: "r"): return escape("\r")
    case UInt8(ascii: "t"): return escape("\t")
    case UInt8(ascii: "u"): break
    default:
      // This is usually a pattern such as "^\d+$". The backslash is kept because the pattern needs it.
      let name = letter > 0x20 && letter < 0x7F ? "\\\(Unicode.Scalar(letter))" : "\\"
      let isPattern = ".dDwWsSBpPAzZ()[]{}*+?^$|-".utf8.contains(letter)
      report(
        .unknownEscape(name), at: start, length: name.utf8.count, .none, fix: isPattern ? edit(0, "\\") : nil)
      advance()
      return ["\\"]
    }
    advance(2)
    guard let unit = hexDigits() else { return badHexDigits(start) }
    if let scalar = Unicode.Scalar(unit) { return [scalar] }
    if unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    {
      advance(2)
      guard let low = hexDigits() else { return badHexDigits(position - 2) }
      if (0xDC00..<0xE000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      {
        return [scalar]
      }
    }
    // D8: half a surrogate pair is not a character.
    report(.loneSurrogate, at: start, length: 6, .value)
    return ["\u{FFFD}"]
  }

  private mutating func escape(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    advance(2)
    return [scalar]
  }

  /// Reads the value of four hexadecimal digits. If there are fewer digits, returns nil without advancing.
  private mutating func hexDigits() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
      value = value << 4 + UInt32(digit)
    }
    advance(4)
    return value
  }

  private mutating func badHexDigits(_ start: Int) -> [Unicode.Scalar] {
    report(.badHexDigits, at: start, length: 2, .value)
    return ["\u{FFFD}"]
  }
}
