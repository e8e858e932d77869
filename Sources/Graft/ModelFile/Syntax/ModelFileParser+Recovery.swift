// Recovery after syntax errors.
//
//     "name": { type: "string" "optional": True }       three errors, and the meaning is clear
//     "doc": "Who wears a cape, "optional": true }      one error; the rest of the line may be anything
//
// If the meaning is not clear, further errors on that line are suppressed, so that one mistake causes one error. The contents of the file
// are then not checked, because an entity may seem to be missing only because a bracket is missing.
extension ModelFileParser {
  /// The degree to which an error obscures the meaning of the file.
  enum Doubt: Comparable {
    /// The meaning is clear.
    case none
    /// A value is lost or guessed.
    case value
    /// Brackets may be missing, so later brackets close the wrong list.
    case structure
  }

  /// A bracket that is not closed yet.
  struct OpenBracket {
    var byte: UInt8
    var offset: Int
    /// The indentation of the line that contains the bracket.
    var indentation: Int
  }

  /// Skips unexpected text. A value with brackets or quotes is skipped as a whole.
  mutating func skipStray(expected: String) {
    guard let first = byte else { return }
    let isBracket = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    let doubt = isBracket ? Doubt.structure : .value
    if position < quietEnd {
      // The error is suppressed, so no message is built.
      noteDoubt(doubt)
    } else {
      report(.stray(found, expected: expected), at: position, doubt)
    }
    if startsValue, value() != nil { return }
    // A whole character is skipped, not just its first byte.
    advance()
    guard first >= 0x80 else { return }
    while let next = byte, next & 0xC0 == 0x80 { advance() }
  }

  // MARK: Brackets

  /// Handles the other kind of bracket where the innermost list should be closed.
  ///
  /// - Returns: whether to treat the list as closed. Otherwise, the bracket was skipped.
  mutating func mismatch(_ what: String, expected: String, isOther: (UInt8) -> Bool) -> Bool {
    guard let last = open.last else { return false }
    reportBracket(
      .wrongBracket(what, expected: expected, found: found), at: position,
      notes: [.init("the \(what) begins here", range: SourceRange(offset: last.offset, length: 1))])
    // Either the bracket closes an outer list, or it was mistyped.
    if !open.contains(where: { isOther($0.byte) }) { advance() }
    return true
  }

  /// Handles an element that turns out to be a key: the array was not closed before it, or should have been an object.
  ///
  /// - Returns: whether to treat the array as closed before the key.
  mutating func isKeyAfterArray(_ key: ModelFileNode, _ elements: [ModelFileNode]) -> Bool {
    guard let last = open.last else { return false }
    let notes = [ModelFindings.Note("the array begins here", range: SourceRange(offset: last.offset, length: 1))]
    guard !elements.isEmpty, open.count > 1 else {
      reportBracket(
        .keyInArray, at: key.range.offset, length: key.range.length, notes: notes)
      advance()
      return false
    }
    reportBracket(
      .wrongBracket("array", expected: "]", found: "a key"), at: key.range.offset, length: key.range.length, .value,
      notes: notes)
    move(to: key.range.offset)
    return true
  }

  /// Reports that the file ends inside an object or array.
  mutating func fileEndsInside(_ what: String, expected: String) {
    guard let last = open.last else { return }
    var notes = crookedNotes
    if notes.isEmpty { notes = [.init("the \(what) begins here", range: SourceRange(offset: last.offset, length: 1))] }
    endQuiet()
    reportBracket(.fileEndsInside(what, expected: expected), at: bytes.count, notes: notes)
  }

  /// The notes on a bracket that is probably missing or superfluous.
  var crookedNotes: [ModelFindings.Note] {
    guard let pair = crookedPair else { return [] }
    let (opening, closing) = (Unicode.Scalar(bytes[pair.open]), Unicode.Scalar(bytes[pair.close]))
    return [
      .init(
        "this '\(opening)' and the '\(closing)' that closes it are indented differently: is a bracket missing between them, "
          + "or is there one too many?", range: SourceRange(offset: pair.open, length: 1)),
      .init("the '\(closing)' that closes it", range: SourceRange(offset: pair.close, length: 1)),
    ]
  }

  // MARK: Words

  /// The description of the text at this position.
  var found: String {
    guard let byte else { return "the end of the file" }
    switch byte {
    case UInt8(ascii: "\""): return "a string"
    case UInt8(ascii: "'"): return "a single quote"
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "an array"
    case _ where Self.isWordByte(byte):
      let word = bytes[position...].prefix { Self.isWordByte($0) }
      return String(decoding: word.prefix(255), as: UTF8.self).quoted
    default:
      let rest = String(decoding: bytes[position..<min(bytes.count, position + 4)], as: UTF8.self)
      guard let scalar = rest.unicodeScalars.first else { return "nothing" }
      return scalar.value > 0x20 && scalar.value < 0x7F ? "'\(scalar)'" : "the character \(scalar.codePoint)"
    }
  }
}

extension Unicode.Scalar {
  /// `U+00A0`
  var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
