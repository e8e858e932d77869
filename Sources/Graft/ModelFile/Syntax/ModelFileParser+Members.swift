// Keys, and the separators of keys, values, members and elements.
extension ModelFileParser {
  /// Reads a key. If there is no key, returns nil after advancing.
  mutating func key() -> (text: String, range: SourceRange)? {
    let start = position
    if byte == UInt8(ascii: "\"") { return (string(), SourceRange(offset: start, length: position - start)) }
    if byte == UInt8(ascii: ",") {
      report(.extraComma(expected: "a key or '}'"), at: start, .none, fix: edit(1, ""))
      advance()
      return nil
    }
    if let quote = foreignQuote {
      return (foreignString(quote), SourceRange(offset: start, length: position - start))
    }
    let end = plainKeyEnd
    guard end > start else {
      skipStray(expected: "a key in double quotes or '}'")
      skipComma()
      return nil
    }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    // Sometimes only the opening quote is missing.
    let hasQuote = end < bytes.count && bytes[end] == UInt8(ascii: "\"")
    report(
      .bareKey(text), at: start, length: end - start, .none,
      fix: hasQuote ? edit(0, "\"") : edit(end - start, "\"\(text)\""))
    move(to: hasQuote ? end + 1 : end)
    return (text, SourceRange(offset: start, length: end - start))
  }

  /// Reads the value of a key, after its colon. If there is no value, reports this and returns nil.
  mutating func value(ofKey key: String, _ range: SourceRange) -> ModelFileNode? {
    skipSpace()
    switch byte {
    case UInt8(ascii: ":"): advance()
    case UInt8(ascii: "="):
      let isArrow = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: ">")
      report(.missingColon(key, found: found), at: position, .none, fix: edit(isArrow ? 2 : 1, ":"))
      advance()
      if byte == UInt8(ascii: ">") { advance() }
    case nil: return nil
    case let next where startsValue && !(standsAtKey && next == UInt8(ascii: "\"")):
      let end = range.offset + range.length
      report(.missingColon(key, found: found), at: end, .none, fix: SourceEdit(inserting: ":", at: end))
    default:
      report(.keyAlone(key, found: found), at: position, .value)
      return nil
    }
    skipSpace()
    if byte == UInt8(ascii: ":") {
      report(.twoColons(key), at: position, .none, fix: edit(1, ""))
      advance()
      skipSpace()
    }
    // Either the value or its opening brace is missing.
    if byte == UInt8(ascii: "\""), standsAtKey {
      report(.missingOpening(key), at: position, .structure)
      return nil
    }
    if let value = value() { return value }
    guard let next = byte else { return nil }
    if [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(next) {
      report(.missingValue(key, found: found), at: position, .value)
    } else {
      skipStray(expected: "a value for the key \(key.quoted)")
    }
    return nil
  }

  /// Skips the text after a member or an element: a comma, unless the list ends.
  ///
  /// - Parameters:
  ///   - isNext: whether the next item follows directly, so only the comma is missing.
  ///   - next: the expected next item, for the message.
  mutating func separate(
    from value: ModelFileNode, _ owner: () -> String, isNext: (ModelFileParser) -> Bool, next: () -> String
  ) {
    skipSpace()
    switch byte {
    case nil, UInt8(ascii: "}"), UInt8(ascii: "]"): return
    case UInt8(ascii: ","): advance()
    case UInt8(ascii: ";"):
      report(.missingComma(owner(), found: found), at: position, .none, fix: edit(1, ","))
      advance()
    case _ where isNext(self):
      let end = value.range.offset + value.range.length
      report(.missingComma(owner(), found: next()), at: end, .none, fix: SourceEdit(inserting: ",", at: end))
    default:
      skipStray(expected: "',' or '\(open.last?.byte == UInt8(ascii: "[") ? "]" : "}")' after \(owner())")
      skipComma()
    }
  }

  /// Returns the edit that replaces bytes from this position onward.
  func edit(_ length: Int, _ text: String) -> SourceEdit {
    SourceEdit(replacing: SourceRange(offset: position, length: length), with: text)
  }

  /// Skips a comma, if the parser is at one.
  mutating func skipComma() {
    skipSpace()
    if byte == UInt8(ascii: ",") { advance() }
  }

  /// Whether a value begins here, judging by the first byte.
  var startsValue: Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      true
    case let byte?: Self.isWordByte(byte) || foreignQuote != nil
    case nil: false
    }
  }

  /// Whether there is a key and its colon here. Reads no further than the end of the key.
  var standsAtKey: Bool {
    var end = position
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      end += 1
      while end < bytes.count, bytes[end] != bytes[position], bytes[end] != 0x0A {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard end < bytes.count, bytes[end] == bytes[position] else { return false }
      end += 1
    default: return plainKeyEnd > position
    }
    while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
    return end < bytes.count && bytes[end] == UInt8(ascii: ":")
  }

  /// The end of a key without quotes at this position, or the position itself if there is no such key.
  private var plainKeyEnd: Int {
    var end = position
    while end < bytes.count, Self.isWordByte(bytes[end]) || bytes[end] == UInt8(ascii: "-") { end += 1 }
    var next = end
    if next > position, next < bytes.count, bytes[next] == UInt8(ascii: "\"") { next += 1 }
    while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
    guard next < bytes.count, bytes[next] == UInt8(ascii: ":") || bytes[next] == UInt8(ascii: "=") else {
      return position
    }
    return end
  }
}
