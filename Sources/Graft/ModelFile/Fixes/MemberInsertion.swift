extension DescriptionSource {
  /// Returns the edit that adds a member after another member, or nil if the latter is absent.
  ///
  ///     { "destination": "Hero", "toMany": true }        "inverse": "team", on the same line
  ///
  ///     {                                                on its own line, with the same indentation
  ///       "destination": "Hero",
  ///       "toMany": true
  ///     }
  func insertion(of key: ModelFileKey, _ value: String, after known: ModelFileKey) -> SourceEdit? {
    guard let text, let range = self[known] else { return nil }
    let member = "\(NameFix.literal(key.rawValue)): \(NameFix.literal(value))"
    let end = range.offset + range.length
    let lineStart = text.bytes[..<range.offset].lastIndex { $0 == 0x0A }.map { $0 + 1 } ?? 0
    let indentation = text.bytes[lineStart..<range.offset].prefix { $0 == 0x20 || $0 == 0x09 }
    // The known member must begin and end its line. A comment after it stays on its line.
    let start = lineStart + indentation.count
    let isFirst = lineStart > 0 && text.bytes[start...].starts(with: NameFix.literal(known.rawValue).utf8)
    let next = text.bytes[end...].first { $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: ",") }
    guard isFirst, next == 0x0A || next == 0x0D else {
      return SourceEdit(inserting: ", \(member)", at: end)
    }
    let newline = lineStart > 1 && text.bytes[lineStart - 2] == 0x0D ? "\r\n" : "\n"
    return SourceEdit(inserting: ",\(newline)\(String(decoding: indentation, as: UTF8.self))\(member)", at: end)
  }
}
