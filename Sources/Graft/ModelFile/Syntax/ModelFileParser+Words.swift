extension ModelFileParser {
  /// `true`, `false` or `null`.
  mutating func word() throws(ModelFileSyntaxError) -> ModelFileNode.Kind {
    let start = position
    let text = run { Self.isWordByte($0) }
    switch text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    case "":
      throw unexpected("a value")
    default:
      let finding = ModelFinding.syntax("expected a value, found \(text.quoted): strings stand in double quotes")
      throw error(finding, at: start, length: position - start)
    }
  }

  /// A number, as it is written (RFC 8259).
  mutating func number() throws(ModelFileSyntaxError) -> String {
    let start = position
    let text = run {
      Self.isWordByte($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
    guard JSONNumber(text) != nil else {
      throw error(.syntax("\(text.quoted) is no JSON number"), at: start, length: position - start)
    }
    return text
  }

  private mutating func run(while isPart: (UInt8) -> Bool) -> String {
    let start = position
    while position < bytes.count, isPart(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }
}
