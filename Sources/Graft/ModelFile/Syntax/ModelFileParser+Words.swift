// Words and numbers.
extension ModelFileParser {
  /// Reads `true`, `false` or `null`. If there is no word at all, returns nil without advancing.
  mutating func word() -> ModelFileNode.Kind? {
    let start = position
    let text = run { Self.isWordByte($0) }
    switch text {
    case "": return nil
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    default: break
    }
    switch text.lowercased() {
    case "true": return misspelt(text, .boolean(true), "true", start)
    case "false": return misspelt(text, .boolean(false), "false", start)
    case "null", "none", "nil", "undefined": return misspelt(text, .null, "null", start)
    case "nan", "infinity", "inf":
      report(.badNumber(text, legal: nil), at: start, length: position - start, .value)
      return .null
    default: return plainText(from: start)
    }
  }

  private mutating func misspelt(
    _ text: String, _ kind: ModelFileNode.Kind, _ legal: String, _ start: Int
  ) -> ModelFileNode.Kind {
    let range = SourceRange(offset: start, length: position - start)
    report(
      .foreignWord(text, legal: legal), at: start, length: range.length, .none,
      fix: SourceEdit(replacing: range, with: legal))
    return kind
  }

  /// Reads text without quotes, or without its opening quote. If possible, the text ends after its first word; otherwise, where
  /// the value must end.
  private mutating func plainText(from start: Int) -> ModelFileNode.Kind {
    var end = position
    let rest = bytes[end..<lineEnd]
    let isWord = rest.first { $0 != 0x20 && $0 != 0x09 }.map { ",}]/#".utf8.contains($0) } ?? true
    if !isWord { end = rest.firstIndex { ",}]\"".utf8.contains($0) } ?? rest.endIndex }
    end = bytes[start..<end].lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? end
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    let range = SourceRange(offset: start, length: end - start)
    report(
      .bareText(text), at: start, length: range.length, isWord ? .none : .structure,
      fix: SourceEdit(replacing: range, with: "\"\(text)\""))
    move(to: end)
    if !isWord, byte == UInt8(ascii: "\"") { advance() }
    return .string(text)
  }

  /// Reads a number and keeps its text (RFC 8259).
  mutating func number() -> ModelFileNode.Kind {
    let start = position
    let text = run {
      Self.isWordByte($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
    guard JSONNumber(text) == nil else { return .number(text) }
    let meant = Self.legalNumber(text)
    let range = SourceRange(offset: start, length: position - start)
    report(
      .badNumber(text, legal: meant), at: start, length: range.length, meant == nil ? .value : .none,
      fix: meant.map { SourceEdit(replacing: range, with: $0) })
    return .number(meant ?? "0")
  }

  /// Returns the JSON form of a number in the syntax of other languages: `+1`, `.5`, `1.`, `007`, `1_000`, `0x1F`.
  private static func legalNumber(_ text: String) -> String? {
    guard text.utf8.count <= 40 else { return nil }
    var rest = text.replacing("_", with: "")[...]
    var sign = ""
    if let first = rest.first, first == "+" || first == "-" {
      if first == "-" { sign = "-" }
      rest = rest.dropFirst()
    }
    if rest.lowercased().hasPrefix("0x") { return UInt64(rest.dropFirst(2), radix: 16).map { "\(sign)\($0)" } }
    while rest.first == "0", let second = rest.dropFirst().first, second.isNumber { rest = rest.dropFirst() }
    let number = sign + (rest.first == "." ? "0" : "") + rest + (rest.last == "." ? "0" : "")
    return JSONNumber(number) == nil ? nil : number
  }

  private mutating func run(while isPart: (UInt8) -> Bool) -> String {
    let start = position
    while position < bytes.count, isPart(bytes[position]) { advance() }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }
}
