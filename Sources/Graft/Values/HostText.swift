/// Hosts of URLs. `URL` writes each label of a host that is not ASCII in Punycode (RFC 3492): `exämple.org` as
/// `xn--exmple-cua.org`.
enum HostText {
  /// Returns the text of a URL with the labels of its host decoded, or nil if no label is in Punycode.
  static func decodingHost(of url: String) -> String? {
    guard let slashes = range(of: "//", in: url) else { return nil }
    let authority = url[slashes.upperBound...].prefix { !"/?#".contains($0) }
    let start = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
    let host = authority[start...].prefix { $0 != ":" }
    var isDecoded = false
    let labels = host.split(separator: ".", omittingEmptySubsequences: false).map { label -> String in
      guard label.hasPrefix(prefix), let text = decoded(label.dropFirst(prefix.count)) else { return String(label) }
      isDecoded = true
      return text
    }
    return isDecoded ? url[..<host.startIndex] + labels.joined(separator: ".") + url[host.endIndex...] : nil
  }

  /// The prefix of a label in Punycode.
  private static let prefix = "xn--"

  private static func range(of part: String, in text: String) -> Range<String.Index>? {
    var index = text.startIndex
    while index < text.endIndex {
      if text[index...].hasPrefix(part) { return index..<text.index(index, offsetBy: part.count) }
      text.formIndex(after: &index)
    }
    return nil
  }

  // MARK: Punycode

  private static let base = 36
  private static let leastThreshold = 1
  private static let mostThreshold = 26
  private static let skew = 38
  private static let damping = 700

  /// Returns the text of a label, which is given without its prefix, or nil if it is malformed.
  ///
  ///     exmple-cua      the ASCII letters, a hyphen, and numbers in base 36 that determine which characters go where
  static func decoded(_ label: Substring) -> String? {
    guard label.utf8.count <= 63, label.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var scalars: [Unicode.Scalar] = []
    var rest = label[...]
    if let hyphen = label.lastIndex(of: "-") {
      scalars = Array(label[..<hyphen].unicodeScalars)
      rest = label[label.index(after: hyphen)...]
    }
    var digits = rest.utf8.makeIterator()
    var (code, index, bias, isFirst) = (0x80, 0, 72, true)
    while let first = digits.next() {
      let previous = index
      var (weight, position, next) = (1, base, Optional(first))
      while true {
        guard let byte = next, let digit = digit(byte) else { return nil }
        let (product, isTooLarge) = digit.multipliedReportingOverflow(by: weight)
        guard !isTooLarge, index <= 0x7FFF_FFFF - min(product, 0x7FFF_FFFF) else { return nil }
        index += product
        let threshold = min(max(position - bias, leastThreshold), mostThreshold)
        if digit < threshold { break }
        weight *= base - threshold
        guard weight <= 0x7FFF_FFFF else { return nil }
        position += base
        next = digits.next()
      }
      bias = adapted(index - previous, count: scalars.count + 1, isFirst: isFirst)
      isFirst = false
      code += index / (scalars.count + 1)
      index %= scalars.count + 1
      guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else { return nil }
      scalars.insert(scalar, at: index)
      index += 1
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
    default: nil
    }
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damping : delta / 2
    delta += delta / count
    var position = 0
    while delta > (base - leastThreshold) * mostThreshold / 2 {
      delta /= base - leastThreshold
      position += base
    }
    return position + (base - leastThreshold + 1) * delta / (delta + skew)
  }
}
