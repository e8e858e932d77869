import Graft

/// Formats a document as `graft format` does.
enum FormattingAnswer {
  /// Returns the edit that replaces the whole text, or no edit if the text is already formatted or its syntax is faulty.
  static func edits(_ document: ModelDocument) -> JSON {
    guard let formatted = try? ModelFileFormatter.format(document.source), formatted != document.bytes else {
      return []
    }
    return [document.edit(0..<document.bytes.count, String(decoding: formatted, as: UTF8.self))]
  }
}
