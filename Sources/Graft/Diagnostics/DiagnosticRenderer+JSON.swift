extension DiagnosticRenderer {
  /// Returns the lines of a JSON object for a diagnostic. The object always has these members, in this order, with `null` for
  /// absent values: `file`, `line`, `column`, `length`, `path`, `severity`, `code`, `message`, `suggestion`, `notes`.
  static func jsonLines(_ diagnostic: Diagnostic) -> [String] {
    let notes = diagnostic.notes.map { note in
      JSONLines.object(place(note.location) + [("message", JSONLines.text(note.message))])
    }
    return JSONLines.object(
      place(diagnostic.location) + [
        ("path", JSONLines.text(diagnostic.path)),
        ("severity", JSONLines.text(diagnostic.severity.rawValue)),
        ("code", JSONLines.text(diagnostic.code.rawValue)),
        ("message", JSONLines.text(diagnostic.message)),
        ("suggestion", JSONLines.text(diagnostic.suggestion)),
        ("notes", JSONLines.array(notes)),
      ])
  }

  private static func place(_ location: SourceLocation?) -> [JSONLines.Member] {
    [
      ("file", JSONLines.text(location?.file)),
      ("line", JSONLines.number(location?.line)),
      ("column", JSONLines.number(location?.column)),
      ("length", JSONLines.number(location?.length)),
    ]
  }
}

/// JSON formatted for people and programs: one member or element per line, indented by two spaces.
///
/// Unlike the ordinary JSON writer, it escapes everything that could control a terminal.
enum JSONLines {
  typealias Member = (key: String, value: [String])

  static func object(_ members: [Member]) -> [String] {
    enclose("{", members.map { ["\"\($0.key)\": \($0.value[0])"] + $0.value.dropFirst() }, "}")
  }

  static func array(_ elements: [[String]]) -> [String] { enclose("[", elements, "]") }

  static func number(_ number: Int?) -> [String] { [number.map(String.init) ?? "null"] }

  static func text(_ text: String?) -> [String] {
    guard let text else { return ["null"] }
    return ["\"\(text.unicodeScalars.reduce(into: "") { $0 += escaped($1) })\""]
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar.isASCII, JSONEscape.isNeeded(UInt8(scalar.value)) { return JSONEscape.text(UInt8(scalar.value)) }
    guard scalar.escapedForDisplay != nil else { return String(scalar) }
    return scalar.utf16.map(JSONEscape.text(unit:)).joined()
  }

  private static func enclose(_ open: String, _ items: [[String]], _ close: String) -> [String] {
    guard !items.isEmpty else { return [open + close] }
    var lines = [open]
    for (number, item) in items.enumerated() {
      lines += item.map { "  \($0)" }
      if number < items.count - 1 { lines[lines.count - 1] += "," }
    }
    return lines + [close]
  }
}
