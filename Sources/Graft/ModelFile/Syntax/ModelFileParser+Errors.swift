extension ModelFileParser {
  func error(_ finding: ModelFinding, at offset: Int, length: Int) -> ModelFileSyntaxError {
    ModelFileSyntaxError(finding: finding, range: SourceRange(offset: offset, length: length))
  }

  /// Something else stands here than what was expected.
  func unexpected(_ expected: String) -> ModelFileSyntaxError {
    error(.syntax("expected \(expected), found \(found)"), at: position, length: 1)
  }

  /// The file ends inside something; a note shows where that begins.
  func notClosed(_ what: String, from start: Int) -> ModelFileSyntaxError {
    var error = error(.syntax("the \(what) is not closed before the end of the file"), at: bytes.count, length: 1)
    error.note = .init("the \(what) begins here", range: SourceRange(offset: start, length: 1))
    return error
  }

  /// What stands at the present place, in words.
  private var found: String {
    guard position < bytes.count else { return "the end of the file" }
    switch bytes[position] {
    case UInt8(ascii: "#"): return "'#': comments begin with '//'"
    case UInt8(ascii: "'"): return "a single quote: strings stand in double quotes"
    case UInt8(ascii: "\""): return "a string"
    case UInt8(ascii: "/"): return "'/'"
    default:
      let rest = String(decoding: bytes[position..<min(bytes.count, position + 4)], as: UTF8.self)
      guard let scalar = rest.unicodeScalars.first else { return "nothing" }
      if scalar.value > 0x20, scalar.value < 0x7F { return "'\(scalar)'" }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "the character U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}
