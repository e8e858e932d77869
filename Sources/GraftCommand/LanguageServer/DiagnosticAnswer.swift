import Graft

/// Converts findings to the diagnostics of the protocol.
enum DiagnosticAnswer {
  static func json(_ finding: Diagnostic, in document: ModelDocument) -> JSON {
    var json: JSONObject = [
      "range": document.lines.range(finding.location.map { range(of: $0, in: document) } ?? 0..<0),
      "severity": finding.severity == .error ? 1 : 2, "code": .string(finding.code.rawValue), "source": "graft",
      "message": .string(message(finding)),
    ]
    let notes = finding.notes.compactMap { note -> JSON? in
      guard let location = note.location else { return nil }
      return ["location": document.location(range(of: location, in: document)), "message": .string(note.message)]
    }
    if !notes.isEmpty { json["relatedInformation"] = .array(notes) }
    return .object(json)
  }

  /// Returns the message with the suggestion, as in a line of `graft lint`.
  private static func message(_ finding: Diagnostic) -> String {
    guard let suggestion = finding.suggestion, !finding.namesSuggestion else { return finding.message }
    return "\(finding.message); did you mean '\(suggestion)'?"
  }

  /// Returns the bytes of a location, whose length counts scalars.
  static func range(of location: SourceLocation, in document: ModelDocument) -> Range<Int> {
    let bytes = document.bytes
    let start = min(location.offset, bytes.count)
    var end = start
    for _ in 0..<location.length where end < bytes.count && bytes[end] != 0x0A && bytes[end] != 0x0D {
      end += 1
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    }
    return start..<end
  }
}
