/// Swift source without comments and literals. Interpolations in literals and line breaks are kept, so line numbers do not change.
struct SwiftCode {
  private let text: [UInt8]
  private var index = 0
  private var code: [UInt8] = []

  static func of(_ text: String) -> String {
    var reader = SwiftCode(text: Array(text.utf8))
    reader.readCode(isInterpolated: false)
    return String(decoding: reader.code, as: UTF8.self)
  }

  private init(text: [UInt8]) { self.text = text }

  private func isAt(_ word: [UInt8]) -> Bool { text[index...].starts(with: word) }

  /// Skips bytes, but keeps their line breaks.
  private mutating func skip(_ count: Int) {
    for _ in 0..<count where index < text.count {
      if text[index] == UInt8(ascii: "\n") { code.append(text[index]) }
      index += 1
    }
  }

  private mutating func skip(to end: [UInt8]) { while index < text.count, !isAt(end) { skip(1) } }

  /// Reads to the end, or to the parenthesis that ends an interpolation.
  private mutating func readCode(isInterpolated: Bool) {
    var depth = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "/") where isAt(Array("//".utf8)): skip(to: [UInt8(ascii: "\n")])
      case UInt8(ascii: "/") where isAt(Array("/*".utf8)):
        skip(to: Array("*/".utf8))
        skip(2)
      case UInt8(ascii: "\""), UInt8(ascii: "#"): readLiteral()
      case UInt8(ascii: ")") where isInterpolated && depth == 0: return
      case let byte:
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        code.append(byte)
        index += 1
      }
    }
  }

  /// Reads a literal, or number signs that do not begin a literal.
  private mutating func readLiteral() {
    let hashes = Array(text[index...].prefix { $0 == UInt8(ascii: "#") })
    let quotes = Array(text[(index + hashes.count)...].prefix { $0 == UInt8(ascii: "\"") })
    if quotes.isEmpty {
      code += hashes
      index += hashes.count
      return
    }
    let quote = Array(quotes.prefix(quotes.count < 3 ? 1 : 3))
    let (end, escape) = (quote + hashes, [UInt8(ascii: "\\")] + hashes)
    skip(end.count)
    while index < text.count, !isAt(end) {
      if isAt(escape + [UInt8(ascii: "(")]) {
        skip(escape.count + 1)
        code.append(UInt8(ascii: " "))
        readCode(isInterpolated: true)
        code.append(UInt8(ascii: " "))
        skip(1)
      } else {
        skip(isAt(escape) ? escape.count + 1 : 1)
      }
    }
    skip(end.count)
  }
}
