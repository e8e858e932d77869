extension String {
  /// Returns the text with everything escaped that could control a terminal or change the direction of text.
  package func escapedForDisplay() -> String {
    guard unicodeScalars.contains(where: { $0.escapedForDisplay != nil }) else { return self }
    return unicodeScalars.reduce(into: "") { $0 += $1.escapedForDisplay ?? String($1) }
  }
}

extension String {
  /// The maximum length of a JSON path that is shown in full.
  private static let longestPath = 120

  /// Returns a JSON path, with its middle removed if it is too long to read: `$.next.next….next.id`.
  func shortenedPath() -> String {
    let scalars = Array(unicodeScalars)
    guard scalars.count > String.longestPath else { return self }
    func beginsStep(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar == "[" }
    let half = String.longestPath / 2
    // Keep whole steps, unless a step is long.
    var head = scalars.prefix(half)
    if let cut = head.lastIndex(where: beginsStep), cut > half / 2 { head = head[..<cut] }
    var tail = scalars.suffix(half)
    if let cut = tail.firstIndex(where: beginsStep), cut < tail.startIndex + half / 2 { tail = tail[cut...] }
    var shortened = String.UnicodeScalarView(head)
    shortened.append("…")
    shortened.append(contentsOf: tail)
    return String(shortened)
  }
}

extension Unicode.Scalar {
  /// The replacement for a control, line-separating, direction or invisible character, or nil for other characters.
  package var escapedForDisplay: String? {
    switch value {
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000..<0xE0100:
      "\\u{" + String(value, radix: 16, uppercase: true) + "}"
    default: nil
    }
  }

  /// The approximate number of columns on a terminal: 0 for combining marks, 2 for wide characters.
  var displayWidth: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
