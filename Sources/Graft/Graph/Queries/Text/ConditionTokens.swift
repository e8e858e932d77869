/// Divides the text of a condition into names, values and symbols.
struct ConditionTokens {
  enum Kind: Equatable {
    /// A word, or any text in backquotes. Quoted text is never a keyword.
    case name(String, isQuoted: Bool)
    case value(JSON)
    case symbol(String)
    case end
  }

  struct Token {
    var kind: Kind
    var range: SourceRange
  }

  private let text: ConditionText
  private let bytes: [UInt8]
  private var offset = 0

  private init(_ text: ConditionText) {
    self.text = text
    bytes = text.source.bytes
  }

  /// Returns the tokens of a condition's text. The last token is its end.
  static func tokens(of text: ConditionText) throws(ConditionError) -> [Token] {
    var reader = ConditionTokens(text)
    var tokens: [Token] = []
    repeat { tokens.append(try reader.next()) } while tokens[tokens.count - 1].kind != .end
    return tokens
  }

  private static let symbols = [
    "==", "!=", "<>", "<=", ">=", "&&", "||", "(", ")", "[", "]", ",", ".", "=", "<", ">", "!",
  ]

  private mutating func next() throws(ConditionError) -> Token {
    while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    guard offset < bytes.count else { return Token(kind: .end, range: SourceRange(offset: offset, length: 0)) }
    let start = offset
    let kind = try kind()
    return Token(kind: kind, range: SourceRange(offset: start, length: offset - start))
  }

  private mutating func kind() throws(ConditionError) -> Kind {
    let byte = bytes[offset]
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .value(.string(try quoted()))
    case UInt8(ascii: "`"): return .name(try quoted(), isQuoted: true)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return .value(.number(try number()))
    case _ where ConditionTokens.isLetter(byte): return .name(word(), isQuoted: false)
    default: break
    }
    for symbol in ConditionTokens.symbols where bytes[offset...].starts(with: symbol.utf8) {
      offset += symbol.utf8.count
      return .symbol(symbol)
    }
    let advice = "?%$:@".utf8.contains(byte) ? "; interpolate the value: \"age > \\(age)\"" : ""
    throw text.error(
      "expected a name, a value or a comparison, found \(Character(Unicode.Scalar(byte)))\(advice)",
      SourceRange(offset: offset, length: 1))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private mutating func word() -> String {
    let start = offset
    while offset < bytes.count,
      ConditionTokens.isLetter(bytes[offset]) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset])
    {
      offset += 1
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func number() throws(ConditionError) -> JSONNumber {
    let start = offset
    while offset < bytes.count {
      let isSign = "+-".utf8.contains(bytes[offset])
      let follows = offset == start || bytes[offset - 1] | 0x20 == UInt8(ascii: "e")
      guard ConditionTokens.isLetter(bytes[offset]) || isSign && follows || ".0123456789".utf8.contains(bytes[offset])
      else { break }
      offset += 1
    }
    guard let number = JSONNumber(String(decoding: bytes[start..<offset], as: UTF8.self)) else {
      throw text.error(
        "expected a number as in JSON; dates and other text need quotes",
        SourceRange(offset: start, length: offset - start))
    }
    return number
  }

  /// Reads a quoted string with the escapes of JSON.
  private mutating func quoted() throws(ConditionError) -> String {
    let (start, quote) = (offset, bytes[offset])
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.count, bytes[offset] != quote {
      if bytes[offset] == UInt8(ascii: "\\") { content += try escaped() } else { content.append(bytes[offset]) }
      offset += 1
    }
    guard offset < bytes.count else {
      throw text.error(
        "the quote is never closed", SourceRange(offset: start, length: 1))
    }
    offset += 1
    return String(decoding: content, as: UTF8.self)
  }

  /// Reads the character of an escape. Afterward, the last byte of the escape is the current byte.
  private mutating func escaped() throws(ConditionError) -> [UInt8] {
    let start = offset
    offset += 1
    let pairs: [Character: UInt8] = ["n": 0x0A, "t": 0x09, "r": 0x0D, "b": 0x08, "f": 0x0C]
    guard offset < bytes.count else { return [] }
    let letter = Character(Unicode.Scalar(bytes[offset]))
    if let byte = pairs[letter] { return [byte] }
    if "\"'`\\/".contains(letter) { return [bytes[offset]] }
    guard var units = codeUnit(at: start).map({ [$0] }) else {
      throw text.error(
        "expected an escape such as \\n, \\\" or \\u00e9; write a backslash as \\\\",
        SourceRange(offset: start, length: 2))
    }
    if UTF16.isLeadSurrogate(units[0]), let trail = codeUnit(at: start + 6), UTF16.isTrailSurrogate(trail) {
      units.append(trail)
    }
    guard units.count == 2 || !UTF16.isSurrogate(units[0]) else {
      throw text.error(
        "the escape is one half of a surrogate pair, whose other half is missing",
        SourceRange(offset: start, length: 6))
    }
    offset = start + 6 * units.count - 1
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// The code unit of an escape with four digits, such as `\u00e9`; nil if there is no such escape at the offset.
  private func codeUnit(at offset: Int) -> UInt16? {
    let digits = bytes[min(offset + 2, bytes.count)..<min(offset + 6, bytes.count)]
    guard bytes[offset...].starts(with: "\\u".utf8), digits.count == 4,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
