/// The differences between strings that a comparison ignores.
///
///     ignoring case and accents: "Ångström" -> "angstrom"
///
/// The comparison does not depend on a locale or the operating system, so a store and a context compare text in the same way. Case is
/// defined by Unicode's simple mappings: `ß` and `ss` differ. Accents are the combining diacritical marks, including the marks in letters
/// such as `é`; `ø` and `l` with a stroke have none.
package struct TextFolding: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Upper and lower case are the same.
  package static let ignoringCase = TextFolding(rawValue: 1)
  /// Letters with accents are the same as letters without accents.
  package static let ignoringAccents = TextFolding(rawValue: 2)

  /// Returns the common form of all strings that differ only in ignored properties.
  package func folded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    if isEmpty { return Array(bytes) }
    var folded: [UInt8] = []
    folded.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte >= 0x80 { return foldedScalars(String(decoding: bytes, as: UTF8.self).unicodeScalars) }
      let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      folded.append(isUpper && contains(.ignoringCase) ? byte | 0x20 : byte)
    }
    return folded
  }

  private func foldedScalars(_ scalars: String.UnicodeScalarView) -> [UInt8] {
    var folded: [UInt8] = []
    for scalar in scalars {
      guard contains(.ignoringCase), !TextFolding.isMark(scalar) else {
        append(scalar, to: &folded)
        continue
      }
      // A different small sigma is used at the end of a Greek word.
      if scalar == "\u{3C2}" {
        append("\u{3C3}", to: &folded)
      } else {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars { append(lower, to: &folded) }
      }
    }
    return folded
  }

  private func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    let isFolded = contains(.ignoringAccents)
    if isFolded, TextFolding.isMark(scalar) { return }
    let scalar = isFolded ? AccentedLetters.base(scalar) : scalar
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// Returns whether a scalar is a combining diacritical mark.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }
}
