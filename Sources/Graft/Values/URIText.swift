#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// URIs as text (D9). A URI is nonempty text that `URL` can parse, without spaces and control characters.
///
/// Characters beyond ASCII are allowed, as in `https://de.wikipedia.org/wiki/Österreich`. The text is stored as given. The
/// `URL` that a program reads has them percent-encoded.
package enum URIText {
  /// Returns whether the bytes, which must be UTF-8, are a URI.
  package static func isValid(_ bytes: LentBytes) -> Bool {
    if isPlain(bytes) { return true }
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.isEmpty, !text.unicodeScalars.contains(where: isBlank) else { return false }
    return URL(string: text) != nil
  }

  /// Returns the URL for text that is a URI.
  package static func url(_ text: String) -> URL? {
    LentBytes.with(text) { isValid($0) } ? URL(string: text) : nil
  }

  /// Returns the other strings that parse as the same URL, with the escapes that `URL` adds decoded: `%C3%96` as `Ö`, and the host
  /// `xn--exmple-cua.org` as `exämple.org`. If `URL` escapes anything, it also escapes `%`.
  ///
  /// The decoded host is in lower case and composed, which is the form to which `URL` maps all spellings of a host.
  package static func spellings(of url: URL) -> [String] {
    let text = url.absoluteString
    var spellings: [String] = []
    for host in [text, HostText.decodingHost(of: text)] {
      guard let host else { continue }
      spellings.append(host)
      guard text.utf8.contains(UInt8(ascii: "%")) else { continue }
      spellings += [false, true].map { spelledOut(host, withPercent: $0) }
    }
    var met: Set = [UTF8Key(text)]
    return spellings.filter { spelling in
      met.insert(UTF8Key(spelling)).inserted && self.url(spelling)?.absoluteString == text
    }
  }

  private static func spelledOut(_ text: String, withPercent: Bool) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      guard byte == UInt8(ascii: "%"), digits.count == 2, let digits = String(digits),
        let escaped = UInt8(digits, radix: 16),
        escaped >= 0x80 || withPercent && escaped == UInt8(ascii: "%") || #""<>\^`{|}"#.utf8.contains(escaped)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(escaped)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }

  /// Returns whether the text consists of `http://` or `https://`, a plain host name, and a path and query of plain characters.
  /// Nearly all URIs do, and then need no further check.
  private static func isPlain(_ bytes: LentBytes) -> Bool {
    let start = bytes.starts(with: https) ? 8 : bytes.starts(with: http) ? 7 : 0
    guard start > 0 else { return false }
    var index = start
    while index < bytes.count, isHost(bytes[index]) { index += 1 }
    guard index > start else { return false }
    guard index < bytes.count else { return true }
    guard bytes[index] == UInt8(ascii: "/") else { return false }
    return bytes[index...].allSatisfy { isHost($0) || isPathOrQuery($0) }
  }

  private static let https = Array("https://".utf8)
  private static let http = Array("http://".utf8)

  private static func isHost(_ byte: UInt8) -> Bool {
    NumberText.isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  private static func isPathOrQuery(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"),
      UInt8(ascii: ";"), UInt8(ascii: "!"):
      true
    default: false
    }
  }
}
