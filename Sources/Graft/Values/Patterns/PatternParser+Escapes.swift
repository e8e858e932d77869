/// Escapes: `\d`, `\.`, `\u00e9`, `\p{Lu}`.
extension PatternParser {
  /// Reads an escape after its backslash.
  mutating func escape(isInClass: Bool) throws(Fault) -> PatternClass {
    let start = index - 1
    guard let letter = next else { throw fault("expected a character to escape after the backslash", from: start) }
    advance()
    switch letter {
    case "d": return .digits
    case "D": return .digits.complement
    case "w": return .wordCharacters
    case "W": return .wordCharacters.complement
    case "s": return .spaces
    case "S": return .spaces.complement
    case "p": return try property(from: start)
    case "P": return try property(from: start).complement
    case "t": return PatternClass("\t")
    case "n": return PatternClass("\n")
    case "r": return PatternClass("\r")
    case "v": return PatternClass("\u{B}")
    case "f": return PatternClass("\u{C}")
    case "b" where isInClass: return PatternClass("\u{8}")
    case "0" where !isDigit(next): return PatternClass("\0")
    case "x": return PatternClass(try scalar(digits: 2, from: start))
    case "u": return PatternClass(try unicodeEscape(from: start))
    case "c":
      guard let control = next, control.isASCII, control.properties.isAlphabetic else {
        throw fault("expected a letter after \\c", from: start)
      }
      advance()
      return PatternClass(Unicode.Scalar(UInt8(control.value & 0x1F)))
    case "0"..."9", "k":
      while isDigit(next) { advance() }
      throw unsupported(
        "back-references are not supported: patterns are matched in one pass over the text", from: start)
    case "A": throw fault("\\A is not supported: use '^' for the start", from: start)
    case "z", "Z": throw fault("\\\(letter) is not supported: use '$' for the end", from: start)
    default:
      // A punctuation mark represents itself. A letter may have a meaning in another dialect.
      guard letter.isASCII, !letter.properties.isAlphabetic else {
        throw fault("\\\(letter) is not a known escape", from: start)
      }
      return PatternClass(letter)
    }
  }

  private func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { (0x30...0x39).contains($0.value) } ?? false }

  // MARK: Characters by number

  private mutating func number(digits: Int) -> UInt32? {
    guard index + digits <= scalars.count else { return nil }
    var value: UInt32 = 0
    for scalar in scalars[index..<index + digits] {
      guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    advance(digits)
    return value
  }

  private mutating func scalar(digits: Int, from start: Int) throws(Fault) -> Unicode.Scalar {
    guard let value = number(digits: digits) else {
      throw fault("expected \(digits) hexadecimal digits", from: start)
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw fault("half of a surrogate pair is not a character", from: start)
    }
    return scalar
  }

  /// Reads `\u00e9`, `\u{1f600}`, or a surrogate pair.
  private mutating func unicodeEscape(from start: Int) throws(Fault) -> Unicode.Scalar {
    guard take("{") else {
      let first = index
      guard let high = number(digits: 4), (0xD800..<0xDC00).contains(high), take("\\"), take("u"),
        let low = number(digits: 4), (0xDC00..<0xE000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
      else {
        move(to: first)
        return try scalar(digits: 4, from: start)
      }
      return scalar
    }
    var digits = 0
    while digits < 6, let digit = peek(digits), digit != "}" { digits += 1 }
    let value = digits > 0 ? number(digits: digits) : nil
    guard let value, take("}"), let scalar = Unicode.Scalar(value) else {
      throw fault("expected a code point in hexadecimal, as in \\u{1f600}", from: start)
    }
    return scalar
  }

  // MARK: Properties

  private mutating func property(from start: Int) throws(Fault) -> PatternClass {
    guard take("{"), let end = scalars[index...].firstIndex(of: "}") else {
      throw fault("expected a general category in braces: \\p{L}", from: start)
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[index..<end])
    move(to: end + 1)
    var name = String(view)
    for prefix in ["General_Category=", "gc="] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
    switch name {
    case "Any": return PatternClass(ranges: [0...0x10FFFF])
    case "ASCII": return PatternClass(ranges: [0...0x7F])
    case "Assigned": return PatternClass(categories: PatternCategory.all & ~(PatternCategory.mask(named: "Cn") ?? 0))
    default:
      guard let mask = PatternCategory.mask(named: name) else {
        throw unsupported(
          "'\(name)' is not a Unicode general category, such as L, Lu or Nd; other properties are not supported",
          from: start)
      }
      return PatternClass(categories: mask)
    }
  }
}
